//! Findings with the data for precedence.

use super::cause::{Cause, CauseKey};
use super::element_names::ElementNames;
use super::stamp::Stamp;
use crate::diagnostic::{Diagnostic, FileId, Location, Severity};
use crate::document::{Document, NodeId};
use crate::facts::{CaseValue, Evidence};

/// The findings of one rule.
#[derive(Debug)]
pub struct RuleFindings {
    pub stamp: Stamp,
    pub findings: Vec<Finding>,
}

impl RuleFindings {
    pub const fn new(stamp: Stamp) -> Self {
        Self { stamp, findings: Vec::new() }
    }
}

/// A finding; 24 bytes. There may be very many, so what few of them need is behind a pointer.
#[derive(Debug)]
pub struct Finding {
    details: Option<Box<Details>>,
    pub file: FileId,
    node: NodeId,
    place: PlaceCause,
    /// To recognize equal findings that are only counted: three bytes of a hash.
    message_hash: [u8; 3],
    pub severity: Severity,
}

/// Which cause the place of a finding is: the part of the node's string that starts at this byte, from `MIN_CASE` on
/// the node as a value of the case with this number, or a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct PlaceCause(u32);

impl PlaceCause {
    /// The file contains no document, and the finding has no node.
    const FILE: Self = Self(u32::MAX);
    /// The node.
    const NODE: Self = Self(u32::MAX - 1);
    /// The cause in the details, if there is one.
    const OTHER: Self = Self(u32::MAX - 2);
    /// Documents have at most 1 GiB, so no part starts here.
    const MIN_CASE: u32 = 1 << 31;

    fn part(start: usize) -> Option<Self> {
        u32::try_from(start).ok().filter(|&start| start < Self::MIN_CASE).map(Self)
    }

    fn case(number: usize) -> Option<Self> {
        let number = u32::try_from(number).ok()?.checked_add(Self::MIN_CASE)?;
        (number < Self::OTHER.0).then_some(Self(number))
    }

    fn case_number(self) -> Option<usize> {
        (self < Self::OTHER).then(|| self.0.checked_sub(Self::MIN_CASE))?.map(|number| number as usize)
    }
}

/// The causes besides its place.
#[derive(Debug, Default)]
pub struct Details {
    /// `None` if the finding is only counted.
    diagnostic: Option<Box<Diagnostic>>,
    /// The first causes. There may be very many findings with a few, so these are in no allocation of their own.
    causes: [CauseKey; FEW_CAUSES],
    /// `None` for each cause that there is not.
    roles: [Option<CauseRole>; FEW_CAUSES],
    rare: Option<Box<RareDetails>>,
}

const FEW_CAUSES: usize = 3;

#[derive(Debug, Default)]
struct RareDetails {
    /// The causes after the first few.
    causes: Vec<(CauseRole, CauseKey)>,
    area: Vec<NodeId>,
    evidence: Option<Evidence>,
    /// What runs have to agree on, if its message depends on their values.
    claim: Option<String>,
    /// Whether it only shows that a run agrees, and is not reported.
    only_agrees: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CauseRole {
    /// The finding yields to one that explains this cause.
    About,
    /// Findings about this cause yield to the finding.
    Explains,
}

impl Details {
    pub fn about(&mut self, cause: impl Into<CauseKey>) {
        self.push(CauseRole::About, cause.into());
    }

    pub fn explains(&mut self, cause: impl Into<CauseKey>) {
        self.push(CauseRole::Explains, cause.into());
    }

    /// If its rule yields to all others: a node in which it yields to any other finding.
    pub fn add_area(&mut self, node: NodeId) {
        self.rare().area.push(node);
    }

    /// A run of a script that shows it.
    pub fn set_evidence(&mut self, evidence: Evidence) {
        self.rare().evidence = Some(evidence);
    }

    /// What runs have to agree on in place of the message.
    pub fn set_claim(&mut self, claim: String) {
        self.rare().claim = Some(claim);
    }

    /// It is only evidence for the findings of other runs.
    pub fn only_agree(&mut self) {
        self.rare().only_agrees = true;
    }

    fn push(&mut self, role: CauseRole, cause: CauseKey) {
        match self.roles.iter_mut().zip(&mut self.causes).find(|(role, _)| role.is_none()) {
            Some((free, first)) => (*free, *first) = (Some(role), cause),
            None => self.rare().causes.push((role, cause)),
        }
    }

    fn causes(&self, role: CauseRole) -> impl Iterator<Item = CauseKey> {
        let first = self.roles.iter().zip(&self.causes).filter_map(|(role, cause)| Some(((*role)?, *cause)));
        let further = self.rare.iter().flat_map(|rare| &rare.causes).copied();
        first.chain(further).filter(move |(known, _)| *known == role).map(|(_, cause)| cause)
    }

    fn rare(&mut self) -> &mut RareDetails {
        self.rare.get_or_insert_default()
    }
}

impl Finding {
    /// A finding in a file that contains no document.
    pub(super) fn new(severity: Severity, file: FileId) -> Self {
        let (node, place) = (NodeId::default(), PlaceCause::FILE);
        Self { severity, file, node, place, details: None, message_hash: [0; 3] }
    }

    /// A finding at a value that is only counted.
    pub fn counted(severity: Severity, file: FileId, node: NodeId) -> Self {
        Self { node, place: PlaceCause::NODE, ..Self::new(severity, file) }
    }

    /// `None` in a file that contains no document.
    pub(super) fn node(&self) -> Option<NodeId> {
        (self.place != PlaceCause::FILE).then_some(self.node)
    }

    /// Equal for equal findings of one rule that are only counted.
    pub fn key(&self) -> impl Ord + use<> {
        let place = if self.place.case_number().is_some() { PlaceCause::OTHER } else { self.place };
        (self.file, self.node, place, self.message_hash)
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

    /// Takes the diagnostic, and forgets all other details: only precedence needs them.
    pub(super) fn take_diagnostic(&mut self) -> Option<Box<Diagnostic>> {
        self.details.take()?.diagnostic
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
    pub(super) fn set_place(&mut self, node: NodeId, cause: &Cause) {
        self.node = node;
        let place = match cause {
            Cause::Node(..) => Some(PlaceCause::NODE),
            Cause::Part(_, _, start) => PlaceCause::part(*start),
            Cause::CaseValue(value) if value.node == node => PlaceCause::case(value.case),
            _ => None,
        };
        self.place = place.unwrap_or(PlaceCause::OTHER);
        if place.is_none() {
            self.details().about(cause);
            self.details().explains(cause);
        }
    }

    pub(super) fn about(&self) -> impl Iterator<Item = CauseKey> {
        self.causes(CauseRole::About)
    }

    pub(super) fn explains(&self) -> impl Iterator<Item = CauseKey> {
        self.causes(CauseRole::Explains)
    }

    fn rare(&self) -> Option<&RareDetails> {
        self.details.as_ref()?.rare.as_deref()
    }

    pub(super) fn evidence(&self) -> Option<Evidence> {
        self.rare()?.evidence
    }

    pub(super) fn claim(&self) -> Option<&str> {
        self.rare()?.claim.as_deref()
    }

    pub(super) fn only_agrees(&self) -> bool {
        self.rare().is_some_and(|rare| rare.only_agrees)
    }

    pub(super) fn area(&self) -> &[NodeId] {
        self.rare().map_or(&[], |rare| &rare.area)
    }

    fn causes(&self, role: CauseRole) -> impl Iterator<Item = CauseKey> {
        let further = self.details.iter().flat_map(move |details| details.causes(role));
        self.place_cause().as_ref().map(CauseKey::from).into_iter().chain(further)
    }

    fn place_cause(&self) -> Option<Cause> {
        match self.place {
            PlaceCause::FILE | PlaceCause::OTHER => None,
            PlaceCause::NODE => Some(Cause::Node(self.file, self.node)),
            place => Some(match place.case_number() {
                Some(case) => Cause::CaseValue(CaseValue { case, node: self.node }),
                None => Cause::Part(self.file, self.node, place.0 as usize),
            }),
        }
    }

    /// The finding, if it is only counted: without its message, at the whole value.
    pub fn to_diagnostic(&self, stamp: &Stamp, document: Option<&Document>, names: &mut ElementNames) -> Diagnostic {
        let place = document.zip(self.node());
        let pointer = place.map_or_else(String::new, |(document, node)| document.pointer(node));
        let span = place.map(|(document, node)| document.anchor(node)).unwrap_or_default();
        let activity = place.and_then(|(document, node)| names.around(document, self.file, node));
        Diagnostic {
            code: stamp.code,
            name: stamp.name,
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
