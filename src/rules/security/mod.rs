//! `WF9`: security and privacy.

pub mod hard_coded_secret;
pub mod insecure_uri;
pub mod invisible_characters;
pub mod ldap_injection;
pub mod personal_data_published;
pub mod untrusted_connection;
pub mod untrusted_path;

pub(super) mod disguise;
pub mod dynamic_code;
mod form_values;
pub mod json_injection;
mod masked;
pub mod secrets;
pub mod sensitive_values;
mod sinks;
