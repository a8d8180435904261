//! Directory entries without a server: LDIF files ([RFC 2849](ldif)), distinguished names
//! ([RFC 4514](dn)), search filters ([RFC 4515](filter)), and a [`Directory`] to look things up in.
//!
//! There is no schema here. Values are compared as `caseIgnoreMatch` of RFC 4517 does, as names
//! where they are distinguished names, and byte for byte where they are no text.

mod assertion;

mod attribute;
mod comparison;
mod cursor;
pub mod directory;
pub mod dn;
mod entry;
mod evaluate;
pub mod filter;
mod guid;
pub mod ldif;
mod parser;
mod preparation;
mod value;

pub use directory::{Directory, Duplicate, LookupError, ManagerError};
pub use dn::Dn;
pub use entry::Entry;
pub use filter::{Filter, FilterError};
pub use guid::Guid;
pub use ldif::LdifError;
