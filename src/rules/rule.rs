//! What a rule is: its metadata, and a check that holds no state.

use super::reporter::Reporter;
use super::stamp::{Stamp, YieldsTo};
use crate::diagnostic::Severity;
use crate::facts::Context;

/// The groups of rules; a rule's code begins with the group's digit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// `WF0`: the document as JSON.
    Document,
    /// `WF1`: variables and bindings.
    Binding,
    /// `WF2`: provider parameters.
    Provider,
    /// `WF3`: outputs and data flow.
    Output,
    /// `WF4`: control flow.
    Flow,
    /// `WF5`: approvals.
    Approval,
    /// `WF6`: forms.
    Form,
    /// `WF7`: signing cases.
    Case,
    /// `WF8`: scripts of Code activities.
    Script,
    /// `WF9`: security and privacy.
    Security,
}

impl Group {
    /// In the order of the codes.
    pub const ALL: [Self; 10] = [
        Self::Document,
        Self::Binding,
        Self::Provider,
        Self::Output,
        Self::Flow,
        Self::Approval,
        Self::Form,
        Self::Case,
        Self::Script,
        Self::Security,
    ];

    /// The name for `--select` and the folder of its rules.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Document => "document",
            Self::Binding => "binding",
            Self::Provider => "provider",
            Self::Output => "output",
            Self::Flow => "flow",
            Self::Approval => "approval",
            Self::Form => "form",
            Self::Case => "case",
            Self::Script => "script",
            Self::Security => "security",
        }
    }

    pub fn of(code: &str) -> Option<Self> {
        let digit = usize::from(code.strip_prefix("WF")?.bytes().next()?.checked_sub(b'0')?);
        Self::ALL.get(digit).copied()
    }
}

/// Which fixes a rule can offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fixes {
    None,
    Safe,
    Unsafe,
    SafeOrUnsafe,
}

impl Fixes {
    /// The word that `wflint rules` shows.
    pub const fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
            Self::SafeOrUnsafe => "safe or unsafe",
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// `WF201`; public, never reused.
    pub code: &'static str,
    /// `missing-required-parameter`; public as well.
    pub name: &'static str,
    /// The severity that it reports with unless a finding says otherwise.
    pub severity: Severity,
    /// The other severities that it may report with.
    pub other_severities: &'static [Severity],
    pub fixes: Fixes,
    pub yields_to: YieldsTo,
    /// The rule's page: the documentation, and the rule's test.
    pub page: &'static str,
    /// Looks at a service and reports.
    pub check: fn(&Context<'_>, &mut Reporter<'_>),
}

impl Rule {
    /// What most rules have: one severity, no fix, and nothing to yield to.
    pub const DEFAULT: Self = Self {
        code: "",
        name: "",
        severity: Severity::Warning,
        other_severities: &[],
        fixes: Fixes::None,
        yields_to: YieldsTo::Rules(&[]),
        page: "",
        check: |_, _| {},
    };

    pub(super) const fn stamp(&self) -> Stamp {
        Stamp { code: self.code, name: self.name, severity: self.severity, yields_to: self.yields_to }
    }

    /// The group, by the code.
    pub fn group(&self) -> Group {
        Group::of(self.code).unwrap_or(Group::Document)
    }

    /// Whether a selector in `--select`, a configuration or `explain` selects this rule: its code, the
    /// beginning of its code (`WF2`), its name, its group's name, or `ALL`.
    pub fn matches_selector(&self, selector: &str) -> bool {
        let is_prefix = selector.len() > 2 && selector.starts_with("WF") && self.code.starts_with(selector);
        is_prefix || selector == "ALL" || selector == "WF" || selector == self.name || selector == self.group().name()
    }
}
