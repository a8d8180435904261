//! Reading and writing variables.

use std::sync::Arc;

use super::Run;
use crate::model::{Activity, Binding, Literal, Member};
use crate::simulate::assumption::Assumption;
use crate::simulate::stop::Stop;
use crate::simulate::trace::{Event, Text};
use crate::simulate::variables::Slot;

impl<'p> Run<'p, '_> {
    /// The value of a variable by its name.
    pub fn value_of(&self, name: &str) -> Option<&Arc<str>> {
        self.values.get(self.plan.names.slot(name)?)
    }

    /// What a binding gives; `None` when it gives nothing, or its variable is not set.
    pub fn resolve(&self, binding: &Binding<'p>) -> Option<Text<'p>> {
        if let Some((_, name)) = binding.target() {
            return self.value_of(name).map(|value| Text::Made(Arc::clone(value)));
        }
        Some(match binding.literal()?.1 {
            Literal::Null => return None,
            Literal::Boolean(true) => Text::Document("true"),
            Literal::Boolean(false) => Text::Document("false"),
            Literal::Number(text) | Literal::Text(text) => Text::Document(text),
        })
    }

    /// What a member that is a binding gives.
    ///
    /// # Errors
    /// A member that cannot be read fails the activity.
    pub fn resolve_member(
        &self,
        activity: &Activity<'p>,
        name: &str,
        member: &Member<Binding<'p>>,
    ) -> Result<Option<Text<'p>>, Stop> {
        match member {
            Member::Absent => Ok(None),
            Member::Known(_, binding) if !binding.is_opaque() && !binding.value.is_unknown() => {
                Ok(self.resolve(binding))
            }
            Member::Known(..) | Member::Unknown(_) => Err(self.unreadable(activity, name)),
        }
    }

    /// Reads a member that is a binding, noting when the variable that it names has no value.
    ///
    /// # Errors
    /// A member that cannot be read fails the activity.
    pub fn read_member(
        &mut self,
        activity: &Activity<'p>,
        name: &str,
        member: &Member<Binding<'p>>,
    ) -> Result<Option<Text<'p>>, Stop> {
        let value = self.resolve_member(activity, name, member)?;
        if value.is_none()
            && let Some((_, variable)) = member.get().and_then(Binding::target)
        {
            self.note_unset(variable);
        }
        Ok(value)
    }

    /// Reads the variable of a name: `None` when there is none, `Some(None)` when it has no value,
    /// which is noted.
    pub fn read(&mut self, name: &'p str) -> Option<Option<Arc<str>>> {
        let slot = self.plan.names.slot(name)?;
        let value = self.values.get(slot).map(Arc::clone);
        if value.is_none() {
            self.note_unset(name);
        }
        Some(value)
    }

    /// Notes that a variable without a value is read; once for each variable.
    fn note_unset(&mut self, name: &'p str) {
        if self.unset.insert(name) {
            self.note(Event::Unset(name));
        }
    }

    /// Sets the variable of a name; a name that no variable has is noted as lost.
    pub fn write(&mut self, name: &str, value: Arc<str>) {
        match self.plan.names.slot(name) {
            Some(slot) => self.set(slot, value),
            None => self.note(Event::Lost(name.into())),
        }
    }

    /// Sets a variable.
    pub fn set(&mut self, slot: Slot, value: Arc<str>) {
        if self.plan.names.mask(slot).is_some() {
            self.assume(Assumption::Masked);
        }
        self.values.set(&self.plan.names, slot, Arc::clone(&value));
        self.note(Event::Set(slot, value));
    }

    /// Writes a boolean to the variable that a binding names, if it names one.
    pub fn write_result(&mut self, member: &Member<Binding<'p>>, value: bool, assumption: Assumption) {
        if let Some((_, name)) = member.get().and_then(Binding::target) {
            self.assume(assumption);
            self.write(name, Arc::from(if value { "true" } else { "false" }));
        }
    }
}
