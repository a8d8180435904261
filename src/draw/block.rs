//! The tree that is drawn.

use crate::common::collections::HashSet;
use crate::text::diagnostic::Severity;
use crate::text::{count, truncate};

/// A workflow, or a part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    /// What is drawn: the file, and of a part the activity.
    pub title: String,
    /// In one sentence, for readers that do not see the drawing.
    pub summary: String,
    pub body: Vec<Block>,
    /// Findings outside of all activities, such as those about variables.
    pub marks: Vec<Mark>,
    /// Whether only a part of the workflow is drawn.
    pub is_part: bool,
}

/// An activity with its children.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Unique in the workflow, and made from the indices on the way to the activity: an insertion changes only the ids
    /// of what follows in the same array.
    pub id: String,
    /// The JSON Pointer of the activity; `None` for the way out of an Approval, which is none of its own.
    pub pointer: Option<String>,
    pub kind: Kind,
    /// The type, in a word.
    pub word: String,
    pub name: String,
    /// What matters about the activity, a line each.
    pub details: Vec<String>,
    pub marks: Vec<Mark>,
    pub children: Vec<Block>,
    /// Whether it is drawn without its children.
    pub is_folded: bool,
}

/// What decides the shape of a block, and where its lines lead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    Provider,
    Assign,
    Status,
    Code,
    If,
    While {
        /// How long an iteration waits before its first activity.
        delay: Option<String>,
    },
    Approval {
        /// The decision for which there is no Event, if there is one for the other: "approved" or "rejected".
        other: Option<&'static str>,
    },
    Event,
    /// The way out of an Approval that nobody decides in time.
    Timeout,
    Sequence,
    Terminate,
    /// A type declared in the configuration.
    Declared,
    /// A missing or unknown type.
    Unknown,
}

/// A finding at a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    pub code: &'static str,
    pub severity: Severity,
    pub message: String,
}

impl Kind {
    /// The class in stylesheets.
    pub const fn class(&self) -> &'static str {
        match self {
            Self::Provider => "provider",
            Self::Assign => "assign",
            Self::Status => "status",
            Self::Code => "code",
            Self::If => "if",
            Self::While { .. } => "while",
            Self::Approval { .. } => "approval",
            Self::Event => "event",
            Self::Timeout => "timeout",
            Self::Sequence => "sequence",
            Self::Terminate => "terminate",
            Self::Declared => "declared",
            Self::Unknown => "unknown",
        }
    }
}

impl Drawing {
    /// Folds Sequences, given by their JSON Pointers, to their titles, with the findings inside of them.
    pub fn fold(&mut self, pointers: &HashSet<&str>) {
        self.body.iter_mut().for_each(|block| block.fold(pointers));
    }
}

impl Block {
    fn fold(&mut self, pointers: &HashSet<&str>) {
        let is_wanted = self.pointer.as_deref().is_some_and(|pointer| pointers.contains(pointer));
        if self.kind != Kind::Sequence || !is_wanted || self.children.is_empty() {
            return self.children.iter_mut().for_each(|child| child.fold(pointers));
        }
        self.is_folded = true;
        let inside: Vec<&Self> = self.children.iter().flat_map(Self::all).collect();
        let steps = inside.iter().filter(|block| block.pointer.is_some()).count();
        self.details.push(count(steps, "step"));
        self.marks.extend(inside.into_iter().flat_map(|block| &block.marks).cloned().collect::<Vec<_>>());
    }

    /// The block and what is inside of it. Recurses with the nesting of activities.
    fn all(&self) -> Vec<&Self> {
        std::iter::once(self).chain(self.children.iter().flat_map(Self::all)).collect()
    }

    /// The children that are drawn.
    pub fn shown(&self) -> &[Self] {
        if self.is_folded { &[] } else { &self.children }
    }

    /// The lanes of an Approval that a decision takes.
    pub fn events(&self) -> impl Iterator<Item = &Self> {
        self.children.iter().filter(|lane| lane.kind != Kind::Timeout)
    }

    /// The word for the way of a decision that none of the lanes takes, if there is such a way.
    pub fn without_event(&self) -> Option<&'static str> {
        match (&self.kind, self.events().next()) {
            (Kind::Approval { other: Some(decision) }, _) => Some(*decision),
            _ if self.events().any(Self::completes) => None,
            (_, Some(_)) => Some("no event"),
            (_, None) if self.children.is_empty() => Some(""),
            (_, None) => Some("decided"),
        }
    }

    /// Whether the block is nothing but a frame around its children.
    pub const fn is_group(&self) -> bool {
        matches!(self.kind, Kind::Sequence | Kind::Event)
    }

    /// Whether the workflow may go on after the block.
    pub fn completes(&self) -> bool {
        match self.kind {
            Kind::Terminate => false,
            Kind::Sequence | Kind::Event => completes(&self.children),
            // The condition may be false, the approval be decided without an event; and whether an activity of another
            // type runs its children is not known.
            _ => true,
        }
    }

    /// The block in words: type and name.
    pub fn label(&self) -> String {
        format!("{}: {}", self.word, self.name)
    }

    /// The lines that a block shows: type, name, details and codes of findings.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.word.clone(), self.name.clone()];
        lines.extend(self.details.iter().cloned());
        lines.extend(codes(&self.marks).into_iter().map(|(_, code)| code));
        lines
    }

    /// How severe the worst finding is.
    pub fn severity(&self) -> Option<Severity> {
        self.marks.iter().map(|mark| mark.severity).max()
    }

    /// The details and findings in words, for readers that do not see the drawing.
    pub fn description(&self) -> String {
        let mut parts = self.details.clone();
        if let Kind::While { delay: Some(delay) } = &self.kind {
            parts.push(delay.clone());
        }
        parts.extend(describe_marks(&self.marks));
        parts.join("; ")
    }
}

/// Whether the workflow may go on after a run of blocks.
pub fn completes(blocks: &[Block]) -> bool {
    blocks.iter().all(Block::completes)
}

/// Findings that a description lists.
const MAX_DESCRIBED: usize = 20;

/// Findings with their messages.
pub fn describe_marks(marks: &[Mark]) -> Vec<String> {
    let described = marks.iter().take(MAX_DESCRIBED);
    let mut parts: Vec<String> =
        described.map(|mark| format!("{} {}: {}", mark.severity.word(), mark.code, mark.message)).collect();
    if let Some(more) = marks.len().checked_sub(MAX_DESCRIBED).filter(|&more| more > 0) {
        parts.push(format!("{more} more findings"));
    }
    parts
}

/// Codes that a block shows.
const MAX_CODES: usize = 4;

/// Characters of a message beside its code.
const MAX_FIRST_WORDS: usize = 19;

/// The codes of findings with their severity and the first words of a message, the most severe first, each once: "error
/// WF101: undefined variable…".
pub fn codes(marks: &[Mark]) -> Vec<(Severity, String)> {
    let mut found: Vec<(Severity, &str, &str)> =
        marks.iter().map(|mark| (mark.severity, mark.code, mark.message.as_str())).collect();
    found.sort_by_key(|&(severity, code, _)| (std::cmp::Reverse(severity), code));
    found.dedup_by_key(|&mut (severity, code, _)| (severity, code));
    let more = found.len().saturating_sub(MAX_CODES);
    let least = found.get(MAX_CODES).map_or(Severity::Info, |&(severity, ..)| severity);
    found.truncate(MAX_CODES);
    let shown = found
        .into_iter()
        .map(|(severity, code, message)| (severity, format!("{} {code}: {}", severity.word(), first_words(message))));
    shown.chain((more > 0).then(|| (least, format!("{more} more")))).collect()
}

/// The words of a message that fit; a part of the first one if it is longer.
fn first_words(message: &str) -> String {
    let message = &message.replace('`', "");
    let cut = truncate(message, MAX_FIRST_WORDS);
    let Some(kept) = cut.strip_suffix('…') else { return cut.into_owned() };
    let is_whole = message.get(kept.len()..).is_some_and(|rest| rest.starts_with(' '));
    let end = if is_whole { kept.len() } else { kept.rfind(' ').unwrap_or(kept.len()) };
    format!("{}…", kept.get(..end).unwrap_or(kept).trim_end_matches([' ', ',', ':']))
}
