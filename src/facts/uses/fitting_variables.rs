//! Which one variable fits where a value is missing. What is left of a binding shows it, or the kind of the value and the
//! names of the variables do. Of two that fit, none does.

use std::collections::BTreeSet;

use crate::catalog::{self, ParameterKind, Purpose, Simulation};
use crate::facts::context::Context;
use crate::facts::provider_site::ProviderSite;
use crate::facts::security::masked::masked_variables;
use crate::facts::uses::known_variables::{Detail, KnownVariables, Names};
use crate::facts::uses::used_variables::uses_itself;
use crate::graph::{Analysis, Prefix, ProviderOutput, Receiver, Writer};
use crate::model::{Activity, ActivityKind, Binding, FILE_TYPE, Parameter};

/// The variable for a parameter that has no value.
pub fn variable_for_parameter<'a>(cx: &Context<'a>, site: &ProviderSite<'a, 'a>, name: &str) -> Option<&'a str> {
    let search = Search::new(cx, site.analysis, site.activity)?;
    let known = site.outputs.method.and_then(|method| method.parameter(name));
    let kind = known.and_then(|known| known.kind);
    let is_file = kind == Some(ParameterKind::File);
    let fits = |name: &&str| search.may_be(name, is_file) && !is_own_output(site, name);
    if let Some(left) = left_target(site, name) {
        return search.declared(left).filter(fits);
    }
    let mut found: Names<'a> = match (kind, known.and_then(|known| known.purpose)) {
        (Some(ParameterKind::Mail), _) => search.person_details(site, name, Detail::Mail),
        (Some(ParameterKind::PersonalId), _) => search.person_details(site, name, Detail::PersonalId),
        (_, Some(Purpose::PartyName)) => search.person_details(site, name, Detail::Name),
        (Some(ParameterKind::File), _) => search.known.files.clone(),
        (Some(ParameterKind::CaseId), _) => search.request_ids(site, name),
        (Some(ParameterKind::CaseJson), _) => search.case_texts(),
        _ => Names::new(),
    };
    if kind != Some(ParameterKind::CaseId) || found.is_empty() {
        found.extend(search.named_as(site, name));
    }
    found.retain(fits);
    if found.len() == 1 {
        return one(found);
    }
    // The editor lists what it was bound to.
    let mut listed = search.listed_without_use();
    listed.retain(|name| fits(name) && (found.contains(name) || found.is_empty() && lacks_one_value(site)));
    one(listed)
}

fn one<'a>(names: Names<'a>) -> Option<&'a str> {
    let mut names = names.into_iter();
    names.next().filter(|_| names.next().is_none())
}

/// The variable that a parameter or its copy names, although it is not bound.
fn left_target<'a>(site: &ProviderSite<'a, 'a>, name: &str) -> Option<&'a str> {
    let parameter = site.provider.parameter(name);
    let copy = match parameter {
        Some(parameter) => site.provider.copy(parameter),
        None => site.provider.all.get().into_iter().flatten().find(|copy| copy.name.value() == Some(name)),
    };
    let target = |binding: &Binding<'a>| {
        let named = binding.bound_to.value().filter(|name| !name.is_empty());
        let by_id = || site.analysis.scope.declarations.with_id(binding.bound_to_id.value()?)?.variable.name.value();
        named.or_else(by_id)
    };
    let binding = |parameter: &'a Parameter<'a>| parameter.value.get();
    parameter.and_then(binding).and_then(target).or_else(|| copy.and_then(binding).and_then(target))
}

fn is_own_output(site: &ProviderSite<'_, '_>, name: &str) -> bool {
    site.outputs.outputs.iter().any(|output| output.name == name)
}

/// Whether one required parameter of a call has no value, and all others have one.
fn lacks_one_value(site: &ProviderSite<'_, '_>) -> bool {
    let required = site.outputs.method.into_iter().flat_map(|method| &method.parameters).filter(|known| known.required);
    let is_empty = |known: &&catalog::Parameter| site.provider.parameter(&known.name).is_none_or(Parameter::is_empty);
    required.filter(is_empty).count() == 1
}

struct Search<'s, 'a> {
    cx: &'s Context<'a>,
    analysis: &'a Analysis<'a>,
    activity: &'a Activity<'a>,
    known: &'s KnownVariables<'a>,
}

impl<'s, 'a> Search<'s, 'a> {
    fn new(cx: &'s Context<'a>, analysis: &'a Analysis<'a>, activity: &'a Activity<'a>) -> Option<Self> {
        Some(Self { cx, analysis, activity, known: cx.known_variables(analysis)? })
    }

    fn declared(&self, name: &str) -> Option<&'a str> {
        self.analysis.scope.declarations.variable(name)?.variable.name.value()
    }

    /// Whether a variable gets a value from somewhere, and is of the type.
    fn may_be(&self, name: &str, is_file: bool) -> bool {
        let is_given = self.cx.usage.is_written(name) || self.analysis.scope.is_provided(name);
        is_given && self.known.files.contains(name) == is_file
    }

    /// Those named as the parameter, with the prefix or without.
    fn named_as(&self, site: &ProviderSite<'_, '_>, name: &str) -> Names<'a> {
        let prefix = if let Prefix::Static(prefix) = site.outputs.prefix { prefix } else { "" };
        [self.declared(name), self.declared(&format!("{prefix}{name}"))].into_iter().flatten().collect()
    }

    /// Those that hold a detail of a person: of the one whose other details the activity has, if names say who that is.
    fn person_details(&self, site: &ProviderSite<'_, '_>, parameter: &str, detail: Detail) -> Names<'a> {
        let owners = owners_beside(site, parameter);
        let known = self.known.named.get(detail as usize).into_iter().flatten();
        let named: Vec<&(&'a str, String)> = known.filter(|(name, _)| self.may_be(name, false)).collect();
        let of_owner = named.iter().filter(|(_, owner)| owners.contains(owner));
        let of_owner: Names<'a> = of_owner.map(|(name, _)| *name).collect();
        if !of_owner.is_empty() {
            return of_owner;
        }
        // Very many names end with `Name`.
        let named = named.iter().filter(|_| detail != Detail::Name).map(|(name, _)| *name);
        let used = self.known.used.get(detail as usize);
        let is_used = |name: &&str| used.is_some_and(|used| used.contains(name));
        let mail_fields = self.known.mail_fields.iter().filter(|_| detail == Detail::Mail);
        let others = used.into_iter().flatten().chain(mail_fields).copied();
        let found: Names<'a> = named.chain(others).filter(|name| !self.known.approvers.contains(name)).collect();
        // Whose detail it is must not contradict the others: the manager's address is not the signer's.
        let is_somebodys = owners.iter().any(|owner| !owner.is_empty());
        let is_of_another = |name: &&str| match detail.owner(name) {
            Some(owner) if !owner.is_empty() => is_somebodys || !owners.is_empty() && !self.known.filled.contains(name),
            // Another call asks somebody else there.
            _ => is_somebodys && is_used(name),
        };
        if found.iter().any(is_of_another) { Names::new() } else { found }
    }

    /// Those that receive the id of a request: with the prefix of the call, if there are such.
    fn request_ids(&self, site: &ProviderSite<'a, 'a>, parameter: &str) -> Names<'a> {
        let (mut same, mut all) = (Names::new(), Names::new());
        for request in ProviderSite::of(self.analysis).filter(|request| requests_signature(request)) {
            let is_id = |output: &&ProviderOutput<'_>| {
                output.property.eq_ignore_ascii_case(parameter) && output.receiver == Receiver::Variable
            };
            for name in request.outputs.outputs.iter().filter(is_id).filter_map(|output| self.declared(&output.name)) {
                all.insert(name);
                if request.outputs.prefix == site.outputs.prefix {
                    same.insert(name);
                }
            }
        }
        if same.is_empty() { all } else { same }
    }

    /// Those that hold a signing case as JSON.
    fn case_texts(&self) -> Names<'a> {
        let mut found = Names::new();
        for (activity, effects) in self.analysis.workflow.activities.iter().zip(&self.analysis.effects) {
            let is_case = matches!(&activity.kind, ActivityKind::Assign(assign)
                if assign.body.value().is_some_and(|body| body.contains("\"Parties\"")));
            let writes = effects.writes.own().iter().filter(|write| match write.by {
                Writer::Script => true,
                Writer::Assign => is_case,
                _ => false,
            });
            found.extend(writes.filter_map(|write| self.declared(self.analysis.names.name(write.variable))));
        }
        found
    }

    /// Whether some activity reads a variable.
    fn reads(&self, name: &str) -> bool {
        self.analysis.names.id(name).is_some_and(|id| self.known.read.contains(&id))
    }

    /// Those that `ownBoundVariables` lists, and the activity does not use.
    fn listed_without_use(&self) -> Names<'a> {
        let (analysis, activity) = (self.analysis, self.activity);
        let entries = activity.own_bound_variables.get().into_iter().flat_map(|entries| entries.iter());
        let is_unused = |name: &&str| {
            let may_use = || self.cx.used_variables(analysis).is_none_or(|used| used.uses(activity, name, &[]));
            !uses_itself(analysis, activity, name) && !may_use()
        };
        entries.filter_map(|(_, name)| self.declared(name?)).filter(is_unused).collect()
    }
}

fn requests_signature(site: &ProviderSite<'_, '_>) -> bool {
    let simulation = site.outputs.method.and_then(|method| method.simulation);
    matches!(simulation, Some(Simulation::SigningRequest | Simulation::SigningRequestJson))
}

/// Whose details the other parameters of a call have, as far as the names of their variables say it.
fn owners_beside(site: &ProviderSite<'_, '_>, parameter: &str) -> BTreeSet<String> {
    let others = site.outputs.method.into_iter().flat_map(|method| &method.parameters);
    let owner = |known: &catalog::Parameter| {
        let (_, variable) = site.provider.parameter(&known.name)?.value.get()?.target()?;
        Detail::of(known)?.owner(variable)
    };
    others.filter(|known| known.name != parameter).filter_map(owner).collect()
}

/// The variable that a Status publishes that has nothing to publish: what the activity before it writes for that.
pub fn variable_for_status<'a>(
    cx: &Context<'a>,
    analysis: &'a Analysis<'a>,
    activity: &'a Activity<'a>,
) -> Option<&'a str> {
    let workflow = analysis.workflow;
    let siblings = match activity.parent {
        Some(parent) => workflow.activity(parent)?.children(),
        None => workflow.roots.get()?,
    };
    let index = siblings.iter().position(|&id| id == activity.id)?.checked_sub(1)?;
    let search = Search::new(cx, analysis, activity)?;
    let name = match &workflow.activity(*siblings.get(index)?)?.kind {
        ActivityKind::Assign(assign) => {
            let (_, target) = assign.result.get()?.target()?;
            let is_text = !assign.body.value()?.trim_start().starts_with("{\"");
            let is_meant = is_text && (search.known.published.contains(target) || !search.reads(target));
            search.declared(target).filter(|_| is_meant)?
        }
        ActivityKind::Provider(_) => {
            let outputs = cx.config.catalog.status_outputs.iter();
            one(outputs.filter_map(|name| search.declared(name)).collect())?
        }
        _ => return None,
    };
    let is_private = masked_variables(cx).contains_key(name);
    (!is_private && analysis.scope.declarations.type_of(name) != Some(FILE_TYPE)).then_some(name)
}

/// The variable with the addresses of approvers: the mail output of a lookup in the directory, never what a person who
/// orders chooses.
pub fn variable_for_approvers<'a>(
    cx: &Context<'a>,
    analysis: &'a Analysis<'a>,
    activity: &'a Activity<'a>,
) -> Option<&'a str> {
    let search = Search::new(cx, analysis, activity)?;
    let filled = &search.known.filled;
    let (mut found, mut chosen) = (Names::new(), filled.clone());
    for lookup in ProviderSite::of(analysis).filter(|lookup| lookup.activity.id < activity.id) {
        let names = if names_approvers(&lookup, filled) { &mut found } else { &mut chosen };
        for output in lookup.outputs.outputs.iter().filter(|output| output.receiver == Receiver::Variable) {
            let is_mail = Detail::Mail.owner(output.property).is_some_and(|owner| owner.is_empty());
            names.extend(search.declared(&output.name).filter(|_| is_mail));
        }
    }
    // Two lookups may write one variable.
    found.retain(|name| !chosen.contains(name));
    one(found)
}

/// Whether a lookup finds people whom a person who orders does not choose: the members of a group or a user that the
/// workflow names, or a manager.
fn names_approvers(lookup: &ProviderSite<'_, '_>, filled: &Names<'_>) -> bool {
    let Some(method) = lookup.outputs.method else { return false };
    let identity = method.parameter_of_kind(ParameterKind::Identity).map(|known| known.name.as_str());
    let identity = identity.and_then(|name| lookup.provider.parameter(name)).and_then(|given| given.value.get());
    let variable = identity.and_then(|identity| identity.target()).map(|(_, name)| name);
    match method.simulation {
        Some(Simulation::Manager) => true,
        Some(Simulation::GroupMembers) => variable.is_none_or(|name| !filled.contains(name)),
        Some(Simulation::User) => variable.is_none(),
        _ => false,
    }
}
