//! Reading and writing variables.

use std::borrow::Borrow;
use std::sync::Arc;

use super::program::{Source, Target};
use super::run::Run;
use super::strings::Text;
use super::trace::Stop;
use super::trace::{Event, UnsetRead};
use super::variables::Slot;
use crate::model::Assumption;
use crate::model::{Activity, Binding, Member};

impl<'p> Run<'p, '_> {
    pub fn value_of(&self, name: &str) -> Option<&Arc<str>> {
        self.values.get(self.plan.names.slot(name)?)
    }

    /// The value of a source; `None` when it is null or its variable is not set.
    pub fn resolve(&self, source: Source<'p>) -> Option<Text<'p>> {
        match source {
            Source::Text(text) => Some(Text::Document(text)),
            Source::Variable { slot, .. } => self.values.get(slot?).map(|value| Text::Built(Arc::clone(value))),
            Source::Nothing | Source::Unreadable => None,
        }
    }

    /// The value of a key; notes in the trace when its variable has no value.
    ///
    /// # Errors
    /// A key that cannot be read fails the activity.
    pub fn read(&mut self, activity: &Activity<'p>, key: &str, source: Source<'p>) -> Result<Option<Text<'p>>, Stop> {
        self.read_as(activity, key, source, false)
    }

    /// As [`Self::read`]. A key of a loop is read in each round, and often only the body of the loop sets its variable, so
    /// only a search notes when that has no value.
    ///
    /// # Errors
    /// A key that cannot be read fails the activity.
    pub fn read_as(
        &mut self,
        activity: &Activity<'p>,
        key: &str,
        source: Source<'p>,
        is_of_loop: bool,
    ) -> Result<Option<Text<'p>>, Stop> {
        let value = self.resolve(source);
        match source {
            Source::Unreadable => return Err(self.unreadable(activity, key)),
            Source::Variable { name, node, .. } if value.is_none() => {
                let read = UnsetRead { activity: Some(activity.id), node, part: None, variable: name };
                if !is_of_loop {
                    self.note_unset(read);
                } else if self.record.is_segment {
                    self.record.unset_reads.push(read);
                }
            }
            _ => {}
        }
        Ok(value)
    }

    /// As [`Self::read`], of a member that holds a binding.
    ///
    /// # Errors
    /// A key that cannot be read fails the activity.
    pub fn read_member(
        &mut self,
        activity: &Activity<'p>,
        key: &str,
        member: &Member<impl Borrow<Binding<'p>>>,
    ) -> Result<Option<Text<'p>>, Stop> {
        self.read(activity, key, Source::of(member, &self.plan.names))
    }

    /// Notes once for each variable that it was read without a value.
    pub fn note_unset(&mut self, read: UnsetRead<'p>) {
        if self.unset.insert(read.variable) {
            self.note(Event::Unset(read.variable));
            if self.record.is_segment {
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
        self.note(Event::Set(slot, value));
    }

    /// Publishes a status text.
    ///
    /// # Errors
    /// The run is stuck when the limit of strings is exceeded.
    pub fn publish(&mut self, text: Text<'p>) -> Result<(), Stop> {
        self.spend(text.as_str().len())?;
        self.record.statuses.push((self.clock.now(), text));
        self.note(Event::Published(self.record.statuses.len() - 1));
        Ok(())
    }

    /// Writes whether something succeeded or was approved, if that is kept.
    pub fn write_result(&mut self, target: Target<'p>, value: bool, assumption: Assumption) {
        let text = || Arc::from(if value { "true" } else { "false" });
        match target {
            Target::Variable(slot) => {
                self.assume(assumption);
                self.set(slot, text());
            }
            Target::Undefined(name) => {
                self.assume(assumption);
                self.note(Event::Lost(name.into()));
            }
            Target::Nothing => {}
        }
    }
}
