use std::collections::BTreeSet;

use crate::facts::{Context, Place, rebuilt_assigned_variables};
use crate::graph::braces;
use crate::model::{ActivityKind, Assign, Binding};
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::{quote, quoted_list};

pub const RULE: Rule = rule!("WF307-assigned-variables-disagree", Warning, check, fixes: Fixes::Safe);

/// Parts of a body in braces that are compared with unused entries.
const MAX_TEXTS: usize = 100;

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        let ActivityKind::Assign(assign) = &activity.kind else { continue };
        let (Some((body_node, _)), Some((list, listed))) = (assign.body.known(), assign.variables.known()) else {
            continue;
        };
        if listed.iter().any(cannot_be_read) {
            continue;
        }
        let used = || analysis.scope.placeholders_of(assign).map(|placeholder| placeholder.name);
        // Usually the list has the placeholders of `body` in their order.
        if listed.iter().map(|entry| entry.target().map(|(_, name)| name)).eq(used().map(Some)) {
            continue;
        }
        // WF306 does not judge a name that a broken document may declare: it may be misspelled.
        let declarations = &analysis.scope.declarations;
        if declarations.are_incomplete && used().any(|name| declarations.variable(name).is_none()) {
            continue;
        }
        let used: Vec<&str> = used().collect();
        let Some(message) = disagreement(listed, &used) else { continue };
        let mut draft = out.report(&Place::value(analysis.file, list), message);
        draft.cause(Cause::Node(analysis.file, body_node));
        for entry in listed {
            let node = entry.target().map_or(entry.node, |(node, _)| node);
            draft.cause(Cause::Node(analysis.file, node));
        }
        if let Some((written, name)) = misspelled(cx, assign, &used) {
            draft.help(format!("did you mean `{{{name}}}` by `{written}`?"));
            continue;
        }
        if let Some(text) = text_with_blank(assign, &used) {
            draft.help(format!("does {} stand for a variable?", quote(&format!("{{{text}}}"))));
            continue;
        }
        match rebuilt_assigned_variables(cx, analysis, activity, assign, &used) {
            Some(edits) => draft.fix(Applicability::Safe, "rebuild `assignedVariables` from `body`", edits),
            None => draft.help("list each variable that `body` uses once"),
        };
    }
}

/// A part of the body beside a brace that is similar to the name of an unused entry: that entry may still be meant, so it
/// has to stay.
fn misspelled<'d>(cx: &Context<'_>, assign: &Assign<'d>, used: &[&str]) -> Option<(String, &'d str)> {
    let body = assign.body.value()?;
    let unused = unique(assign.listed().filter(|name| !used.contains(name)));
    let mut texts = braces(body).map(|found| found.name).filter(|name| !used.contains(name)).take(MAX_TEXTS);
    let near = texts.find_map(|text| {
        let plain = with_plain_blanks(text);
        let same = unused.iter().copied().find(|name| *name == plain.trim());
        let name = same.or_else(|| cx.suggester.nearest(plain.trim(), unused.iter().copied()))?;
        Some((format!("{{{text}}}"), name))
    });
    near.or_else(|| unused.into_iter().take(MAX_TEXTS).find_map(|name| Some((beside_brace(body, name)?, name))))
}

/// A text in braces with a blank, which may be the former name of the variable of an unused entry: that entry has to stay.
fn text_with_blank<'d>(assign: &Assign<'d>, used: &[&str]) -> Option<&'d str> {
    let is_name = |text: &str| {
        let plain = with_plain_blanks(text);
        let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | ' ');
        plain.contains(' ') && plain.trim().starts_with(char::is_alphabetic) && plain.chars().all(is_part)
    };
    let body = assign.body.value().filter(|_| assign.listed().any(|name| !used.contains(&name)))?;
    let mut texts = braces(body).map(|found| found.name).filter(|name| !used.contains(name)).take(MAX_TEXTS);
    texts.find(|text| is_name(text))
}

/// A text in which blanks that editors of HTML write are plain ones.
fn with_plain_blanks(text: &str) -> String {
    text.replace("&nbsp;", " ").replace('\u{a0}', " ")
}

/// A name beside a brace, such as `{Name` without the other one, or `{Name:N2}`.
fn beside_brace(body: &str, name: &str) -> Option<String> {
    let goes_on = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    let mut found = body.match_indices(name).filter(|_| !name.is_empty());
    found.find_map(|(start, _)| {
        let (before, after) = (body.get(..start)?, body.get(start + name.len()..)?);
        if before.ends_with(goes_on) || after.starts_with(goes_on) {
            return None;
        }
        match (before.trim_end().ends_with('{'), after.trim_start().starts_with('}')) {
            (true, _) => Some(format!("{{{name}")),
            (false, true) => Some(format!("{name}}}")),
            (false, false) => None,
        }
    })
}

fn cannot_be_read(entry: &Binding<'_>) -> bool {
    entry.target().is_none() && (entry.state.value().is_none() || entry.is_bound() && entry.bound_to.is_unknown())
}

fn disagreement(listed: &[Binding<'_>], used: &[&str]) -> Option<String> {
    let names: BTreeSet<&str> = listed.iter().filter_map(|entry| Some(entry.target()?.1)).collect();
    let missing: Vec<&str> = unique(used.iter().copied().filter(|name| !names.contains(name)));
    let used: BTreeSet<&str> = used.iter().copied().collect();
    let unused: Vec<&str> = names.difference(&used).copied().collect();
    let has_empty_entry = listed.iter().any(|entry| entry.target().is_none());
    let quoted = |names: &[&str]| quoted_list(names, "and");
    match (missing.as_slice(), unused.as_slice()) {
        ([], []) => has_empty_entry.then(|| "empty entry in `assignedVariables`".to_owned()),
        ([], unused) => Some(format!("unused {} in `assignedVariables`", quoted(unused))),
        (missing, []) => Some(format!("missing {} in `assignedVariables`", quoted(missing))),
        (missing, unused) => {
            Some(format!("`assignedVariables` names {}, but `body` uses {}", quoted(unused), quoted(missing)))
        }
    }
}

fn unique<'n>(names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let mut seen = BTreeSet::new();
    names.filter(|name| seen.insert(*name)).collect()
}
