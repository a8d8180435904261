//! What a call does, what it is given and what it fills.

use super::sentence::Sentence;
use super::words::Words;
use crate::catalog::{Method, ParameterKind, Simulation, Usage};
use crate::facts::ProviderSite;
use crate::graph::{ProviderOutput, Receiver};
use crate::model::{Activity, Parameter};

/// What a call does, in whole sentences; the first begins in lower case.
pub fn call(activity: &Activity<'_>, words: &Words<'_, '_>) -> Sentence {
    let Some(site) = ProviderSite::of_activity(words.analysis, activity.id) else {
        return Sentence::of("calls a method that cannot be read");
    };
    let (mut said, named) = what(activity, &site, words);
    let given =
        site.provider.parameters().filter_map(|parameter| given(parameter, &site, named, words)).collect::<Vec<_>>();
    if !given.is_empty() {
        said = said.text(". Given: ").then(Sentence::list(given, "; ", "; "));
    }
    let filled = site.outputs.outputs.iter().filter_map(|output| filled(output, &site, words)).collect::<Vec<_>>();
    if !filled.is_empty() {
        said = said.text(". Fills ").then(Sentence::and(filled));
    }
    if let Some(prefix) = site.outputs.may_write {
        said = match words.shown(prefix).as_str() {
            "" => said.text(". Which variables it fills is not known"),
            prefix => said.text(". May fill any variable whose name begins with ").name(prefix),
        };
    }
    if let Some((node, name)) = site.provider.result.get().and_then(|result| result.target()) {
        said = said.text(". Keeps whether it succeeded in ").name(words.texts.show(node, name));
    }
    if site.provider.stops_on_error() { said } else { said.text(". If it fails, the order goes on") }
}

/// What the method does, and the kinds of the parameters whose values are in this sentence.
fn what(
    activity: &Activity<'_>,
    site: &ProviderSite<'_, '_>,
    words: &Words<'_, '_>,
) -> (Sentence, &'static [ParameterKind]) {
    if let Some((found, _)) = words.looked_up(activity.id) {
        return (Sentence::of("looks up ").then(found), &[ParameterKind::Identity]);
    }
    let Some(method) = site.outputs.method else {
        let said = match site.provider.method.known() {
            Some((node, name)) if !name.trim().is_empty() => {
                Sentence::of("calls ").value(words.texts.show(node, name)).text(", whose effect is not described")
            }
            _ => Sentence::of("calls a method whose name is missing"),
        };
        return (said, &[]);
    };
    let value_of = |kind| {
        let parameter = site.provider.parameter(&method.parameter_of_kind(kind)?.name)?;
        parameter.value.get()
    };
    let simulated = match method.simulation {
        Some(Simulation::SigningRequest) => value_of(ParameterKind::Mail).and_then(|mail| {
            let said = words.of("sends a mail to the address", mail)?.text(" that asks for a signature");
            Some((said, &[ParameterKind::Mail][..]))
        }),
        Some(Simulation::SigningRequestJson) => value_of(ParameterKind::CaseJson).and_then(|json| {
            let (_, variable) = json.target()?;
            let said = Sentence::of("asks the people listed in ");
            let said = said.then(Sentence(vec![words.variable(variable)])).text(" to sign");
            Some((said, &[ParameterKind::CaseJson][..]))
        }),
        Some(Simulation::SigningStatus) => value_of(ParameterKind::CaseId).and_then(|id| {
            let said = words.of("looks up the status of the signing case with the id", id)?;
            Some((said, &[ParameterKind::CaseId][..]))
        }),
        _ => None,
    };
    simulated.unwrap_or_else(|| (described(method, words), &[]))
}

fn described(method: &Method, words: &Words<'_, '_>) -> Sentence {
    let description = method.description.as_deref().map(|text| lower(&first_sentence(&words.texts.plain(text))));
    match description.filter(|text| !text.is_empty()) {
        Some(text) => Sentence::of(text),
        None => Sentence::of("calls ").value(words.texts.plain(&method.name)),
    }
}

/// A parameter with its value, unless the sentence has it already.
fn given(
    parameter: &Parameter<'_>,
    site: &ProviderSite<'_, '_>,
    named: &[ParameterKind],
    words: &Words<'_, '_>,
) -> Option<Sentence> {
    let method = site.outputs.method;
    let name = parameter.name.value();
    let known = name.and_then(|name| method?.parameter(name));
    let kind = known.and_then(|known| known.kind);
    let of_outputs = [ParameterKind::Prefix, ParameterKind::PropertyList];
    let is_named = kind.is_some_and(|kind| named.contains(&kind) || of_outputs.contains(&kind));
    let is_prefix = method.is_none() && name == Some("Prefix");
    if is_named || is_prefix || parameter.is_empty() {
        return None;
    }
    let value = match parameter.value.get() {
        Some(binding) => words.binding(binding)?,
        None => Sentence::of("a value that cannot be read"),
    };
    let additional = name.and_then(|name| method?.additional.iter().find(|additional| additional.matches(name)));
    let description =
        known.map_or_else(|| additional.and_then(|it| it.description.as_deref()), |it| it.description.as_deref());
    let role = match description {
        Some(text) => Sentence::of(lower(&phrase(&words.texts.plain(text), kind == Some(ParameterKind::PersonalId)))),
        None => match parameter.name.known() {
            Some((node, name)) => Sentence::default().name(words.texts.show(node, name)),
            None => Sentence::of("a parameter without a name"),
        },
    };
    let is_ignored = additional.is_some_and(|additional| additional.usage == Usage::Ignored);
    Some(role.text(": ").then(value).text(if is_ignored { " (ignored)" } else { "" }))
}

/// A variable that a call fills, and with what.
fn filled(output: &ProviderOutput<'_>, site: &ProviderSite<'_, '_>, words: &Words<'_, '_>) -> Option<Sentence> {
    if !matches!(output.receiver, Receiver::Variable | Receiver::Unknown) {
        return None;
    }
    let method = site.outputs.method;
    let known =
        method.and_then(|method| method.outputs.iter().find(|known| known.name.as_deref() == Some(output.property)));
    let is_group = method.is_some_and(|method| method.simulation == Some(Simulation::GroupMembers));
    let requested = match output.property {
        "DisplayName" => Some("name"),
        "Mail" | "mail" if is_group => Some("mail addresses"),
        "Mail" | "mail" => Some("mail address"),
        "Mobile" | "mobile" => Some("mobile phone"),
        _ => None,
    };
    let meaning = match known {
        Some(known) => known.description.as_deref().map(|text| lower(&phrase(&words.texts.plain(text), false))),
        None => requested.map(str::to_owned),
    };
    let variable = Sentence(vec![words.variable(&output.name)]);
    Some(match meaning.filter(|text| !text.is_empty()) {
        Some(meaning) => variable.text(format!(" ({meaning})")),
        None => variable,
    })
}

/// Up to the first full stop that ends a sentence.
fn first_sentence(text: &str) -> String {
    text.split(". ").next().unwrap_or(text).trim_end_matches('.').to_owned()
}

/// What a value is, without what the description adds: "Personal id of the signer" of "Personal id of the signer, Swedish,
/// Finnish or Danish". A comma of a list does not end it, unless `always`.
fn phrase(description: &str, always: bool) -> String {
    let sentence = first_sentence(description);
    let sentence = sentence.split(": ").next().unwrap_or(&sentence);
    match sentence.split_once(", ") {
        Some((start, rest)) if always || !(rest.contains(" or ") || rest.contains(" and ")) => start.to_owned(),
        _ => sentence.to_owned(),
    }
}

/// With a small first letter, unless the first word is an abbreviation.
fn lower(text: &str) -> String {
    let mut letters = text.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), second) if second.is_none_or(|second| !second.is_uppercase()) => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => text.to_owned(),
    }
}
