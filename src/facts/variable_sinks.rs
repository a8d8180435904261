//! Where the values of variables end up, as far as bindings show: a variable that is bound to a parameter, or that
//! Assigns copy to one that is.

use super::place::Place;
use super::provider_site::parameters_of_kind;
use super::service::AnalyzedService;
use crate::catalog::ParameterKind;
use crate::collections::HashMap;
use crate::graph::{Analysis, Written};

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
pub(super) fn with_copied<'c>(
    service: &'c AnalyzedService<'_>,
    known: Vec<(&'c str, NamedSink<'c>)>,
) -> VariableSinks<'c> {
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

/// The variables that a workflow's Assigns copy whole: target and source.
fn copies<'c>(analysis: &'c Analysis<'_>) -> impl Iterator<Item = (&'c str, &'c str)> {
    let writes = analysis.effects.iter().flat_map(|effects| effects.writes.own());
    writes.filter_map(|write| match write.value {
        Written::Copy(source) => Some((analysis.names.name(write.variable), analysis.names.name(source))),
        _ => None,
    })
}
