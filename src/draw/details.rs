//! What matters about an activity, in a few words; and how a drawing shows strings of the document.

use std::borrow::Cow;

use super::durations::in_words;
use crate::common::collections::HashSet;
use crate::document::{Document, NodeId};
use crate::model::{
    Activity, ActivityKind, Approval, Assign, Binding, Code, Expression, Literal, Locales, Member, Operand,
};
use crate::redaction::{REPLACEMENT, Redactions};
use crate::text::diagnostic::FileId;
use crate::text::source::Span;
use crate::text::truncate;

/// Names of a list that are shown.
const MAX_NAMES: usize = 4;
/// Longer strings are cut, in characters.
const MAX_LENGTH: usize = 300;

/// Redacts strings of a document, makes their characters visible, and cuts long ones.
pub struct Texts<'a> {
    pub document: &'a Document,
    pub file: FileId,
    pub redactions: &'a Redactions,
    /// The masked variables, if conditions on them hide what they are compared with.
    pub masked: Option<&'a HashSet<&'a str>>,
    /// Escapes characters that show nothing or change the direction of the text.
    pub visible: fn(&str) -> Cow<'_, str>,
}

impl Texts<'_> {
    /// A string that the value of a node contains or is made from.
    pub fn show(&self, node: NodeId, text: &str) -> String {
        let own = self.document.span(node);
        let is_hidden = |hidden: &Span| hidden.start < own.end && own.start < hidden.end;
        if self.redactions.spans(self.file).iter().any(is_hidden) {
            return REPLACEMENT.to_owned();
        }
        let mut text = text.to_owned();
        self.redactions.redact_text(&mut text);
        self.plain(&text)
    }

    /// A string without values of the document, or one that is redacted already.
    pub fn plain(&self, text: &str) -> String {
        let text = text.trim();
        let cut = truncate(text, MAX_LENGTH);
        // An escape makes a string longer.
        truncate(&(self.visible)(&cut), MAX_LENGTH).into_owned()
    }
}

/// The lines below the name of an activity.
pub fn details(activity: &Activity<'_>, texts: &Texts<'_>) -> Vec<String> {
    let mut lines = match &activity.kind {
        ActivityKind::Provider(provider) => {
            let mut lines = named("", provider.method, texts);
            if !provider.stops_on_error() {
                lines.push("continues on error".to_owned());
            }
            lines
        }
        ActivityKind::Assign(assign) => assignment(assign, texts),
        ActivityKind::Status { status, translations } => published(status, translations, texts),
        ActivityKind::Code(code) => inputs(code, texts),
        ActivityKind::If { expression } | ActivityKind::While { expression, .. } => {
            vec![condition(expression, texts)]
        }
        ActivityKind::Approval(approval) => approval_details(approval, texts),
        ActivityKind::Event { event } => named("on ", *event, texts),
        ActivityKind::Sequence
        | ActivityKind::Terminate
        | ActivityKind::Declared { .. }
        | ActivityKind::Unknown { .. } => Vec::new(),
    };
    if activity.children.is_unknown() {
        lines.push("`activities` cannot be read".to_owned());
    }
    lines
}

/// How long an iteration of a While waits.
pub fn delay(delay: &Member<Box<Binding<'_>>>, texts: &Texts<'_>) -> Option<String> {
    let binding = delay.unboxed()?;
    let is_given = binding.target().is_some() || binding.literal().is_some();
    is_given.then(|| format!("wait {}", seconds(binding, texts)))
}

/// A number of seconds, as people say it.
pub(super) fn seconds(binding: &Binding<'_>, texts: &Texts<'_>) -> String {
    let literal = match binding.literal() {
        Some((_, Literal::Number(text) | Literal::Text(text))) if binding.target().is_none() => Some(text),
        _ => None,
    };
    let shown = operand(Some(binding), texts);
    // What is redacted stays so.
    let is_shown = |text: &&str| shown.trim_matches('"') == text.trim();
    let said = literal.filter(is_shown).and_then(in_words);
    said.unwrap_or_else(|| if binding.target().is_some() { format!("{shown} seconds") } else { format!("{shown} s") })
}

/// How long an Approval waits for a decision, and what its timeout decides; `None` if it has none.
pub fn timeout(approval: &Approval<'_>, texts: &Texts<'_>) -> Option<(String, Vec<String>)> {
    let timeout = approval.settings().timeout.get()?;
    let is_none = timeout.literal().is_none_or(|(_, literal)| literal.is_blank());
    let is_given = timeout.target().is_some() || !is_none;
    is_given.then(|| (format!("after {}", seconds(timeout, texts)), named("", approval.on_timeout, texts)))
}

fn condition(expression: &Member<Box<Expression<'_>>>, texts: &Texts<'_>) -> String {
    let Some(expression) = expression.unboxed() else {
        return if expression.is_absent() { "no condition" } else { "condition cannot be read" }.to_owned();
    };
    let sign = match expression.operand.value() {
        Some(Operand::Equal) => "=",
        Some(Operand::NotEqual) => "≠",
        None => "?",
    };
    let (left, right) = (expression.left.get(), expression.right.get());
    format!("{} {sign} {}", compared(left, right, texts), compared(right, left, texts))
}

/// A side of a condition. The literal that a masked variable is compared with is one of its values.
fn compared(side: Option<&Binding<'_>>, other: Option<&Binding<'_>>, texts: &Texts<'_>) -> String {
    let is_masked = other
        .and_then(Binding::target)
        .is_some_and(|(_, name)| texts.masked.is_some_and(|masked| masked.contains(name)));
    let literal = side.filter(|side| side.target().is_none()).and_then(|side| side.value.value());
    match literal.filter(|literal| is_masked && !literal.is_blank()) {
        Some(_) => REPLACEMENT.to_owned(),
        None => operand(side, texts),
    }
}

/// The variable or the literal of a binding.
fn operand(binding: Option<&Binding<'_>>, texts: &Texts<'_>) -> String {
    let Some(binding) = binding else { return "?".to_owned() };
    match (binding.target(), binding.value.known()) {
        (Some((node, name)), _) => texts.show(node, name),
        (None, Some((node, literal))) => texts.show(node, &literal.describe()),
        (None, None) => "?".to_owned(),
    }
}

fn assignment(assign: &Assign<'_>, texts: &Texts<'_>) -> Vec<String> {
    let target = assign.result.get().and_then(Binding::target);
    let target = target.map_or_else(|| "?".to_owned(), |(node, name)| texts.show(node, name));
    let body = assign.body.known().map_or_else(|| "?".to_owned(), |(node, body)| quoted(node, body, texts));
    vec![format!("{target} = {body}")]
}

fn published(status: &Member<Box<Binding<'_>>>, translations: &Member<Locales<'_>>, texts: &Texts<'_>) -> Vec<String> {
    if let Some((node, name)) = status.unboxed().and_then(Binding::target) {
        return vec![texts.show(node, name)];
    }
    let literal = status.unboxed().and_then(Binding::literal_text).filter(|(_, text)| !text.is_empty());
    let translated = || translations.get()?.iter().find_map(|text| Some((text.node, text.text?)));
    let shown = literal.or_else(translated);
    shown.map(|(node, text)| quoted(node, text, texts)).into_iter().collect()
}

fn inputs(code: &Code<'_>, texts: &Texts<'_>) -> Vec<String> {
    let parameters = code.parameters.get().into_iter().flatten();
    let names = parameters.filter_map(|parameter| parameter.name.known());
    listed("reads", names.map(|(node, name)| texts.show(node, name)))
}

fn approval_details(approval: &Approval<'_>, texts: &Texts<'_>) -> Vec<String> {
    let assignees = approval.assignees.get().into_iter().flatten();
    let mut lines = listed("asks", assignees.map(|assignee| operand(assignee.parameter.get(), texts)));
    lines.extend(named("requires ", approval.required, texts));
    lines
}

/// A string with a word before it, if it is given.
fn named(before: &str, member: Member<&str>, texts: &Texts<'_>) -> Vec<String> {
    let shown = member.known().map(|(node, text)| texts.show(node, text)).filter(|text| !text.is_empty());
    shown.map(|text| format!("{before}{text}")).into_iter().collect()
}

fn quoted(node: NodeId, text: &str, texts: &Texts<'_>) -> String {
    format!("\"{}\"", texts.show(node, text))
}

/// The first names of a list.
fn listed(word: &str, names: impl Iterator<Item = String>) -> Vec<String> {
    let mut names = names.filter(|name| !name.is_empty());
    let mut shown: Vec<String> = names.by_ref().take(MAX_NAMES).collect();
    if shown.is_empty() {
        return Vec::new();
    }
    shown.extend(names.next().map(|_| "…".to_owned()));
    vec![format!("{word} {}", shown.join(", "))]
}
