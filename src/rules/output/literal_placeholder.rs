use std::collections::BTreeSet;

use crate::document::{Document, NodeId};
use crate::facts::{Context, Place};
use crate::graph::{Scope, braces};
use crate::model::{ActivityKind, Assumption, undocumented_strings};
use crate::rules::{Reporter, Rule};
use crate::schema::DocumentKind;
use crate::text::diagnostic::FileId;
use crate::text::quote;

pub const RULE: Rule = rule!("WF312-literal-placeholder", Info, check, recommends_infos: true);

/// Shorter texts in braces are similar to too many names, in bytes.
const MIN_SIMILAR: usize = 3;

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        let mut texts = activity.static_texts();
        if let ActivityKind::Declared { .. } = activity.kind {
            texts.extend(undocumented_strings(analysis.document, activity.node));
        }
        for (node, text) in texts {
            report(cx, &analysis.scope, (analysis.file, node, text), &activity.display_name(), out);
        }
    }
    for analysis in &cx.workflows {
        for variable in analysis.workflow.variables.get().into_iter().flatten() {
            let (Some((node, &text)), Some(name)) = (variable.value().known(), variable.name.value()) else { continue };
            let place = format!("the initial value of {}", quote(name));
            report(cx, &analysis.scope, (analysis.file, node, text), &place, out);
        }
    }
    let scopes = cx.workflows.iter().map(|analysis| &analysis.scope).chain(&cx.form_scopes);
    let Some(scope) = scopes.into_iter().next() else { return };
    for file in &cx.files {
        let Some((DocumentKind::SigningCase, document)) = file.document() else { continue };
        for (node, text) in strings(document) {
            report(cx, scope, (file.id, node, text), "the signing case", out);
        }
    }
}

fn strings(document: &Document) -> impl Iterator<Item = (NodeId, &str)> {
    let nodes = (0..document.len()).filter_map(|index| document.id_at(index));
    nodes.filter_map(|node| Some((node, document.string(node)?)))
}

/// Reports each name in braces once, at its first place in a string.
fn report(
    cx: &Context<'_>,
    scope: &Scope<'_>,
    (file, node, text): (FileId, NodeId, &str),
    shown_place: &str,
    out: &mut Reporter<'_>,
) {
    let mut known = BTreeSet::new();
    for found in braces(text).filter(|found| known.insert(found.name)) {
        let near = similar(cx, scope, found.name);
        if near.is_none() && !scope.has(found.name) {
            continue;
        }
        let shown = quote(&format!("{{{}}}", found.name));
        let similar = near.map_or_else(String::new, |name| format!(", similar to variable {}", quote(name)));
        let message = format!("literal placeholder {shown} in {shown_place}{similar}: only an Assign substitutes it");
        out.report(&Place::inside(file, node, found.range), message)
            .assumes(Assumption::OnlyBodies)
            .help("write the text in the `body` of an Assign, and bind its result here");
    }
}

/// The variable whose name a text in braces that names none most likely means.
fn similar<'n>(cx: &Context<'_>, scope: &Scope<'n>, written: &str) -> Option<&'n str> {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.' | ' ');
    let is_name = written.len() >= MIN_SIMILAR
        && written.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
        && written.chars().all(is_part);
    if !is_name || scope.has(written) || !scope.is_complete() {
        return None;
    }
    cx.suggester.nearest(written, scope.known_names())
}
