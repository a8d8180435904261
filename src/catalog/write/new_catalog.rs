//! A catalog to be written: the methods of one plug-in.

use crate::catalog::method::Method;

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

/// The name of the plug-in that a module belongs to.
pub fn plugin_name(module: &str) -> &str {
    module.strip_prefix(MODULE_START).filter(|name| !name.is_empty()).unwrap_or(module)
}
