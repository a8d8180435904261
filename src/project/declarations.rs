//! The variables that the documents of a service share.

use std::cell::OnceCell;
use std::rc::Rc;

use super::model::{FormDocument, ServiceModel, WorkflowDocument};
use crate::common::collections::{HashMap, IndexMap};
use crate::model::{Member, Variable};
use crate::text::diagnostic::FileId;

/// Different declarations of one variable that are distinguished, in all workflows or all forms of a service. More of
/// them would be compared with each use of the variable.
const MAX_DIFFERENT: usize = 64;

/// A variable and the file that declares it.
#[derive(Debug, Clone, Copy)]
pub struct Declared<'p> {
    pub file: FileId,
    pub variable: &'p Variable<'p>,
}

/// The declarations of a service: an index for each document, and one for all workflows and one for all forms, which
/// the documents share.
#[derive(Debug)]
pub struct ServiceDeclarations<'p> {
    documents: HashMap<FileId, Rc<Index<'p>>>,
    workflows: Rc<Index<'p>>,
    forms: Rc<Index<'p>>,
    has_broken_file: bool,
}

/// The variables that a document may use: its own and those of the service's other documents.
#[derive(Debug)]
pub struct Declarations<'p> {
    /// The document's own, then those of the other documents, in which its own may be repeated.
    indices: Vec<Rc<Index<'p>>>,
    /// Whether any document has `variables`; if none has, names cannot be judged.
    pub are_there: bool,
    /// Whether a variable's name is unreadable, so that any name may be declared.
    pub are_incomplete: bool,
}

/// `variables` of a file.
type DocumentVariables<'p> = (FileId, &'p Member<Vec<Variable<'p>>>);

/// Declarations by name and id.
#[derive(Debug, Default)]
struct Index<'p> {
    documents: Vec<DocumentVariables<'p>>,
    /// In order.
    by_name: IndexMap<&'p str, Named<'p>>,
    /// The first one, by its number among `documents`, and that of the variable. Only ids in bindings need it.
    by_id: OnceCell<HashMap<i64, (usize, usize)>>,
    /// Indices of `by_name`.
    by_lower_case: OnceCell<HashMap<String, usize>>,
    is_there: bool,
    is_incomplete: bool,
}

/// The declarations of a name that differ from each other, at most `MAX_DIFFERENT`.
#[derive(Debug)]
struct Named<'p> {
    first: Declared<'p>,
    others: Vec<Declared<'p>>,
}

impl<'p> Named<'p> {
    fn different(&self) -> impl Iterator<Item = &Declared<'p>> + Clone {
        std::iter::once(&self.first).chain(&self.others)
    }

    fn is_full(&self) -> bool {
        self.others.len() + 1 == MAX_DIFFERENT
    }
}

impl<'p> ServiceDeclarations<'p> {
    pub fn new(model: &'p ServiceModel<'p>) -> Self {
        let mut declarations = Self {
            documents: HashMap::default(),
            workflows: Rc::default(),
            forms: Rc::default(),
            has_broken_file: model.has_broken_file,
        };
        let workflows = model.workflows.iter().map(|document| (document.file, &document.workflow.variables));
        declarations.workflows = declarations.add_all(workflows);
        let forms = model.forms.iter().map(|document| (document.file, &document.form.variables));
        declarations.forms = declarations.add_all(forms);
        declarations
    }

    /// Adds an index for each document. Returns one for all of them.
    fn add_all(&mut self, documents: impl Iterator<Item = DocumentVariables<'p>>) -> Rc<Index<'p>> {
        let documents: Vec<_> = documents.collect();
        for &(file, variables) in &documents {
            self.documents.insert(file, Rc::new(Index::of(vec![(file, variables)])));
        }
        // Usually a service has one workflow and one form.
        match documents.as_slice() {
            [(file, _)] => self.documents.get(file).cloned().unwrap_or_default(),
            _ => Rc::new(Index::of(documents)),
        }
    }

    /// What a workflow may use: its own variables, then those of the service's forms.
    pub fn of_workflow(&self, workflow: &WorkflowDocument<'p>) -> Declarations<'p> {
        let are_there = workflow.workflow.variables.get().is_some();
        self.of_document(workflow.file, are_there, &[&self.forms])
    }

    /// What a form may use: its own variables, then those of all documents of the service.
    pub fn of_form(&self, form: &FormDocument<'p>) -> Declarations<'p> {
        // An empty array in a form means nothing by itself: the workflow's array counts.
        let are_there = form.form.variables.get().is_some_and(|variables| !variables.is_empty());
        self.of_document(form.file, are_there || self.workflows.is_there, &[&self.workflows, &self.forms])
    }

    fn of_document(&self, file: FileId, are_there: bool, others: &[&Rc<Index<'p>>]) -> Declarations<'p> {
        let indices: Vec<_> = self.documents.get(&file).into_iter().chain(others.iter().copied()).cloned().collect();
        let are_incomplete = self.has_broken_file || indices.iter().any(|index| index.is_incomplete);
        Declarations { indices, are_there, are_incomplete }
    }
}

impl<'p> Index<'p> {
    fn of(documents: Vec<DocumentVariables<'p>>) -> Self {
        let mut index = Self::default();
        for &(file, variables) in &documents {
            index.add(file, variables);
        }
        index.documents = documents;
        index
    }

    fn add(&mut self, file: FileId, variables: &'p Member<Vec<Variable<'p>>>) {
        self.is_incomplete |= variables.is_unknown();
        self.is_there |= variables.get().is_some();
        for variable in variables.get().into_iter().flatten() {
            let Some(name) = variable.name.value() else {
                self.is_incomplete = true;
                continue;
            };
            let declared = Declared { file, variable };
            let named = self.by_name.entry(name).or_insert_with(|| Named { first: declared, others: Vec::new() });
            if !named.is_full() && !named.different().any(|known| known.variable.declares_the_same(variable)) {
                named.others.push(declared);
            }
        }
    }

    fn with_id(&self, id: i64) -> Option<Declared<'p>> {
        let by_id = self.by_id.get_or_init(|| {
            let mut by_id = HashMap::default();
            for (document, (_, variables)) in self.documents.iter().enumerate() {
                for (number, variable) in variables.get().into_iter().flatten().enumerate() {
                    for id in [variable.id.value(), variable.details().real_id.value()].into_iter().flatten() {
                        by_id.entry(id).or_insert((document, number));
                    }
                }
            }
            by_id
        });
        let &(document, number) = by_id.get(&id)?;
        let &(file, variables) = self.documents.get(document)?;
        Some(Declared { file, variable: variables.get()?.get(number)? })
    }

    fn in_other_case(&self, lower_case: &str) -> Option<&'p str> {
        let by_lower_case = self.by_lower_case.get_or_init(|| {
            self.by_name.keys().enumerate().map(|(index, name)| (name.to_lowercase(), index)).collect()
        });
        self.by_name.get_index(*by_lower_case.get(lower_case)?).map(|(name, _)| *name)
    }
}

/// The type that declarations give; `None` when none does, or they disagree on it.
fn agreed_type<'d, 'p: 'd>(declared: impl Iterator<Item = &'d Declared<'p>>) -> Option<&'p str> {
    let mut types = declared.filter_map(|declared| declared.variable.variable_type.value());
    let first = types.next()?;
    types.all(|other| other == first).then_some(first)
}

impl<'p> Declarations<'p> {
    /// The declarations of this name that differ from each other; the document's own come first.
    pub fn named(&self, name: &str) -> impl Iterator<Item = &Declared<'p>> + Clone {
        self.indices.iter().filter_map(move |index| index.by_name.get(name)).flat_map(Named::different)
    }

    /// The first declaration of this name.
    pub fn variable(&self, name: &str) -> Option<&Declared<'p>> {
        self.named(name).next()
    }

    /// Whether there may be more declarations of this name than are distinguished.
    pub fn are_too_many(&self, name: &str) -> bool {
        self.indices.iter().filter_map(|index| index.by_name.get(name)).any(Named::is_full)
    }

    /// The type of a variable; `None` when it is missing, or the documents disagree on it.
    pub fn type_of(&self, name: &str) -> Option<&'p str> {
        agreed_type(self.named(name))
    }

    /// The type in the document's own declarations, where they agree with each other.
    pub fn own_type(&self, name: &str) -> Option<&'p str> {
        agreed_type(self.indices.first()?.by_name.get(name)?.different())
    }

    /// The variable with this id; 0 means no id.
    pub fn with_id(&self, id: i64) -> Option<Declared<'p>> {
        self.indices.iter().filter(|_| id != 0).find_map(|index| index.with_id(id))
    }

    /// All names without repetition, the document's own first.
    pub fn names(&self) -> impl Iterator<Item = &'p str> {
        self.indices.iter().enumerate().flat_map(move |(at, index)| {
            let is_new =
                move |name: &&&'p str| !self.indices.iter().take(at).any(|before| before.by_name.contains_key(**name));
            index.by_name.keys().filter(is_new).copied()
        })
    }

    /// A declared name that differs from this one only in case.
    pub fn in_other_case(&self, name: &str) -> Option<&'p str> {
        let lower_case = name.to_lowercase();
        self.indices.iter().find_map(|index| index.in_other_case(&lower_case)).filter(|declared| *declared != name)
    }
}
