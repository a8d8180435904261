use std::collections::BTreeMap;

use crate::diagnostic::{FileId, Severity, quote};
use crate::document::NodeId;
use crate::facts::{Context, Place};
use crate::locale;
use crate::model::{FieldType, Form, Kind, Locales};
use crate::rules::form::is_documented;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF611",
    name: "missing-translation",
    severity: Severity::Info,
    other_severities: &[Severity::Warning],
    page: include_str!("../../../rules/WF611-missing-translation.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for form in &cx.model.forms {
        let labels: Vec<_> = form.form.fields.iter().filter_map(|field| field.display_name.known()).collect();
        tell_missing(form.file, "label", &labels, out);
        tell_unlabelled(form.file, &form.form, out);
    }
    for analysis in &cx.workflows {
        let statuses = analysis.workflow.activities.iter().filter_map(|activity| match &activity.kind {
            Kind::Status { translations, .. } => translations.known(),
            _ => None,
        });
        tell_missing(analysis.file, "status text", &statuses.collect::<Vec<_>>(), out);
    }
}

/// Whether a locale has a text; one of the wrong JSON type is told (WF004) and counts.
fn has_text(text: Option<&str>) -> bool {
    text.is_none_or(|text| !text.trim().is_empty())
}

/// The locales in which there is a text, each in lower case, for case does not matter, and as written.
fn locales<'t>(texts: &Locales<'t>) -> Vec<(String, &'t str)> {
    let with_text = texts.iter().filter(|entry| has_text(entry.text));
    let mut locales: Vec<_> = with_text.map(|entry| (entry.locale.to_lowercase(), entry.locale)).collect();
    locales.sort();
    locales.dedup_by(|one, other| one.0 == other.0);
    locales
}

/// Tells each text of a kind that lacks a locale which most of them have.
fn tell_missing(file: FileId, kind: &str, all: &[(NodeId, &Locales<'_>)], out: &mut Reporter<'_>) {
    let with_text: Vec<_> =
        all.iter().map(|&(node, texts)| (node, texts, locales(texts))).filter(|(.., own)| !own.is_empty()).collect();
    // By lower case: how it is written first, and how many have it.
    let mut usual: BTreeMap<String, (&str, usize)> = BTreeMap::new();
    for (lower, written) in with_text.iter().flat_map(|(.., own)| own) {
        usual.entry(lower.clone()).or_insert((written, 0)).1 += 1;
    }
    usual.retain(|_, (_, count)| *count * 2 > with_text.len());
    for (node, texts, own) in &with_text {
        // A code that is none is most likely the missing one, and is told (WF612).
        if texts.iter().any(|entry| !locale::is_tag(entry.locale)) {
            continue;
        }
        let missing = usual.iter().filter(|(locale, _)| own.binary_search_by(|(known, _)| known.cmp(locale)).is_err());
        let names: Vec<String> = missing.map(|(_, (name, _))| quote(name)).collect();
        if !names.is_empty() {
            out.report(
                &Place::value(file, *node),
                format!("this {kind} has no text in {}, in which most others have one", names.join(", ")),
            )
            .help("add the translation");
        }
    }
}

/// Tells each visible field whose label is there and has no text. A section needs none.
fn tell_unlabelled(file: FileId, form: &Form<'_>, out: &mut Reporter<'_>) {
    let mut hidden = vec![false; form.fields.len()];
    for (index, field) in form.fields.iter().enumerate() {
        // A section comes before its fields.
        let is_hidden = field.hidden.is_true() || hidden.get(index) == Some(&true);
        for &child in field.children.get().into_iter().flatten().filter(|_| is_hidden) {
            if let Some(child) = hidden.get_mut(child) {
                *child = true;
            }
        }
        let Some((node, texts)) = field.display_name.known() else { continue };
        let is_label = is_documented(field) && field.field_type != FieldType::FormSection;
        if is_label && !is_hidden && !texts.iter().any(|entry| has_text(entry.text)) {
            out.report(
                &Place::value(file, node),
                "this field has no label in any language, so nobody can tell what it is for",
            )
            .help("add a text for each language of the form")
            .severity(Severity::Warning);
        }
    }
}
