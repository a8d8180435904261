//! Writing catalogs: a new file, or what an existing one lacks.

mod extend;
mod new_catalog;
mod template;

use toml_edit::visit_mut::VisitMut;
use toml_edit::{Formatted, Value};

use super::Catalog;
use crate::common::collections::HashSet;
use crate::files::toml_file::{self, TomlError};

pub use new_catalog::{NewCatalog, file_name, plugin_name};
pub use template::template;

/// The first line of the files that the commands write.
const HEADER: &str = "# Written by `wflint catalog`, which adds to this file and keeps what you change here.\n\n";

/// Whether a command wrote the text of a catalog, as its first line says.
pub fn is_written(text: &str) -> bool {
    let first =
        |text: &str| text.trim_start_matches('\u{feff}').lines().next().unwrap_or_default().trim_end().to_owned();
    first(text) == first(HEADER)
}

impl NewCatalog {
    /// The text of a new file. `quoted` returns the literal of a string that needs escapes, because the text may be
    /// printed.
    pub fn to_toml(&self, quoted: impl Fn(&str) -> Option<String>) -> Result<String, TomlError> {
        const NAME: &str = "<stdout>";
        toml_file::check_size(NAME, self.min_size())?;
        let mut text = HEADER.to_owned();
        let add = |text: &mut String, catalog: &Self| {
            let mut document = toml_edit::DocumentMut::new();
            extend::add_catalog(&mut document, catalog);
            Quoting(&quoted).visit_document_mut(&mut document);
            *text += &document.to_string();
        };
        let (plugin, package, module) = (self.plugin.clone(), self.package.clone(), self.module.clone());
        add(&mut text, &Self { plugin, package, module, methods: Vec::new() });
        // One at a time: a document takes much more memory than its text.
        let mut known = HashSet::default();
        for method in &self.methods {
            if !known.insert(&method.name) {
                continue;
            }
            if known.len() > 1 {
                text.push('\n');
            }
            let methods = vec![method.clone()];
            add(&mut text, &Self { plugin: String::new(), package: None, module: None, methods });
            toml_file::check_size(NAME, text.len())?;
        }
        check(NAME, text)
    }

    /// The text of an existing file with what it lacks: methods, parameters, outputs and keys. Everything else stays
    /// unchanged: values, comments and line ends.
    pub fn extend(&self, name: &str, text: &str) -> Result<String, TomlError> {
        toml_file::check_size(name, self.min_size())?;
        let text = check(name, text.to_owned())?;
        let (mark, plain) = match text.strip_prefix('\u{feff}') {
            Some(plain) => ("\u{feff}", plain),
            None => ("", text.as_str()),
        };
        let lines = extend::Lines::new(plain);
        let parsed = lines.text.parse::<toml_edit::DocumentMut>();
        let mut document = parsed.map_err(|error| TomlError(format!("{name}: {}", error.message())))?;
        if !extend::add_catalog(&mut document, self) {
            return Ok(text);
        }
        check(name, format!("{mark}{}", lines.restored(&document.to_string())))
    }
}

/// Replaces strings by the literals that the function returns; `None` leaves a string unchanged.
struct Quoting<'q>(&'q dyn Fn(&str) -> Option<String>);

impl VisitMut for Quoting<'_> {
    fn visit_string_mut(&mut self, string: &mut Formatted<String>) {
        let Some(Ok(Value::String(mut quoted))) = (self.0)(string.value()).map(|text| text.parse()) else { return };
        quoted.decor_mut().clone_from(string.decor());
        *string = quoted;
    }
}

fn check(name: &str, text: String) -> Result<String, TomlError> {
    Catalog::default().add(name, text.strip_prefix('\u{feff}').unwrap_or(&text)).map(|()| text)
}

#[cfg(test)]
mod tests;
