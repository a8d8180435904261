//! Places where a value is used, and the way that it took to them.

use std::cell::Cell;

use crate::catalog::ParameterKind;
use crate::collections::HashMap;
use crate::diagnostic::quote;
use crate::document::NodeId;
use crate::graph::{Analysis, Followed, Read, Source, Spread, Way};
use crate::model::{Activity, Binding, Kind, Parameter};
use crate::rules::output::place_of;
use crate::rules::{Context, Draft, Place, ProviderSite};

/// Steps of all searches for ways of one rule; some hundred milliseconds. Past them a finding is
/// made without its way.
const BUDGET: usize = 500_000;
/// Steps of a way that are shown.
const SHOWN: usize = 24;

/// A place where a variable's value is used.
#[derive(Clone, Copy)]
pub(super) struct Sink<'c, 'a> {
    pub(super) activity: &'c Activity<'a>,
    pub(super) read: &'c Read,
    /// The provider parameter that takes it.
    pub(super) parameter: Option<&'c Parameter<'a>>,
}

impl<'c, 'a> Sink<'c, 'a> {
    /// The use of a bound variable, if the name is sure to be that of one.
    pub(super) fn new(analysis: &'c Analysis<'a>, activity: &'c Activity<'a>, binding: &Binding<'a>) -> Option<Self> {
        let (node, _) = binding.target()?;
        let read = analysis.effects(activity.id)?.reads.iter().find(|read| read.node == node && !read.guessed)?;
        Some(Self { activity, read, parameter: None })
    }
}

/// The uses of variables as parameters of one of these kinds, in one workflow.
pub(super) fn parameters_of_kind<'c, 'a>(
    analysis: &'c Analysis<'a>,
    kinds: &'c [ParameterKind],
) -> impl Iterator<Item = Sink<'c, 'a>> {
    parameters(analysis, |site| {
        let is_meant = |parameter: &&Parameter<'a>| kind_of(site, parameter).is_some_and(|kind| kinds.contains(&kind));
        site.provider.parameters().filter(is_meant).collect()
    })
}

/// What a declared parameter's value is, as the catalogue has it.
pub(super) fn kind_of(site: &ProviderSite<'_, '_>, parameter: &Parameter<'_>) -> Option<ParameterKind> {
    site.outputs.method?.parameter(parameter.name.value()?)?.kind
}

/// The uses of variables as parameters, in one workflow.
pub(super) fn parameters<'c, 'a>(
    analysis: &'c Analysis<'a>,
    meant: impl Fn(&ProviderSite<'c, 'a>) -> Vec<&'c Parameter<'a>>,
) -> impl Iterator<Item = Sink<'c, 'a>> {
    ProviderSite::of(analysis).flat_map(move |site| {
        let meant = meant(&site);
        let reads =
            if meant.is_empty() { &[][..] } else { analysis.effects(site.activity.id).map_or(&[][..], |e| &e.reads) };
        let reads: HashMap<NodeId, &Read> =
            reads.iter().filter(|read| !read.guessed).map(|read| (read.node, read)).collect();
        let sinks = meant.into_iter().filter_map(|parameter| {
            let (node, _) = parameter.value.get()?.target()?;
            Some(Sink { activity: site.activity, read: reads.get(&node)?, parameter: Some(parameter) })
        });
        sinks.collect::<Vec<_>>()
    })
}

/// A sink that a value reaches, with the way that it takes.
pub(super) struct Reached<'c, 'a> {
    pub(super) analysis: &'c Analysis<'a>,
    pub(super) sink: Sink<'c, 'a>,
    pub(super) way: Option<Way>,
}

/// The sinks of all workflows that the values reach.
pub(super) fn reached<'c, 'a, I: Iterator<Item = Sink<'c, 'a>>>(
    cx: &'c Context<'a>,
    followed: &dyn Followed,
    sinks: impl Fn(&'c Analysis<'a>) -> I,
) -> Vec<Reached<'c, 'a>> {
    let budget = Cell::new(BUDGET);
    let mut found = Vec::new();
    for analysis in &cx.workflows {
        let sinks: Vec<Sink<'_, '_>> = sinks(analysis).collect();
        if sinks.is_empty() {
            continue;
        }
        let variables = sinks.iter().map(|sink| sink.read.variable);
        let Some(spread) = Spread::new(analysis, followed, variables) else { continue };
        for sink in sinks {
            if spread.reaches(sink.activity.id, sink.read.variable) {
                let way = spread.way(sink.activity.id, sink.read.variable, &budget);
                found.push(Reached { analysis, sink, way });
            }
        }
    }
    found
}

impl Reached<'_, '_> {
    /// The name of the variable that is used.
    pub(super) fn used(&self) -> &str {
        self.analysis.names.name(self.sink.read.variable)
    }

    /// The name of the parameter that takes it.
    pub(super) fn parameter_name(&self) -> &str {
        self.sink.parameter.and_then(|parameter| parameter.name.value()).unwrap_or_default()
    }

    /// What the parameter that takes it holds, as the catalogue has it.
    pub(super) fn kind(&self) -> Option<ParameterKind> {
        let method = self.analysis.effects(self.sink.activity.id)?.provider.as_deref()?.method?;
        method.parameter(self.parameter_name())?.kind
    }

    /// The name of the variable that the value comes from.
    pub(super) fn origin(&self) -> Option<&str> {
        let variable = match self.way.as_ref()?.start {
            Source::Beginning(variable) => variable,
            Source::Written(activity, write) => self.analysis.effects(activity)?.writes.get(write)?.variable,
        };
        Some(self.analysis.names.name(variable))
    }

    /// The name of the variable's place in the document.
    pub(super) fn place(&self) -> Place {
        place_of(self.analysis.file, self.sink.read)
    }

    /// Adds the steps of the way, each as a related place.
    pub(super) fn show_steps(&self, draft: &mut Draft<'_>) {
        // Of a very long way its end: that is what leads to the sink.
        let steps = self.way.iter().flat_map(|way| way.steps.iter().skip(way.steps.len().saturating_sub(SHOWN)));
        for carry in steps {
            let activity = self.analysis.workflow.activity(carry.activity);
            let read = self.analysis.effects(carry.activity).and_then(|effects| effects.reads.get(carry.read));
            let (Some(activity), Some(read)) = (activity, read) else { continue };
            let (from, into) = (self.analysis.names.name(read.variable), self.analysis.names.name(carry.into));
            let how = if matches!(activity.kind, Kind::Code(_)) { "through the script " } else { "" };
            draft.related(
                &place_of(self.analysis.file, read),
                format!("{} goes {how}into {} here", quote(from), quote(into)),
            );
        }
    }
}
