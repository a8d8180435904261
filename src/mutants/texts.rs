//! Changes the text of a Status, an Assign or a static parameter.

use super::change::{Change, Site};
use super::edit::Edit;
use crate::config::Mutation;
use crate::document::NodeId;
use crate::model::{Activity, ActivityKind, Assign, Binding, Code, LocaleText, Parameter, Provider};
use crate::text::quote;

/// Suffix of a changed text that is not a number or a boolean.
const ADDED: &str = "-changed";

pub fn changes(site: &Site<'_>, activity: &Activity<'_>) -> Vec<Change> {
    match &activity.kind {
        ActivityKind::Status { status, translations } => {
            let translations = translations.get().map_or(&[] as &[_], |texts| texts);
            of_status(site, activity, status.unboxed(), translations)
        }
        ActivityKind::Assign(assign) => of_assign(site, activity, assign),
        ActivityKind::Provider(provider) => of_provider(site, activity, provider),
        ActivityKind::Code(code) => of_code(site, activity, code),
        _ => Vec::new(),
    }
}

/// The text that is published: a static one, otherwise each translation.
fn of_status(
    site: &Site<'_>,
    activity: &Activity<'_>,
    status: Option<&Binding<'_>>,
    translations: &[LocaleText<'_>],
) -> Vec<Change> {
    let name = activity.display_name();
    let own = status.and_then(Binding::literal).filter(|(_, literal)| !literal.is_empty());
    if own.is_some() || status.is_some_and(Binding::is_bound) {
        let own = status.and_then(text_of).into_iter();
        let clause = format!("the text of {name} is changed");
        return own.filter_map(|own| changed(site, activity, clause.clone(), &[own])).collect();
    }
    let of_locale = |(node, locale, text): (NodeId, &str, &str)| {
        let clause = format!("the text of {name} for {} is changed", quote(locale));
        changed(site, activity, clause, &[(node, text)])
    };
    let texts = translations.iter().filter_map(|text| Some((text.node, text.locale, text.text?)));
    texts.filter_map(of_locale).collect()
}

fn of_assign(site: &Site<'_>, activity: &Activity<'_>, assign: &Assign<'_>) -> Vec<Change> {
    let clause = format!("the text of {} is changed", activity.display_name());
    let body = assign.body.known().map(|(node, text)| (node, *text));
    body.and_then(|body| changed(site, activity, clause, &[body])).into_iter().collect()
}

fn of_provider(site: &Site<'_>, activity: &Activity<'_>, provider: &Provider<'_>) -> Vec<Change> {
    let of_parameter = |parameter: &Parameter<'_>| {
        let own = text_of(parameter.value.get()?)?;
        let copy = provider.copy(parameter).and_then(|copy| text_of(copy.value.get()?));
        let texts: Vec<_> = std::iter::once(own).chain(copy).collect();
        changed(site, activity, clause(activity, parameter.name.value()), &texts)
    };
    provider.parameters().filter_map(of_parameter).collect()
}

fn of_code(site: &Site<'_>, activity: &Activity<'_>, code: &Code<'_>) -> Vec<Change> {
    let parameters = code.parameters.get().into_iter().flatten();
    let changes = parameters.filter_map(|parameter| {
        let clause = clause(activity, parameter.name.value());
        changed(site, activity, clause, &[text_of(parameter.value.get()?)?])
    });
    changes.collect()
}

/// The change of the text of a parameter.
fn clause(activity: &Activity<'_>, name: Option<&str>) -> String {
    let parameter = name.map_or_else(|| "an unnamed parameter".to_owned(), |name| format!("parameter {}", quote(name)));
    format!("{parameter} of {} has another text", activity.display_name())
}

/// The static text of a binding.
fn text_of<'d>(binding: &Binding<'d>) -> Option<(NodeId, &'d str)> {
    binding.literal_text()
}

/// Other texts in place of some, of which the first is where the change is; `None` if it is empty.
fn changed(site: &Site<'_>, activity: &Activity<'_>, clause: String, texts: &[(NodeId, &str)]) -> Option<Change> {
    let (node, first) = texts.first()?;
    if first.is_empty() {
        return None;
    }
    let edit = |&(node, text): &(NodeId, &str)| {
        let json = serde_json::Value::from(other(text)).to_string();
        Edit::value(site.document, node, json)
    };
    Some(Change::new(Mutation::ChangeText, activity, *node, clause, texts.iter().map(edit).collect()))
}

/// Another text of the same kind: the next number, the other boolean, or a longer text.
fn other(text: &str) -> String {
    match text {
        "true" => "false".to_owned(),
        "false" => "true".to_owned(),
        _ => match text.parse::<i64>().ok().and_then(|number| number.checked_add(1)) {
            Some(next) => next.to_string(),
            None => format!("{text}{ADDED}"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::other;

    #[test]
    fn another_text_is_of_the_same_kind() {
        let found = ["x", "41", "-1", "true", "false", "", "9223372036854775807"].map(other);
        assert_eq!(found, ["x-changed", "42", "0", "false", "true", "-changed", "9223372036854775807-changed"]);
    }
}
