//! Paths of entries: JSON Pointers that name activities.

use crate::support::{escape_step, unescape_step};

use super::text::{Child, Kind, Value, string};

/// The value at a path.
pub struct Located<'v> {
    /// Its RFC 6901 pointer.
    pub pointer: String,
    pub value: &'v Value,
    /// Its parent, and its index among the children.
    pub holder: Option<(&'v Value, usize)>,
}

impl<'v> Located<'v> {
    pub fn root(root: &'v Value) -> Self {
        Self { pointer: String::new(), value: root, holder: None }
    }

    fn child(&self, index: usize) -> Self {
        let child = &self.value.children[index];
        let segment = if self.value.kind == Kind::Object { escape_step(&child.name) } else { index.to_string() };
        let pointer = format!("{}/{segment}", self.pointer);
        Self { pointer, value: &child.value, holder: Some((self.value, index)) }
    }

    fn children(&self) -> impl Iterator<Item = (&'v str, Self)> {
        self.value.children.iter().enumerate().map(|(index, child)| (child.name.as_str(), self.child(index)))
    }
}

/// The values at a path; several with `*`, none when there is no such value.
///
/// A path is a JSON Pointer, with two more kinds of segment: `@Name` is the element that has this
/// `name`, and `*` every member in which the rest of the path exists. A path may begin with `@Name`:
/// the one activity or field of that name, wherever it is.
pub fn find<'v>(text: &str, root: &'v Value, path: &str) -> Result<Vec<Located<'v>>, String> {
    let Some(named) = path.strip_prefix('@') else { return Ok(follow(text, Located::root(root), path)) };
    let (name, rest) = named.split_at(named.find('/').unwrap_or(named.len()));
    let mut found = Vec::new();
    collect_named(text, name, Located::root(root), &mut found);
    match <[Located<'v>; 1]>::try_from(found) {
        Ok([place]) => Ok(follow(text, place, rest)),
        Err(found) => Err(format!("{} activities or fields are named `{name}`", found.len())),
    }
}

/// The only value at a path.
pub fn find_one<'v>(text: &str, root: &'v Value, path: &str) -> Result<Located<'v>, String> {
    let found = <[Located<'v>; 1]>::try_from(find(text, root, path)?);
    found.map(|[place]| place).map_err(|found| format!("`{path}` leads to {} places", found.len()))
}

fn follow<'v>(text: &str, place: Located<'v>, path: &str) -> Vec<Located<'v>> {
    let Some(path) = path.strip_prefix('/') else { return vec![place] };
    let (segment, rest) = path.split_at(path.find('/').unwrap_or(path.len()));
    let name = unescape_step(segment);
    let is_meant = |(index, child): (usize, &Child)| match (segment.strip_prefix('@'), place.value.kind) {
        (Some(name), Kind::Array) => is_named(text, &child.value, name),
        (_, Kind::Object) => segment == "*" || child.name == name,
        _ => segment == index.to_string(),
    };
    let mut meant: Vec<usize> =
        place.value.children.iter().enumerate().filter(|child| is_meant(*child)).map(|(index, _)| index).collect();
    if place.value.kind == Kind::Object && segment != "*" {
        // Of several members with one name the last counts.
        meant.drain(..meant.len().saturating_sub(1));
    }
    meant.into_iter().flat_map(|index| follow(text, place.child(index), rest)).collect()
}

fn collect_named<'v>(text: &str, name: &str, place: Located<'v>, found: &mut Vec<Located<'v>>) {
    for (member, below) in place.children() {
        match member {
            "activities" | "fields" => {
                below.children().for_each(|(_, element)| collect_named(text, name, element, found));
            }
            "fieldsViewModel" => collect_named(text, name, below, found),
            _ => {}
        }
    }
    if is_named(text, place.value, name) {
        found.push(place);
    }
}

fn is_named(text: &str, value: &Value, name: &str) -> bool {
    value.member("name").and_then(|value| string(text, &value.span)).is_some_and(|found| found == name)
}
