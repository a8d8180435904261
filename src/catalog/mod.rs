//! Provider methods as data: their parameters, outputs and statuses.
//!
//! The documented methods are the files of `schemas/catalog/`; users write the same format for
//! plug-ins of their own (`catalogs` in `wflint.toml`) and may change the built-in ones.

mod file;
mod method;
mod parameter;
mod write;

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use crate::common::collections::{HashMap, HashSet};
use crate::files::toml_file::{self, TomlError};
use file::{CatalogFile, CommonSimulation, NamedVariable};

pub use method::{Effect, Method, Output, Simulation, Status};
pub use parameter::{Additional, AdditionalKind, Parameter, ParameterKind, Purpose, Usage, ValueType};
pub use write::{NewCatalog, file_name, is_written, plugin_name, template};

/// The methods known to a run, built-in and from users' files.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    /// With unique names. Only [`Self::add`] and [`Self::extend`] change them.
    pub methods: Vec<Method>,
    /// Their indices.
    by_name: HashMap<String, usize>,
    /// Variables that every provider activity writes when it succeeds.
    pub common_outputs: Vec<String>,
    /// Those of them to which the simulator writes whether the call succeeded; only a result sets the others.
    pub status_outputs: Vec<String>,
    is_common: HashSet<String>,
    /// Variables that the platform sets for every order.
    pub system_variables: Vec<String>,
    /// Globals of the host that scripts may use.
    pub script_globals: Vec<String>,
}

/// The files of `schemas/catalog/`, joined as JSON by the build script, because JSON is read five times as fast as
/// TOML.
const BUILT_IN: &str = include_str!(concat!(env!("OUT_DIR"), "/catalog.json"));

static BUILT_IN_CATALOG: LazyLock<Arc<Catalog>> = LazyLock::new(|| {
    let mut catalog = Catalog::default();
    // Compiled into the program; a test compares them with the files.
    for file in serde_json::from_str::<Vec<CatalogFile>>(BUILT_IN).unwrap_or_default() {
        catalog.add_file(file);
    }
    Arc::new(catalog)
});

impl Catalog {
    /// The documented methods.
    pub fn built_in() -> &'static Arc<Self> {
        &BUILT_IN_CATALOG
    }

    /// Adds a catalog file. A known method is changed: values in the file replace earlier ones, and parameters and
    /// outputs are matched by name.
    pub fn add(&mut self, name: &str, text: &str) -> Result<(), TomlError> {
        self.add_file(toml_file::read(name, text)?);
        Ok(())
    }

    fn add_file(&mut self, file: CatalogFile) {
        let is_status = |output: &&NamedVariable| output.simulation == Some(CommonSimulation::Status);
        self.status_outputs.extend(file.common_outputs.iter().filter(is_status).map(|output| output.name.clone()));
        let outputs = file.common_outputs.into_iter().map(|output| output.name);
        self.common_outputs.extend(outputs.inspect(|name| _ = self.is_common.insert(name.clone())));
        self.system_variables.extend(file.system_variables.into_iter().map(|variable| variable.name));
        self.script_globals.extend(file.script_globals);
        for mut method in file.methods {
            method.plugin.clone_from(&file.plugin);
            method.package.clone_from(&file.package);
            method.module.clone_from(&file.module);
            self.merge([method]);
        }
    }

    /// Adds methods with new names.
    pub fn extend(&mut self, methods: impl IntoIterator<Item = Method>) {
        for method in methods {
            self.push(method);
        }
    }

    fn push(&mut self, method: Method) {
        self.by_name.entry(method.name.clone()).or_insert(self.methods.len());
        self.methods.push(method);
    }

    pub fn method(&self, name: &str) -> Option<&Method> {
        self.methods.get(*self.by_name.get(name)?)
    }

    /// The name of the variable that gets an output of a call of a method with a prefix.
    pub fn output_variable<'n>(&self, method: Option<&Method>, prefix: &str, property: &'n str) -> Cow<'n, str> {
        let is_prefixed = method.is_none_or(|method| method.prefixes(property));
        if prefix.is_empty() || !is_prefixed || self.is_common_output(property) {
            return Cow::Borrowed(property);
        }
        Cow::Owned([prefix, property].concat())
    }

    /// The common outputs that only a result sets.
    pub fn result_outputs(&self) -> impl Iterator<Item = &str> {
        self.common_outputs.iter().filter(|name| !self.status_outputs.contains(name)).map(String::as_str)
    }

    /// Adds a catalog file if a command wrote it.
    pub fn add_written(&mut self, name: &str, text: &str) -> Result<(), TomlError> {
        if is_written(text) { self.add(name, text.trim_start_matches('\u{feff}')) } else { Ok(()) }
    }

    /// A catalog with those of its methods that are accepted.
    #[must_use]
    pub fn with_methods(&self, is_accepted: impl Fn(&Method) -> bool) -> Self {
        let (methods, by_name) = Default::default();
        let mut catalog = Self { methods, by_name, ..self.clone() };
        catalog.extend(self.methods.iter().filter(|method| is_accepted(method)).cloned());
        catalog
    }

    /// Adds what descriptions of methods say, whether the methods are known or not.
    pub fn merge(&mut self, methods: impl IntoIterator<Item = Method>) {
        for method in methods {
            match self.by_name.get(&method.name).and_then(|&index| self.methods.get_mut(index)) {
                Some(known) => known.change(method),
                None => self.push(method),
            }
        }
    }

    /// Whether every provider activity writes this variable.
    pub fn is_common_output(&self, variable: &str) -> bool {
        self.is_common.contains(variable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files of `schemas/catalog/`, by name.
    const FILES: [(&str, &str); 3] = [
        ("common.toml", include_str!("../../schemas/catalog/common.toml")),
        ("directory.toml", include_str!("../../schemas/catalog/directory.toml")),
        ("esign.toml", include_str!("../../schemas/catalog/esign.toml")),
    ];

    #[test]
    fn built_in_files_match_their_schema() {
        let schema: serde_json::Value =
            serde_json::from_str(include_str!("../../schemas/catalog.schema.json")).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        for (name, text) in FILES {
            let value: serde_json::Value = toml::from_str(text).unwrap();
            assert!(validator.is_valid(&value), "{name}: {:?}", validator.iter_errors(&value).collect::<Vec<_>>());
        }
    }

    #[test]
    fn built_in_catalog_is_that_of_the_files() {
        let mut read = Catalog::default();
        for (name, text) in FILES {
            read.add(name, text).unwrap();
        }
        let built_in = Catalog::built_in();
        assert_eq!(format!("{:#?}", built_in.methods), format!("{:#?}", read.methods));
        assert_eq!(built_in.common_outputs, read.common_outputs);
        assert_eq!(built_in.system_variables, read.system_variables);
        assert_eq!(built_in.script_globals, read.script_globals);
    }

    #[test]
    fn documented_methods_are_built_in() {
        let ids: Vec<_> = Catalog::built_in().methods.iter().map(|method| (method.method_id, &*method.name)).collect();
        assert_eq!(
            ids,
            [
                (Some(219), "Get-ZPADGroupMember"),
                (Some(611), "Get-ZPADManager"),
                (Some(614), "Get-ZPADUser"),
                (Some(1133), "Request-ZPESignDocumentSignature"),
                (Some(1134), "Request-ZPESignDocumentSignatureWithJsonInput"),
                (Some(2311), "Get-ZPESignDocumentSignatureStatus"),
            ]
        );
    }

    #[test]
    fn user_file_changes_a_built_in_method() {
        let mut catalog = Catalog::clone(Catalog::built_in());
        let text = "plugin = 'esign'\n[[methods]]\nname = 'Get-ZPESignDocumentSignatureStatus'\n[[methods.outputs]]\n\
                    name = 'Status'\nstatuses = [{ value = 'Expired', terminal = true }]\n";
        catalog.add("mine.toml", text).unwrap();
        let method = catalog.method("Get-ZPESignDocumentSignatureStatus").unwrap();
        assert_eq!(method.method_id, Some(2311));
        assert_eq!(
            method.statuses().map(|status| &*status.value).collect::<Vec<_>>(),
            ["Finished", "Rejected", "Draft", "Sent", "Expired"]
        );
    }

    #[test]
    fn parameter_that_is_described_again_keeps_its_purpose() {
        let mut catalog = Catalog::clone(Catalog::built_in());
        let text = "plugin = 'esign'\n[[methods]]\nname = 'Request-ZPESignDocumentSignature'\n[[methods.parameters]]\n\
                    name = 'ExpireAfterDays'\ntype = 'decimal'\nrequired = true\n";
        catalog.add("mine.toml", text).unwrap();
        let expiry =
            catalog.method("Request-ZPESignDocumentSignature").unwrap().parameter_for(Purpose::Expiry).unwrap();
        assert!(expiry.name == "ExpireAfterDays" && expiry.required);
    }
}
