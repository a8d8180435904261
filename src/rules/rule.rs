//! A rule: metadata and a stateless check.

use super::finding::RuleIdentity;
use super::reporter::Reporter;
use crate::facts::Context;
use crate::text::diagnostic::Severity;

/// The groups of rules. The first digit of a code is the group's.
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

    /// The name in `--select`, and the folder of the rules.
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

/// The kinds of fixes that a rule can offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fixes {
    None,
    Safe,
    Unsafe,
    SafeOrUnsafe,
}

impl Fixes {
    /// As `wflint rules` shows it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Safe => "safe",
            Self::Unsafe => "unsafe",
            Self::SafeOrUnsafe => "safe or unsafe",
        }
    }
}

/// The address of the folder with the pages of this version.
pub const PAGES: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/v", env!("CARGO_PKG_VERSION"), "/rules");

/// The address of a rule's page.
pub fn page_address(code: &str, name: &str) -> String {
    format!("{PAGES}/{code}-{name}.md")
}

#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// `WF201`; public, never reused.
    pub code: &'static str,
    /// `missing-required-parameter`; public as well.
    pub name: &'static str,
    /// The severity of its findings, unless one replaces it.
    pub severity: Severity,
    /// The other severities that its findings may have.
    pub other_severities: &'static [Severity],
    pub fixes: Fixes,
    /// Whether its findings say that a file was not linted. They are reported with their own severity
    /// whatever is selected, ignored or in the baseline, so that no run passes without having looked.
    pub is_always_reported: bool,
    /// Whether its findings are about what is unused or never reached: editors fade it.
    pub marks_unnecessary: bool,
    /// The page in `rules/`: documentation and test of the rule.
    pub page: &'static str,
    pub check: fn(&Context<'_>, &mut Reporter<'_>),
}

impl Rule {
    /// One severity, and no fix.
    pub const DEFAULT: Self = Self {
        code: "",
        name: "",
        severity: Severity::Warning,
        other_severities: &[],
        fixes: Fixes::None,
        is_always_reported: false,
        marks_unnecessary: false,
        page: "",
        check: |_, _| {},
    };

    pub const fn identity(&self) -> RuleIdentity {
        RuleIdentity { code: self.code, name: self.name, severity: self.severity }
    }

    pub fn group(&self) -> Group {
        Group::of(self.code).unwrap_or(Group::Document)
    }

    /// Whether a selector, as in `--select`, selects this rule: a code or its beginning (`WF2`), the name of the rule
    /// or of its group, or `ALL`.
    pub fn matches(&self, selector: &str) -> bool {
        let is_prefix = selector.starts_with("WF") && self.code.starts_with(selector);
        is_prefix || selector == "ALL" || selector == self.name || selector == self.group().name()
    }
}
