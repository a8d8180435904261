//! What an editor asks about a place in a file. `<|>` in a text is where the cursor is.

mod editor;
mod names;
mod rename;
mod renamed_services;
