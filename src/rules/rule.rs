//! A rule: metadata and a stateless check.

use super::finding::RuleIdentity;
use super::reporter::Reporter;
use crate::config::{is_selected_by_code, letters};
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

/// Selections of rules that `--select` and `select` name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preset {
    /// The default: what somebody should change, or has to know.
    Recommended,
    /// Everything.
    Strict,
}

impl Preset {
    pub const ALL: [Self; 2] = [Self::Recommended, Self::Strict];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Recommended => "recommended",
            Self::Strict => "strict",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.name() == name)
    }

    /// The least severity of a rule's findings that are in it.
    pub const fn least_severity(self, rule: &Rule) -> Severity {
        match self {
            Self::Recommended if !rule.recommends_infos => Severity::Warning,
            _ => Severity::Info,
        }
    }

    /// Whether any findings of a rule are in it.
    pub fn contains(self, rule: &Rule) -> bool {
        rule.severities().any(|severity| severity >= self.least_severity(rule))
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

/// The address of the page of a rule of wflint. Those of the user's own have none.
pub fn page_address(code: &str, name: &str) -> Option<String> {
    Group::of(code).map(|_| format!("{PAGES}/{code}-{name}.md"))
}

/// Whether an address leads somewhere: not to a reserved domain (RFC 2606), nor to the placeholder of the repository.
pub fn is_public(address: &str) -> bool {
    !["example.com", "example.org", "example.net", "OWNER/"].iter().any(|reserved| address.contains(reserved))
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
    /// Whether its infos are in [`Preset::Recommended`], as its errors and warnings are: somebody can act on each, or has
    /// to know what was not checked.
    pub recommends_infos: bool,
    /// Whether its findings say that a file was not linted. They are reported with their own severity
    /// whatever is selected, ignored or in the baseline, so that no run passes without having looked.
    pub is_always_reported: bool,
    /// Whether its findings are about what is unused or never reached: editors fade it.
    pub marks_unnecessary: bool,
    /// The page in `rules/`: documentation and test of the rule. Of one of the user's own see [`super::page_of`].
    pub page: &'static str,
    pub check: fn(&Context<'_>, &mut Reporter<'_>),
}

impl Rule {
    /// A rule by the name of its page, such as `WF704-no-parties`; without a fix.
    pub const fn new(
        page_name: &'static str,
        page: &'static str,
        severity: Severity,
        other_severities: &'static [Severity],
        check: fn(&Context<'_>, &mut Reporter<'_>),
    ) -> Self {
        let (code, name) = page_name.split_at("WF704".len());
        Self {
            code,
            name: name.split_at(1).1,
            severity,
            other_severities,
            fixes: Fixes::None,
            recommends_infos: false,
            is_always_reported: false,
            marks_unnecessary: false,
            page,
            check,
        }
    }

    /// One of the user's own, which the engine checks. It is in [`Preset::Recommended`] whatever its severity: whoever
    /// names a rule wants it.
    pub const fn own(code: &'static str, name: &'static str, severity: Severity, fixes: Fixes) -> Self {
        const ALL: &[Severity] = &[Severity::Error, Severity::Warning, Severity::Info];
        Self {
            code,
            name,
            severity,
            other_severities: ALL,
            fixes,
            recommends_infos: true,
            is_always_reported: false,
            marks_unnecessary: false,
            page: "",
            check: |_, _| {},
        }
    }

    /// Whether it is one of the user's own.
    pub fn is_own(&self) -> bool {
        Group::of(self.code).is_none()
    }

    pub const fn identity(&self) -> RuleIdentity {
        RuleIdentity { code: self.code, name: self.name, severity: self.severity }
    }

    /// That of a rule of wflint.
    pub fn group(&self) -> Group {
        Group::of(self.code).unwrap_or(Group::Document)
    }

    /// The name of the group, which is the letters of the code for a rule of the user's own.
    pub fn group_name(&self) -> &'static str {
        Group::of(self.code).map_or_else(|| letters(self.code).unwrap_or_default(), Group::name)
    }

    /// All severities that its findings may have.
    pub fn severities(&self) -> impl Iterator<Item = Severity> {
        std::iter::once(self.severity).chain(self.other_severities.iter().copied())
    }

    /// The presets that have findings of it.
    pub fn presets(&self) -> impl Iterator<Item = Preset> {
        Preset::ALL.into_iter().filter(|preset| preset.contains(self))
    }

    /// Whether a selector, as in `--select`, selects this rule: a code or its beginning (`WF2`), the name of the rule,
    /// of its group or of a preset, or `ALL`.
    pub fn matches(&self, selector: &str) -> bool {
        let is_prefix = is_selected_by_code(self.code, selector);
        let is_named = [self.name, self.group_name(), "ALL"].contains(&selector);
        is_prefix || is_named || self.presets().any(|preset| preset.name() == selector)
    }
}

/// A rule by the name of its page, its severity, the others that its findings may have, and its check; then what else
/// departs from [`Rule::new`]: `rule!("WF406-unknown-status", Info | Error, check, fixes: Fixes::Unsafe)`.
macro_rules! rule {
    ($page:literal, $severity:ident $(| $other:ident)*, $check:expr $(, $field:ident: $value:expr)*) => {
        crate::rules::Rule {
            $($field: $value,)*
            ..crate::rules::Rule::new(
                $page,
                include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/rules/", $page, ".md")),
                crate::text::diagnostic::Severity::$severity,
                &[$(crate::text::diagnostic::Severity::$other),*],
                $check,
            )
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_no_public_addresses() {
        assert!(is_public("https://github.com/someone/wflint/blob/v1/rules/WF101-unknown-variable.md"));
        assert!(!is_public("https://git.example.com/wflint") && !is_public("https://github.com/OWNER/wflint"));
        assert_eq!(is_public(PAGES), !env!("CARGO_PKG_REPOSITORY").contains("example"));
    }
}
