//! Directory entries without a server: LDIF files ([RFC 2849](ldif)), distinguished names
//! ([RFC 4514](dn)), search filters ([RFC 4515](filter)), and a [`Directory`] for lookups.
//!
//! Schemas are not supported. Values are compared by `caseIgnoreMatch` of RFC 4517, as names if they are
//! distinguished names, and byte for byte if they are binary.

mod attribute;
pub mod directory;
pub mod dn;
mod entry;
mod evaluate;
pub mod filter;
pub mod ldif;
mod matching;
mod preparation;

pub use directory::{Directory, LookupError, ManagerError};
pub use dn::Dn;
pub use entry::{Entry, Guid};
pub use evaluate::{Demand, Search, attribute_type};
pub use filter::{Filter, FilterError};
pub use ldif::LdifError;
