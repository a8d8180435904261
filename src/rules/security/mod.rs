//! `WF9`: security and privacy.

pub mod insecure_uri;
pub mod hard_coded_secret;
pub mod hidden;
pub mod invisible_characters;
pub mod ldap_injection;
pub mod personal_data_published;
pub mod untrusted_connection;
pub mod untrusted_path;

pub(super) mod disguise;
mod form_values;
mod masked;
pub mod secrets;
mod sinks;
