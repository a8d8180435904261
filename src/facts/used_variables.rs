//! Which variables an activity uses, as far as its JSON shows: what `ownBoundVariables` may list.

use crate::collections::HashSet;
use crate::document::NodeId;
use crate::graph::{Analysis, placeholders};
use crate::model::{Activity, Kind};

/// What an activity uses, or may.
#[derive(Default)]
pub struct UsedVariables<'c> {
    /// Variables, and words of strings and scripts that may be some.
    names: HashSet<&'c str>,
    /// What the names of outputs begin with that are not known.
    prefixes: HashSet<&'c str>,
}

impl<'c> UsedVariables<'c> {
    /// What an activity and all that is inside it use: whether a container lists what its children use is not
    /// documented. `None` when that may be any variable.
    pub fn of(analysis: &'c Analysis<'_>, activity: &'c Activity<'_>) -> Option<Self> {
        Self::collect(analysis, activity, None)
    }

    /// What the activity still uses once the target of one of its bindings is cleared.
    pub fn after_clearing(analysis: &'c Analysis<'_>, activity: &'c Activity<'_>, binding: NodeId) -> Option<Self> {
        Self::collect(analysis, activity, Some(binding))
    }

    pub fn contains(&self, name: &str) -> bool {
        let mut beginnings = name.char_indices().map(|(end, _)| end).chain([name.len()]);
        self.names.contains(name)
            || beginnings.any(|end| name.get(..end).is_some_and(|beginning| self.prefixes.contains(beginning)))
    }

    fn collect(analysis: &'c Analysis<'_>, activity: &'c Activity<'_>, cleared: Option<NodeId>) -> Option<Self> {
        let mut used = Self::default();
        for inner in std::iter::once(activity).chain(analysis.workflow.inside(activity)) {
            let effects = analysis.effects(inner.id).filter(|effects| !effects.may_read)?;
            let reads = effects.reads.iter().map(|read| read.variable);
            let variables = reads.chain(effects.writes.iter().map(|write| write.variable));
            used.names.extend(variables.chain(effects.shows.iter().copied()).map(|id| analysis.names.name(id)));
            used.prefixes.extend(effects.may_write);
            used.add_names_in_text(inner, cleared);
        }
        Some(used)
    }

    /// Names that the flow does not see: a stale target, and what may be a name in a string or a script.
    fn add_names_in_text(&mut self, activity: &'c Activity<'_>, cleared: Option<NodeId>) {
        activity.bindings(|binding, _| {
            self.names.extend(binding.bound_to.value().filter(|_| cleared != Some(binding.node)));
            self.add_placeholders(binding.literal_text().map(|(_, text)| text));
        });
        let copies = activity.provider().and_then(|provider| provider.all.get()).into_iter().flatten();
        // The copy of a binding is cleared together with it.
        let copied =
            copies.filter_map(|copy| copy.value.get().filter(|binding| cleared.is_none() || binding.is_bound()));
        self.names.extend(copied.filter_map(|binding| binding.bound_to.value()));
        match &activity.kind {
            Kind::Status { translations, .. } => {
                let texts = translations.get().into_iter().flatten().filter_map(|entry| entry.text);
                texts.for_each(|text| self.add_placeholders(Some(text)));
            }
            Kind::Code(code) => {
                let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '$');
                let script = code.script.value().unwrap_or_default();
                self.names.extend(script.split(|letter| !is_part(letter)));
            }
            _ => {}
        }
    }

    /// Whether a string outside an Assign can have placeholders is not documented, so it may.
    fn add_placeholders(&mut self, text: Option<&'c str>) {
        self.names.extend(placeholders(text.unwrap_or_default()).map(|placeholder| placeholder.name));
    }
}
