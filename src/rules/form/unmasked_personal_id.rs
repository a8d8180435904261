use crate::common::collections::{HashMap, HashSet};
use crate::document::NodeId;
use crate::facts::{Context, Place};
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Edit};
use crate::text::quote;

pub const RULE: Rule = rule!("WF614-unmasked-personal-id", Warning, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let sinks = cx.personal_ids();
    if sinks.is_empty() {
        return;
    }
    let mut edits_by_variable = None;
    let mut reported = HashSet::default();
    for (file, variables) in cx.variable_lists() {
        for variable in variables {
            // A missing flag is not evidence: exports are often trimmed by hand.
            let Some(false) = variable.details().should_hide.value() else { continue };
            let Some(name) = variable.name.value() else { continue };
            let Some(sink) = sinks.get(name).filter(|_| !variable.is_file() && reported.insert(name)) else { continue };
            let sink_name = quote(sink.name);
            let edits = edits_by_variable.get_or_insert_with(|| edits(cx));
            let message = format!("unmasked personal id in {}, whose value reaches {sink_name}", quote(name));
            out.report(&Place::value(file, variable.node), message)
                .cause(Cause::Variable(name.to_owned()))
                .help("mask the variable, and choose which part of it to hide")
                .related(&sink.place, format!("reaches {sink_name} here"))
                .fix(Applicability::Unsafe, "set `shouldHide` to `true`", edits.remove(name).unwrap_or_default());
        }
    }
}

/// By variable, the edits that mask all its declarations: the form has a copy of those of the workflow.
fn edits<'a>(cx: &Context<'a>) -> HashMap<&'a str, Vec<Edit>> {
    let mut edits: HashMap<&str, Vec<Edit>> = HashMap::default();
    for (file, variables) in cx.variable_lists() {
        let Some(document) = cx.document(file) else { continue };
        for variable in variables {
            let (Some(name), Some((node, false))) =
                (variable.name.value(), variable.details().should_hide.known().map(copied))
            else {
                continue;
            };
            let edit = Edit { file, span: document.span(node), new_text: "true".to_owned() };
            edits.entry(name).or_default().push(edit);
        }
    }
    edits
}

fn copied((node, flag): (NodeId, &bool)) -> (NodeId, bool) {
    (node, *flag)
}
