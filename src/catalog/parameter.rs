//! Parameters of a method, declared and additional ones.

use serde::Deserialize;

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
    /// The syntax or meaning of the value, if rules or the simulator know it.
    pub kind: Option<ParameterKind>,
    /// What the method does with the value, where its kind does not say it.
    pub purpose: Option<Purpose>,
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

/// What a method does with a parameter that the simulator or a rule has to find.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// Days until a signing case expires.
    Expiry,
    /// Days until a signer is reminded.
    Reminder,
    /// Name of the document to sign.
    DocumentName,
    /// Name of the signer.
    PartyName,
    /// Levels to go up from an entry to its manager.
    ManagerDepth,
    /// Whether to return the topmost manager.
    TopManager,
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
