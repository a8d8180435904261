//! A catalog to be written: the methods of one plug-in.

use crate::catalog::method::Method;
use crate::catalog::parameter::Parameter;
use crate::collections::HashSet;

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
