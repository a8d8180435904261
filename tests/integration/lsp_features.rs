//! What an editor asks about a place in a file. `<|>` is where the cursor is.

mod any_place;
mod completion;
mod editor;
mod hover;
mod inlay_hints;
mod names;
mod rename;
mod renamed_services;
