//! Variables that are read although nothing writes them, and lookups that could write them if they requested a property.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;

use crate::common::collections::{HashMap, HashSet, PrefixMap};
use crate::facts::provider_site::ProviderSite;
use crate::facts::service::AnalyzedService;
use crate::graph::{Analysis, Prefix, Read, Resolution, VarId};
use crate::text::diagnostic::FileId;

/// A variable that is read although nothing writes it.
pub struct Unwritten<'a> {
    pub analysis: &'a Analysis<'a>,
    pub variable: VarId,
    /// In the order of the document.
    pub reads: Vec<&'a Read>,
}

impl Unwritten<'_> {
    pub fn name(&self) -> &str {
        self.analysis.names.name(self.variable)
    }
}

/// The variables of all workflows that are read although nothing writes them. A lost output that most likely was
/// meant for one of them does not write it.
pub fn unwritten_variables<'a>(service: &'a AnalyzedService<'a>) -> Vec<Unwritten<'a>> {
    let mut found = Vec::new();
    let guessed: HashSet<&str> = service
        .workflows
        .iter()
        .flat_map(|analysis| analysis.mistyped.iter().map(|mistyped| analysis.names.name(mistyped.variable)))
        .collect();
    for analysis in service.workflows.iter().filter(|analysis| analysis.scope.declarations.are_there) {
        let is_written = |name: &str| {
            (service.usage.is_written(name) && !guessed.contains(name)) || analysis.scope.is_provided(name)
        };
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
        let mut variables: BTreeMap<VarId, Unwritten<'_>> = BTreeMap::new();
        for effects in &analysis.effects {
            let is_unwritten = |read: &&Read| !read.guessed && unwritten.contains(read.variable.0 as usize);
            for read in effects.reads.iter().filter(is_unwritten) {
                let variable = read.variable;
                let new = || Unwritten { analysis, variable, reads: Vec::new() };
                variables.entry(variable).or_insert_with(new).reads.push(read);
            }
        }
        found.extend(variables.into_values());
    }
    found
}

/// The lookups of each workflow that request properties, by their prefix; of equal ones the first.
pub struct PropertyLookups<'a>(HashMap<FileId, PrefixMap<Option<ProviderSite<'a, 'a>>>>);

impl<'a> PropertyLookups<'a> {
    pub fn of(service: &'a AnalyzedService<'a>) -> Self {
        let mut lookups: HashMap<FileId, PrefixMap<Option<ProviderSite<'a, 'a>>>> = HashMap::default();
        for site in service.providers() {
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
    pub fn unrequested<'n>(&self, file: FileId, name: &'n str) -> Option<(&ProviderSite<'a, 'a>, &'n str)> {
        self.0.get(&file)?.prefixes(name).rev().find_map(|(prefix, site)| {
            let property = name.strip_prefix(prefix)?;
            Some((site.as_ref()?, property)).filter(|_| property.starts_with(char::is_uppercase))
        })
    }
}
