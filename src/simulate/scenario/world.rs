//! What a run finds around it: the directory, providers, faults, limits.

use super::item::Item;
use super::read::{file, texts};
use super::reader::Reader;
use super::{DirectorySource, Fault, Limits, ProviderResult, ProviderResults, Spanned, keys};
use crate::ldap::Entry;

pub(super) fn directory(reader: &mut Reader, item: &Item<'_>) -> Option<DirectorySource> {
    if item.is_list() {
        let entries = item.entries().filter_map(|item| entry(reader, &item)).collect();
        return Some(DirectorySource::Inline(entries, item.place()));
    }
    if item.is_map() {
        reader.wrong(item, "the path of an LDIF file, or a list of entries");
        return None;
    }
    let path = reader.name(item)?;
    Some(DirectorySource::File(Spanned { value: path, place: item.place() }))
}

/// An entry of the directory: its name, and any attributes beside it.
fn entry(reader: &mut Reader, item: &Item<'_>) -> Option<Entry> {
    let members = reader.members(item, "a map with `dn` and attributes")?;
    let mut name = None;
    let mut attributes = Vec::new();
    for member in &members {
        if !keys::ENTRY.known.contains(&member.key()) {
            attributes.push((member.key().to_owned(), attribute(reader, member)));
        } else if !member.value.is_null() {
            name = Some(member);
        }
    }
    let Some(name) = name else {
        reader.missing(item, "dn");
        return None;
    };
    let entry = Entry::new(&reader.text(name)?, attributes);
    entry.map_err(|reason| reader.refuse(name.place(), reason, None)).ok()
}

/// The values of an attribute; one value may stand alone.
fn attribute(reader: &mut Reader, item: &Item<'_>) -> Vec<String> {
    let values: Vec<Item<'_>> = if item.is_list() { item.entries().collect() } else { vec![*item] };
    values.iter().filter_map(|value| reader.text(value)).map(|text| text.as_ref().to_owned()).collect()
}

pub(super) fn faults(reader: &mut Reader, item: &Item<'_>) -> Vec<Fault> {
    let entries = reader.entries(item, "a list of faults").unwrap_or_default();
    entries.iter().filter_map(|entry| fault(reader, entry)).collect()
}

fn fault(reader: &mut Reader, item: &Item<'_>) -> Option<Fault> {
    let members = reader.known_members(item, &keys::FAULT)?;
    let method = file(reader, &members, "method");
    let call = members.get("call").and_then(|call| reader.count(call, 1));
    let error = members.get("error").and_then(|error| reader.text(error));
    Some(Fault { method: method?, call, error: error?.as_ref().to_owned() })
}

pub(super) fn providers(reader: &mut Reader, item: &Item<'_>) -> Vec<ProviderResults> {
    let members = reader.members(item, "a map of methods and their results").unwrap_or_default();
    let read = members.iter().map(|member| {
        let entries = reader.entries(member, "a list of results, one a call").unwrap_or_default();
        let results = entries
            .iter()
            .filter_map(|entry| Some(Spanned { value: provider_result(reader, entry)?, place: entry.place() }));
        ProviderResults { results: results.collect(), method: member.spanned_key() }
    });
    read.collect()
}

fn provider_result(reader: &mut Reader, item: &Item<'_>) -> Option<ProviderResult> {
    let members = reader.known_members(item, &keys::RESULT)?;
    match (members.get("outputs"), members.get("error")) {
        (Some(outputs), None) => Some(ProviderResult::Outputs(texts(reader, outputs)?)),
        (None, Some(error)) => Some(ProviderResult::Error(reader.text(error)?.as_ref().to_owned())),
        (outputs, _) => {
            let fault = if outputs.is_some() { "has both `outputs` and `error`" } else { "needs `outputs` or `error`" };
            let message = format!("{} {fault}", item.label());
            reader.refuse(item.place(), message, None);
            None
        }
    }
}

pub(super) fn limits(reader: &mut Reader, item: &Item<'_>) -> Limits {
    let usual = Limits::default();
    let Some(members) = reader.known_members(item, &keys::LIMITS) else { return usual };
    Limits {
        steps: members.get("steps").and_then(|steps| reader.count(steps, 0)).unwrap_or(usual.steps),
        virtual_time: members.get("virtual-time").and_then(|time| reader.duration(time)).unwrap_or(usual.virtual_time),
        script_time: members
            .get("script-seconds")
            .and_then(|seconds| reader.seconds(seconds))
            .unwrap_or(usual.script_time),
    }
}
