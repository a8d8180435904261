//! Parts that several objects of a scenario have.

use std::sync::Arc;

use super::keys;
use super::reader::{Members, Reader};
use super::value_ref::ValueRef;
use crate::simulate::scenario::location::Spanned;
use crate::simulate::scenario::model::{Input, NamedInput};

/// A path or name that is not empty.
pub fn name(reader: &mut Reader, members: &Members<'_>, key: &str) -> Option<Spanned<String>> {
    let item = members.get(key)?;
    Some(Spanned { value: reader.name(item)?, location: item.location() })
}

pub fn inputs(reader: &mut Reader, item: &ValueRef<'_>) -> Option<Vec<NamedInput>> {
    let members = reader.members(item, "an object of names and values")?;
    Some(members.iter().filter_map(|member| input(reader, member)).collect())
}

fn input(reader: &mut Reader, item: &ValueRef<'_>) -> Option<NamedInput> {
    let value = if item.is_object() {
        let members = reader.known_members(item, &keys::UPLOAD)?;
        Input::File(reader.name(members.get("file")?)?)
    } else if item.is_array() {
        reader.mismatch(item, "a string, or `{ file: … }` for an upload");
        return None;
    } else {
        Input::Text(reader.value(item)?)
    };
    Some(NamedInput { name: item.spanned_key(), input: Spanned { value, location: item.location() } })
}

pub fn texts(reader: &mut Reader, item: &ValueRef<'_>) -> Option<Vec<(String, Arc<str>)>> {
    let members = reader.members(item, "an object of names and strings")?;
    Some(members.iter().filter_map(|member| Some((member.key().to_owned(), reader.value(member)?))).collect())
}
