//! The models of a service's documents.

use super::file::{Content, File, ModelKind};

use crate::common::collections::{HashMap, HashSet};
use crate::config::Config;
use crate::document::Document;
use crate::model::{ActivityKind, Form, Workflow};
use crate::schema::{DocumentKind, Violation, Violations};
use crate::text::diagnostic::FileId;

#[derive(Debug)]
pub struct WorkflowDocument<'p> {
    pub file: FileId,
    pub document: &'p Document,
    pub workflow: &'p Workflow<'p>,
}

#[derive(Debug)]
pub struct FormDocument<'p> {
    pub file: FileId,
    pub document: &'p Document,
    pub form: &'p Form<'p>,
    /// The name of the file up to the first dot.
    pub name: &'p str,
    /// Whether it is filled before the workflow runs: no `connectedFormName` names it.
    pub is_order_form: bool,
}

#[derive(Debug)]
pub struct ServiceModel<'p> {
    /// Usually one.
    pub workflows: Vec<WorkflowDocument<'p>>,
    pub forms: Vec<FormDocument<'p>>,
    /// The first form of each name, as an index of `forms`.
    forms_by_name: HashMap<&'p str, usize>,
    /// Whether some file of the service cannot be read, so that it may hold anything.
    pub has_broken_file: bool,
    /// The first document with too many unknown keys to compare all of them with the known ones.
    pub lacks_suggestions: Option<FileId>,
    /// The schema violations in workflows and forms.
    pub violations: Vec<(FileId, &'p Violations)>,
}

impl<'p> ServiceModel<'p> {
    pub fn new(files: &[&'p File], config: &Config) -> Self {
        let mut model = Self {
            workflows: Vec::new(),
            forms: Vec::new(),
            forms_by_name: HashMap::default(),
            has_broken_file: false,
            lacks_suggestions: None,
            violations: Vec::new(),
        };
        for file in files {
            model.add(file, config);
        }
        for (index, form) in model.forms.iter().enumerate() {
            model.forms_by_name.entry(form.name).or_insert(index);
        }
        model.mark_order_forms();
        model
    }

    /// A service of one workflow.
    #[cfg(test)]
    pub fn of_workflow(document: &'p Document, workflow: &'p Workflow<'p>) -> Self {
        let mut model = Self::new(&[], &Config::default());
        model.workflows.push(WorkflowDocument { file: FileId(0), document, workflow });
        model
    }

    fn add(&mut self, file: &'p File, config: &Config) {
        let (kind, document) = match &file.content {
            Content::Document(kind, document) => (*kind, document),
            Content::Unrelated(_) | Content::Resembling(..) => return,
            Content::Invalid(_) | Content::OtherEncoding(_) | Content::NotUtf8(_) | Content::TooLarge(_) => {
                self.has_broken_file = true;
                return;
            }
        };
        // WF702 validates signing cases, wherever they are.
        if kind == DocumentKind::SigningCase {
            return;
        }
        let violations = file.violations(kind, document);
        if !violations.listed.is_empty() {
            self.violations.push((file.id, violations));
        }
        // Its model would take a multiple of its size, for findings that would all be uncertain.
        if !violations.further.is_empty() {
            self.has_broken_file = true;
            return;
        }
        let model = file.model(kind, document, &config.types);
        if model.lacks_suggestions {
            self.lacks_suggestions.get_or_insert(file.id);
        }
        let (file, name) = (file.id, form_name(&file.source.name));
        match &model.kind {
            ModelKind::Workflow(workflow) => self.workflows.push(WorkflowDocument { file, document, workflow }),
            ModelKind::Form(form) => self.forms.push(FormDocument { file, document, form, name, is_order_form: true }),
            ModelKind::SigningCase => {}
        }
    }

    fn mark_order_forms(&mut self) {
        let connected: HashSet<&str> = self.connected_forms().collect();
        for form in &mut self.forms {
            form.is_order_form = !connected.contains(form.name);
        }
    }

    /// The form names that activities of the service give.
    fn connected_forms(&self) -> impl Iterator<Item = &'p str> {
        let activities = self.workflows.iter().flat_map(|workflow| &workflow.workflow.activities);
        activities.filter_map(|activity| activity.form.value())
    }

    /// Whether the form name of an approval cannot be read. It may be that of a form that counts as an order form.
    pub fn has_unreadable_form_name(&self) -> bool {
        let activities = self.workflows.iter().flat_map(|workflow| &workflow.workflow.activities);
        activities.into_iter().any(|activity| match &activity.kind {
            ActivityKind::Approval(_) => activity.form.is_unknown(),
            _ => false,
        })
    }

    /// The listed schema violations of all documents.
    pub fn listed_violations(&self) -> impl Iterator<Item = (FileId, &Violation)> {
        self.violations
            .iter()
            .flat_map(|(file, violations)| violations.listed.iter().map(|violation| (*file, violation)))
    }

    pub fn form(&self, name: &str) -> Option<&FormDocument<'p>> {
        self.forms.get(self.form_index(name)?)
    }

    /// The index of the first form of a name.
    pub fn form_index(&self, name: &str) -> Option<usize> {
        self.forms_by_name.get(name).copied()
    }
}

/// The name of the file up to the first dot.
fn form_name(file: &str) -> &str {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.split('.').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::form_name;

    #[test]
    fn form_name_ends_at_the_first_dot() {
        assert_eq!(form_name("a/b/ApprovalForm.form.json"), "ApprovalForm");
        assert_eq!(form_name("Order"), "Order");
    }
}
