//! Provider methods as data: their parameters, outputs and statuses.
//!
//! The documented methods are the files of `schemas/catalog/`; users write the same format for
//! plug-ins of their own (`catalogs` in `wflint.toml`) and may change the built-in ones.

mod change;

use std::sync::LazyLock;

use serde::Deserialize;

use crate::toml_file::{self, TomlError};

/// A catalogue file.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct CatalogFile {
    plugin: String,
    package: Option<String>,
    module: Option<String>,
    #[serde(default)]
    common_outputs: Vec<CommonOutput>,
    #[serde(default)]
    script_globals: Vec<String>,
    #[serde(default)]
    methods: Vec<Method>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct CommonOutput {
    name: String,
    #[serde(default, rename = "description")]
    _description: Option<String>,
}

/// One method of a plug-in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Method {
    /// The plug-in's name.
    #[serde(skip)]
    pub plugin: String,
    /// The package that documents name; `None` when it is left open.
    #[serde(skip)]
    pub package: Option<String>,
    /// The module that documents name; `None` when it is left open.
    #[serde(skip)]
    pub module: Option<String>,
    /// As the activity's `method` has it.
    pub name: String,
    /// As the activity's `methodId` has it.
    pub method_id: Option<i64>,
    /// What it does.
    pub description: Option<String>,
    /// Whether it reads or creates something.
    pub effect: Option<Effect>,
    /// How the simulator runs it.
    pub simulation: Option<Simulation>,
    /// The declared parameters.
    #[serde(default)]
    pub parameters: Vec<Parameter>,
    /// What it writes.
    #[serde(default)]
    pub outputs: Vec<Output>,
    /// The additional parameters that it accepts.
    #[serde(default)]
    pub additional: Vec<Additional>,
}

/// What a method does to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// Looks something up.
    Read,
    /// Makes something new.
    Create,
}

/// The simulator's own behaviours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Simulation {
    /// The members of a directory group.
    GroupMembers,
    /// The manager of a directory entry.
    Manager,
    /// A user of the directory.
    User,
    /// A signing case for one party.
    SigningRequest,
    /// A signing case from JSON.
    SigningRequestJson,
    /// The status of a signing case.
    SigningStatus,
}

/// A declared parameter.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// The type of its value.
    #[serde(rename = "type")]
    pub value_type: ValueType,
    /// Whether the method needs a value.
    #[serde(default)]
    pub required: bool,
    /// What the value is for.
    pub description: Option<String>,
    /// What the value is, where it is more than any text or number.
    pub kind: Option<ParameterKind>,
}

/// The type of a parameter's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValueType {
    /// A text.
    String,
    /// A number, which may be written as a text.
    Decimal,
    /// True or false.
    Boolean,
}

impl ValueType {
    /// As `providerParameterType` has it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Decimal => "decimal",
            Self::Boolean => "boolean",
        }
    }
}

/// Values with a syntax or meaning that rules and the simulator know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ParameterKind {
    /// A Swedish, Finnish or Danish personal id.
    PersonalId,
    /// A mail address.
    Mail,
    /// An LDAP filter, RFC 4515.
    LdapFilter,
    /// An absolute URI.
    Uri,
    /// The name of a stored credential.
    Credential,
    /// A number of days.
    Days,
    /// Comma-separated property names.
    PropertyList,
    /// What the outputs' names begin with.
    Prefix,
    /// An uploaded file.
    File,
    /// The JSON text of a signing case.
    CaseJson,
    /// An entry of the directory.
    Identity,
    /// The id of a signing case.
    CaseId,
    /// What a mail says.
    MailText,
}

/// What a method writes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Output {
    /// A fixed name, to which the prefix is added.
    pub name: Option<String>,
    /// The parameter whose entries name the outputs.
    pub per_entry_of: Option<String>,
    /// Outputs that exist whatever that parameter says.
    #[serde(default)]
    pub default: Vec<String>,
    /// The values it takes, when it is a case's status.
    #[serde(default)]
    pub statuses: Vec<Status>,
    /// What it holds.
    pub description: Option<String>,
}

/// One value of a case's status.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Status {
    /// The text.
    pub value: String,
    /// Whether the case stays in it for good.
    pub terminal: bool,
    /// Whether the plug-in documents it, so that a waiting loop must handle it.
    #[serde(default)]
    pub documented: bool,
}

/// Additional parameters that a method accepts.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Additional {
    /// Their name; a `*` at the end stands for any ending.
    pub name: String,
    /// Whether the method does anything with them.
    #[serde(rename = "use")]
    pub usage: Use,
    /// What their value is.
    pub kind: Option<AdditionalKind>,
    /// What the value is for.
    pub description: Option<String>,
}

impl Additional {
    /// Whether a parameter of this name is meant.
    pub fn matches(&self, name: &str) -> bool {
        match self.name.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => name == self.name,
        }
    }
}

/// Whether a method uses an additional parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Use {
    /// It does.
    Used,
    /// It takes no notice of it.
    Ignored,
}

/// What an additional parameter holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AdditionalKind {
    /// A local file path.
    Path,
}

impl Method {
    /// The declared parameter of this name.
    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    /// The first declared parameter of this kind.
    pub fn parameter_of_kind(&self, kind: ParameterKind) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.kind == Some(kind))
    }

    /// The statuses of the case whose status the method looks up; empty for other methods.
    pub fn statuses(&self) -> impl Iterator<Item = &Status> {
        self.outputs.iter().flat_map(|output| &output.statuses)
    }
}

/// All methods that a run knows.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    /// The methods; names are unique.
    pub methods: Vec<Method>,
    /// Keys that every provider activity writes when it succeeds.
    pub common_outputs: Vec<String>,
    /// Host names that scripts may use.
    pub script_globals: Vec<String>,
}

/// The files of `schemas/catalog/`, by name.
const BUILT_IN: [(&str, &str); 3] = [
    ("common.toml", include_str!("../../schemas/catalog/common.toml")),
    ("directory.toml", include_str!("../../schemas/catalog/directory.toml")),
    ("esign.toml", include_str!("../../schemas/catalog/esign.toml")),
];

static BUILT_IN_CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
    let mut catalog = Catalog::default();
    for (name, text) in BUILT_IN {
        // Part of the program: a test reads each file.
        let _ = catalog.add(name, text);
    }
    catalog
});

impl Catalog {
    /// The documented methods.
    pub fn built_in() -> &'static Self {
        &BUILT_IN_CATALOG
    }

    /// Adds a catalogue file. A method that is known already is changed: what the file gives
    /// replaces what was there; parameters, outputs and additional parameters by their names.
    ///
    /// # Errors
    /// Where the file is no catalogue, with the place.
    pub fn add(&mut self, name: &str, text: &str) -> Result<(), TomlError> {
        let file: CatalogFile = toml_file::read(name, text)?;
        self.common_outputs.extend(file.common_outputs.into_iter().map(|output| output.name));
        self.script_globals.extend(file.script_globals);
        for mut method in file.methods {
            method.plugin.clone_from(&file.plugin);
            method.package.clone_from(&file.package);
            method.module.clone_from(&file.module);
            match self.methods.iter_mut().find(|known| known.name == method.name) {
                Some(known) => known.change(method),
                None => self.methods.push(method),
            }
        }
        Ok(())
    }

    /// The method of this name.
    pub fn method(&self, name: &str) -> Option<&Method> {
        self.methods.iter().find(|method| method.name == name)
    }

    /// Whether every provider activity writes this variable.
    pub fn is_common_output(&self, variable: &str) -> bool {
        self.common_outputs.iter().any(|output| output == variable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_files_are_valid_by_their_schema() {
        let schema: serde_json::Value =
            serde_json::from_str(include_str!("../../schemas/catalog.schema.json")).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        for (name, text) in BUILT_IN {
            Catalog::default().add(name, text).unwrap();
            let value: serde_json::Value = toml::from_str(text).unwrap();
            assert!(validator.is_valid(&value), "{name}: {:?}", validator.iter_errors(&value).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_six_documented_methods_are_there() {
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
    fn a_users_file_changes_a_built_in_method() {
        let mut catalog = Catalog::built_in().clone();
        let text = "plugin = 'esign'\n[[methods]]\nname = 'Get-ZPESignDocumentSignatureStatus'\n[[methods.outputs]]\n\
                    name = 'Status'\nstatuses = [{ value = 'Expired', terminal = true }]\n";
        catalog.add("mine.toml", text).unwrap();
        let method = catalog.method("Get-ZPESignDocumentSignatureStatus").unwrap();
        assert_eq!(method.method_id, Some(2311));
        assert_eq!(
            method.statuses().map(|status| &*status.value).collect::<Vec<_>>(),
            ["Finished", "Rejected", "Expired"]
        );
    }
}
