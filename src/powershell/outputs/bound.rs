//! The arguments of a command, by parameter (`about_Parameters`).

use crate::powershell::syntax::{Command, Expr};

/// Parameters without a value.
const SWITCHES: [&str; 7] = ["passthru", "force", "noenumerate", "verbose", "debug", "whatif", "confirm"];

pub struct Bound<'c> {
    /// Parameters in lower case, as they are written.
    named: Vec<(String, &'c Expr)>,
    pub positional: Vec<&'c Expr>,
}

impl<'c> Bound<'c> {
    pub fn new(command: &'c Command) -> Self {
        let mut bound = Self { named: Vec::new(), positional: Vec::new() };
        let mut waiting: Option<String> = None;
        for argument in &command.arguments {
            match (&argument.parameter, &argument.value) {
                (Some(name), Some(value)) => bound.named.push((name.to_ascii_lowercase(), value)),
                (Some(name), None) => {
                    let name = name.to_ascii_lowercase();
                    waiting = (!SWITCHES.contains(&name.as_str())).then_some(name);
                    continue;
                }
                (None, Some(value)) => match waiting.take() {
                    Some(name) => bound.named.push((name, value)),
                    None => bound.positional.push(value),
                },
                (None, None) => {}
            }
            waiting = None;
        }
        bound
    }

    /// The value of a parameter, whose name may be shortened.
    pub fn named(&self, name: &str) -> Option<&'c Expr> {
        let found = self.named.iter().find(|(written, _)| !written.is_empty() && name.starts_with(written.as_str()));
        found.map(|(_, value)| *value)
    }
}

/// The last part of the name of a command, in lower case, without its module.
pub fn command_name(command: &Command) -> String {
    let name = command.name.as_deref().unwrap_or_default();
    name.rsplit('\\').next().unwrap_or_default().to_ascii_lowercase()
}
