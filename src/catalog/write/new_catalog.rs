//! A catalog to be written: the methods of one plug-in, and a safe name for its file.

use crate::catalog::method::Method;
use crate::catalog::parameter::Parameter;
use crate::common::collections::HashSet;

/// The beginning of a module's name, which the name of its plug-in lacks.
const MODULE_START: &str = "Activity.";

/// The methods of one plug-in, to be written as a catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCatalog {
    pub plugin: String,
    /// `package` of its activities; `None` accepts any.
    pub package: Option<String>,
    /// `module` of its activities; `None` accepts any.
    pub module: Option<String>,
    /// Their own `plugin`, `package` and `module` are not written.
    pub methods: Vec<Method>,
}

impl NewCatalog {
    /// A catalog without methods for the activities of a module.
    pub fn of_module(module: &str) -> Self {
        Self {
            plugin: plugin_name(module).to_owned(),
            package: None,
            module: Some(module.to_owned()),
            methods: Vec::new(),
        }
    }
}

/// Bytes of an entry around its name: `{ name = "" }`.
const ENTRY: usize = 13;
/// Bytes of an item of an array around its text: `"",`.
const ITEM: usize = 3;

impl NewCatalog {
    /// Bytes that its file has at least, counted without building it, which takes many times as much memory.
    pub(super) fn min_size(&self) -> usize {
        size_of_named(&self.methods, |method| &method.name, min_size)
    }
}

/// Bytes of the entries with different names.
fn size_of_named<'i, T>(items: &'i [T], name: impl Fn(&'i T) -> &'i str, rest: impl Fn(&'i T) -> usize) -> usize {
    let mut known = HashSet::default();
    let items = items.iter().filter(|item| known.insert(name(item)));
    items.map(|item| ENTRY + name(item).len() + rest(item)).sum()
}

fn min_size(method: &Method) -> usize {
    let outputs = size_of_named(&method.outputs, |output| output.name.as_deref().unwrap_or_default(), |_| 0);
    let parameters = size_of_named(&method.parameters, |parameter| &parameter.name, parameter_size);
    length(method.description.as_ref()) + parameters + outputs
}

fn parameter_size(parameter: &Parameter) -> usize {
    let values: usize = parameter.values.iter().map(|value| ITEM + value.len()).sum();
    length(parameter.description.as_ref()) + length(parameter.default.as_ref()) + values
}

fn length(text: Option<&String>) -> usize {
    text.map_or(0, String::len)
}

/// The name of the plug-in that a module belongs to.
pub fn plugin_name(module: &str) -> &str {
    module.strip_prefix(MODULE_START).filter(|name| !name.is_empty()).unwrap_or(module)
}

/// Names of devices on Windows, with any extension.
const DEVICES: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "lpt1", "lpt2",
    "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// The longest name without its extension, in bytes; file systems have a limit of 255 bytes or characters.
const MAX_LENGTH: usize = 200;

/// The name of a plug-in's catalog file. It is one component of a path on every system: `_` replaces other characters,
/// and is added to reserved names.
pub fn file_name(plugin: &str) -> String {
    let mut stem: String = plugin.chars().map(|letter| if is_allowed(letter) { letter } else { '_' }).collect();
    if let Some((cut, _)) = stem.char_indices().find(|(start, letter)| start + letter.len_utf8() > MAX_LENGTH) {
        stem.truncate(cut);
    }
    // A leading period hides a file, so that walks skip it.
    if stem.starts_with(['.', ' ']) {
        stem.replace_range(..1, "_");
    }
    let lower = stem.to_lowercase();
    let first = lower.split('.').next().unwrap_or_default().trim_end();
    // Such a catalog would be taken for a configuration or a scenario.
    let is_reserved = DEVICES.contains(&first) || lower == "wflint" || lower.ends_with(".scenario");
    if stem.is_empty() || stem.ends_with(['.', ' ']) {
        stem.push('_');
    }
    if is_reserved {
        stem.insert(0, '_');
        if lower.ends_with(".scenario") {
            stem.push('_');
        }
    }
    stem + ".toml"
}

/// Whether a character is visible, and allowed in a file name on every system.
fn is_allowed(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '.' | '-' | '_' | ' ' | '(' | ')' | '+' | ',' | '=' | '@' | '&')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_name_stays() {
        for name in ["Payroll", "My.Plugin-2", "Lön", "A B", "scenario", "config"] {
            assert_eq!(file_name(name), format!("{name}.toml"));
        }
    }

    #[test]
    fn name_is_one_component_on_every_system() {
        for (name, file) in [
            ("", "_.toml"),
            ("..", "_._.toml"),
            ("../x", "_._x.toml"),
            ("/etc/passwd", "_etc_passwd.toml"),
            ("C:", "C_.toml"),
            (r"..\..\x", "_._.._x.toml"),
            ("a\u{0}\n\u{1b}b", "a___b.toml"),
            ("CON", "_CON.toml"),
            ("nul.x", "_nul.x.toml"),
            ("x. ", "x. _.toml"),
            (".hidden", "_hidden.toml"),
            ("WFLint", "_WFLint.toml"),
            ("pay.scenario", "_pay.scenario_.toml"),
            ("a\u{202e}b", "a_b.toml"),
        ] {
            assert_eq!(file_name(name), file);
        }
        assert!(file_name(&"ä".repeat(500)).len() <= 205);
    }
}
