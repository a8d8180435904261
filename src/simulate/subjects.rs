//! The subjects of the mails that people get, as far as the simulator knows the words.

/// Asks for an approval.
pub const APPROVAL: &str = "Approval needed";
/// Reminds of an approval.
pub const APPROVAL_REMINDER: &str = "Reminder: approval needed";
/// Asks for a signature.
pub const SIGN: &str = "Please sign";
/// Reminds of a signature.
pub const SIGN_REMINDER: &str = "Please remember to sign";
/// All have signed.
pub const SIGNED: &str = "Signed by all";
/// Somebody refused to sign.
pub const REFUSED: &str = "Signing was refused";

/// A subject with the name of what it is about.
pub fn subject(what: &str, name: &str) -> String {
    if name.is_empty() { what.to_owned() } else { format!("{what}: {name}") }
}
