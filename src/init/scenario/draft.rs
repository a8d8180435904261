//! A scenario that is being made, and its text.

use std::fmt::Write;

use crate::init::ORIGIN;
use crate::init::yaml::{key, scalar};
use crate::report::visible;
use crate::synth::{ScenarioDirectory, Submitted};

/// Results that are made up for the calls of one method, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stub {
    pub method: String,
    /// Names without prefix, and values.
    pub calls: Vec<Vec<(String, String)>>,
}

/// Who approves an Approval, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answers {
    /// The name of the Approval.
    pub name: String,
    pub people: Vec<String>,
    /// Seconds after they were asked.
    pub after: u32,
}

/// Seconds after which people act, unless that is too late.
pub const USUAL_DELAY: u32 = 3600;

/// A scenario that is being made.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    /// Relative to the folder of the scenario, as is the form.
    pub workflow: String,
    pub form: Option<String>,
    pub submit: Vec<(String, Submitted)>,
    pub variables: Vec<(String, Submitted)>,
    pub directory: ScenarioDirectory,
    /// Mail addresses of those who sign.
    pub signing: Vec<String>,
    pub approvals: Vec<Answers>,
    pub providers: Vec<Stub>,
    /// How the order ends, if it completes or terminates.
    pub ends: Option<&'static str>,
    /// What is left to do, one sentence each.
    pub to_fill_in: Vec<String>,
    /// What else to know, one sentence each.
    pub notes: Vec<String>,
}

impl Draft {
    /// Adds what is left to do, once.
    pub fn fill_in(&mut self, what: String) {
        if !self.to_fill_in.contains(&what) {
            self.to_fill_in.push(what);
        }
    }

    /// The scenario in YAML.
    pub fn yaml(&self) -> String {
        let mut text = format!("# {ORIGIN} The values are made up.\n");
        for note in &self.notes {
            let _ = writeln!(text, "# {}", visible(note));
        }
        if !self.to_fill_in.is_empty() {
            text += "#\n# To fill in, so that it passes:\n";
            for what in &self.to_fill_in {
                let _ = writeln!(text, "# - {}", visible(what));
            }
        }
        let _ = writeln!(text, "name: {}", self.name());
        let _ = writeln!(text, "workflow: {}", scalar(&self.workflow));
        if let Some(form) = &self.form {
            let _ = writeln!(text, "form: {}", scalar(form));
        }
        self.write_values(&mut text);
        self.write_directory(&mut text);
        self.write_people(&mut text);
        self.write_stubs(&mut text);
        let _ = writeln!(text, "expect:\n  outcome: {}", self.ends.unwrap_or("completed"));
        if !self.approvals.is_empty() {
            text += "  approvals:\n";
            for Answers { name, .. } in &self.approvals {
                let _ = writeln!(text, "    {} approved", key(name, 4));
            }
        }
        text
    }

    const fn name(&self) -> &'static str {
        match (self.approvals.is_empty(), self.signing.is_empty()) {
            (false, false) => "Everybody approves and signs",
            (false, true) => "Everybody approves",
            (true, false) => "Everybody signs",
            (true, true) => "The order runs to its end",
        }
    }

    fn write_values(&self, text: &mut String) {
        for (section, entries) in [("submit", &self.submit), ("variables", &self.variables)] {
            if entries.is_empty() {
                continue;
            }
            let _ = writeln!(text, "{section}:");
            for (name, value) in entries {
                let _ = match value {
                    Submitted::Text(value) => writeln!(text, "  {} {}", key(name, 2), scalar(value)),
                    Submitted::File(file) => writeln!(text, "  {} {{ file: {} }}", key(name, 2), scalar(file)),
                };
            }
        }
    }

    fn write_directory(&self, text: &mut String) {
        if self.directory.is_empty() {
            return;
        }
        text.push_str("directory: # or the path of an LDIF file\n");
        for entry in self.directory.entries() {
            let _ = writeln!(text, "  - dn: {}", scalar(&entry.dn));
            for (name, value) in &entry.attributes {
                let _ = writeln!(text, "    {} {}", key(name, 4), scalar(value));
            }
        }
    }

    fn write_people(&self, text: &mut String) {
        if !self.signing.is_empty() {
            text.push_str("signing:\n");
            for mail in &self.signing {
                let _ = writeln!(text, "  {} {{ after: 1h, action: sign }}", key(mail, 2));
            }
        }
        if !self.approvals.is_empty() {
            text.push_str("approvals:\n");
            for Answers { name, people, after } in &self.approvals {
                let _ = writeln!(text, "  {}", key(name, 2));
                let after = if *after == USUAL_DELAY { "1h".to_owned() } else { format!("{after}s") };
                for mail in people {
                    let _ = writeln!(text, "    {} {{ after: {after}, action: approve }}", key(mail, 4));
                }
            }
        }
    }

    fn write_stubs(&self, text: &mut String) {
        if self.providers.is_empty() {
            return;
        }
        text.push_str("providers: # results of methods that are not simulated, one for each call\n");
        for stub in &self.providers {
            let _ = writeln!(text, "  {}", key(&stub.method, 2));
            for outputs in &stub.calls {
                if outputs.is_empty() {
                    text.push_str("    - outputs: {}\n");
                    continue;
                }
                text.push_str("    - outputs:\n");
                for (name, value) in outputs {
                    let _ = writeln!(text, "        {} {}", key(name, 8), scalar(value));
                }
            }
        }
    }
}
