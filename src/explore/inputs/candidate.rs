//! A field or variable, and the alternatives made for it.

use super::input::{Alternative, FieldInput, Section};
use crate::made_up::Submitted;
use crate::model::Field;

/// The field or variable for which alternatives are made.
#[derive(Clone)]
pub struct Subject<'s> {
    pub section: Section,
    /// The key in the section.
    pub name: String,
    /// `None` of a field without one, whose value nothing reads.
    pub variable: Option<String>,
    /// `None` of a variable that no form asks for.
    pub field: Option<&'s Field<'s>>,
}

impl Subject<'_> {
    /// The variable; empty without one.
    pub fn variable(&self) -> &str {
        self.variable.as_deref().unwrap_or_default()
    }

    pub fn may_be_empty(&self) -> bool {
        self.field.is_some_and(|field| field.required.value() != Some(true))
    }
}

pub struct Candidate<'s> {
    pub subject: Subject<'s>,
    /// The usual one first; empty for a file.
    pub texts: Vec<String>,
    /// Further texts that are accepted.
    pub spare: Vec<String>,
    pub file: Option<String>,
    /// Whether exploring chooses among the alternatives.
    pub is_chosen: bool,
    /// Whether the configuration lists its values.
    pub is_listed: bool,
}

impl<'s> Candidate<'s> {
    pub const fn new(subject: Subject<'s>, is_chosen: bool, is_listed: bool) -> Self {
        Self { subject, texts: Vec::new(), spare: Vec::new(), file: None, is_chosen, is_listed }
    }

    /// The usual value first.
    fn alternatives(&self) -> Vec<Alternative> {
        let file = self.file.iter().map(|name| Submitted::File(name.clone()));
        let values = file.chain(self.texts.iter().map(|text| Submitted::Text(text.clone())));
        let mut found: Vec<Alternative> = values.map(|value| Alternative { value, is_nothing: false }).collect();
        if self.subject.may_be_empty() {
            found.push(Alternative { value: Submitted::Text(String::new()), is_nothing: true });
        }
        found
    }

    /// Its entry in the scenario, and the input with its alternatives.
    pub fn finish(self) -> (Option<(String, Submitted)>, Option<FieldInput>) {
        let alternatives = self.alternatives();
        let Subject { section, name, variable, .. } = self.subject;
        let usual = alternatives.first().map(|usual| (name.clone(), usual.value.clone()));
        let variable = variable.filter(|_| self.is_chosen && !alternatives.is_empty());
        (usual, variable.map(|variable| FieldInput { section, name, variable, alternatives }))
    }
}
