//! The forms of a workflow's Approvals. Many Approvals may share a form of many fields, so no list has an entry for each
//! of both.

use super::effects::{Effects, FormUse, VarId, Write};
use crate::collections::HashMap;
use crate::diagnostic::FileId;
use crate::document::NodeId;
use crate::model::ActivityId;

/// The forms, each with the Approvals that show it.
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
