//! What wflint assumes where the platform is not documented. The table is `docs/assumptions.md`: each row has a number,
//! which messages and reports cite. A new assumption is a row there and a line here.

use std::fmt;

/// The table.
const PAGE: &str = include_str!("../../docs/assumptions.md");

macro_rules! assumptions {
    ($($name:ident = $number:literal,)*) => {
        /// An assumption that code relies on, with its number. Shown as `A7`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Assumption { $($name = $number,)* }

        impl Assumption {
            /// All of them, by number.
            pub const ALL: &[Self] = &[$(Self::$name,)*];
        }
    };
}

assumptions! {
    FormName = 1,
    OtherValues = 3,
    OtherKeys = 4,
    Names = 6,
    DurationUnit = 9,
    AfterRejection = 10,
    UnknownEvents = 12,
    ScriptWrapper = 16,
    Comparison = 18,
    Sent = 19,
    Expired = 20,
    MailFlags = 21,
    Reminder = 22,
    ActivityStatus = 23,
    ProviderResult = 24,
    StopOnError = 25,
    ApprovalResult = 26,
    Rejection = 27,
    Seconds = 29,
    NoTimeout = 30,
    Joined = 31,
    Masked = 32,
    MailValidation = 33,
    FormScripts = 34,
    DeclaredTypes = 35,
    ScriptResult = 36,
    UserSearch = 44,
    PromiseJobs = 45,
    UnknownTypes = 46,
    OnlyBodies = 47,
}

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub struct AssumptionRow {
    pub number: u8,
    pub question: &'static str,
    /// A sentence without a period.
    pub text: &'static str,
}

impl AssumptionRow {
    pub fn all() -> impl Iterator<Item = Self> {
        PAGE.lines().filter_map(|line| {
            let mut cells = line.strip_prefix("| A")?.strip_suffix(" |")?.splitn(3, " | ");
            Some(Self { number: cells.next()?.parse().ok()?, question: cells.next()?, text: cells.next()? })
        })
    }
}

impl Assumption {
    pub fn text(self) -> &'static str {
        AssumptionRow::all().find(|row| row.number == self as u8).map_or("", |row| row.text)
    }

    /// The one with this text.
    pub fn with_text(text: &str) -> Option<Self> {
        let row = AssumptionRow::all().find(|row| row.text == text)?;
        Self::ALL.iter().copied().find(|assumption| *assumption as u8 == row.number)
    }
}

impl fmt::Display for Assumption {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "A{}", *self as u8)
    }
}

/// A set of assumptions: a bit for each.
#[derive(Debug, Clone, Copy, Default)]
pub struct Assumptions(u64);

impl Assumptions {
    pub const fn insert(&mut self, assumption: Assumption) {
        self.0 |= 1 << assumption as u64;
    }

    /// By number.
    pub fn iter(self) -> impl Iterator<Item = Assumption> {
        Assumption::ALL.iter().copied().filter(move |assumption| self.0 & 1 << *assumption as u64 != 0)
    }
}
