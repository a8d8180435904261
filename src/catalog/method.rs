//! A provider method: what it is called, what it takes and what it writes, and how a later file changes it.

use serde::{Deserialize, Serialize};

use super::parameter::{Additional, Parameter, ParameterKind, Purpose};

/// One method of a plug-in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Method {
    /// Name of the plug-in.
    #[serde(skip)]
    pub plugin: String,
    /// `package` of its activities; `None` accepts any.
    #[serde(skip)]
    pub package: Option<String>,
    /// `module` of its activities; `None` accepts any.
    #[serde(skip)]
    pub module: Option<String>,
    /// `method` of its activities.
    pub name: String,
    /// `methodId` of its activities; `None` accepts any.
    pub method_id: Option<i64>,
    /// One sentence, shown to users.
    pub description: Option<String>,
    pub effect: Option<Effect>,
    /// How the simulator runs it; `None` if the scenario has to give the results.
    pub simulation: Option<Simulation>,
    #[serde(default)]
    pub parameters: Vec<Parameter>,
    #[serde(default)]
    pub outputs: Vec<Output>,
    /// Whether it has outputs other than these; `None` counts as `false`.
    pub open_outputs: Option<bool>,
    /// Whether the prefix precedes the names of those; `None` counts as `true`.
    pub open_prefixed: Option<bool>,
    /// Parameters that authors may add.
    #[serde(default)]
    pub additional: Vec<Additional>,
}

/// The side effect of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// None: it looks something up.
    Read,
    /// It creates something.
    Create,
}

/// The methods that the simulator implements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
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

impl Method {
    /// A method of which only the name is known.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            plugin: String::new(),
            package: None,
            module: None,
            name: name.into(),
            method_id: None,
            description: None,
            effect: None,
            simulation: None,
            parameters: Vec::new(),
            outputs: Vec::new(),
            open_outputs: None,
            open_prefixed: None,
            additional: Vec::new(),
        }
    }

    /// Whether it may have outputs that the catalog does not list.
    pub fn has_open_outputs(&self) -> bool {
        self.open_outputs == Some(true)
    }

    /// Whether the prefix precedes the name of an output.
    pub fn prefixes(&self, output: &str) -> bool {
        match self.outputs.iter().find(|known| known.name.as_deref() == Some(output)) {
            Some(known) => known.is_prefixed(),
            None if self.outputs.iter().any(|known| known.per_entry_of.is_some()) => true,
            None => self.open_prefixed != Some(false),
        }
    }

    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    /// The first declared parameter of a kind.
    pub fn parameter_of_kind(&self, kind: ParameterKind) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.kind == Some(kind))
    }

    /// The declared parameter with this purpose.
    pub fn parameter_for(&self, purpose: Purpose) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.purpose == Some(purpose))
    }

    /// The case statuses that the method can return; empty for other methods.
    pub fn statuses(&self) -> impl Iterator<Item = &Status> {
        self.outputs.iter().flat_map(|output| &output.statuses)
    }
}

/// What a method writes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Output {
    /// A fixed name, without the prefix.
    pub name: Option<String>,
    /// Whether the prefix precedes the name; `None` counts as `true`.
    pub prefixed: Option<bool>,
    /// The parameter whose entries are the names of the outputs.
    pub per_entry_of: Option<String>,
    /// Entries that are always returned.
    #[serde(default)]
    pub default: Vec<String>,
    /// Its values, if it is the status of a signing case.
    #[serde(default)]
    pub statuses: Vec<Status>,
    /// One sentence, shown to users.
    pub description: Option<String>,
}

impl Output {
    /// One output with a fixed name.
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: Some(name.into()),
            prefixed: None,
            per_entry_of: None,
            default: Vec::new(),
            statuses: Vec::new(),
            description: None,
        }
    }

    pub fn is_prefixed(&self) -> bool {
        self.prefixed != Some(false)
    }
}

/// One status of a signing case.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Status {
    pub value: String,
    /// The case never leaves this status.
    pub terminal: bool,
    /// The plug-in documents it: a loop that waits for the case must handle it.
    #[serde(default)]
    pub documented: bool,
}

impl Method {
    /// Merges a later description of the method: its values replace earlier ones.
    pub(super) fn change(&mut self, by: Self) {
        self.plugin = by.plugin;
        self.package = by.package.or(self.package.take());
        self.module = by.module.or(self.module.take());
        self.method_id = by.method_id.or(self.method_id);
        self.description = by.description.or(self.description.take());
        self.effect = by.effect.or(self.effect);
        self.simulation = by.simulation.or(self.simulation);
        self.open_outputs = by.open_outputs.or(self.open_outputs);
        self.open_prefixed = by.open_prefixed.or(self.open_prefixed);
        for mut parameter in by.parameters {
            // A catalog that describes a built-in parameter again need not repeat its purpose.
            parameter.purpose = parameter.purpose.or(self.parameter(&parameter.name).and_then(|known| known.purpose));
            merge(&mut self.parameters, vec![parameter], |parameter| parameter.name.clone());
        }
        merge(&mut self.additional, by.additional, |additional| additional.name.clone());
        for output in by.outputs {
            match self
                .outputs
                .iter_mut()
                .find(|known| known.name == output.name && known.per_entry_of == output.per_entry_of)
            {
                Some(known) => {
                    merge(&mut known.statuses, output.statuses, |status| status.value.clone());
                    known.default.extend(output.default);
                    known.prefixed = output.prefixed.or(known.prefixed);
                    known.description = output.description.or(known.description.take());
                }
                None => self.outputs.push(output),
            }
        }
    }
}

fn merge<T>(known: &mut Vec<T>, by: Vec<T>, name: impl Fn(&T) -> String) {
    for item in by {
        match known.iter_mut().find(|known| name(known) == name(&item)) {
            Some(same) => *same = item,
            None => known.push(item),
        }
    }
}
