//! What the reader of configurations accepts, and that the schema and the lists of settings say the same.

pub(super) mod known_keys;
mod loading;
mod schema;
