//! The outputs of calls of methods that no catalog has, as far as the variables of the workflow show them.

use std::sync::Arc;

use crate::common::collections::{HashMap, HashSet};
use crate::facts::provider_site::ProviderSite;
use crate::facts::service::AnalyzedService;
use crate::graph::{Analysis, Prefix, VarId};
use crate::model::ActivityId;

/// What the variables show of the outputs of one call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InferredOutputs {
    /// Without the prefix, in the order of the declarations.
    pub names: Vec<String>,
    /// Whether it may have others.
    pub are_open: bool,
}

/// The outputs of each call of an unknown method in a workflow.
///
/// With a static prefix they are the declared variables that begin with it and go on with an upper-case letter. Without
/// a prefix, when the workflow has only one such method, they are the variables that are read. Either way nothing else
/// writes them.
pub fn inferred_outputs(
    service: &AnalyzedService<'_>,
    analysis: &Analysis<'_>,
) -> HashMap<ActivityId, Arc<InferredOutputs>> {
    let unknown = |site: &ProviderSite<'_, '_>| site.outputs.method.is_none() && site.provider.method.value().is_some();
    let sites: Vec<_> = ProviderSite::of(analysis).filter(unknown).collect();
    let mut inferred: HashMap<ActivityId, Arc<InferredOutputs>> = HashMap::default();
    let mut prefixed = Prefixed { service, analysis, sorted: None, known: HashMap::default() };
    // Variables of calls with a prefix are not outputs of calls without one.
    let mut with_prefix: HashSet<String> = HashSet::default();
    for site in &sites {
        if let Some(prefix) = static_prefix(site).filter(|prefix| !prefix.is_empty()) {
            if !prefixed.known.contains_key(prefix) {
                let outputs = prefixed.outputs(prefix);
                with_prefix.extend(outputs.names.iter().map(|name| format!("{prefix}{name}")));
                prefixed.known.insert(prefix, Arc::new(outputs));
            }
            let outputs = prefixed.known.get(prefix).map(Arc::clone);
            inferred.extend(outputs.map(|outputs| (site.activity.id, outputs)));
        }
    }
    let without: Vec<_> = sites.iter().filter(|site| static_prefix(site) == Some("")).collect();
    let methods: HashSet<&str> = without.iter().filter_map(|site| site.provider.method.value()).collect();
    let open = Arc::new(InferredOutputs { names: Vec::new(), are_open: true });
    let of_only_method = match without.first() {
        Some(first) if methods.len() == 1 => {
            Arc::new(without_prefix(service, analysis, first.activity.id, &with_prefix))
        }
        _ => Arc::clone(&open),
    };
    inferred.extend(without.into_iter().map(|site| (site.activity.id, Arc::clone(&of_only_method))));
    for site in sites.iter().filter(|site| static_prefix(site).is_none()) {
        inferred.insert(site.activity.id, Arc::clone(&open));
    }
    inferred
}

fn static_prefix<'s>(site: &ProviderSite<'_, 's>) -> Option<&'s str> {
    match site.outputs.prefix {
        Prefix::Static(prefix) if site.provider.lists_are_known() => Some(prefix),
        Prefix::Static(_) | Prefix::Dynamic => None,
    }
}

/// The outputs of calls with a prefix.
struct Prefixed<'s, 'p> {
    service: &'s AnalyzedService<'p>,
    analysis: &'s Analysis<'p>,
    /// The declared variables in the order of their names, with their numbers in the order of the declarations.
    sorted: Option<Vec<(&'p str, usize)>>,
    known: HashMap<&'s str, Arc<InferredOutputs>>,
}

impl Prefixed<'_, '_> {
    fn outputs(&mut self, prefix: &str) -> InferredOutputs {
        let sorted = self.sorted.get_or_insert_with(|| {
            let mut sorted: Vec<_> = declared(self.analysis).zip(0..).collect();
            sorted.sort_unstable();
            sorted
        });
        let start = sorted.partition_point(|(name, _)| *name < prefix);
        let with_prefix = sorted.get(start..).unwrap_or_default().iter();
        let mut found: Vec<_> = with_prefix.take_while(|(name, _)| name.starts_with(prefix)).copied().collect();
        found.sort_unstable_by_key(|(_, number)| *number);
        let mut outputs = InferredOutputs::default();
        for (name, _) in found {
            let Some(rest) = name.strip_prefix(prefix) else { continue };
            if self.service.usage.has_known_writer(name) {
                continue;
            }
            if rest.starts_with(char::is_uppercase) {
                outputs.names.push(rest.to_owned());
            } else {
                // The variable may still be an output of this call.
                outputs.are_open = true;
            }
        }
        outputs
    }
}

fn without_prefix(
    service: &AnalyzedService<'_>,
    analysis: &Analysis<'_>,
    first: ActivityId,
    with_prefix: &HashSet<String>,
) -> InferredOutputs {
    let usage = &service.usage;
    let until = analysis.effects.iter().take(first.0 as usize + 1);
    let read_before: HashSet<VarId> =
        until.into_iter().flat_map(|effects| effects.reads.iter().map(|read| read.variable)).collect();
    // Without an order form, a variable that is read before the call, or by it, is assumed to be a part of the order.
    let is_ordered = |name: &str| {
        let is_read_before = || analysis.names.id(name).is_some_and(|variable| read_before.contains(&variable));
        usage.is_filled_by_order(name) && is_read_before()
    };
    let is_output = |name: &&str| {
        usage.has_known_reader(name)
            && !usage.has_known_writer(name)
            && !with_prefix.contains(*name)
            && !is_ordered(name)
    };
    InferredOutputs { names: declared(analysis).filter(is_output).map(str::to_owned).collect(), are_open: false }
}

/// The names of the declared variables, but those of the platform.
fn declared<'s, 'p>(analysis: &'s Analysis<'p>) -> impl Iterator<Item = &'p str> + 's {
    analysis.scope.declarations.names().filter(|name| !analysis.scope.is_system(name))
}
