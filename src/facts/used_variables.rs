//! The variables that an activity uses, or may use: what `ownBoundVariables` can contain.

use crate::collections::HashSet;
use crate::document::NodeId;
use crate::graph::{Analysis, placeholders};
use crate::model::{Activity, ActivityKind, Binding};
use crate::source::Span;
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
        Self::collect(analysis, activity, &[])
    }

    /// As [`UsedVariables::of`], once these values are cleared: names, or objects or arrays around names.
    pub fn after_clearing(analysis: &'c Analysis<'_>, activity: &'c Activity<'_>, cleared: &[NodeId]) -> Option<Self> {
        Self::collect(analysis, activity, cleared)
    }

    pub fn contains(&self, name: &str) -> bool {
        self.names.contains(name) || prefixes(name).any(|prefix| self.written_prefixes.contains(prefix))
    }

    fn collect(analysis: &'c Analysis<'_>, activity: &'c Activity<'_>, cleared: &[NodeId]) -> Option<Self> {
        let mut used = Self::default();
        let cleared: Vec<Span> = cleared.iter().map(|&node| analysis.document.span(node)).collect();
        let is_left = |node: NodeId| {
            let span = analysis.document.span(node);
            !cleared.iter().any(|around| around.start <= span.start && span.end <= around.end)
        };
        for inner in std::iter::once(activity).chain(analysis.workflow.inside(activity)) {
            let effects = analysis.effects(inner.id).filter(|effects| !effects.may_read)?;
            let reads = effects.reads.iter().map(|read| (read.node, read.variable));
            let variables = reads.chain(effects.writes.iter().map(|write| (write.node, write.variable)));
            let variables = variables.filter(|(node, _)| is_left(*node)).map(|(_, variable)| variable);
            used.names.extend(variables.chain(effects.shows.iter().copied()).map(|id| analysis.names.name(id)));
            used.written_prefixes.extend(effects.may_write);
            used.add_possible_names(inner, &is_left);
        }
        Some(used)
    }

    /// Names that are not among the effects: stale targets, and words of strings and scripts that may be names.
    fn add_possible_names(&mut self, activity: &'c Activity<'_>, is_left: &dyn Fn(NodeId) -> bool) {
        let name =
            |binding: &Binding<'c>| binding.bound_to.known().filter(|(node, _)| is_left(*node)).map(|(_, name)| *name);
        activity.bindings(|binding, _| {
            self.names.extend(name(binding));
            self.add_placeholders(binding.literal_text().map(|(_, text)| text));
        });
        let copies = activity.provider().and_then(|provider| provider.all.get()).into_iter().flatten();
        self.names.extend(copies.filter_map(|copy| name(copy.value.get()?)));
        match &activity.kind {
            ActivityKind::Status { translations, .. } => {
                let texts = translations.get().into_iter().flatten().filter_map(|entry| entry.text);
                texts.for_each(|text| self.add_placeholders(Some(text)));
            }
            ActivityKind::Code(code) => {
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
