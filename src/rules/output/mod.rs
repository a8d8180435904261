//! `WF3`: outputs and data flow.

pub mod assigned_variables_disagree;
pub mod dead_assignment;
pub mod maybe_unassigned;
pub mod never_written;
pub mod not_assignable;
pub mod output_overwritten;
pub mod property_not_requested;
pub mod self_assignment;
pub mod undeclared_output;
pub mod unknown_placeholder;
pub mod unprefixed_collision;

use std::collections::BTreeMap;

use crate::diagnostic::FileId;
use crate::document::NodeId;
use crate::facts::{Context, ProviderSite};
use crate::graph::{Analysis, Effects, Origin, Prefix, Read, VarId, Written};

/// A variable that is read although nothing writes it, with all its reads in the order of the text.
pub(super) struct NeverWritten<'c, 'a> {
    pub(super) analysis: &'c Analysis<'a>,
    pub(super) variable: VarId,
    pub(super) reads: Vec<&'c Read>,
}

impl NeverWritten<'_, '_> {
    pub(super) fn name(&self) -> &str {
        self.analysis.names.name(self.variable)
    }
}

/// The variables of all workflows that are read although nothing writes them.
pub(super) fn never_written<'c, 'a>(cx: &'c Context<'a>) -> Vec<NeverWritten<'c, 'a>> {
    let mut found = Vec::new();
    for analysis in cx.workflows.iter().filter(|analysis| analysis.scope.declarations.are_there) {
        let mut reads: BTreeMap<VarId, Vec<&Read>> = BTreeMap::new();
        for read in analysis.effects.iter().flat_map(|effects| &effects.reads).filter(|read| !read.guessed) {
            let name = analysis.names.name(read.variable);
            if !analysis.scope.is_provided(name) && !cx.usage.is_written(name) {
                reads.entry(read.variable).or_default().push(read);
            }
        }
        found.extend(reads.into_iter().map(|(variable, reads)| NeverWritten { analysis, variable, reads }));
    }
    found
}

/// The provider whose prefix begins a variable's name, the longest one, with the rest of the name:
/// a property that it could be asked for but is not (the page of WF304).
pub(super) fn unasked_property<'c, 'a, 'n>(
    cx: &'c Context<'a>,
    file: FileId,
    name: &'n str,
) -> Option<(ProviderSite<'c, 'a>, &'n str)> {
    let mut best: Option<(ProviderSite<'c, 'a>, &'n str)> = None;
    for site in cx.providers().filter(|site| site.analysis.file == file) {
        let asks_for_properties =
            site.outputs.method.is_some_and(|method| method.outputs.iter().any(|output| output.per_entry_of.is_some()));
        let Prefix::Static(prefix) = site.outputs.prefix else { continue };
        let Some(property) = name.strip_prefix(prefix).filter(|_| asks_for_properties && !prefix.is_empty()) else {
            continue;
        };
        let is_longer = best.as_ref().is_none_or(|(_, shortest)| property.len() < shortest.len());
        if property.starts_with(char::is_uppercase) && is_longer {
            best = Some((site, property));
        }
    }
    best
}

/// The variable that an Assign gives its own value.
pub(super) fn copies_itself(effects: &Effects<'_>) -> Option<VarId> {
    let guessed = effects.reads.iter().any(|read| read.guessed);
    let write = effects.writes.iter().find(|write| write.value == Written::Copy(write.variable))?;
    (!write.guessed && !guessed).then_some(write.variable)
}

/// Whether a provider activity is sure to name its outputs without a prefix.
pub(super) fn is_unprefixed(site: &ProviderSite<'_, '_>) -> bool {
    site.outputs.prefix == Prefix::Static("")
}

/// The outputs of a provider activity whose loss is worth telling, with the variables that differ
/// in case alone.
pub(super) fn is_worth_telling(origin: Origin) -> bool {
    origin != Origin::Default
}

/// Where a related read is shown, without repeating one place.
pub(super) fn other_reads<'r>(reads: &[&'r Read], first: NodeId) -> impl Iterator<Item = &'r Read> {
    const MOST: usize = 10;
    reads.iter().copied().skip(1).filter(move |read| read.node != first).take(MOST).collect::<Vec<_>>().into_iter()
}
