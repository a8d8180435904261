//! Parameters of a method, declared and additional ones.

use serde::{Deserialize, Serialize};

/// A declared parameter.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Parameter {
    pub name: String,
    /// `None` if it takes a value of any type.
    #[serde(rename = "type")]
    pub value_type: Option<ValueType>,
    /// The method fails without a value.
    #[serde(default)]
    pub required: bool,
    /// Some calls need a value, such as those without another parameter.
    #[serde(default)]
    pub sometimes_required: bool,
    /// One sentence, shown to users.
    pub description: Option<String>,
    /// The syntax or meaning of the value, if rules or the simulator know it.
    pub kind: Option<ParameterKind>,
    /// What the method does with the value, if its kind does not determine that.
    pub purpose: Option<Purpose>,
    /// All values that it accepts; empty if they are not listed.
    #[serde(default)]
    pub values: Vec<String>,
    /// The value that the method uses when it gets none, as a string.
    pub default: Option<String>,
}

impl Parameter {
    /// An optional parameter.
    pub fn new(name: impl Into<String>, value_type: impl Into<Option<ValueType>>) -> Self {
        Self {
            name: name.into(),
            value_type: value_type.into(),
            required: false,
            sometimes_required: false,
            description: None,
            kind: None,
            purpose: None,
            values: Vec::new(),
            default: None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValueType {
    /// Any string.
    String,
    /// A number, or a string that contains one.
    Decimal,
    Boolean,
}

impl ValueType {
    /// The value of `providerParameterType`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Decimal => "decimal",
            Self::Boolean => "boolean",
        }
    }
}

/// The syntax or meaning of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
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
    /// The prefix of the names of the outputs.
    Prefix,
    /// An uploaded file.
    File,
    /// A signing case as JSON.
    CaseJson,
    /// A directory entry, by distinguished name, GUID or account name.
    Identity,
    /// The id of a signing case.
    CaseId,
    /// The body of a mail.
    MailText,
}

impl ParameterKind {
    /// The value of `kind` in a catalog.
    pub const fn word(self) -> &'static str {
        match self {
            Self::PersonalId => "personal-id",
            Self::Mail => "mail",
            Self::LdapFilter => "ldap-filter",
            Self::Uri => "uri",
            Self::Credential => "credential",
            Self::Days => "days",
            Self::PropertyList => "property-list",
            Self::Prefix => "prefix",
            Self::File => "file",
            Self::CaseJson => "case-json",
            Self::Identity => "identity",
            Self::CaseId => "case-id",
            Self::MailText => "mail-text",
        }
    }
}

/// The role of a parameter that the simulator or a rule has to find.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
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

/// Parameters that authors may add to a method.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Additional {
    /// The name; a trailing `*` stands for any ending.
    pub name: String,
    #[serde(rename = "use")]
    pub usage: Usage,
    pub kind: Option<AdditionalKind>,
    /// One sentence, shown to users.
    pub description: Option<String>,
}

impl Additional {
    /// Whether a parameter of this name is one of them.
    pub fn matches(&self, name: &str) -> bool {
        match self.name.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => name == self.name,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Usage {
    /// The method uses it.
    Used,
    /// The method ignores it.
    Ignored,
}

/// What an additional parameter holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AdditionalKind {
    /// A local file path.
    Path,
}
