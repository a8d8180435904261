//! `WF9`: security and privacy.

pub mod insecure_uri;
pub mod hard_coded_secret;
pub mod hidden;
pub mod ldap_injection;
pub mod personal_data_published;
pub mod untrusted_connection;
pub mod untrusted_path;

mod form_values;
mod masked;
pub mod secrets;
mod sinks;
