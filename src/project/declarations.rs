//! The variables that the documents of a service share.

use super::model::{FormDocument, ServiceModel, WorkflowDocument};
use crate::collections::HashMap;
use crate::diagnostic::FileId;
use crate::model::{Member, Variable};

/// A variable and the file that declares it.
#[derive(Debug, Clone, Copy)]
pub struct Declared<'p> {
    pub file: FileId,
    pub variable: Variable<'p>,
}

/// The variables that a document may use: its own and those of the service's other documents.
#[derive(Debug, Default)]
pub struct Declarations<'p> {
    all: Vec<Declared<'p>>,
    by_name: HashMap<&'p str, Vec<usize>>,
    by_id: HashMap<i64, Vec<usize>>,
    /// Whether any document has `variables`; if none has, names cannot be judged.
    pub are_there: bool,
    /// Whether a variable's name is unreadable, so that any name may be declared.
    pub are_incomplete: bool,
}

impl<'p> Declarations<'p> {
    /// What a workflow may use: its own variables, then those of the service's forms.
    pub fn of_workflow(model: &ServiceModel<'p>, workflow: &WorkflowDocument<'p>) -> Self {
        let mut declarations = Self::default();
        declarations.add(workflow.file, &workflow.workflow.variables);
        declarations.are_there = workflow.workflow.variables.get().is_some();
        for form in &model.forms {
            declarations.add(form.file, &form.form.variables);
        }
        declarations.are_incomplete |= model.has_broken_file;
        declarations
    }

    /// What a form may use: its own variables, then those of all documents of the service.
    pub fn of_form(model: &ServiceModel<'p>, form: &FormDocument<'p>) -> Self {
        let mut declarations = Self::default();
        declarations.add(form.file, &form.form.variables);
        for workflow in &model.workflows {
            declarations.add(workflow.file, &workflow.workflow.variables);
        }
        // An empty array in a form means nothing by itself: the workflow's array counts.
        declarations.are_there = form.form.variables.get().is_some_and(|variables| !variables.is_empty())
            || model.workflows.iter().any(|workflow| workflow.workflow.variables.get().is_some());
        for other in model.forms.iter().filter(|other| other.file != form.file) {
            declarations.add(other.file, &other.form.variables);
        }
        declarations.are_incomplete |= model.has_broken_file;
        declarations
    }

    fn add(&mut self, file: FileId, variables: &Member<Vec<Variable<'p>>>) {
        self.are_incomplete |= variables.is_unknown();
        for variable in variables.get().into_iter().flatten() {
            let index = self.all.len();
            self.all.push(Declared { file, variable: *variable });
            match variable.name.value() {
                Some(name) => self.by_name.entry(name).or_default().push(index),
                None => self.are_incomplete = true,
            }
            for id in [variable.id.value(), variable.real_id.value()].into_iter().flatten() {
                let ids = self.by_id.entry(id).or_default();
                if ids.last() != Some(&index) {
                    ids.push(index);
                }
            }
        }
    }

    /// Every declaration of this name; the document's own comes first.
    pub fn named(&self, name: &str) -> impl Iterator<Item = &Declared<'p>> + Clone {
        self.by_name.get(name).into_iter().flatten().filter_map(|&index| self.all.get(index))
    }

    /// The first declaration of this name.
    pub fn variable(&self, name: &str) -> Option<&Declared<'p>> {
        self.named(name).next()
    }

    /// The type of a variable; `None` when it is missing, or the documents disagree on it.
    pub fn type_of(&self, name: &str) -> Option<&'p str> {
        let mut types = self.named(name).filter_map(|declared| declared.variable.variable_type.value());
        let first = types.next()?;
        types.all(|other| other == first).then_some(first)
    }

    /// The variable with this id; 0 means no id.
    pub fn with_id(&self, id: i64) -> Option<&Declared<'p>> {
        if id == 0 {
            return None;
        }
        self.by_id.get(&id)?.first().and_then(|&index| self.all.get(index))
    }

    /// The document's own declarations, then the others.
    pub fn iter(&self) -> impl Iterator<Item = &Declared<'p>> {
        self.all.iter()
    }

    /// All names without repetition, in the order of [`Self::iter`].
    pub fn names(&self) -> impl Iterator<Item = &'p str> {
        self.all.iter().enumerate().filter_map(|(index, declared)| {
            let name = declared.variable.name.value()?;
            (self.by_name.get(name)?.first() == Some(&index)).then_some(name)
        })
    }
}
