//! `WF3`: outputs and data flow.

pub mod assigned_variables_disagree;
pub mod dead_assignment;
pub mod literal_placeholder;
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

use fixedbitset::FixedBitSet;

use crate::common::collections::{HashMap, HashSet, PrefixMap};
use crate::document::NodeId;
use crate::facts::{Context, ProviderSite};
use crate::graph::{Analysis, Prefix, Read, Resolution, VarId};
use crate::text::diagnostic::FileId;

/// A variable that is read although nothing writes it.
pub(in crate::rules) struct NeverWritten<'c, 'a> {
    pub(in crate::rules) analysis: &'c Analysis<'a>,
    pub(in crate::rules) variable: VarId,
    /// In the order of the document.
    pub(in crate::rules) reads: Vec<&'c Read>,
}

impl NeverWritten<'_, '_> {
    pub(in crate::rules) fn name(&self) -> &str {
        self.analysis.names.name(self.variable)
    }
}

/// The variables of all workflows that are read although nothing writes them. A lost output that most likely was
/// meant for one of them does not write it.
pub(in crate::rules) fn unwritten_variables<'c, 'a>(cx: &'c Context<'a>) -> Vec<NeverWritten<'c, 'a>> {
    let mut found = Vec::new();
    let guessed: HashSet<&str> = cx
        .workflows
        .iter()
        .flat_map(|analysis| analysis.mistyped.iter().map(|mistyped| analysis.names.name(mistyped.variable)))
        .collect();
    for analysis in cx.workflows.iter().filter(|analysis| analysis.scope.declarations.are_there) {
        let is_written =
            |name: &str| (cx.usage.is_written(name) && !guessed.contains(name)) || analysis.scope.is_provided(name);
        // What a variable whose name cannot be read has by its declaration is not known.
        let is_unclear = |name: &str| matches!(analysis.scope.resolve(name), Resolution::Unknown);
        let unwritten = analysis.names.ids().filter(|id| {
            let name = analysis.names.name(*id);
            !is_written(name) && !is_unclear(name)
        });
        let unwritten: FixedBitSet = unwritten.map(|id| id.0 as usize).collect();
        if unwritten.is_empty() {
            continue;
        }
        let mut variables: BTreeMap<VarId, NeverWritten<'_, '_>> = BTreeMap::new();
        for effects in &analysis.effects {
            let is_unwritten = |read: &&Read| !read.guessed && unwritten.contains(read.variable.0 as usize);
            for read in effects.reads.iter().filter(is_unwritten) {
                let variable = read.variable;
                let new = || NeverWritten { analysis, variable, reads: Vec::new() };
                variables.entry(variable).or_insert_with(new).reads.push(read);
            }
        }
        found.extend(variables.into_values());
    }
    found
}

/// The lookups of each workflow that request properties, by their prefix; of equal ones the first.
pub(in crate::rules) struct Lookups<'c, 'a>(HashMap<FileId, PrefixMap<Option<ProviderSite<'c, 'a>>>>);

impl<'c, 'a> Lookups<'c, 'a> {
    pub fn of(cx: &'c Context<'a>) -> Self {
        let mut lookups: HashMap<FileId, PrefixMap<Option<ProviderSite<'c, 'a>>>> = HashMap::default();
        for site in cx.providers() {
            let requests_properties = site
                .outputs
                .method
                .is_some_and(|method| method.outputs.iter().any(|output| output.per_entry_of.is_some()));
            if let Prefix::Static(prefix) = site.outputs.prefix
                && requests_properties
                && !prefix.is_empty()
            {
                lookups.entry(site.analysis.file).or_default().of(prefix).get_or_insert(site);
            }
        }
        Self(lookups)
    }

    /// The lookup with the longest prefix that begins a variable's name, and the rest of the name: a property that the
    /// lookup does not request.
    pub fn unrequested<'n>(&self, file: FileId, name: &'n str) -> Option<(&ProviderSite<'c, 'a>, &'n str)> {
        self.0.get(&file)?.prefixes(name).rev().find_map(|(prefix, site)| {
            let property = name.strip_prefix(prefix)?;
            Some((site.as_ref()?, property)).filter(|_| property.starts_with(char::is_uppercase))
        })
    }
}

/// The reads that a finding at the first one shows as related places.
pub(super) fn other_reads<'r>(reads: &[&'r Read], first: NodeId) -> impl Iterator<Item = &'r Read> {
    const MAX_SHOWN: usize = 10;
    reads.iter().copied().skip(1).filter(move |read| read.node != first).take(MAX_SHOWN).collect::<Vec<_>>().into_iter()
}
