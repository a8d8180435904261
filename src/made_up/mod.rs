//! Made-up values: people, what fits fields and variables, and the entries that lookups ask for.

mod directory;
mod fields;
mod fit;
mod needs;
mod patterns;
mod people;
mod values;

pub use directory::{Answer, AskedDirectory, Directory, LookedUp, Lookup, PropertyUses, SearchedDirectory};
pub use fields::{default_text, default_value, file_name, of_type};
pub use fit::{fits, others};
pub use needs::Needs;
pub use patterns::{first_match, matching};
pub use people::Person;
pub use values::{LAST_RESORTS, Submitted, Values, of_validation};
