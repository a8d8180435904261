//! Reading and writing variables.

use std::borrow::Borrow;
use std::ops::Range;
use std::sync::Arc;

use super::state::Run;
use crate::document::NodeId;
use crate::model::{Activity, Binding, Literal, Member};
use crate::simulate::assumption::Assumption;
use crate::simulate::stop::Stop;
use crate::simulate::text::Text;
use crate::simulate::trace::{Event, UnsetRead};
use crate::simulate::variables::Slot;

impl<'p> Run<'p, '_> {
    pub fn value_of(&self, name: &str) -> Option<&Arc<str>> {
        self.values.get(self.plan.names.slot(name)?)
    }

    /// The value of a binding; `None` when it is null or its variable is not set.
    pub fn resolve(&self, binding: &Binding<'p>) -> Option<Text<'p>> {
        if let Some((_, name)) = binding.target() {
            return self.value_of(name).map(|value| Text::Built(Arc::clone(value)));
        }
        Some(match binding.literal()?.1 {
            Literal::Null => return None,
            Literal::Boolean(true) => Text::Document("true"),
            Literal::Boolean(false) => Text::Document("false"),
            Literal::Number(text) | Literal::Text(text) => Text::Document(text),
        })
    }

    /// The value of a key that holds a binding.
    ///
    /// # Errors
    /// A key that cannot be read fails the activity.
    pub fn resolve_member(
        &self,
        activity: &Activity<'p>,
        name: &str,
        member: &Member<impl Borrow<Binding<'p>>>,
    ) -> Result<Option<Text<'p>>, Stop> {
        if member.is_absent() {
            return Ok(None);
        }
        match member.get().map(Borrow::borrow) {
            Some(binding) if !binding.is_opaque() && !binding.value.is_unknown() => Ok(self.resolve(binding)),
            _ => Err(self.unreadable(activity, name)),
        }
    }

    /// As [`Self::resolve_member`], and notes in the trace when its variable has no value.
    ///
    /// # Errors
    /// A key that cannot be read fails the activity.
    pub fn read_member(
        &mut self,
        activity: &Activity<'p>,
        name: &str,
        member: &Member<impl Borrow<Binding<'p>>>,
    ) -> Result<Option<Text<'p>>, Stop> {
        let value = self.resolve_member(activity, name, member)?;
        if value.is_none()
            && let Some((node, variable)) = member.get().map(Borrow::borrow).and_then(Binding::target)
        {
            self.note_unset(UnsetRead { activity: self.current, node, part: None, variable });
        }
        Ok(value)
    }

    /// As [`Self::resolve_member`] for a member of a loop, which is read in each round. Only a search notes when its
    /// variable has no value: often only the body of the loop sets it.
    ///
    /// # Errors
    /// A key that cannot be read fails the activity.
    pub fn read_loop_member(
        &mut self,
        activity: &Activity<'p>,
        name: &str,
        member: &Member<impl Borrow<Binding<'p>>>,
    ) -> Result<Option<Text<'p>>, Stop> {
        let value = self.resolve_member(activity, name, member)?;
        if value.is_none()
            && self.search.is_some()
            && let Some((node, variable)) = member.get().map(Borrow::borrow).and_then(Binding::target)
        {
            self.record.unset_reads.push(UnsetRead { activity: Some(activity.id), node, part: None, variable });
        }
        Ok(value)
    }

    /// Reads the variable of a placeholder, which is this part of the string of a node: `None` when there is no such
    /// variable, `Some(None)` when it has no value, which is noted in the trace.
    pub fn read(&mut self, node: NodeId, part: Range<usize>, name: &'p str) -> Option<Option<Arc<str>>> {
        let slot = self.plan.names.slot(name)?;
        let value = self.values.get(slot).map(Arc::clone);
        if value.is_none() {
            self.note_unset(UnsetRead { activity: self.current, node, part: Some(part), variable: name });
        }
        Some(value)
    }

    /// Notes once for each variable that it was read without a value.
    fn note_unset(&mut self, read: UnsetRead<'p>) {
        if self.unset.insert(read.variable) {
            self.note(Event::Unset(read.variable));
            if self.search.is_some() {
                self.record.unset_reads.push(read);
            }
        }
    }

    /// Sets a variable by name; notes a value without a variable as lost.
    pub fn write(&mut self, name: &str, value: Arc<str>) {
        match self.plan.names.slot(name) {
            Some(slot) => self.set(slot, value),
            None => self.note(Event::Lost(name.into())),
        }
    }

    pub fn set(&mut self, slot: Slot, value: Arc<str>) {
        if self.plan.names.mask(slot).is_some() {
            self.assume(Assumption::Masked);
        }
        self.values.set(&self.plan.names, slot, Arc::clone(&value));
        if let Some(search) = &mut self.search {
            search.open_fields.retain(|open| *open != slot);
        }
        self.note(Event::Set(slot, value));
    }

    /// Writes a boolean to the variable of a binding, if it has one.
    pub fn write_result(&mut self, member: &Member<Binding<'p>>, value: bool, assumption: Assumption) {
        if let Some((_, name)) = member.get().and_then(Binding::target) {
            self.assume(assumption);
            self.write(name, Arc::from(if value { "true" } else { "false" }));
        }
    }
}
