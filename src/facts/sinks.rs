//! Places where a value is used, and the way that it took to them.

use super::place::Place;
use super::provider_site::ProviderSite;
use super::service::AnalyzedService;
use std::cell::Cell;

use crate::catalog::ParameterKind;
use crate::collections::HashMap;
use crate::document::NodeId;
use crate::graph::{Analysis, Followed, Read, Source, Spread, Way};
use crate::model::{Activity, Binding, Parameter};

/// Steps of all searches for ways of one rule; some hundred milliseconds. Past them a finding is
/// made without its way.
const BUDGET: usize = 500_000;
/// Steps of a way that are shown.
const SHOWN: usize = 24;

/// A place where a variable's value is used.
#[derive(Clone, Copy)]
pub struct Sink<'c, 'a> {
    pub activity: &'c Activity<'a>,
    pub read: &'c Read,
    /// The provider parameter that takes it.
    pub parameter: Option<&'c Parameter<'a>>,
}

impl<'c, 'a> Sink<'c, 'a> {
    /// The use of a bound variable, if the name is sure to be that of one.
    pub fn new(analysis: &'c Analysis<'a>, activity: &'c Activity<'a>, binding: &Binding<'a>) -> Option<Self> {
        let (node, _) = binding.target()?;
        let read = analysis.effects(activity.id)?.reads.iter().find(|read| read.node == node && !read.guessed)?;
        Some(Self { activity, read, parameter: None })
    }
}

/// The uses of variables as parameters of one of these kinds, in one workflow.
pub fn parameters_of_kind<'c, 'a>(
    analysis: &'c Analysis<'a>,
    kinds: &'c [ParameterKind],
) -> impl Iterator<Item = Sink<'c, 'a>> {
    parameters(analysis, |site| {
        let is_meant = |parameter: &&Parameter<'a>| kind_of(site, parameter).is_some_and(|kind| kinds.contains(&kind));
        site.provider.parameters().filter(is_meant).collect()
    })
}

/// What a declared parameter's value is, as the catalogue has it.
pub fn kind_of(site: &ProviderSite<'_, '_>, parameter: &Parameter<'_>) -> Option<ParameterKind> {
    site.outputs.method?.parameter(parameter.name.value()?)?.kind
}

/// The uses of variables as parameters, in one workflow.
pub fn parameters<'c, 'a>(
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
pub struct Reached<'c, 'a> {
    pub analysis: &'c Analysis<'a>,
    pub sink: Sink<'c, 'a>,
    pub way: Option<Way>,
}

/// The sinks of all workflows that the values reach.
pub fn reached<'c, 'a, I: Iterator<Item = Sink<'c, 'a>>>(
    service: &'c AnalyzedService<'a>,
    followed: &dyn Followed,
    sinks: impl Fn(&'c Analysis<'a>) -> I,
) -> Vec<Reached<'c, 'a>> {
    let budget = Cell::new(BUDGET);
    let mut found = Vec::new();
    for analysis in &service.workflows {
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

impl<'a> Reached<'_, 'a> {
    /// The name of the variable that is used.
    pub fn used(&self) -> &str {
        self.analysis.names.name(self.sink.read.variable)
    }

    /// The name of the parameter that takes it.
    pub fn parameter_name(&self) -> &str {
        self.sink.parameter.and_then(|parameter| parameter.name.value()).unwrap_or_default()
    }

    /// What the parameter that takes it holds, as the catalogue has it.
    pub fn kind(&self) -> Option<ParameterKind> {
        let method = self.analysis.effects(self.sink.activity.id)?.provider.as_deref()?.method?;
        method.parameter(self.parameter_name())?.kind
    }

    /// The name of the variable that the value comes from.
    pub fn origin(&self) -> Option<&str> {
        let variable = match self.way.as_ref()?.start {
            Source::Beginning(variable) => variable,
            Source::Written(activity, write) => self.analysis.effects(activity)?.writes.get(write)?.variable,
        };
        Some(self.analysis.names.name(variable))
    }

    /// The name of the variable's place in the document.
    pub fn place(&self) -> Place {
        Place::of_read(self.analysis.file, self.sink.read)
    }

    /// The steps by which the value gets there, each with the place of its read; of a very long path the end,
    /// which leads to the sink.
    pub fn steps(&self) -> impl Iterator<Item = TaintStep<'_, 'a>> {
        let steps = self.way.iter().flat_map(|way| way.steps.iter().skip(way.steps.len().saturating_sub(SHOWN)));
        steps.filter_map(|step| {
            let activity = self.analysis.workflow.activity(step.activity)?;
            let read = self.analysis.effects(step.activity)?.reads.get(step.read)?;
            Some(TaintStep {
                activity,
                place: Place::of_read(self.analysis.file, read),
                from: self.analysis.names.name(read.variable),
                into: self.analysis.names.name(step.into),
            })
        })
    }
}

/// A step of a value from one variable into another.
pub struct TaintStep<'r, 'a> {
    pub activity: &'r Activity<'a>,
    /// The read of the variable that the value comes from.
    pub place: Place,
    pub from: &'r str,
    pub into: &'r str,
}
