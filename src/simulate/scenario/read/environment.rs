//! The environment of a run: directory, providers, faults and limits.

use super::fields::{name, texts};
use super::keys;
use super::reader::Reader;
use super::value_ref::ValueRef;
use crate::ldap::Entry;
use crate::simulate::scenario::location::Spanned;
use crate::simulate::scenario::model::{DirectorySource, Fault, Limits, ProviderResult, ProviderResults};

pub fn directory(reader: &mut Reader, item: &ValueRef<'_>) -> Option<DirectorySource> {
    if item.is_array() {
        let entries = item.entries().filter_map(|item| entry(reader, &item)).collect();
        return Some(DirectorySource::Inline(entries, item.location()));
    }
    if item.is_object() {
        reader.mismatch(item, "the path of an LDIF file or an array of entries");
        return None;
    }
    let path = reader.name(item)?;
    Some(DirectorySource::File(Spanned { value: path, location: item.location() }))
}

/// A directory entry: `dn`, and any attributes.
fn entry(reader: &mut Reader, item: &ValueRef<'_>) -> Option<Entry> {
    let members = reader.members(item, "an object with `dn` and attributes")?;
    let mut dn = None;
    let mut attributes = Vec::new();
    for member in &members {
        if !keys::ENTRY.known.contains(&member.key()) {
            attributes.push((member.key().to_owned(), attribute(reader, member)));
        } else if !member.value.is_null() {
            dn = Some(member);
        }
    }
    let Some(dn) = dn else {
        reader.missing(item, "dn");
        return None;
    };
    let entry = Entry::new(&reader.text(dn)?, attributes);
    entry.map_err(|reason| reader.refuse(dn.location(), reason, None)).ok()
}

/// The values of an attribute: an array, or one value.
fn attribute(reader: &mut Reader, item: &ValueRef<'_>) -> Vec<String> {
    let values: Vec<ValueRef<'_>> = if item.is_array() { item.entries().collect() } else { vec![*item] };
    values.iter().filter_map(|value| reader.text(value)).map(|text| text.as_ref().to_owned()).collect()
}

pub fn faults(reader: &mut Reader, item: &ValueRef<'_>) -> Vec<Fault> {
    let entries = reader.entries(item, "an array of faults").unwrap_or_default();
    entries.iter().filter_map(|entry| fault(reader, entry)).collect()
}

fn fault(reader: &mut Reader, item: &ValueRef<'_>) -> Option<Fault> {
    let members = reader.known_members(item, &keys::FAULT)?;
    let method = name(reader, &members, "method");
    let call = members.get("call").and_then(|call| reader.count(call, 1));
    let error = members.get("error").and_then(|error| reader.text(error));
    Some(Fault { method: method?, call, error: error?.as_ref().to_owned() })
}

pub fn providers(reader: &mut Reader, item: &ValueRef<'_>) -> Vec<ProviderResults> {
    let members = reader.members(item, "an object with an array of results for each method").unwrap_or_default();
    let read = members.iter().map(|member| {
        let entries = reader.entries(member, "an array of results, one for each call").unwrap_or_default();
        let results = entries
            .iter()
            .filter_map(|entry| Some(Spanned { value: provider_result(reader, entry)?, location: entry.location() }));
        ProviderResults { results: results.collect(), method: member.spanned_key() }
    });
    read.collect()
}

fn provider_result(reader: &mut Reader, item: &ValueRef<'_>) -> Option<ProviderResult> {
    let members = reader.known_members(item, &keys::RESULT)?;
    match (members.get("outputs"), members.get("error")) {
        (Some(outputs), None) => Some(ProviderResult::Outputs(texts(reader, outputs)?)),
        (None, Some(error)) => Some(ProviderResult::Error(reader.text(error)?.as_ref().to_owned())),
        (outputs, _) => {
            let defect = if outputs.is_some() {
                "conflicting keys `outputs` and `error`"
            } else {
                "missing key `outputs` or `error`"
            };
            let message = format!("{defect}{}", item.within());
            reader.refuse(item.location(), message, None);
            None
        }
    }
}

pub fn limits(reader: &mut Reader, item: &ValueRef<'_>) -> Limits {
    let default = Limits::default();
    let Some(members) = reader.known_members(item, &keys::LIMITS) else { return default };
    Limits {
        steps: members.get("steps").and_then(|steps| reader.count(steps, 0)).unwrap_or(default.steps),
        virtual_time: members
            .get("virtual-time")
            .and_then(|time| reader.duration(time))
            .unwrap_or(default.virtual_time),
        script_time: members
            .get("script-seconds")
            .and_then(|seconds| reader.seconds(seconds))
            .unwrap_or(default.script_time),
    }
}
