//! The variables that an activity uses, or may use: what `ownBoundVariables` can contain.

use crate::collections::HashSet;
use crate::document::NodeId;
use crate::graph::{Analysis, placeholders};
use crate::model::{Activity, Kind};
use crate::text::prefixes;

#[derive(Default)]
pub struct UsedVariables<'c> {
    /// Variables, and words of strings and scripts that may be variables.
    names: HashSet<&'c str>,
    /// Prefixes of unknown outputs.
    written_prefixes: HashSet<&'c str>,
}

impl<'c> UsedVariables<'c> {
    /// The variables of an activity and its descendants, as it is not documented whether a container lists those of its
    /// children. `None` if that may be any variable.
    pub fn of(analysis: &'c Analysis<'_>, activity: &'c Activity<'_>) -> Option<Self> {
        Self::collect(analysis, activity, None)
    }

    /// As [`UsedVariables::of`], once the target of one binding is cleared.
    pub fn after_clearing(analysis: &'c Analysis<'_>, activity: &'c Activity<'_>, binding: NodeId) -> Option<Self> {
        Self::collect(analysis, activity, Some(binding))
    }

    pub fn contains(&self, name: &str) -> bool {
        self.names.contains(name) || prefixes(name).any(|prefix| self.written_prefixes.contains(prefix))
    }

    fn collect(analysis: &'c Analysis<'_>, activity: &'c Activity<'_>, cleared: Option<NodeId>) -> Option<Self> {
        let mut used = Self::default();
        for inner in std::iter::once(activity).chain(analysis.workflow.inside(activity)) {
            let effects = analysis.effects(inner.id).filter(|effects| !effects.may_read)?;
            let reads = effects.reads.iter().map(|read| read.variable);
            let variables = reads.chain(effects.writes.iter().map(|write| write.variable));
            used.names.extend(variables.chain(effects.shows.iter().copied()).map(|id| analysis.names.name(id)));
            used.written_prefixes.extend(effects.may_write);
            used.add_possible_names(inner, cleared);
        }
        Some(used)
    }

    /// Names that are not among the effects: stale targets, and words of strings and scripts that may be names.
    fn add_possible_names(&mut self, activity: &'c Activity<'_>, cleared: Option<NodeId>) {
        activity.bindings(|binding, _| {
            self.names.extend(binding.bound_to.value().filter(|_| cleared != Some(binding.node)));
            self.add_placeholders(binding.literal_text().map(|(_, text)| text));
        });
        let copies = activity.provider().and_then(|provider| provider.all.get()).into_iter().flatten();
        // The copy of a binding is cleared together with it, so its stale target does not count then.
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

    /// It is not documented whether strings outside an Assign can have placeholders, so they may.
    fn add_placeholders(&mut self, text: Option<&'c str>) {
        self.names.extend(placeholders(text.unwrap_or_default()).map(|placeholder| placeholder.name));
    }
}
