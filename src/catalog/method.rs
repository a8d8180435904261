//! A provider method: what it is called, what it takes and what it writes.

use serde::Deserialize;

use super::output::{Output, Status};
use super::parameter::{Additional, Parameter, ParameterKind, Purpose};

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

impl Method {
    /// The declared parameter of this name.
    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    /// The first declared parameter of this kind.
    pub fn parameter_of_kind(&self, kind: ParameterKind) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.kind == Some(kind))
    }

    /// The declared parameter with this purpose.
    pub fn parameter_for(&self, purpose: Purpose) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.purpose == Some(purpose))
    }

    /// The statuses of the case whose status the method looks up; empty for other methods.
    pub fn statuses(&self) -> impl Iterator<Item = &Status> {
        self.outputs.iter().flat_map(|output| &output.statuses)
    }
}
