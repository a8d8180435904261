use std::collections::BTreeMap;
use std::rc::Rc;

use crate::document::NodeId;
use crate::facts::{Context, Place};
use crate::model::{Activity, ActivityKind, Field, FieldType, Form, LocaleText, Locales};
use crate::rules::form::{describe, is_documented};
use crate::rules::{Reporter, Rule};
use crate::text::diagnostic::{FileId, Severity};
use crate::text::quoted_list;

pub const RULE: Rule = rule!("WF611-missing-translation", Info | Warning, check, recommends_infos: true);

/// A translated string.
struct Translated<'t> {
    node: NodeId,
    texts: &'t Locales<'t>,
    owner: Owner<'t>,
}

/// The owner of a translated string.
enum Owner<'t> {
    Field(&'t Field<'t>),
    Status(&'t Activity<'t>),
}

impl Owner<'_> {
    fn describe(&self) -> String {
        match self {
            Self::Field(field) => format!("the label of {}", describe(field)),
            Self::Status(activity) => format!("the text of {}", activity.display_name()),
        }
    }
}

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for form in &cx.model.forms {
        let labels = form.form.fields.iter().filter_map(|field| {
            let (node, texts) = field.display_name.known()?;
            Some(Translated { node, texts, owner: Owner::Field(field) })
        });
        report_missing(form.file, &labels.collect::<Vec<_>>(), out);
        report_unlabeled(form.file, form.form, out);
    }
    for analysis in &cx.workflows {
        let statuses = analysis.workflow.activities.iter().filter_map(|activity| match &activity.kind {
            ActivityKind::Status { translations, .. } => {
                let (node, texts) = translations.known()?;
                Some(Translated { node, texts, owner: Owner::Status(activity) })
            }
            _ => None,
        });
        report_missing(analysis.file, &statuses.collect::<Vec<_>>(), out);
    }
}

/// Whether a locale has a translation. A value of the wrong JSON type may be meant as one.
fn has_text(text: Option<&str>) -> bool {
    text.is_none_or(|text| !text.trim().is_empty())
}

/// The locales that have a translation: in lower case, because case does not matter, with how each is written.
fn locales<'t>(texts: &Locales<'t>) -> BTreeMap<String, &'t str> {
    let with_text = texts.iter().rev().filter(|entry| has_text(entry.text));
    with_text.map(|entry| (entry.locale.to_lowercase(), entry.locale)).collect()
}

/// Whether two strings have a translation for each of the same locales, written alike and in the same order.
fn have_same_locales(a: &Locales<'_>, b: &Locales<'_>) -> bool {
    let are_same =
        |(a, b): (&LocaleText<'_>, &LocaleText<'_>)| a.locale == b.locale && has_text(a.text) && has_text(b.text);
    a.len() == b.len() && a.iter().zip(b).all(are_same)
}

/// Reports each translated string that lacks a locale which more than half of them have; a status text also if it is empty
/// in a locale that any of them has, because it is published so.
fn report_missing(file: FileId, all: &[Translated<'_>], out: &mut Reporter<'_>) {
    // Most documents have every string in the same locales.
    if all.iter().all(|text| all.first().is_none_or(|first| have_same_locales(text.texts, first.texts))) {
        return;
    }
    let mut with_text: Vec<(&Translated<'_>, Rc<BTreeMap<String, &str>>)> = Vec::new();
    for text in all {
        // Most have those of the one before.
        let same = with_text.last().filter(|(last, _)| have_same_locales(last.texts, text.texts));
        let own = same.map_or_else(|| Rc::new(locales(text.texts)), |(_, own)| Rc::clone(own));
        if !own.is_empty() {
            with_text.push((text, own));
        }
    }
    // By lower case: how it is written first, and how many have it.
    let mut common: BTreeMap<&str, (&str, usize)> = BTreeMap::new();
    for (lower, written) in with_text.iter().flat_map(|(_, own)| own.iter()) {
        common.entry(lower).or_insert((written, 0)).1 += 1;
    }
    for (text, own) in &with_text {
        let is_empty_in = |locale: &str| {
            matches!(text.owner, Owner::Status(_))
                && text.texts.iter().any(|entry| entry.locale.to_lowercase() == locale)
        };
        let missing = common.iter().filter(|(locale, (_, count))| {
            !own.contains_key(**locale) && (count * 2 > with_text.len() || is_empty_in(locale))
        });
        let missing: Vec<&str> = missing.map(|(_, (name, _))| *name).collect();
        if missing.is_empty() {
            continue;
        }
        let message = format!("missing {} translation of {}", quoted_list(&missing, "and"), text.owner.describe());
        out.report(&Place::value(file, text.node), message).help("add the translation");
    }
}

/// Reports each visible field whose label is empty. A section needs no label.
fn report_unlabeled(file: FileId, form: &Form<'_>, out: &mut Reporter<'_>) {
    let mut hidden = vec![false; form.fields.len()];
    for (index, field) in form.fields.iter().enumerate() {
        // Sections precede their fields, so whether the parent is hidden is known.
        let is_hidden = field.hidden.is_true() || hidden.get(index) == Some(&true);
        for &child in field.children.get().into_iter().flatten().filter(|_| is_hidden) {
            if let Some(child) = hidden.get_mut(child) {
                *child = true;
            }
        }
        let Some((node, texts)) = field.display_name.known() else { continue };
        let is_label = is_documented(field) && field.field_type != FieldType::FormSection;
        if is_label && !is_hidden && !texts.iter().any(|entry| has_text(entry.text)) {
            out.report(&Place::value(file, node), format!("missing label of {}", describe(field)))
                .help("add one for each language of the form")
                .severity(Severity::Warning);
        }
    }
}
