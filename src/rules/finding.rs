//! Findings with the data for precedence.

use std::rc::Rc;

use super::cause::Cause;
use super::stamp::{Stamp, YieldsTo};
use crate::diagnostic::{Diagnostic, FileId, Location, Severity};
use crate::document::{Document, NodeId};
use crate::facts::Evidence;
use crate::model::enclosing_element;
use crate::source::Span;

/// A finding. There may be very many, so what few of them need is behind a pointer.
#[derive(Debug)]
pub struct Finding {
    /// Shared by the findings of one rule.
    stamp: Rc<Stamp>,
    pub severity: Severity,
    pub file: FileId,
    /// `None` in a file that contains no document.
    pub(super) node: Option<NodeId>,
    pub span: Span,
    place: PlaceCause,
    /// `None` if the finding is only counted.
    pub(super) diagnostic: Option<Box<Diagnostic>>,
    /// To recognize equal findings that are only counted.
    pub message_hash: u32,
    details: Option<Box<Details>>,
}

/// Which cause the place of a finding is.
#[derive(Debug, Clone, Copy)]
enum PlaceCause {
    /// The node.
    Node,
    /// The part of the node's string that starts at this byte.
    Part(usize),
    /// None, or one of the details.
    Other,
}

/// What it is about, beyond its place.
#[derive(Debug, Default)]
pub struct Details {
    /// It yields to a finding that explains one of these causes.
    pub about: Vec<Cause>,
    /// Findings about one of these causes yield to it.
    pub explains: Vec<Cause>,
    /// If its rule yields to all others: the nodes in which it yields to any other finding.
    pub area: Vec<NodeId>,
    /// If a run of a script shows it.
    pub evidence: Option<Evidence>,
}

impl Finding {
    pub(super) fn new(stamp: &Rc<Stamp>, file: FileId, span: Span) -> Self {
        let (stamp, severity) = (Rc::clone(stamp), stamp.severity);
        Self {
            stamp,
            severity,
            file,
            node: None,
            span,
            place: PlaceCause::Other,
            diagnostic: None,
            message_hash: 0,
            details: None,
        }
    }

    /// A finding of a rule at a value that is only counted.
    pub fn counted(stamp: &Rc<Stamp>, file: FileId, document: &Document, node: NodeId) -> Self {
        Self { node: Some(node), ..Self::new(stamp, file, document.anchor(node)) }
    }

    pub fn code(&self) -> &'static str {
        self.stamp.code
    }

    pub fn name(&self) -> &'static str {
        self.stamp.name
    }

    pub(super) fn yields_to(&self) -> YieldsTo {
        self.stamp.yields_to
    }

    pub(super) fn details(&mut self) -> &mut Details {
        self.details.get_or_insert_default()
    }

    /// Every finding is about its place, and explains it.
    pub(super) fn set_place(&mut self, node: NodeId, cause: Cause) {
        self.node = Some(node);
        match cause {
            Cause::Node(..) => self.place = PlaceCause::Node,
            Cause::Part(_, _, start) => self.place = PlaceCause::Part(start),
            other => {
                self.details().about.push(other.clone());
                self.details().explains.push(other);
            }
        }
    }

    pub(super) fn about(&self) -> impl Iterator<Item = CauseKey<'_>> {
        self.causes(|details| &details.about)
    }

    pub(super) fn explains(&self) -> impl Iterator<Item = CauseKey<'_>> {
        self.causes(|details| &details.explains)
    }

    pub(super) fn evidence(&self) -> Option<Evidence> {
        self.details.as_ref()?.evidence
    }

    pub(super) fn area(&self) -> &[NodeId] {
        self.details.as_ref().map_or(&[], |details| &details.area)
    }

    fn causes(&self, list: impl Fn(&Details) -> &Vec<Cause>) -> impl Iterator<Item = CauseKey<'_>> {
        let further = self.details.iter().flat_map(move |details| list(details)).map(CauseKey::of);
        self.place_cause().into_iter().chain(further)
    }

    fn place_cause(&self) -> Option<CauseKey<'_>> {
        let node = self.node?;
        match self.place {
            PlaceCause::Node => Some(CauseKey::Node(self.file, node)),
            PlaceCause::Part(start) => Some(CauseKey::Part(self.file, node, start)),
            PlaceCause::Other => None,
        }
    }

    /// The finding, without its message if it is only counted.
    pub fn to_diagnostic(&self, document: Option<&Document>) -> Diagnostic {
        if let Some(diagnostic) = &self.diagnostic {
            return diagnostic.as_ref().clone();
        }
        let place = document.zip(self.node);
        let pointer = place.map_or_else(String::new, |(document, node)| document.pointer(node));
        let activity = place.and_then(|(document, node)| {
            let name = document.member(enclosing_element(document, node)?, "name")?;
            document.string(name).map(str::to_owned)
        });
        Diagnostic {
            code: self.stamp.code,
            name: self.stamp.name,
            severity: self.severity,
            message: String::new(),
            location: Location { file: self.file, pointer, span: self.span },
            also: None,
            activity,
            help: None,
            related: Vec::new(),
            fix: None,
        }
    }
}

/// A [`Cause`], as a key that needs no memory of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CauseKey<'f> {
    Node(FileId, NodeId),
    Part(FileId, NodeId, usize),
    Other(&'f Cause),
}

impl<'f> CauseKey<'f> {
    const fn of(cause: &'f Cause) -> Self {
        match cause {
            Cause::Node(file, node) => Self::Node(*file, *node),
            Cause::Part(file, node, start) => Self::Part(*file, *node, *start),
            other => Self::Other(other),
        }
    }
}
