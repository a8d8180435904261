//! `[[law]]`: conditions that every order has to meet, which `wflint explore` checks.

use std::path::PathBuf;

use super::settings::Placed;
use crate::outcomes::{Decision, MailKind, OTHERS_BEFORE, OutcomeKind};

/// A law that is built in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BuiltInLaw {
    /// An end can be reached from every state.
    Ends,
    /// A run meets no fault that lint reports, unless a call fails, or a lookup or field is empty by choice.
    NoFault,
    /// Some run takes each activity and branch.
    Reached,
}

impl BuiltInLaw {
    pub const ALL: [Self; 3] = [Self::Ends, Self::NoFault, Self::Reached];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Ends => "ends",
            Self::NoFault => "no-fault",
            Self::Reached => "reached",
        }
    }
}

/// A law of the configuration: runs that meet `when` also meet `expect`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Law {
    pub name: Placed,
    /// The folder of the file that has the law; the patterns are relative to it.
    pub folder: PathBuf,
    /// Patterns of the workflows to which it applies; `None` for all.
    pub services: Option<Vec<Placed>>,
    /// `None` for all runs.
    pub when: Option<LawCondition>,
    pub expect: Option<LawCondition>,
    /// Pairs of activities: the first never begins unless the second has ended.
    pub before: Vec<(Placed, Placed)>,
}

/// What must be true at the end of a run, all together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LawCondition {
    pub outcome: Option<OutcomeKind>,
    /// Final values.
    pub variables: Vec<(Placed, String)>,
    pub statuses: Option<StatusPatterns>,
    /// The last decision of an approval, by the activity's name.
    pub approvals: Vec<(Placed, Decision)>,
    /// Mails that must have been sent; others may be.
    pub mails: Vec<LawMail>,
    /// Part of the message of the failure.
    pub failure: Option<String>,
    /// How often methods are called.
    pub calls: Vec<(Placed, CallBounds)>,
    /// Whether everybody who is asked acts; only in `when`.
    pub people_act: bool,
    /// Whether the order ends; only in `expect`.
    pub ends: bool,
}

/// Published texts, in order. In each, `*` stands for any text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusPatterns {
    /// Others may come first.
    pub others_before: bool,
    pub texts: Vec<String>,
}

impl StatusPatterns {
    pub(super) fn new(mut texts: Vec<String>) -> Self {
        let others_before = texts.first().is_some_and(|first| first == OTHERS_BEFORE);
        if others_before {
            texts.remove(0);
        }
        Self { others_before, texts }
    }
}

/// A mail; `None` matches anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LawMail {
    pub to: Option<String>,
    pub kind: Option<MailKind>,
}

/// How often a method is called. Only "never", "once" and "more often" are distinguished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallBounds {
    pub at_least_once: bool,
    pub at_most: Option<AtMost>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtMost {
    Never,
    Once,
}

impl CallBounds {
    /// Whether a number of calls is within the bounds; 2 stands for any larger number.
    pub const fn contain(self, calls: u8) -> bool {
        let is_enough = !self.at_least_once || calls > 0;
        let is_too_many = match self.at_most {
            None => false,
            Some(AtMost::Never) => calls > 0,
            Some(AtMost::Once) => calls > 1,
        };
        is_enough && !is_too_many
    }
}
