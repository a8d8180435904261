//! Sinks: the uses of variables, the tainted values that reach them along feasible paths, and where the value of a variable
//! ends up as far as bindings show.

use crate::catalog::ParameterKind;
use crate::common::collections::{HashMap, HashSet};
use crate::common::limits::MAX_SEARCH_STEPS;
use crate::document::NodeId;
use crate::facts::place::Place;
use crate::facts::provider_site::{ProviderSite, parameters_of_kind};
use crate::facts::service::AnalyzedService;
use crate::graph::{Analysis, Read, TaintPath, TaintPolicy, TaintSource, Written};
use crate::model::{Activity, Binding, Parameter};

/// A use of a variable's value.
#[derive(Clone, Copy)]
pub struct Sink<'c, 'a> {
    pub activity: &'c Activity<'a>,
    pub read: &'c Read,
    /// `None` of a use that is not a provider parameter.
    pub parameter: Option<&'c Parameter<'a>>,
    /// The key of a case that the activity gives the value.
    pub case_key: Option<&'static str>,
}

impl<'c, 'a> Sink<'c, 'a> {
    /// The use of a bound variable; `None` of one whose name is only guessed.
    pub fn new(analysis: &'c Analysis<'a>, activity: &'c Activity<'a>, binding: &Binding<'a>) -> Option<Self> {
        let (node, _) = binding.target()?;
        let read = analysis.effects(activity.id)?.reads.iter().find(|read| read.node == node && !read.guessed)?;
        Some(Self { activity, read, parameter: None, case_key: None })
    }
}

/// The provider parameters of these kinds in one workflow that are bound to variables.
pub fn parameter_sinks_of_kinds<'c, 'a>(
    analysis: &'c Analysis<'a>,
    kinds: &'c [ParameterKind],
) -> impl Iterator<Item = Sink<'c, 'a>> {
    parameter_sinks(analysis, |site| {
        let is_wanted = |parameter: &&Parameter<'a>| kind_of(site, parameter).is_some_and(|kind| kinds.contains(&kind));
        site.provider.parameters().filter(is_wanted).collect()
    })
}

/// The kind of a declared parameter, according to the catalog.
fn kind_of(site: &ProviderSite<'_, '_>, parameter: &Parameter<'_>) -> Option<ParameterKind> {
    site.outputs.method?.parameter(parameter.name.value()?)?.kind
}

/// The selected provider parameters in one workflow that are bound to variables.
pub fn parameter_sinks<'c, 'a>(
    analysis: &'c Analysis<'a>,
    select: impl Fn(&ProviderSite<'c, 'a>) -> Vec<&'c Parameter<'a>>,
) -> impl Iterator<Item = Sink<'c, 'a>> {
    ProviderSite::of(analysis).flat_map(move |site| {
        let selected = select(&site);
        let reads = if selected.is_empty() {
            &[][..]
        } else {
            analysis.effects(site.activity.id).map_or(&[][..], |e| &e.reads)
        };
        let reads: HashMap<NodeId, &Read> =
            reads.iter().filter(|read| !read.guessed).map(|read| (read.node, read)).collect();
        let sinks = selected.into_iter().filter_map(|parameter| {
            let (node, _) = parameter.value.get()?.target()?;
            Some(Sink { activity: site.activity, read: reads.get(&node)?, parameter: Some(parameter), case_key: None })
        });
        sinks.collect::<Vec<_>>()
    })
}

/// A sink that a tainted value reaches.
pub struct TaintedSink<'c, 'a> {
    pub analysis: &'c Analysis<'a>,
    pub sink: Sink<'c, 'a>,
    pub path: TaintPath,
}

/// The sinks that tainted values reach.
#[derive(Default)]
pub struct TaintedSinks<'c, 'a> {
    pub found: Vec<TaintedSink<'c, 'a>>,
    /// The workflows that exceed a limit of the analysis, so that nothing is known about their sinks.
    pub unchecked: Vec<&'c Analysis<'a>>,
}

/// The sinks of all workflows that tainted values reach.
pub fn tainted_sinks<'c, 'a, I: Iterator<Item = Sink<'c, 'a>>>(
    service: &'c AnalyzedService<'a>,
    policy: &dyn TaintPolicy,
    sinks: impl Fn(&'c Analysis<'a>) -> I,
) -> TaintedSinks<'c, 'a> {
    let mut budget = MAX_SEARCH_STEPS;
    let mut tainted = TaintedSinks::default();
    for analysis in &service.workflows {
        let sinks: Vec<Sink<'_, '_>> = sinks(analysis).collect();
        let places = sinks.iter().map(|sink| (sink.activity.id, sink.read.variable));
        let (paths, is_complete) = analysis.tainted(policy, places, &mut budget);
        tainted.unchecked.extend((!is_complete).then_some(analysis));
        let found = sinks.into_iter().filter_map(|sink| {
            let path = paths.get(&(sink.activity.id, sink.read.variable))?.clone();
            Some(TaintedSink { analysis, sink, path })
        });
        tainted.found.extend(found);
    }
    tainted
}

impl<'a> TaintedSink<'_, 'a> {
    /// The name of the variable that is used.
    pub fn variable(&self) -> &str {
        self.analysis.names.name(self.sink.read.variable)
    }

    /// The parameter, or the key of a case; empty of another use.
    pub fn parameter_name(&self) -> &str {
        let parameter = self.sink.parameter.and_then(|parameter| parameter.name.value());
        parameter.or(self.sink.case_key).unwrap_or_default()
    }

    /// The name of the variable that the value comes from.
    pub fn source(&self) -> Option<&str> {
        let variable = match self.path.source {
            TaintSource::Start(variable) => variable,
            TaintSource::Write(activity, write) => self.analysis.effects(activity)?.writes.get(write)?.variable,
        };
        Some(self.analysis.names.name(variable))
    }

    /// The place of the variable's name in the document.
    pub fn place(&self) -> Place {
        Place::of_read(self.analysis.file, self.sink.read)
    }

    /// The steps of the path.
    pub fn steps(&self) -> impl Iterator<Item = PathStep<'_, 'a>> {
        self.path.steps.iter().filter_map(|step| {
            let activity = self.analysis.workflow.activity(step.activity)?;
            let read = self.analysis.effects(step.activity)?.reads.get(step.read)?;
            Some(PathStep {
                activity,
                place: Place::of_read(self.analysis.file, read),
                from: self.analysis.names.name(read.variable),
                into: self.analysis.names.name(step.into),
            })
        })
    }

    /// The names of the variables that hold the value, from those that the path writes to the one that is used.
    pub fn variables_on_path(&self) -> impl Iterator<Item = &str> {
        let written = self.path.steps.iter().map(|step| self.analysis.names.name(step.into));
        written.chain([self.variable()])
    }
}

/// A step of a value from one variable into another.
pub struct PathStep<'r, 'a> {
    pub activity: &'r Activity<'a>,
    /// The read of the variable that the value comes from.
    pub place: Place,
    pub from: &'r str,
    pub into: &'r str,
}

/// What takes a variable's value.
#[derive(Debug, Clone)]
pub struct NamedSink<'c> {
    /// The place that names the variable, or the last one of its copies.
    pub place: Place,
    /// The parameter, or the key in a signing case.
    pub name: &'c str,
}

/// By variable, one sink that its value reaches.
pub type VariableSinks<'c> = HashMap<&'c str, NamedSink<'c>>;

/// The variables whose values reach a parameter of a kind.
pub fn sinks_of_kind<'c>(service: &'c AnalyzedService<'_>, kind: ParameterKind) -> VariableSinks<'c> {
    let bound = service.providers().flat_map(|site| {
        let sinks = parameters_of_kind(&site, kind).filter_map(|(parameter, known)| {
            let (node, variable) = parameter.value.get()?.target()?;
            Some((variable, NamedSink { place: site.at(node), name: known.name.as_str() }))
        });
        sinks.collect::<Vec<_>>()
    });
    with_copied(service, bound.collect())
}

/// Adds the variables that Assigns copy to variables with a known sink.
pub fn with_copied<'c>(service: &'c AnalyzedService<'_>, known: Vec<(&'c str, NamedSink<'c>)>) -> VariableSinks<'c> {
    let mut sources: HashMap<&str, Vec<&str>> = HashMap::default();
    for analysis in &service.workflows {
        for (target, source) in copies(analysis) {
            sources.entry(target).or_default().push(source);
        }
    }
    let mut sinks = VariableSinks::default();
    // Depth first against the direction of the copies; reversed, so that the first known sink of a variable stays.
    let mut open: Vec<(&str, NamedSink<'_>)> = known.into_iter().rev().collect();
    while let Some((variable, sink)) = open.pop() {
        if sinks.contains_key(variable) {
            continue;
        }
        open.extend(sources.get(variable).into_iter().flatten().map(|source| (*source, sink.clone())));
        sinks.insert(variable, sink);
    }
    sinks
}

/// Variables, and those to which Assigns copy them whole, by way of others as well.
pub fn copies_of<'c>(service: &'c AnalyzedService<'_>, variables: impl Iterator<Item = &'c str>) -> HashSet<&'c str> {
    let mut targets: HashMap<&str, Vec<&str>> = HashMap::default();
    for (target, source) in service.workflows.iter().flat_map(copies) {
        targets.entry(source).or_default().push(target);
    }
    let (mut open, mut found): (Vec<&str>, HashSet<&str>) = (variables.collect(), HashSet::default());
    while let Some(variable) = open.pop() {
        if found.insert(variable) {
            open.extend(targets.get(variable).into_iter().flatten());
        }
    }
    found
}

/// The variables that a workflow's Assigns copy whole: target and source.
fn copies<'c>(analysis: &'c Analysis<'_>) -> impl Iterator<Item = (&'c str, &'c str)> {
    let writes = analysis.effects.iter().flat_map(|effects| effects.writes.own());
    writes.filter_map(|write| match write.value {
        Written::Copy(source) => Some((analysis.names.name(write.variable), analysis.names.name(source))),
        _ => None,
    })
}
