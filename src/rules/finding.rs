//! Findings with the data for precedence.

use std::rc::Rc;

use super::cause::Cause;
use super::stamp::{Stamp, YieldsTo};
use crate::diagnostic::{Diagnostic, FileId, Location, Severity, activity_name};
use crate::document::{Document, NodeId};
use crate::facts::{CaseValue, Evidence};
use crate::model::enclosing_element;

/// A finding; 32 bytes. There may be very many, so what few of them need is behind a pointer.
#[derive(Debug)]
pub struct Finding {
    /// Shared by the findings of one rule.
    stamp: Rc<Stamp>,
    details: Option<Box<Details>>,
    pub file: FileId,
    node: NodeId,
    place: PlaceCause,
    /// To recognize equal findings that are only counted: three bytes of a hash.
    message_hash: [u8; 3],
    pub severity: Severity,
}

/// Which cause the place of a finding is: the part of the node's string that starts at this byte, or a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct PlaceCause(u32);

impl PlaceCause {
    /// The file contains no document, and the finding has no node.
    const FILE: Self = Self(u32::MAX);
    /// The node.
    const NODE: Self = Self(u32::MAX - 1);
    /// That of the details, if there is one.
    const OTHER: Self = Self(u32::MAX - 2);
}

/// What it is about, beyond its place.
#[derive(Debug, Default)]
pub struct Details {
    /// `None` if the finding is only counted.
    diagnostic: Option<Box<Diagnostic>>,
    /// The value at its place; it is about this, and explains it.
    case_value: Option<CaseValue>,
    causes: Vec<(CauseRole, Cause)>,
    /// If its rule yields to all others: the nodes in which it yields to any other finding.
    pub area: Vec<NodeId>,
    /// If a run of a script shows it.
    pub evidence: Option<Box<Evidence>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CauseRole {
    /// The finding yields to one that explains this cause.
    About,
    /// Findings about this cause yield to the finding.
    Explains,
}

impl Details {
    pub fn about(&mut self, cause: Cause) {
        self.push(CauseRole::About, cause);
    }

    pub fn explains(&mut self, cause: Cause) {
        self.push(CauseRole::Explains, cause);
    }

    fn push(&mut self, role: CauseRole, cause: Cause) {
        // Most findings have few causes beyond their place.
        if self.causes.len() < 4 {
            self.causes.reserve_exact(1);
        }
        self.causes.push((role, cause));
    }
}

impl Finding {
    /// A finding in a file that contains no document.
    pub(super) fn new(stamp: &Rc<Stamp>, file: FileId) -> Self {
        let (stamp, severity) = (Rc::clone(stamp), stamp.severity);
        let (node, place) = (NodeId::default(), PlaceCause::FILE);
        Self { stamp, severity, file, node, place, details: None, message_hash: [0; 3] }
    }

    /// A finding of a rule at a value that is only counted.
    pub fn counted(stamp: &Rc<Stamp>, file: FileId, node: NodeId) -> Self {
        Self { node, place: PlaceCause::NODE, ..Self::new(stamp, file) }
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

    /// `None` in a file that contains no document.
    pub(super) fn node(&self) -> Option<NodeId> {
        (self.place != PlaceCause::FILE).then_some(self.node)
    }

    /// Equal for equal findings that are only counted.
    pub fn key(&self) -> impl Ord + use<> {
        (self.file, self.code(), self.node, self.place, self.message_hash)
    }

    pub(super) fn details(&mut self) -> &mut Details {
        self.details.get_or_insert_default()
    }

    /// `None` if it is only counted.
    pub(super) fn diagnostic(&self) -> Option<&Diagnostic> {
        self.details.as_ref()?.diagnostic.as_deref()
    }

    pub(super) fn diagnostic_mut(&mut self) -> Option<&mut Diagnostic> {
        self.details.as_mut()?.diagnostic.as_deref_mut()
    }

    pub(super) fn take_diagnostic(&mut self) -> Option<Diagnostic> {
        Some(*self.details.as_mut()?.diagnostic.take()?)
    }

    /// Lists it.
    pub(super) fn list(&mut self, diagnostic: Diagnostic) {
        self.details().diagnostic = Some(Box::new(diagnostic));
    }

    /// `hash` is one of the message.
    pub(super) const fn count_only(&mut self, hash: u64) {
        let [a, b, c, ..] = hash.to_be_bytes();
        self.message_hash = [a, b, c];
    }

    /// Every finding is about its place, and explains it.
    pub(super) fn set_place(&mut self, node: NodeId, cause: Cause) {
        self.node = node;
        self.place = PlaceCause::OTHER;
        match cause {
            Cause::Node(..) => self.place = PlaceCause::NODE,
            // Documents have at most 1 GiB.
            Cause::Part(_, _, start) => self.place = u32::try_from(start).map_or(PlaceCause::OTHER, PlaceCause),
            Cause::CaseValue(value) => self.details().case_value = Some(value),
            other => {
                self.details().about(other.clone());
                self.details().explains(other);
            }
        }
    }

    pub(super) fn about(&self) -> impl Iterator<Item = CauseKey<'_>> {
        self.causes(CauseRole::About)
    }

    pub(super) fn explains(&self) -> impl Iterator<Item = CauseKey<'_>> {
        self.causes(CauseRole::Explains)
    }

    pub(super) fn evidence(&self) -> Option<Evidence> {
        self.details.as_ref()?.evidence.as_deref().copied()
    }

    pub(super) fn area(&self) -> &[NodeId] {
        self.details.as_ref().map_or(&[], |details| &details.area)
    }

    fn causes(&self, role: CauseRole) -> impl Iterator<Item = CauseKey<'_>> {
        let further = self.details.iter().flat_map(|details| &details.causes);
        let further = further.filter(move |(known, _)| *known == role).map(|(_, cause)| CauseKey::of(cause));
        self.place_cause().into_iter().chain(further)
    }

    fn place_cause(&self) -> Option<CauseKey<'_>> {
        match self.place {
            PlaceCause::FILE => None,
            PlaceCause::OTHER => self.details.as_ref()?.case_value.map(CauseKey::CaseValue),
            PlaceCause::NODE => Some(CauseKey::Node(self.file, self.node)),
            PlaceCause(start) => Some(CauseKey::Part(self.file, self.node, start as usize)),
        }
    }

    /// The finding, if it is only counted: without its message, at the whole value.
    pub fn to_diagnostic(&self, document: Option<&Document>) -> Diagnostic {
        let place = document.zip(self.node());
        let pointer = place.map_or_else(String::new, |(document, node)| document.pointer(node));
        let span = place.map(|(document, node)| document.anchor(node)).unwrap_or_default();
        let activity = place.and_then(|(document, node)| {
            let name = document.member(enclosing_element(document, node)?, "name")?;
            document.string(name).map(|name| activity_name(name).into_owned())
        });
        Diagnostic {
            code: self.stamp.code,
            name: self.stamp.name,
            severity: self.severity,
            message: String::new(),
            location: Location { file: self.file, pointer, span },
            also: None,
            activity,
            help: None,
            related: Vec::new(),
            flow: Vec::new(),
            fix: None,
            fingerprint: None,
        }
    }
}

/// A [`Cause`], as a key that needs no memory of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CauseKey<'f> {
    Node(FileId, NodeId),
    Part(FileId, NodeId, usize),
    CaseValue(CaseValue),
    Other(&'f Cause),
}

impl<'f> CauseKey<'f> {
    const fn of(cause: &'f Cause) -> Self {
        match cause {
            Cause::Node(file, node) => Self::Node(*file, *node),
            Cause::Part(file, node, start) => Self::Part(*file, *node, *start),
            Cause::CaseValue(value) => Self::CaseValue(*value),
            other => Self::Other(other),
        }
    }
}
