//! Problems of scenarios as diagnostics.

use std::borrow::Cow;

use crate::diagnostic::{Diagnostic, FileId, Location, Severity};
use crate::simulate::scenario::FileLocation;

/// The code of these problems, which belong to no rule.
const CODE: &str = "scenario";
const NAME: &str = "invalid-scenario";

pub fn problem(location: Location, message: String, help: Option<String>) -> Diagnostic {
    Diagnostic {
        code: CODE,
        name: NAME,
        severity: Severity::Error,
        message,
        location,
        also: None,
        activity: None,
        help: help.map(Cow::Owned),
        related: Vec::new(),
        flow: Vec::new(),
        fix: None,
        fingerprint: None,
    }
}

pub fn scenario_problem(file: FileId, location: &FileLocation, message: String, help: Option<String>) -> Diagnostic {
    problem(at(file, location), message, help)
}

pub fn at(file: FileId, location: &FileLocation) -> Location {
    Location { file, pointer: location.pointer.clone(), span: location.span }
}
