//! The variables that the documents of a service share.

use std::cell::OnceCell;
use std::rc::Rc;

use super::model::{FormDocument, ServiceModel, WorkflowDocument};
use crate::collections::HashMap;
use crate::diagnostic::FileId;
use crate::model::{Member, Variable};

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

/// Declarations by name and id.
#[derive(Debug, Default)]
struct Index<'p> {
    /// Without repetition, in order.
    names: Vec<&'p str>,
    by_name: HashMap<&'p str, Named<'p>>,
    /// The first one.
    by_id: HashMap<i64, Declared<'p>>,
    /// Indices of `names`.
    by_lower_case: OnceCell<HashMap<String, usize>>,
    is_there: bool,
    is_incomplete: bool,
}

/// The declarations of one name.
#[derive(Debug)]
struct Named<'p> {
    /// Those that differ from each other, at most `MAX_DIFFERENT`.
    different: Vec<Declared<'p>>,
    types: Types<'p>,
}

/// The types that declarations give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Types<'p> {
    None,
    One(&'p str),
    Several,
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
    fn add_all(&mut self, documents: impl Iterator<Item = (FileId, &'p Member<Vec<Variable<'p>>>)>) -> Rc<Index<'p>> {
        let documents: Vec<_> = documents.collect();
        for &(file, variables) in &documents {
            self.documents.insert(file, Rc::new(Index::of(&[(file, variables)])));
        }
        // Usually a service has one workflow and one form.
        match documents.as_slice() {
            [(file, _)] => self.documents.get(file).cloned().unwrap_or_default(),
            several => Rc::new(Index::of(several)),
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
    fn of(documents: &[(FileId, &'p Member<Vec<Variable<'p>>>)]) -> Self {
        let mut index = Self::default();
        for &(file, variables) in documents {
            index.add(file, variables);
        }
        index
    }

    fn add(&mut self, file: FileId, variables: &'p Member<Vec<Variable<'p>>>) {
        self.is_incomplete |= variables.is_unknown();
        self.is_there |= variables.get().is_some();
        for variable in variables.get().into_iter().flatten() {
            let declared = Declared { file, variable };
            match variable.name.value() {
                Some(name) => self.add_name(name, declared),
                None => self.is_incomplete = true,
            }
            for id in [variable.id.value(), variable.real_id.value()].into_iter().flatten() {
                self.by_id.entry(id).or_insert(declared);
            }
        }
    }

    fn add_name(&mut self, name: &'p str, declared: Declared<'p>) {
        let named = self.by_name.entry(name).or_insert_with(|| {
            self.names.push(name);
            Named { different: Vec::new(), types: Types::None }
        });
        named.types = named.types.with(declared.variable.variable_type.value().map_or(Types::None, Types::One));
        let is_new = || named.different.iter().all(|known| !known.variable.declares_the_same(declared.variable));
        if named.different.len() < MAX_DIFFERENT && is_new() {
            // Most names have one.
            if named.different.is_empty() {
                named.different.reserve_exact(1);
            }
            named.different.push(declared);
        }
    }

    fn in_other_case(&self, lower_case: &str) -> Option<&'p str> {
        let by_lower_case = self
            .by_lower_case
            .get_or_init(|| self.names.iter().enumerate().map(|(index, name)| (name.to_lowercase(), index)).collect());
        self.names.get(*by_lower_case.get(lower_case)?).copied()
    }
}

impl<'p> Types<'p> {
    fn with(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, types) | (types, Self::None) => types,
            (Self::One(a), Self::One(b)) if a == b => self,
            _ => Self::Several,
        }
    }

    const fn agreed(self) -> Option<&'p str> {
        match self {
            Self::One(name) => Some(name),
            _ => None,
        }
    }
}

impl<'p> Declarations<'p> {
    /// The declarations of this name that differ from each other; the document's own come first.
    pub fn named(&self, name: &str) -> impl Iterator<Item = &Declared<'p>> + Clone {
        self.entries(name).flat_map(|named| &named.different)
    }

    fn entries(&self, name: &str) -> impl Iterator<Item = &Named<'p>> + Clone {
        self.indices.iter().filter_map(move |index| index.by_name.get(name))
    }

    /// The first declaration of this name.
    pub fn variable(&self, name: &str) -> Option<&Declared<'p>> {
        self.named(name).next()
    }

    /// Whether there are more declarations of this name than are distinguished.
    pub fn are_too_many(&self, name: &str) -> bool {
        self.entries(name).any(|named| named.different.len() >= MAX_DIFFERENT)
    }

    /// The type of a variable; `None` when it is missing, or the documents disagree on it.
    pub fn type_of(&self, name: &str) -> Option<&'p str> {
        self.entries(name).fold(Types::None, |types, named| types.with(named.types)).agreed()
    }

    /// The type in the document's own declarations, where they agree with each other.
    pub fn own_type(&self, name: &str) -> Option<&'p str> {
        self.indices.first()?.by_name.get(name)?.types.agreed()
    }

    /// The variable with this id; 0 means no id.
    pub fn with_id(&self, id: i64) -> Option<&Declared<'p>> {
        self.indices.iter().filter(|_| id != 0).find_map(|index| index.by_id.get(&id))
    }

    /// All names without repetition, the document's own first.
    pub fn names(&self) -> impl Iterator<Item = &'p str> {
        self.indices.iter().enumerate().flat_map(move |(at, index)| {
            let is_new =
                move |name: &&&'p str| !self.indices.iter().take(at).any(|before| before.by_name.contains_key(**name));
            index.names.iter().filter(is_new).copied()
        })
    }

    /// A declared name that equals this one but for the case.
    pub fn in_other_case(&self, name: &str) -> Option<&'p str> {
        let lower_case = name.to_lowercase();
        self.indices.iter().find_map(|index| index.in_other_case(&lower_case)).filter(|declared| *declared != name)
    }
}
