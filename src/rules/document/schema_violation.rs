use crate::document::NodeId;
use crate::facts::{Context, Place, node_and_copy};
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::schema::Repair;
use crate::text::diagnostic::{Applicability, Edit, FileId};
use crate::text::source::Span;

pub const RULE: Rule = rule!("WF004-schema-violation", Error, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (file, violation) in cx.violations() {
        if cx.is_exact_copy(file, violation.node) {
            continue;
        }
        let mut draft = out.report(&Place::value(file, violation.node), violation.message.clone());
        for name in &violation.missing {
            draft.cause(Cause::Name(file, violation.node, name.clone()));
        }
        match &violation.repair {
            Some(repair) => draft.fix(Applicability::Unsafe, repair.title(), edits(cx, file, violation.node, repair)),
            None => draft.help(violation.help.clone()),
        };
    }
}

/// The edits of a value and of its copy.
fn edits(cx: &Context<'_>, file: FileId, node: NodeId, repair: &Repair) -> Vec<Edit> {
    let Some(document) = cx.document(file) else { return Vec::new() };
    let span = document.span(node);
    let contains = |outer: NodeId| document.span(outer).start <= span.start && span.end <= document.span(outer).end;
    let mut activities = cx.activities().filter(|(analysis, _)| analysis.file == file);
    let provider = activities.find(|(_, activity)| activity.provider().is_some() && contains(activity.node));
    let nodes: Vec<NodeId> = match provider {
        Some((analysis, activity)) => node_and_copy(analysis, activity, node).collect(),
        None => vec![node],
    };
    let edit = |start, end, text: &str| Edit { file, span: Span::new(start, end), new_text: text.to_owned() };
    let edits = nodes.into_iter().map(|node| document.span(node)).flat_map(|span| match repair {
        Repair::Quote => vec![edit(span.start, span.start, "\""), edit(span.end, span.end, "\"")],
        Repair::Write(json) => vec![edit(span.start, span.end, json)],
    });
    edits.collect()
}
