//! Signing cases: the texts that describe them, the scripts that build them, and the loops that wait for their statuses.

pub(super) mod assigned_cases;
pub(super) mod case_messages;
pub(super) mod case_site;
pub(super) mod case_text;
pub(super) mod case_texts;
pub(super) mod expiring_cases;
pub(super) mod loops;
pub(super) mod script_requests;
pub(super) mod script_run;
pub(super) mod statuses;
