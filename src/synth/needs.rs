//! How the values of variables are used, as far as the workflows show it.

use crate::catalog::{Method, ParameterKind, Purpose, ValueType};
use crate::common::collections::{HashMap, HashSet};
use crate::facts::{Context, mail_addresses, masked_variables, sinks_of_kind};
use crate::graph::Written;
use crate::model::{ActivityKind, Binding, Role};
use crate::synth::people::DOMAIN;

/// Bytes of the account of a made-up person; longer ones are never compared.
const MAX_ACCOUNT: usize = 24;

/// The kinds of parameters whose values have a form of their own, the most specific first.
const KINDS: [ParameterKind; 8] = [
    ParameterKind::PersonalId,
    ParameterKind::Mail,
    ParameterKind::Days,
    ParameterKind::Uri,
    ParameterKind::LdapFilter,
    ParameterKind::Identity,
    ParameterKind::CaseJson,
    ParameterKind::PropertyList,
];

/// The uses of the variables of a service.
pub struct Needs<'c> {
    kinds: HashMap<&'c str, ParameterKind>,
    types: HashMap<&'c str, ValueType>,
    /// A value that fits, where neither the kind nor the type says enough.
    examples: HashMap<&'c str, &'c str>,
    files: HashSet<&'c str>,
    masked: HashSet<&'c str>,
    /// The accounts of people in the documents, in lower case.
    accounts: HashSet<String>,
}

impl<'c> Needs<'c> {
    pub fn of(context: &'c Context<'_>) -> Self {
        let sources = sources(context);
        let mut kinds = HashMap::default();
        for kind in KINDS {
            let sinks = match kind {
                ParameterKind::PersonalId => context.personal_ids().keys().copied().collect::<Vec<_>>(),
                ParameterKind::Mail => {
                    let assignees = assignees(context).into_iter();
                    let mut assignees: HashMap<_, _> = assignees.map(|name| (name, kind)).collect();
                    spread(&mut assignees, &sources);
                    mail_addresses(context).into_keys().chain(assignees.into_keys()).collect()
                }
                _ => sinks_of_kind(context, kind).into_keys().collect(),
            };
            for variable in sinks {
                kinds.entry(variable).or_insert(kind);
            }
        }
        let mut needs = Self {
            kinds,
            types: HashMap::default(),
            examples: HashMap::default(),
            files: HashSet::default(),
            masked: HashSet::default(),
            accounts: context.files.iter().flat_map(|file| accounts(&file.source.text)).collect(),
        };
        needs.masked = masked_variables(context).into_keys().collect();
        needs.add_types(context);
        needs.add_durations(context);
        spread(&mut needs.types, &sources);
        spread(&mut needs.examples, &sources);
        let variables = context.variable_lists().flat_map(|(_, variables)| variables);
        needs.files = variables.filter(|variable| variable.is_file()).filter_map(|it| it.name.value()).collect();
        needs
    }

    fn add_types(&mut self, context: &'c Context<'_>) {
        for site in context.providers() {
            for parameter in site.provider.parameters() {
                let binding = parameter.value.get();
                let (Some(name), Some((_, variable))) =
                    (parameter.name.value(), binding.and_then(|binding| binding.target()))
                else {
                    continue;
                };
                let known = site.outputs.method.and_then(|method: &Method| method.parameter(name));
                let written = parameter.value_type.value();
                let own = [ValueType::Decimal, ValueType::Boolean].into_iter().find(|own| written == Some(own.word()));
                if let Some(value_type) = known.and_then(|known| known.value_type).or(own) {
                    self.types.entry(variable).or_insert(value_type);
                }
                let listed = known.and_then(|known| known.values.first()).map(String::as_str);
                // One level up, because a chain of managers is usually short.
                let is_depth = known.is_some_and(|known| known.purpose == Some(Purpose::ManagerDepth));
                if let Some(example) = listed.or(is_depth.then_some("1")) {
                    self.examples.entry(variable).or_insert(example);
                }
            }
        }
    }

    /// Delays, timeouts and reminders are numbers of seconds.
    fn add_durations(&mut self, context: &'c Context<'_>) {
        for (_, activity) in context.activities() {
            let (numbers, booleans): (Vec<_>, Vec<_>) = match &activity.kind {
                ActivityKind::While { delay, .. } => (vec![delay.unboxed()], Vec::new()),
                ActivityKind::Approval(approval) => (
                    vec![approval.settings().timeout.get(), approval.settings().remind_time.get()],
                    vec![approval.settings().notify.get(), approval.settings().remind.get()],
                ),
                _ => continue,
            };
            for (bindings, value_type) in [(numbers, ValueType::Decimal), (booleans, ValueType::Boolean)] {
                for (_, variable) in bindings.into_iter().flatten().filter_map(Binding::target) {
                    self.types.entry(variable).or_insert(value_type);
                }
            }
        }
    }

    pub fn kind(&self, variable: &str) -> Option<ParameterKind> {
        self.kinds.get(variable).copied()
    }

    pub fn value_type(&self, variable: &str) -> Option<ValueType> {
        self.types.get(variable).copied()
    }

    /// A value that fits.
    pub fn example(&self, variable: &str) -> Option<&'c str> {
        self.examples.get(variable).copied()
    }

    /// Whether the platform hides its value.
    pub fn is_masked(&self, variable: &str) -> bool {
        self.masked.contains(variable)
    }

    /// Whether a document has a person with this account, or with its mail address.
    pub fn has_account(&self, account: &str) -> bool {
        self.accounts.contains(account)
    }

    pub fn is_file(&self, variable: &str) -> bool {
        self.files.contains(variable)
    }
}

/// The accounts that are strings or parts of lists, alone or as mail addresses.
fn accounts(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(['"', '\'', '\\', ';', ',']).map(str::trim);
    let names = parts.map(|part| part.strip_suffix(DOMAIN).unwrap_or(part));
    names.filter(|name| !name.is_empty() && name.len() <= MAX_ACCOUNT).map(str::to_lowercase)
}

/// The variables that Assigns copy to each variable.
fn sources<'c>(context: &'c Context<'_>) -> HashMap<&'c str, Vec<&'c str>> {
    let mut sources: HashMap<&str, Vec<&str>> = HashMap::default();
    for analysis in &context.workflows {
        for write in analysis.effects.iter().flat_map(|effects| effects.writes.own()) {
            if let Written::Copy(from) = write.value {
                sources.entry(analysis.names.name(write.variable)).or_default().push(analysis.names.name(from));
            }
        }
    }
    sources
}

/// Carries the needs of copies over to the copied variables.
fn spread<'c, V: Copy>(known: &mut HashMap<&'c str, V>, sources: &HashMap<&'c str, Vec<&'c str>>) {
    let mut open: Vec<(&str, V)> = known.iter().map(|(name, value)| (*name, *value)).collect();
    open.sort_unstable_by_key(|(name, _)| *name);
    while let Some((name, value)) = open.pop() {
        for from in sources.get(name).into_iter().flatten() {
            if !known.contains_key(from) {
                known.insert(from, value);
                open.push((from, value));
            }
        }
    }
}

/// The variables that name the people of an Approval.
fn assignees<'c>(context: &'c Context<'_>) -> Vec<&'c str> {
    let mut found = Vec::new();
    context.bindings(|_, _, binding, role| {
        if let (Role::Assignee(_), Some((_, variable))) = (role, binding.target()) {
            found.push(variable);
        }
    });
    found
}
