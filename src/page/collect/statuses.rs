//! The texts that orders can show as their status: what Status activities publish, with gaps for values.

use std::collections::{BTreeMap, BTreeSet};

use super::subject::Subject;
use crate::common::collections::IndexMap;
use crate::explore::{ExploredService, PublishedText};
use crate::graph::Placeholder;
use crate::model::{Activity, ActivityId, ActivityKind, Assign, Binding, Locales, Member};
use crate::page::{SeenText, StatusView, TemplatePart};
use crate::text::truncate;

/// Characters of a text that explored orders show, at most.
const MAX_SEEN: usize = 300;

/// Equal templates are one, whichever activities publish them.
pub fn statuses(subject: &Subject<'_, '_>) -> Vec<StatusView> {
    let mut known: IndexMap<Vec<TemplatePart>, Collected> = IndexMap::default();
    for activity in subject.activities() {
        let ActivityKind::Status { status, translations } = &activity.kind else { continue };
        let templates = templates(subject, status.unboxed(), translations);
        // Any order may show any translation.
        let is_literal = status.unboxed().is_none_or(|status| status.target().is_none());
        let found = Found::of(subject, activity.id, &templates, is_literal);
        for (template, own) in templates.into_iter().zip(found) {
            known.entry(template).or_default().add(own, subject.place(activity));
        }
    }
    known.into_iter().map(|(template, collected)| collected.view(template)).collect()
}

/// What a Status activity publishes of one of its templates.
struct Found {
    texts: Vec<SeenText>,
    /// The ends that can follow.
    ends: BTreeSet<usize>,
    /// Whether an order may show it from there.
    is_possible: bool,
}

impl Found {
    /// For each template of an activity.
    fn of(subject: &Subject<'_, '_>, id: ActivityId, templates: &[Vec<TemplatePart>], is_literal: bool) -> Vec<Self> {
        let published = subject.explored.and_then(|explored| explored.published.iter().find(|it| it.activity == id));
        let is_known = subject.explored.is_some_and(ExploredService::is_complete)
            && published.is_none_or(|published| !published.has_more);
        let mut found: Vec<Self> = templates
            .iter()
            .map(|_| Self { texts: Vec::new(), ends: BTreeSet::new(), is_possible: is_literal || !is_known })
            .collect();
        let Some(published) = published else { return found };
        for PublishedText { text, ends } in &published.texts {
            let text = subject.shown(text);
            let Some(own) = best(templates, &text).and_then(|index| found.get_mut(index)) else { continue };
            own.is_possible = true;
            own.ends.extend(ends);
            own.texts.push(SeenText { text: truncate(&text, MAX_SEEN).into_owned(), ends: ends.clone() });
        }
        if is_literal || published.has_more {
            for it in &mut found {
                it.ends.extend(&published.ends);
            }
        }
        found
    }
}

/// What all activities publish of a template.
#[derive(Default)]
struct Collected {
    seen: BTreeMap<String, BTreeSet<usize>>,
    ends: BTreeSet<usize>,
    /// The activities that publish it, and those that would if an order came so far.
    by: Vec<(String, String)>,
    never_by: Vec<(String, String)>,
}

impl Collected {
    fn add(&mut self, found: Found, place: (String, String)) {
        for SeenText { text, ends } in found.texts {
            self.seen.entry(text).or_default().extend(ends);
        }
        self.ends.extend(found.ends);
        let list = if found.is_possible { &mut self.by } else { &mut self.never_by };
        // All templates of an activity come together.
        if list.last() != Some(&place) {
            list.push(place);
        }
    }

    fn view(self, template: Vec<TemplatePart>) -> StatusView {
        StatusView {
            template,
            seen: self.seen.into_iter().map(|(text, ends)| SeenText { text, ends }).collect(),
            published_by: if self.by.is_empty() { self.never_by } else { self.by },
            ends: self.ends,
        }
    }
}

/// The template of a text: of those that it fits, the one with most letters of its own; the last if it fits none.
fn best(templates: &[Vec<TemplatePart>], text: &str) -> Option<usize> {
    let own_letters = |template: &[TemplatePart]| -> usize {
        let lengths = template.iter().map(|part| match part {
            TemplatePart::Text(text) => text.len(),
            TemplatePart::Gap(_) => 0,
        });
        lengths.sum()
    };
    let fitting = templates.iter().enumerate().filter(|(_, template)| fits(template, text));
    let best = fitting.max_by_key(|(_, template)| own_letters(template)).map(|(index, _)| index);
    best.or_else(|| templates.len().checked_sub(1))
}

/// What a Status publishes: its literal, or each of its translations; of a variable each text that an Assign gives it,
/// otherwise a gap.
fn templates(
    subject: &Subject<'_, '_>,
    status: Option<&Binding<'_>>,
    translations: &Member<Locales<'_>>,
) -> Vec<Vec<TemplatePart>> {
    let texts = subject.texts();
    let Some((node, variable)) = status.and_then(Binding::target) else {
        let literal = status.and_then(Binding::literal_text).filter(|(_, text)| !text.is_empty());
        let translated = translations.get().into_iter().flatten().filter_map(|entry| Some((entry.node, entry.text?)));
        let all: Vec<_> = literal.map_or_else(|| translated.collect(), |literal| vec![literal]);
        return all.into_iter().map(|(node, text)| vec![TemplatePart::Text(texts.show(node, text))]).collect();
    };
    let assigned = subject.activities().iter().filter_map(|activity| assignment(activity, variable));
    let mut templates: Vec<Vec<TemplatePart>> = assigned.map(|assign| template(subject, assign)).collect();
    let is_written_elsewhere = subject.analysis.names.id(variable).is_some_and(|id| {
        let is_assign = |id| subject.analysis.workflow.activity(id).and_then(|it| assignment(it, variable)).is_some();
        let all = subject.analysis.effects.iter().zip((0..).map(ActivityId));
        all.into_iter().any(|(effects, by)| !is_assign(by) && effects.writes.to(id).next().is_some())
    });
    if templates.is_empty() || is_written_elsewhere {
        templates.push(vec![TemplatePart::Gap(texts.show(node, variable))]);
    }
    templates
}

/// The Assign of an activity, if it writes the variable.
fn assignment<'m, 'd>(activity: &'m Activity<'d>, variable: &str) -> Option<&'m Assign<'d>> {
    let ActivityKind::Assign(assign) = &activity.kind else { return None };
    let (_, target) = assign.result.get()?.target()?;
    (target == variable).then_some(&**assign)
}

/// The text of an Assign, with gaps for its placeholders.
fn template(subject: &Subject<'_, '_>, assign: &Assign<'_>) -> Vec<TemplatePart> {
    let texts = subject.texts();
    let Some((node, body)) = assign.body.known() else { return Vec::new() };
    let whole = texts.show(node, body);
    if whole != texts.plain(body) {
        return vec![TemplatePart::Text(whole)];
    }
    let shown = |text: &str| (texts.visible)(text).into_owned();
    let literal = |text: Option<&str>| text.filter(|text| !text.is_empty()).map(|text| TemplatePart::Text(shown(text)));
    let (mut parts, mut end) = (Vec::new(), 0);
    for Placeholder { name, range } in subject.analysis.scope.placeholders_of(assign) {
        parts.extend(literal(body.get(end..range.start)));
        parts.push(TemplatePart::Gap(shown(name)));
        end = range.end;
    }
    parts.extend(literal(body.get(end..)));
    parts
}

/// Whether a text may be a template with values in its gaps.
fn fits(template: &[TemplatePart], text: &str) -> bool {
    let mut rest = text;
    let mut after_gap = false;
    for part in template {
        match part {
            TemplatePart::Gap(_) => after_gap = true,
            TemplatePart::Text(part) => {
                let at =
                    if after_gap { rest.find(part.as_str()) } else { rest.starts_with(part.as_str()).then_some(0) };
                let Some(at) = at else { return false };
                rest = rest.get(at + part.len()..).unwrap_or_default();
                after_gap = false;
            }
        }
    }
    after_gap || rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_belongs_to_the_template_that_says_most_of_it() {
        let text = |text: &str| TemplatePart::Text(text.to_owned());
        let gap = || TemplatePart::Gap("V".to_owned());
        let templates = [vec![gap()], vec![text("Lease: "), gap()], vec![text("Done")]];
        assert_eq!(best(&templates, "Lease: Signed"), Some(1));
        assert_eq!(best(&templates, "Sent"), Some(0));
        assert_eq!(best(&templates[1..], "none of them"), Some(1));
        assert_eq!(best(&[], ""), None);
    }

    #[test]
    fn a_text_fits_a_template_with_values_in_its_gaps() {
        let text = |text: &str| TemplatePart::Text(text.to_owned());
        let gap = || TemplatePart::Gap("V".to_owned());
        let template = [text("Document status - "), gap()];
        assert!(fits(&template, "Document status - Sent") && fits(&template, "Document status - "));
        assert!(!fits(&template, "Document - Sent"));
        assert!(fits(&[gap(), text(" is done")], "It is done") && !fits(&[gap(), text(" is done")], "It is done now"));
        assert!(fits(&[text("a")], "a") && !fits(&[text("a")], "ab") && fits(&[gap()], ""));
    }
}
