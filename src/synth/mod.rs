//! Made-up values for scenarios: `people`, values that fit fields and variables (`values`, by what `needs` finds out
//! about their use, and `comparisons` about conditions), and results of directory lookups (`lookups`).

mod comparisons;
mod fit;
mod lookups;
mod needs;
mod patterns;
mod people;
mod values;

pub use comparisons::{Compared, Comparisons};
pub use fit::{fits, others};
pub use lookups::{LookupAnswer, PropertyUses, SUFFIX, escaped};
pub use needs::Needs;
pub use patterns::PatternTests;
pub use values::{LAST_RESORTS, Submitted, Values, default_value, file_name, of_type, of_validation};
