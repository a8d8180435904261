//! Changes, and what they mean for orders, as lines of a list, for reports that people read.

use crate::diff::{Change, ChangeKind, OrderEnd, Orders, ServiceChange, ServiceDiff, Sides, What};
use crate::explore::Ending;
use crate::report::exploration::end_causes;
use crate::text::{count, quote};

/// The changes of one kind of thing.
pub struct Group<'r> {
    pub title: String,
    changes: &'r [Change],
}

impl<'r> Group<'r> {
    /// Made one at a time, because there may be very many.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = Line<'r>> + use<'r> {
        self.changes.iter().map(line)
    }
}

/// A change.
#[derive(Clone)]
pub struct Line<'r> {
    pub sign: Sign,
    pub pieces: Vec<Piece<'r>>,
    /// The lines of a script that were removed, and those that were added.
    pub script: Option<(&'r str, &'r str)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    Added,
    Removed,
    Changed,
    Moved,
    Same,
    Unknown,
}

impl Sign {
    pub const fn text(self) -> &'static str {
        match self {
            Self::Added => "+",
            Self::Removed => "-",
            Self::Changed => "~",
            Self::Moved => "»",
            Self::Same => "=",
            Self::Unknown => "?",
        }
    }

    /// For lists; empty if the text says it.
    const fn word(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
            Self::Moved | Self::Same | Self::Unknown => "",
        }
    }
}

/// A line of the page.
pub struct NestedLine {
    /// From 0.
    pub depth: usize,
    /// Empty for a heading, and for a text that says it.
    pub word: &'static str,
    /// Not escaped.
    pub text: String,
    /// What it counts as; `None` for a heading, and a part of another.
    pub counts: Option<Counts>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counts {
    /// As a change of a document.
    Change,
    /// As one of what orders can do.
    Effect,
}

/// A part of a line. Only `Words` contain no text of documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece<'r> {
    Words(String),
    /// Shown in backticks, or as code.
    Name(&'r str),
    Value(String),
    /// Words with names in backticks.
    Cause(String),
}

pub const ORDERS_TITLE: &str = "what orders can do";
/// Characters of a value that are shown.
const MAX_VALUE: usize = 80;
/// Equal characters before the first that differs, of values that are cut.
const CONTEXT: usize = 20;

/// The changes of a service, grouped by the kind of element.
pub fn groups(service: &ServiceDiff) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let by_document = service.changes.chunk_by(|one, other| {
        one.what == other.what && (one.what == What::Variable || one.files.document == other.files.document)
    });
    for changes in by_document {
        let Some(first) = changes.first() else { continue };
        let (what, document) = (first.what, &first.files.document);
        let others = service.changes.iter().filter(|change| change.what == what);
        let is_single = what == What::Variable || others.into_iter().all(|other| other.files.document == *document);
        let title = match what {
            What::Activity => "activities",
            What::Variable => "variables",
            What::Field => "form",
            What::Case => "signing case",
        };
        let title = if is_single { title.to_owned() } else { format!("{title} ({document})") };
        groups.push(Group { title, changes });
    }
    groups
}

fn words<'r>(text: impl Into<String>) -> Piece<'r> {
    Piece::Words(text.into())
}

fn line(change: &Change) -> Line<'_> {
    let (sign, pieces) = match change.kind {
        ChangeKind::Added => (Sign::Added, whole(change)),
        ChangeKind::Removed => (Sign::Removed, whole(change)),
        ChangeKind::Renamed => (Sign::Changed, renamed(change)),
        ChangeKind::Moved => (Sign::Moved, moved(change)),
        ChangeKind::Changed => (Sign::Changed, changed(change)),
    };
    let script = change
        .is_script
        .then(|| (change.before.as_deref().unwrap_or_default(), change.after.as_deref().unwrap_or_default()));
    Line { sign, pieces, script }
}

/// The name of the changed element.
fn name(change: &Change) -> Piece<'_> {
    match (&change.name, &change.type_name) {
        (Some(name), _) => Piece::Name(name),
        (None, Some(kind)) => Piece::Value(format!("unnamed {kind}")),
        (None, None) => words(format!("unnamed {}", change.what.word())),
    }
}

fn whole(change: &Change) -> Vec<Piece<'_>> {
    let (details, mut pieces) = (change.details.as_deref(), Vec::new());
    let type_name = change.type_name.as_deref();
    match change.what {
        What::Activity => {
            if let Some(kind) = type_name.filter(|_| change.name.is_some()) {
                pieces.extend([Piece::Value(kind.to_owned()), words(" ")]);
            }
            pieces.push(name(change));
        }
        What::Case => pieces.extend([words("signing case "), name(change)]),
        What::Variable | What::Field => {
            pieces.extend([words(format!("{} ", change.what.word())), name(change)]);
            if let Some(kind) = type_name {
                let is_required = details.is_some_and(|details| details.is_required);
                let required = if is_required { ", required)" } else { ")" };
                pieces.extend([words(" ("), Piece::Value(kind.to_owned()), words(required)]);
            }
        }
    }
    let Some(details) = details else { return pieces };
    if let Some(variable) = &details.bound_to {
        pieces.extend([words(" → "), Piece::Name(variable)]);
    }
    if let Some(parent) = &details.parent {
        pieces.extend([words(" in "), Piece::Name(parent)]);
    }
    if details.inside > 0 {
        let noun = match (change.what, details.inside) {
            (What::Activity, 1) => "activity",
            (What::Activity, _) => "activities",
            (_, 1) => "field",
            _ => "fields",
        };
        pieces.push(words(format!(", with {} {noun} inside", details.inside)));
    }
    pieces
}

fn renamed(change: &Change) -> Vec<Piece<'_>> {
    let [before, after] =
        [&change.before, &change.after].map(|name| name.as_deref().map_or_else(|| words("unnamed"), Piece::Name));
    vec![words("renamed "), before, words(" → "), after]
}

fn moved(change: &Change) -> Vec<Piece<'_>> {
    let mut pieces = vec![name(change)];
    match (&change.before, &change.after) {
        (None, None) => pieces.push(words(" moved within the top level")),
        (Some(from), None) => pieces.extend([words(" moved from "), Piece::Name(from), words(" to the top level")]),
        (None, Some(to)) => pieces.extend([words(" moved from the top level into "), Piece::Name(to)]),
        (Some(from), Some(to)) if from == to => pieces.extend([words(" moved within "), Piece::Name(to)]),
        (Some(from), Some(to)) => {
            pieces.extend([words(" moved from "), Piece::Name(from), words(" into "), Piece::Name(to)]);
        }
    }
    pieces
}

fn changed(change: &Change) -> Vec<Piece<'_>> {
    let member = change.member.as_deref().unwrap_or_default();
    let mut pieces = vec![name(change), words(": "), Piece::Value(member.to_owned())];
    if change.is_script {
        return pieces;
    }
    let absent = if change.is_parameter { "not set" } else { "absent" };
    let (before, after) =
        shortened(change.before.as_deref().unwrap_or(absent), change.after.as_deref().unwrap_or(absent));
    pieces.extend([words(" "), Piece::Value(before), words(" → "), Piece::Value(after)]);
    pieces
}

/// Two values, cut so that the difference is visible.
fn shortened(before: &str, after: &str) -> (String, String) {
    let equal = before.chars().zip(after.chars()).take_while(|(one, other)| one == other).count();
    let is_long = |text: &str| text.chars().nth(MAX_VALUE).is_some();
    let skipped = if is_long(before) || is_long(after) { equal.saturating_sub(CONTEXT) } else { 0 };
    let cut = |text: &str| {
        let start = if skipped > 0 { "…" } else { "" };
        let mut rest = text.chars().skip(skipped);
        let shown: String = rest.by_ref().take(MAX_VALUE).collect();
        format!("{start}{shown}{}", if rest.next().is_some() { "…" } else { "" })
    };
    (cut(before), cut(after))
}

/// What a change means for orders.
pub fn order_lines(orders: &Orders) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let ends = &orders.ends;
    for (sign, side) in [(Sign::Removed, &ends.gone), (Sign::Added, &ends.new)] {
        // Ends that would read the same differ in their status.
        let reads_alike = |end: &OrderEnd| {
            let all = ends.gone.iter().chain(&ends.new);
            all.filter(|other| (other.ending, &other.activity) == (end.ending, &end.activity)).count() > 1
        };
        lines.extend(side.iter().map(|end| of_pieces(sign, end_pieces(end, reads_alike(end)))));
    }
    lines.extend(of_sides(&orders.approvals, |approval| {
        let (name, decision) = approval.rsplit_once(": ").unwrap_or((approval, ""));
        vec![words("approval "), Piece::Name(name), words(format!(" {decision}"))]
    }));
    lines.extend(of_sides(&orders.calls, |method| vec![words("calls "), Piece::Name(method)]));
    lines.extend(of_sides(&orders.mails, |kind| vec![words("sends "), Piece::Name(kind), words(" mails")]));
    if orders.same > 0 {
        let more = if ends.is_empty() { "" } else { " more" };
        let ends = count(orders.same, "end").replacen(' ', &format!("{more} "), 1);
        lines.push(of_pieces(Sign::Same, vec![words(format!("{ends} as before"))]));
    }
    lines.extend(orders.reasons.iter().map(|reason| {
        of_pieces(Sign::Unknown, vec![words("not explored completely: "), Piece::Value(reason.clone())])
    }));
    lines
}

const fn of_pieces(sign: Sign, pieces: Vec<Piece<'_>>) -> Line<'_> {
    Line { sign, pieces, script: None }
}

fn of_sides<'r>(sides: &'r Sides<String>, pieces: impl Fn(&'r str) -> Vec<Piece<'r>>) -> Vec<Line<'r>> {
    let lines = |sign, side: &'r [String]| side.iter().map(move |text| (sign, text.as_str()));
    let all = lines(Sign::Removed, &sides.gone).chain(lines(Sign::Added, &sides.new));
    all.map(|(sign, text)| of_pieces(sign, pieces(text))).collect()
}

/// An end in words: `terminated, "Document was rejected", when the signer rejects`.
fn end_pieces(end: &OrderEnd, shows_status: bool) -> Vec<Piece<'_>> {
    let verb = match end.ending {
        Ending::Completed => "completed",
        Ending::Terminated => "terminated",
        Ending::Failed => "failed",
        Ending::Endless => "never ends",
        Ending::Waits => "waits forever",
    };
    let mut pieces = vec![words(verb)];
    // A Terminate only ends the order; its meaning is in the status.
    let has_place = !matches!(end.ending, Ending::Completed | Ending::Terminated) || shows_status;
    if let Some(activity) = end.activity.as_deref().filter(|_| has_place) {
        pieces.extend([words(" at "), Piece::Name(activity)]);
    }
    if let Some(status) = end.status.as_deref().filter(|_| !end.ending.is_cycle() || shows_status) {
        pieces.extend([words(", "), Piece::Value(format!("\"{status}\""))]);
    }
    let cause = end_causes(&end.service).into_iter().nth(end.number).flatten();
    // The place of the failure is shown already.
    let failure = end.activity.as_deref().map(|activity| format!("{} fails", quote(activity)));
    if let Some(cause) = cause.filter(|cause| end.ending != Ending::Failed || Some(cause) != failure.as_ref()) {
        pieces.extend([words(", when "), Piece::Cause(cause)]);
    }
    pieces
}

/// The changes of a service as lines of nested lists.
pub fn nested_lines(service: &ServiceDiff) -> Vec<NestedLine> {
    let mut all: Vec<NestedLine> = Vec::new();
    let new = match &service.change {
        ServiceChange::Added => Some("this service is new".to_owned()),
        ServiceChange::Removed => Some("this service was removed".to_owned()),
        ServiceChange::Moved(from) => Some(format!("moved from {from}")),
        ServiceChange::Changed => None,
    };
    all.extend(new.map(|text| NestedLine { depth: 0, word: "", text, counts: Some(Counts::Change) }));
    let groups = groups(service);
    let groups = groups.iter().map(|group| (Counts::Change, group.title.as_str(), group.lines().collect::<Vec<_>>()));
    let orders = service.orders.as_ref().map(|orders| (Counts::Effect, ORDERS_TITLE, order_lines(orders)));
    for (counts, title, lines) in groups.chain(orders) {
        all.push(NestedLine { depth: 0, word: "", text: title.to_owned(), counts: None });
        for line in lines {
            push_nested(&mut all, line, counts);
        }
    }
    all
}

/// A change, and the lines of its script.
fn push_nested(all: &mut Vec<NestedLine>, Line { sign, pieces, script }: Line<'_>, counts: Counts) {
    let text: String = pieces.iter().map(Piece::text).collect();
    let counts = (!matches!(sign, Sign::Same | Sign::Unknown)).then_some(counts);
    all.push(NestedLine { depth: 1, word: sign.word(), text, counts });
    for (sign, lines) in script.into_iter().flat_map(|(old, new)| [(Sign::Removed, old), (Sign::Added, new)]) {
        let text = |line: &str| line.trim_end().to_owned();
        all.extend(lines.lines().map(|line| NestedLine {
            depth: 2,
            word: sign.word(),
            text: text(line),
            counts: None,
        }));
    }
}

impl Piece<'_> {
    /// Not escaped.
    fn text(&self) -> String {
        match self {
            Self::Words(text) | Self::Value(text) | Self::Cause(text) => text.clone(),
            Self::Name(name) => format!("`{name}`"),
        }
    }
}

/// The numbers of changes of a service. Not escaped.
pub fn stat(service: &ServiceDiff) -> String {
    let name = &service.service;
    let mut line = match &service.change {
        ServiceChange::Added => return format!("+ service {name}"),
        ServiceChange::Removed => return format!("- service {name}"),
        ServiceChange::Moved(from) => format!("» service {name}, moved from {from}: "),
        ServiceChange::Changed => format!("{name}: "),
    };
    let kinds = [ChangeKind::Added, ChangeKind::Removed, ChangeKind::Changed, ChangeKind::Renamed, ChangeKind::Moved];
    let numbers = kinds.map(|kind| (kind, service.changes.iter().filter(|change| change.kind == kind).count()));
    let numbers = numbers.iter().filter(|(_, number)| *number > 0);
    let mut parts: Vec<String> = numbers.map(|(kind, number)| format!("{number} {}", kind.word())).collect();
    if let Some(orders) = &service.orders {
        for (ends, word) in [(&orders.ends.gone, "gone"), (&orders.ends.new, "new")] {
            if !ends.is_empty() {
                parts.push(format!("{} {word}", count(ends.len(), "end")));
            }
        }
        if !orders.is_complete {
            parts.push("not explored completely".to_owned());
        }
    }
    line += &if parts.is_empty() { "no change".to_owned() } else { parts.join(", ") };
    line
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn long_values_show_where_they_differ() {
        let (long, other) = (format!("{}A{}", "x".repeat(100), "y".repeat(100)), format!("{}B", "x".repeat(100)));
        let (before, after) = shortened(&long, &other);
        assert_eq!(before, format!("…{}A{}…", "x".repeat(20), "y".repeat(59)));
        assert_eq!(after, format!("…{}B", "x".repeat(20)));
        assert_eq!(shortened("300", "60"), ("300".to_owned(), "60".to_owned()));
    }
}
