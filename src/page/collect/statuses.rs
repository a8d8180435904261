//! The texts that orders can show as their status: what Status activities publish, with gaps for values.

use super::subject::Subject;
use crate::common::collections::IndexMap;
use crate::graph::Placeholder;
use crate::model::{Activity, ActivityId, ActivityKind, Assign, Binding, Locales, Member};
use crate::page::{StatusView, TemplatePart};
use crate::text::truncate;

/// Characters of a text that explored orders show, at most.
const MAX_SEEN: usize = 300;

/// Equal templates are one, whichever activities publish them.
pub fn statuses(subject: &Subject<'_, '_>) -> Vec<StatusView> {
    let mut statuses: IndexMap<Vec<TemplatePart>, StatusView> = IndexMap::default();
    for activity in subject.activities() {
        let ActivityKind::Status { status, translations } = &activity.kind else { continue };
        let published = subject
            .explored
            .and_then(|explored| explored.published.iter().find(|published| published.activity == activity.id));
        let templates = templates(subject, status.unboxed(), translations);
        // Any order may show any translation.
        let is_literal = status.unboxed().is_none_or(|status| status.target().is_none());
        let mut left: Vec<String> =
            published.into_iter().flat_map(|published| &published.texts).map(|text| subject.shown(text)).collect();
        let number = templates.len();
        for (index, template) in templates.into_iter().enumerate() {
            // What fits none of the templates is shown with the last.
            let is_last = index + 1 == number;
            let (own, others): (Vec<String>, Vec<String>) =
                left.into_iter().partition(|text| is_last || fits(&template, text));
            left = others;
            let is_reached = !own.is_empty() || is_literal;
            let view = statuses.entry(template.clone()).or_insert_with(|| StatusView {
                template,
                seen: Vec::new(),
                published_by: Vec::new(),
                ends: Vec::new(),
            });
            view.seen.extend(own.iter().map(|text| truncate(text, MAX_SEEN).into_owned()));
            view.published_by.push(subject.place(activity));
            if let Some(published) = published.filter(|_| is_reached) {
                view.ends.extend(&published.ends);
            }
        }
    }
    let mut statuses: Vec<StatusView> = statuses.into_values().collect();
    for status in &mut statuses {
        status.seen.sort();
        status.seen.dedup();
        status.ends.sort_unstable();
        status.ends.dedup();
    }
    statuses
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
