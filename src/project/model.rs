//! A service's documents, modelled, and the variable list that they share.

use super::{Content, File};
use crate::collections::HashMap;
use crate::config::Config;
use crate::diagnostic::FileId;
use crate::document::Document;
use crate::model::{Form, Kind, Lowering, Member, Variable, Workflow};
use crate::schema::DocumentKind;
use crate::suggest::Suggester;

/// A workflow and the file it is in.
#[derive(Debug)]
pub struct WorkflowDocument<'p> {
    /// The file.
    pub file: FileId,
    /// Its JSON.
    pub document: &'p Document,
    /// What it says.
    pub workflow: Workflow<'p>,
}

/// A form and the file it is in.
#[derive(Debug)]
pub struct FormDocument<'p> {
    /// The file.
    pub file: FileId,
    /// Its JSON.
    pub document: &'p Document,
    /// What it says.
    pub form: Form<'p>,
    /// Its name: the file's name up to the first dot.
    pub name: &'p str,
    /// Whether it is filled before the workflow runs: no `connectedFormName` names it.
    pub is_order_form: bool,
}

/// The documents of a service.
#[derive(Debug)]
pub struct ServiceModel<'p> {
    /// Its workflows, usually one.
    pub workflows: Vec<WorkflowDocument<'p>>,
    /// Its forms.
    pub forms: Vec<FormDocument<'p>>,
    /// Whether some file of the service cannot be read, so that it may hold anything.
    pub has_broken_file: bool,
}

impl<'p> ServiceModel<'p> {
    /// Models the documents of a service.
    pub fn new(files: &[&'p File], config: &'p Config, suggester: &'p Suggester) -> Self {
        let mut model = Self { workflows: Vec::new(), forms: Vec::new(), has_broken_file: false };
        for file in files {
            let (kind, document) = match &file.content {
                Content::Document(kind, document) => (*kind, document),
                Content::Unrelated(_) => continue,
                Content::Invalid(_) | Content::NotUtf8(_) | Content::TooLarge(_) => {
                    model.has_broken_file = true;
                    continue;
                }
            };
            let lowering = Lowering { document, types: &config.types, suggester };
            match kind {
                DocumentKind::Workflow => {
                    model.workflows.push(WorkflowDocument {
                        file: file.id,
                        document,
                        workflow: Workflow::lower(lowering),
                    });
                }
                DocumentKind::Form => model.forms.push(FormDocument {
                    file: file.id,
                    document,
                    form: Form::lower(lowering),
                    name: form_name(&file.source.name),
                    is_order_form: true,
                }),
                DocumentKind::SigningCase => {}
            }
        }
        model.tell_order_forms();
        model
    }

    fn tell_order_forms(&mut self) {
        let connected: Vec<&str> = self.connected_forms().collect();
        for form in &mut self.forms {
            form.is_order_form = !connected.contains(&form.name);
        }
    }

    /// The form names that approvals of the service give.
    fn connected_forms(&self) -> impl Iterator<Item = &'p str> {
        let activities = self.workflows.iter().flat_map(|workflow| &workflow.workflow.activities);
        activities.filter_map(|activity| match &activity.kind {
            Kind::Approval(approval) => approval.form.value(),
            _ => None,
        })
    }

    /// Whether an approval names a form that is none of the service's: one of those that seem to be
    /// order forms may be meant.
    pub fn has_unmatched_form_name(&self) -> bool {
        let activities = self.workflows.iter().flat_map(|workflow| &workflow.workflow.activities);
        activities.into_iter().any(|activity| match &activity.kind {
            Kind::Approval(approval) => {
                approval.form.is_unknown() || approval.form.value().is_some_and(|name| self.form(name).is_none())
            }
            _ => false,
        })
    }

    /// The form of this name.
    pub fn form(&self, name: &str) -> Option<&FormDocument<'p>> {
        self.forms.iter().find(|form| form.name == name)
    }
}

/// A form's name: its file's name up to the first dot.
fn form_name(file: &str) -> &str {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.split('.').next().unwrap_or(name)
}

/// A variable and the file that declares it.
#[derive(Debug, Clone, Copy)]
pub struct Declared<'p> {
    /// The file.
    pub file: FileId,
    /// The variable.
    pub variable: Variable<'p>,
}

/// The variables that a document may use: its own and those of the service's other documents.
#[derive(Debug, Default)]
pub struct Declarations<'p> {
    all: Vec<Declared<'p>>,
    by_name: HashMap<&'p str, Vec<usize>>,
    by_id: HashMap<i64, Vec<usize>>,
    /// Whether there is a list of variables at all; without one nothing is said of names.
    pub are_there: bool,
    /// Whether a variable's name cannot be read, so that it may be any.
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
        // An empty list in a form alone says nothing: the workflow's is the one that counts.
        declarations.are_there = form.form.variables.get().is_some_and(|list| !list.is_empty())
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

    /// The declaration of this name.
    pub fn variable(&self, name: &str) -> Option<&Declared<'p>> {
        self.named(name).next()
    }

    /// The type of a variable; `None` when it is not given, or the documents do not agree on it.
    pub fn type_of(&self, name: &str) -> Option<&'p str> {
        let mut types = self.named(name).filter_map(|declared| declared.variable.variable_type.value());
        let first = types.next()?;
        types.all(|other| other == first).then_some(first)
    }

    /// The variable with this id; 0 is no id.
    pub fn with_id(&self, id: i64) -> Option<&Declared<'p>> {
        if id == 0 {
            return None;
        }
        self.by_id.get(&id)?.first().and_then(|&index| self.all.get(index))
    }

    /// All declarations: the document's own, then the others'.
    pub fn iter(&self) -> impl Iterator<Item = &Declared<'p>> {
        self.all.iter()
    }

    /// All names, in the order of the lists; one that several documents declare comes once.
    pub fn names(&self) -> impl Iterator<Item = &'p str> {
        self.all.iter().enumerate().filter_map(|(index, declared)| {
            let name = declared.variable.name.value()?;
            (self.by_name.get(name)?.first() == Some(&index)).then_some(name)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::form_name;

    #[test]
    fn a_forms_name_is_its_files_up_to_the_first_dot() {
        assert_eq!(form_name("a/b/ApprovalForm.form.json"), "ApprovalForm");
        assert_eq!(form_name("Order"), "Order");
    }
}
