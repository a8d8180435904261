//! The effects of an activity: what it reads and then writes.

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use fixedbitset::FixedBitSet;
use smallvec::SmallVec;

use super::outputs::ProviderOutputs;
use crate::common::collections::{HashMap, IndexSet};
use crate::document::NodeId;
use crate::model::{ActivityId, Literal, Operand, Role};
use crate::text::diagnostic::FileId;

/// Index of a variable name in a workflow's [`VariableNames`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(pub u32);

impl VarId {
    fn new(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }
}

/// The variable names of a workflow, interned.
#[derive(Debug, Default)]
pub struct VariableNames<'p>(IndexSet<Cow<'p, str>>);

impl<'p> VariableNames<'p> {
    pub(super) fn intern(&mut self, name: Cow<'p, str>) -> VarId {
        VarId::new(self.0.insert_full(name).0)
    }

    pub fn id(&self, name: &str) -> Option<VarId> {
        self.0.get_index_of(name).map(VarId::new)
    }

    pub fn name(&self, id: VarId) -> &str {
        self.0.get_index(id.0 as usize).map_or("", |name| name)
    }

    /// The name, to be kept: most are strings of a document.
    pub(super) fn to_kept(&self, id: VarId) -> Cow<'p, str> {
        self.0.get_index(id.0 as usize).cloned().unwrap_or_default()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn add(&mut self, name: &'p str) -> VarId {
        self.intern(Cow::Borrowed(name))
    }

    /// The indices of some variables, as a set.
    pub(super) fn set(&self, variables: impl Iterator<Item = VarId>) -> FixedBitSet {
        let mut set = FixedBitSet::with_capacity(self.len());
        variables.for_each(|id| set.grow_and_insert(id.0 as usize));
        set
    }

    pub fn ids(&self) -> impl Iterator<Item = VarId> + use<> {
        (0..self.0.len()).map(VarId::new)
    }
}

/// A use of a variable's value at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    pub variable: VarId,
    /// The name in a binding, or the string that contains the placeholder.
    pub node: NodeId,
    /// The placeholder, as a range of the string.
    pub part: Option<Range<usize>>,
    /// Whether it is an operand of a condition.
    pub in_condition: bool,
    /// Whether the name is mistyped, and `variable` is the one that was most likely meant; or whether it is bound in an
    /// activity of an undocumented type, which may also write it. It then counts as used, but no rule reports this
    /// place.
    pub guessed: bool,
}

/// A definition of a variable at one place.
#[derive(Debug, Clone, PartialEq)]
pub struct Write<'p> {
    pub variable: VarId,
    pub value: Written<'p>,
    /// The place in the document: the name in a binding, the prefix, or the activity.
    pub node: NodeId,
    pub by: Writer,
    /// Whether the name is mistyped, and `variable` is the one that was most likely meant.
    pub guessed: bool,
}

/// The value that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written<'p> {
    /// A string of the document.
    Constant(&'p str),
    /// The value of another variable.
    Copy(VarId),
    /// A value that is known only when the workflow runs.
    Unknown,
}

/// What writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writer {
    Assign,
    /// A provider activity.
    Output {
        /// Whether the output is the status of a case.
        is_status: bool,
    },
    ProviderResult,
    ApprovalResult,
    /// A Code activity.
    Script,
    /// A field of the form that approvers fill in.
    Form,
    /// An activity of a declared type (`writes` under `[types]`).
    Declared,
}

/// An operand of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperandValue<'p> {
    Variable(VarId),
    Literal(Literal<'p>),
    /// An undefined variable, or a binding that cannot be read.
    Unknown,
}

/// The condition of a While or an If, with resolved names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Condition<'p> {
    /// The operator; the platform calls it `operand`.
    pub operand: Operand,
    pub left: OperandValue<'p>,
    pub right: OperandValue<'p>,
}

impl<'p> Condition<'p> {
    /// The variable and the string that it compares.
    pub const fn variable_and_text(&self) -> Option<(VarId, &'p str)> {
        match (self.left, self.right) {
            (OperandValue::Variable(variable), OperandValue::Literal(Literal::Text(text)))
            | (OperandValue::Literal(Literal::Text(text)), OperandValue::Variable(variable)) => Some((variable, text)),
            _ => None,
        }
    }

    pub fn variables(&self) -> impl Iterator<Item = VarId> {
        [self.left, self.right].into_iter().filter_map(|value| match value {
            OperandValue::Variable(id) => Some(id),
            _ => None,
        })
    }

    /// The other operand, if one is this variable.
    pub fn operand_beside(&self, variable: VarId) -> Option<OperandValue<'_>> {
        match (self.left, self.right) {
            (OperandValue::Variable(left), right) if left == variable => Some(right),
            (left, OperandValue::Variable(right)) if right == variable => Some(left),
            _ => None,
        }
    }
}

/// What a part of an activity that cannot be read may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hidden {
    Reads,
    ReadsAndWrites,
}

/// The objects of activities that cannot be read completely.
pub type OpaqueActivities = HashMap<(FileId, NodeId), Hidden>;

#[derive(Debug, Clone, Default)]
pub struct Effects<'p> {
    pub reads: SmallVec<[Read; 2]>,
    pub writes: Writes<'p>,
    /// It may also write every variable whose name starts with this prefix (docs/concepts.md, Outputs).
    pub may_write: Option<&'p str>,
    /// It may also read every variable.
    pub may_read: bool,
    /// Whether the result of a call goes to a variable that is not known.
    pub(super) result_is_lost: bool,
    /// `None` also if its operator cannot be read.
    pub condition: Option<Box<Condition<'p>>>,
    pub provider: Option<Box<ProviderOutputs<'p>>>,
}

/// What the form of an Approval does. Approvals with one form share it.
#[derive(Debug)]
pub struct FormUse<'p> {
    /// In which the nodes of the writes are.
    pub file: FileId,
    /// Sorted.
    shows: Vec<VarId>,
    /// Sorted by variable.
    writes: Vec<Write<'p>>,
    /// Whether a field may show and write any variable.
    pub(super) may_be_any: bool,
}

impl<'p> FormUse<'p> {
    pub(super) const fn new(file: FileId) -> Self {
        Self { file, shows: Vec::new(), writes: Vec::new(), may_be_any: false }
    }

    /// Adds what a field shows and writes. Then [`Self::sort`] is needed.
    pub(super) fn add(&mut self, variable: VarId, write: Option<Write<'p>>) {
        self.shows.push(variable);
        self.writes.extend(write);
    }

    pub(super) fn sort(&mut self) {
        self.shows.sort_unstable();
        self.shows.dedup();
        self.writes.sort_by_key(|write| write.variable);
    }

    pub fn shows(&self) -> &[VarId] {
        &self.shows
    }

    pub fn writes(&self) -> &[Write<'p>] {
        &self.writes
    }

    /// Whether it writes a variable.
    pub(super) const fn writes_any(&self) -> bool {
        !self.writes.is_empty()
    }

    /// The writes of one variable, as a range of [`Self::writes`].
    fn range(&self, variable: VarId) -> Range<usize> {
        let start = self.writes.partition_point(|write| write.variable < variable);
        start..start + self.writes.iter().skip(start).take_while(|write| write.variable == variable).count()
    }

    /// The writes of one variable.
    pub fn writes_to(&self, variable: VarId) -> &[Write<'p>] {
        self.writes.get(self.range(variable)).unwrap_or_default()
    }
}

/// The writes of an activity: its own, then those of its form. Many Approvals may share a form of many fields, so only
/// few of them should look at all its writes.
#[derive(Debug, Clone, Default)]
pub struct Writes<'p> {
    own: Vec<Write<'p>>,
    form: Option<Rc<FormUse<'p>>>,
}

impl<'p> Writes<'p> {
    pub(super) fn push(&mut self, write: Write<'p>) {
        if self.own.is_empty() {
            // Most have one.
            self.own.reserve_exact(1);
        }
        self.own.push(write);
    }

    pub(super) fn set_form(&mut self, form: Rc<FormUse<'p>>) {
        self.form = Some(form);
    }

    pub(super) const fn own_mut(&mut self) -> &mut Vec<Write<'p>> {
        &mut self.own
    }

    /// Without those of the form.
    pub fn own(&self) -> &[Write<'p>] {
        &self.own
    }

    /// The writes of one variable.
    pub fn to(&self, variable: VarId) -> impl DoubleEndedIterator<Item = &Write<'p>> {
        let of_form = self.form.as_ref().map_or(&[][..], |form| form.writes_to(variable));
        self.own.iter().filter(move |write| write.variable == variable).chain(of_form)
    }

    /// The last write of a variable, with its index.
    pub fn last_to(&self, variable: VarId) -> Option<(usize, &Write<'p>)> {
        let of_form = self.form.as_ref().and_then(|form| {
            let last = form.range(variable).next_back()?;
            Some((self.own.len() + last, form.writes.get(last)?))
        });
        of_form.or_else(|| self.own.iter().enumerate().rfind(|(_, write)| write.variable == variable))
    }

    /// The writes of some variables, and perhaps others.
    pub fn to_some<'w>(
        &'w self,
        variables: impl ExactSizeIterator<Item = VarId> + 'w,
    ) -> impl Iterator<Item = &'w Write<'p>> {
        let form = self.form.as_deref();
        let has_fewer = form.is_some_and(|form| form.writes.len() <= variables.len());
        let all = form.filter(|_| has_fewer).into_iter().flat_map(|form| &form.writes);
        let searched = form.filter(|_| !has_fewer);
        let some = searched.map(|form| variables.flat_map(|variable| form.writes_to(variable)));
        self.own.iter().chain(all).chain(some.into_iter().flatten())
    }

    fn of_form(&self) -> &[Write<'p>] {
        self.form.as_ref().map_or(&[], |form| &form.writes)
    }

    pub fn iter(&self) -> std::iter::Chain<std::slice::Iter<'_, Write<'p>>, std::slice::Iter<'_, Write<'p>>> {
        self.own.iter().chain(self.of_form())
    }

    pub fn get(&self, index: usize) -> Option<&Write<'p>> {
        self.own.get(index).or_else(|| self.of_form().get(index.checked_sub(self.own.len())?))
    }

    pub fn len(&self) -> usize {
        self.own.len() + self.of_form().len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'w, 'p> IntoIterator for &'w Writes<'p> {
    type Item = &'w Write<'p>;
    type IntoIter = std::iter::Chain<std::slice::Iter<'w, Write<'p>>, std::slice::Iter<'w, Write<'p>>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'p> Effects<'p> {
    /// The variables that an Approval shows in its form.
    pub fn shows(&self) -> &[VarId] {
        self.form().map_or(&[], FormUse::shows)
    }

    pub fn shows_variable(&self, variable: VarId) -> bool {
        self.shows().binary_search(&variable).is_ok()
    }

    pub(super) fn form(&self) -> Option<&FormUse<'p>> {
        self.writes.form.as_deref()
    }

    /// A part of it cannot be read.
    pub fn hide(&mut self, hidden: Hidden) {
        match hidden {
            Hidden::Reads => self.may_read = true,
            Hidden::ReadsAndWrites => self.make_opaque(),
        }
    }

    /// It may read and write every variable.
    pub fn make_opaque(&mut self) {
        self.may_read = true;
        self.may_write = Some("");
    }

    /// The effect of a binding whose variable is unknown.
    pub(super) fn add_unknown_target(&mut self, role: Role<'_, '_>) {
        if role.writes() || role == Role::Undocumented {
            self.may_write = Some("");
        }
        self.result_is_lost |= role == Role::ProviderResult;
        if !role.writes() {
            self.may_read = true;
        }
    }
}

/// The forms of a workflow's Approvals, each with the Approvals that show it. Many may share a form of many fields, so no
/// list has an entry for each of both.
#[derive(Default)]
pub struct FormUsers<'e, 'p> {
    forms: Vec<(&'e FormUse<'p>, Vec<ActivityId>)>,
    /// Indices of `forms`.
    by_variable: HashMap<VarId, Vec<usize>>,
}

impl<'e, 'p> FormUsers<'e, 'p> {
    pub fn of(effects: &'e [Effects<'p>]) -> Self {
        let mut users = Self::default();
        let mut indices: HashMap<*const FormUse<'p>, usize> = HashMap::default();
        for (id, effects) in (0..).map(ActivityId).zip(effects) {
            let Some(form) = effects.form() else { continue };
            let index = *indices.entry(std::ptr::from_ref(form)).or_insert_with(|| users.add(form));
            if let Some((_, approvals)) = users.forms.get_mut(index) {
                approvals.push(id);
            }
        }
        users
    }

    fn add(&mut self, form: &'e FormUse<'p>) -> usize {
        let index = self.forms.len();
        self.forms.push((form, Vec::new()));
        for &variable in form.shows() {
            self.by_variable.entry(variable).or_default().push(index);
        }
        index
    }

    /// The variables that some form shows.
    pub fn shown(&self) -> impl Iterator<Item = VarId> {
        self.by_variable.keys().copied()
    }

    fn with(&self, variable: VarId) -> impl Iterator<Item = &(&'e FormUse<'p>, Vec<ActivityId>)> {
        self.by_variable.get(&variable).into_iter().flatten().filter_map(|&index| self.forms.get(index))
    }

    /// For each form that shows a variable, its Approvals in order.
    pub fn showing(&self, variable: VarId) -> impl Iterator<Item = &[ActivityId]> {
        self.with(variable).map(|(_, approvals)| approvals.as_slice())
    }

    /// For each form that writes a variable, its Approvals in order, and the place of the first of these writes.
    pub fn writing(&self, variable: VarId) -> impl Iterator<Item = (&[ActivityId], (FileId, NodeId))> {
        self.with(variable).filter_map(move |(form, approvals)| {
            Some((approvals.as_slice(), (form.file, form.writes_to(variable).first()?.node)))
        })
    }
}

/// All writes of a workflow; those of a form once.
pub fn all_writes<'e, 'p>(effects: &'e [Effects<'p>]) -> impl Iterator<Item = &'e Write<'p>> {
    let users = FormUsers::of(effects);
    let own = effects.iter().flat_map(|effects| effects.writes.own());
    own.chain(users.forms.into_iter().flat_map(|(form, _)| form.writes()))
}
