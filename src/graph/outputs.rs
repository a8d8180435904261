//! The outputs of provider activities, and the variables that receive them (docs/platform.md, Outputs;
//! docs/concepts.md, Outputs).

use super::scope::{Resolution, Scope};
use crate::catalog::{Method, Output, ParameterKind};
use crate::common::collections::HashSet;
use crate::document::{Document, NodeId};
use crate::model::{Literal, Parameter, Provider, State};

/// The prefix of the names of outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prefix<'p> {
    /// A static value, possibly empty.
    Static(&'p str),
    /// Bound to a variable, or not readable.
    Dynamic,
}

/// Why an activity has an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The method always writes it.
    Fixed,
    /// It is an entry of a parameter such as `Property`, or what the method returns where that has no entries.
    Requested,
    /// The method adds it to the requested ones.
    Default,
}

/// One output of a provider activity; some methods give no prefix to some of theirs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderOutput<'p> {
    /// The name without prefix.
    pub property: &'p str,
    /// The name with prefix.
    pub name: String,
    pub origin: Origin,
    /// Whether it is the status of a case.
    pub is_status: bool,
    pub receiver: Receiver<'p>,
}

/// The variable that receives an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Receiver<'p> {
    /// The variable with exactly this name.
    Variable,
    /// No variable has this name, but one differs from it only in case.
    OtherCase(&'p str),
    /// No variable: the value is lost.
    Missing,
    /// The declarations are missing or incomplete.
    Unknown,
}

/// All outputs of a provider activity but the common ones.
#[derive(Debug, Clone)]
pub struct ProviderOutputs<'p> {
    /// `None` if no catalog has it.
    pub method: Option<&'p Method>,
    pub prefix: Prefix<'p>,
    /// The static value of the prefix, or its binding if there is none.
    pub prefix_node: Option<NodeId>,
    pub outputs: Vec<ProviderOutput<'p>>,
    /// If not all outputs are known: it may write every variable whose name starts with this prefix.
    pub may_write: Option<&'p str>,
    /// Whether they are unknown because too many are requested.
    pub are_too_many: bool,
}

impl<'p> ProviderOutputs<'p> {
    pub fn new(scope: &Scope<'p>, provider: &Provider<'p>, budget: &mut RequestBudget) -> Self {
        let method = provider.method.value().and_then(|name| scope.config.catalog.method(name));
        let prefix_name = method.map_or(Some("Prefix"), |method| {
            method.parameter_of_kind(ParameterKind::Prefix).map(|parameter| parameter.name.as_str())
        });
        let prefix_parameter = prefix_name.and_then(|name| find(scope, provider, method, name));
        let (mut prefix, prefix_node) = read_prefix(prefix_parameter);
        // Which of two values counts is not documented.
        if prefix_name.is_some_and(|name| provider.is_ambiguous(name)) {
            prefix = Prefix::Dynamic;
        }
        let static_prefix = if let Prefix::Static(prefix) = prefix { prefix } else { "" };
        let mut outputs =
            Self { method, prefix, prefix_node, outputs: Vec::new(), may_write: None, are_too_many: false };
        let mut known = HashSet::default();
        let is_dynamic = prefix == Prefix::Dynamic;
        match method {
            _ if !provider.lists_are_known() => outputs.may_write = Some(""),
            None => outputs.may_write = Some(static_prefix),
            Some(method) => {
                let open_prefix = if method.open_prefixed == Some(false) { "" } else { static_prefix };
                outputs.may_write = (method.has_open_outputs() || is_dynamic).then_some(open_prefix);
                for output in method.outputs.iter().filter(|output| !(is_dynamic && output.is_prefixed())) {
                    outputs.add(scope, provider, output, static_prefix, &mut known, budget);
                }
            }
        }
        outputs.outputs.shrink_to_fit();
        outputs
    }

    /// `known` are the properties of the outputs so far.
    fn add(
        &mut self,
        scope: &Scope<'p>,
        provider: &Provider<'p>,
        output: &'p Output,
        prefix: &'p str,
        known: &mut HashSet<&'p str>,
        budget: &mut RequestBudget,
    ) {
        let is_status = !output.statuses.is_empty();
        let prefix = if output.is_prefixed() { prefix } else { "" };
        if let Some(name) = output.name.as_deref().filter(|name| known.insert(name)) {
            self.push(scope, prefix, name, Origin::Fixed, is_status);
        }
        let Some(list) = &output.per_entry_of else { return };
        match properties(find(scope, provider, self.method, list)) {
            None => self.may_write = Some(prefix),
            Some(requested) if !budget.take(&requested, prefix) => {
                self.may_write = Some(prefix);
                self.are_too_many = true;
            }
            Some(requested) => {
                for &property in requested.iter().filter(|&&property| known.insert(property)) {
                    self.push(scope, prefix, property, Origin::Requested, is_status);
                }
                let origin = if requested.is_empty() { Origin::Requested } else { Origin::Default };
                for default in output.default.iter().filter(|default| known.insert(default.as_str())) {
                    self.push(scope, prefix, default, origin, is_status);
                }
            }
        }
    }

    fn push(&mut self, scope: &Scope<'p>, prefix: &str, property: &'p str, origin: Origin, is_status: bool) {
        let prefix = if scope.config.catalog.is_common_output(property) { "" } else { prefix };
        let name = format!("{prefix}{property}");
        let receiver = receiver(scope, &name);
        self.outputs.push(ProviderOutput { property, name, origin, is_status, receiver });
    }
}

/// The parameter with this name, or one with a mistyped name, which WF204 reports: the activity then has the outputs
/// that were meant.
fn find<'s, 'p>(
    scope: &Scope<'p>,
    provider: &'s Provider<'p>,
    method: Option<&Method>,
    name: &str,
) -> Option<&'s Parameter<'p>> {
    provider.parameter(name).or_else(|| {
        provider.declared().find(|parameter| {
            parameter.name.value().is_some_and(|other| {
                method.is_some_and(|method| method.parameter(other).is_none())
                    && scope.suggester.nearest(other, [name]).is_some()
            })
        })
    })
}

fn read_prefix<'p>(parameter: Option<&Parameter<'p>>) -> (Prefix<'p>, Option<NodeId>) {
    let Some(parameter) = parameter else { return (Prefix::Static(""), None) };
    let Some(binding) = parameter.value.get() else {
        let prefix = if parameter.value.is_absent() { Prefix::Static("") } else { Prefix::Dynamic };
        return (prefix, None);
    };
    let node = binding.value.node().unwrap_or(binding.node);
    // WF105 reports a value that `notSet` hides; it is the prefix that was meant.
    let is_hidden = |value: &Literal<'_>| binding.state.value() == Some(State::NotSet) && !value.is_empty();
    let hidden = binding.value.value().filter(is_hidden);
    match binding.literal().map(|(_, literal)| literal).or(hidden) {
        Some(Literal::Text(text)) => (Prefix::Static(text), Some(node)),
        // WF105 reports a static null, and a literal that is missing; which prefix was meant is not known.
        Some(Literal::Null) => (Prefix::Dynamic, Some(node)),
        _ if binding.lacks_literal() => (Prefix::Dynamic, Some(node)),
        _ if binding.is_empty() => (Prefix::Static(""), Some(node)),
        _ => (Prefix::Dynamic, Some(node)),
    }
}

/// What the requested outputs of any workflow may cost. The names in a list are short, but each of them is a variable,
/// with a prefix that may be long.
const MIN_REQUESTED: usize = 1 << 20;
/// Bytes of the document for each further unit.
const BYTES_PER_REQUESTED: usize = 2;
/// What an output costs beyond the bytes of its name.
const COST_OF_OUTPUT: usize = 100;

/// What the requested outputs of a workflow may still cost.
#[derive(Debug)]
pub struct RequestBudget(usize);

impl RequestBudget {
    pub fn new(document: &Document) -> Self {
        Self(MIN_REQUESTED + document.span(document.root()).range().len() / BYTES_PER_REQUESTED)
    }

    /// Returns whether it suffices for the outputs of one more call.
    fn take(&mut self, requested: &[&str], prefix: &str) -> bool {
        let cost = requested.iter().map(|property| COST_OF_OUTPUT + prefix.len() + property.len()).sum();
        let left = self.0.checked_sub(cost);
        self.0 = left.unwrap_or(self.0);
        left.is_some()
    }
}

/// The entries of a parameter such as `Property`; `None` if they are unknown: the value is bound, hidden, not a string,
/// or contains what may be a pattern. Only a comma separates entries.
pub fn properties<'p>(parameter: Option<&Parameter<'p>>) -> Option<Vec<&'p str>> {
    let Some(binding) = parameter.and_then(|parameter| parameter.value.get()) else {
        return parameter.is_none_or(|parameter| parameter.value.is_absent()).then(Vec::new);
    };
    let has_no_value = binding.value.value().is_none_or(|value| value.is_empty());
    if binding.is_empty() && has_no_value && binding.state.value() != Some(State::Static) {
        return Some(Vec::new());
    }
    let (_, text) = binding.literal_text()?;
    let names: Vec<&str> = text.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    let is_entry = |letter: char| letter.is_alphanumeric() || letter.is_whitespace() || "_-.;|/".contains(letter);
    names.iter().all(|name| name.chars().all(is_entry)).then_some(names)
}

fn receiver<'p>(scope: &Scope<'p>, name: &str) -> Receiver<'p> {
    match scope.resolve(name) {
        Resolution::Declared(_) | Resolution::System => Receiver::Variable,
        Resolution::Unknown => Receiver::Unknown,
        Resolution::Undefined(_) => {
            let other_case = scope.declarations.in_other_case(name);
            other_case.map_or(Receiver::Missing, Receiver::OtherCase)
        }
    }
}
