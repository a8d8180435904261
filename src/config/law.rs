//! `[[law]]`: rules for every order, as `wflint explore` checks it.

use std::path::PathBuf;

use super::settings::Placed;
use crate::outcomes::{Decision, MailKind, OutcomeKind};

/// A leading entry of `statuses` with which others may come first, as in scenarios.
pub(super) const OTHERS: &str = "...";

/// A law that is built in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BuiltInLaw {
    /// An end can be reached from every state.
    Ends,
    /// Runs in which nothing fails and nothing is empty by choice meet no fault that lint reports.
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
    /// Patterns of the workflows that it is about; `None` for all.
    pub services: Option<Vec<Placed>>,
    /// `None` for all runs.
    pub when: Option<LawCondition>,
    pub expect: Option<LawCondition>,
    /// Pairs of activities: the first never begins unless the second has ended.
    pub before: Vec<(Placed, Placed)>,
}

/// What holds at the end of a run; all of it must.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LawCondition {
    pub outcome: Option<OutcomeKind>,
    /// Final values.
    pub variables: Vec<(Placed, String)>,
    pub statuses: Option<StatusPatterns>,
    /// The last decision of an approval, by the activity's name.
    pub approvals: Vec<(Placed, Decision)>,
    /// Mails that were sent, among others.
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
        let others_before = texts.first().is_some_and(|first| first == OTHERS);
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

/// How often a method is called, of which only none, once and more often are told apart.
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
    /// Whether so many calls are within the bounds; more than two are as two.
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
