//! What the simulator assumes where the documentation of the platform leaves something open. The
//! report of a run lists the assumptions that it relied on.

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Assumption {
    Comparison,
    Sent,
    Expired,
    MailFlags,
    Reminder,
    ActivityStatus,
    ProviderResult,
    ApprovalResult,
    Seconds,
    NoTimeout,
    Joined,
    Masked,
    MailValidation,
    FormScripts,
    DeclaredTypes,
}

/// A set of assumptions: a bit for each.
#[derive(Debug, Clone, Copy, Default)]
pub struct Assumptions(u16);

impl Assumptions {
    pub const fn insert(&mut self, assumption: Assumption) {
        self.0 |= 1 << assumption as u16;
    }

    /// In the order of their declaration.
    pub fn iter(self) -> impl Iterator<Item = Assumption> {
        let all = Assumption::ALL.into_iter().map(|(assumption, _)| assumption);
        all.filter(move |assumption| self.0 & 1 << *assumption as u16 != 0)
    }
}

impl Assumption {
    /// All of them, as sentences without a period.
    const ALL: [(Self, &'static str); 15] = [
        (
            Self::Comparison,
            "conditions compare strings with case and booleans without; a static JSON number compares as a number; \
                 an unset variable equals the empty string",
        ),
        (Self::Sent, "a case without a verdict has the status `Sent`"),
        (Self::Expired, "a case that is not finished within `ExpireAfterDays` has the status `Expired`"),
        (Self::MailFlags, "a missing mail flag of a case counts as true for the sign request, and as false otherwise"),
        (Self::Reminder, "a party is reminded once, `RemindAfterDays` days after it was asked to sign"),
        (
            Self::ActivityStatus,
            "a provider activity writes `<method>: completed` or `<method>: failed - <error>` to `ZPActivityStatus`",
        ),
        (Self::ProviderResult, "`providerResult` gets `true` when the call succeeds and `false` when it fails"),
        (Self::ApprovalResult, "`approvalResult` gets `true` for an approval and `false` for a rejection"),
        (Self::Seconds, "`timeout` and `remindTime` of an Approval are seconds"),
        (Self::NoTimeout, "an Approval whose `timeout` is 0, null or unset never times out"),
        (Self::Joined, "several values of a property are joined by `;`"),
        (Self::Masked, "`hideLength` 0 hides everything from `hideStartIndex` (counted from 0) to the end"),
        (Self::MailValidation, "`validationtype` 2 accepts mail addresses only"),
        (Self::FormScripts, "the scripts of a form do not run"),
        (
            Self::DeclaredTypes,
            "an activity of a declared type takes no time and writes nothing; a container runs its children once",
        ),
    ];

    pub fn text(self) -> &'static str {
        Self::ALL.iter().find(|(assumption, _)| *assumption == self).map_or("", |(_, text)| text)
    }
}
