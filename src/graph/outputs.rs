//! What provider activities write: prefix and output name (reference, Output variables of provider
//! activities; docs/concepts.md, Outputs).

use super::scope::{Resolution, Scope};
use crate::catalog::{Method, Output, ParameterKind};
use crate::collections::HashSet;
use crate::document::NodeId;
use crate::model::{Literal, Parameter, Provider, State};

/// What the name of a provider's outputs begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prefix<'p> {
    /// A literal text, possibly empty.
    Static(&'p str),
    /// It comes from a variable, or cannot be read.
    Dynamic,
}

/// Where an output comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The method always writes it.
    Fixed,
    /// The activity asks for it.
    Requested,
    /// The method writes it although the activity does not ask for it.
    Default,
}

/// One output of a provider activity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderOutput<'p> {
    /// The name without the prefix.
    pub property: &'p str,
    /// The name with the prefix.
    pub name: String,
    /// Where it comes from.
    pub origin: Origin,
    /// Whether it is the status of a case.
    pub is_status: bool,
    /// The variable that receives it.
    pub receiver: Receiver<'p>,
}

/// The variable that receives an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Receiver<'p> {
    /// The variable of exactly this name.
    Variable,
    /// None has this name; one differs in case alone.
    OtherCase(&'p str),
    /// None: the value is lost.
    Nobody,
    /// There is no list of variables, or one that cannot be read whole.
    NotKnown,
}

/// Everything that a provider activity writes, apart from the common outputs.
#[derive(Debug, Clone)]
pub struct ProviderOutputs<'p> {
    /// The method, if a catalogue has it.
    pub method: Option<&'p Method>,
    /// The prefix.
    pub prefix: Prefix<'p>,
    /// The literal that gives the prefix, else the binding that should.
    pub prefix_node: Option<NodeId>,
    /// The outputs that are known.
    pub outputs: Vec<ProviderOutput<'p>>,
    /// It may write every variable whose name begins so.
    pub may_write: Option<&'p str>,
    names: HashSet<String>,
}

impl<'p> ProviderOutputs<'p> {
    /// The outputs of an activity.
    pub fn new(scope: &Scope<'p>, provider: &Provider<'p>) -> Self {
        let method = provider.method.value().and_then(|name| scope.config.catalog.method(name));
        let prefix_name = method.map_or(Some("Prefix"), |method| {
            method.parameter_of_kind(ParameterKind::Prefix).map(|parameter| parameter.name.as_str())
        });
        let prefix_parameter = prefix_name.and_then(|name| find(scope, provider, method, name));
        let (mut prefix, prefix_node) = read_prefix(prefix_parameter);
        if prefix_name.is_some_and(|name| provider.repeats(name)) {
            prefix = Prefix::Dynamic;
        }
        let beginning = if let Prefix::Static(prefix) = prefix { prefix } else { "" };
        let mut found =
            Self { method, prefix, prefix_node, outputs: Vec::new(), may_write: None, names: HashSet::default() };
        match method {
            _ if !provider.lists_are_known() || prefix == Prefix::Dynamic => found.may_write = Some(""),
            None => found.may_write = Some(beginning),
            Some(method) => {
                for output in &method.outputs {
                    found.add(scope, provider, output, beginning);
                }
            }
        }
        found
    }

    fn add(&mut self, scope: &Scope<'p>, provider: &Provider<'p>, output: &'p Output, prefix: &'p str) {
        let is_status = !output.statuses.is_empty();
        if let Some(name) = &output.name {
            self.push(scope, prefix, name, Origin::Fixed, is_status);
        }
        let Some(list) = &output.per_entry_of else { return };
        match properties(find(scope, provider, self.method, list)) {
            None => self.may_write = Some(prefix),
            Some(requested) => {
                for &property in &requested {
                    self.push(scope, prefix, property, Origin::Requested, is_status);
                }
                for default in output.default.iter().filter(|default| !requested.contains(&default.as_str())) {
                    self.push(scope, prefix, default, Origin::Default, is_status);
                }
            }
        }
    }

    fn push(&mut self, scope: &Scope<'p>, prefix: &str, property: &'p str, origin: Origin, is_status: bool) {
        let name = format!("{prefix}{property}");
        if !self.names.insert(name.clone()) {
            return;
        }
        let receiver = receiver(scope, &name);
        self.outputs.push(ProviderOutput { property, name, origin, is_status, receiver });
    }
}

/// The parameter of this name; where there is none, one that the method does not have and whose
/// name is a slip for it (told by WF204), so that the slip is told once.
fn find<'s, 'p>(
    scope: &Scope<'p>,
    provider: &'s Provider<'p>,
    method: Option<&Method>,
    name: &str,
) -> Option<&'s Parameter<'p>> {
    provider.parameter(name).or_else(|| {
        provider.declared().find(|parameter| {
            parameter.name.value().is_some_and(|written| {
                method.is_some_and(|method| method.parameter(written).is_none())
                    && scope.suggester.nearest(written, [name]).is_some()
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
    // A text that `notSet` hides is told (WF105); it is what the author means.
    let hidden = binding.value.value().filter(|_| binding.state.value() == Some(State::NotSet));
    match binding.literal().map(|(_, literal)| literal).or(hidden) {
        Some(Literal::Text(text)) => (Prefix::Static(text), Some(node)),
        _ if binding.is_empty() => (Prefix::Static(""), Some(node)),
        _ => (Prefix::Dynamic, Some(node)),
    }
}

/// The names that a property list gives; `None` when they cannot be known: the value is bound, is
/// hidden or no text, or holds more than names between commas.
pub fn properties<'p>(parameter: Option<&Parameter<'p>>) -> Option<Vec<&'p str>> {
    let Some(binding) = parameter.and_then(|parameter| parameter.value.get()) else {
        return parameter.is_none_or(|parameter| parameter.value.is_absent()).then(Vec::new);
    };
    let says_nothing = binding.value.value().is_none_or(|value| value.is_empty());
    if binding.is_empty() && says_nothing && binding.state.value() != Some(State::Static) {
        return Some(Vec::new());
    }
    let (_, text) = binding.literal_text()?;
    let names: Vec<&str> = text.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    let is_name = |name: &&str| name.chars().all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '-');
    names.iter().all(is_name).then_some(names)
}

fn receiver<'p>(scope: &Scope<'p>, name: &str) -> Receiver<'p> {
    match scope.resolve(name) {
        Resolution::Declared(_) | Resolution::System => Receiver::Variable,
        Resolution::NotKnown => Receiver::NotKnown,
        Resolution::Unknown(_) => {
            let other_case = scope.in_other_case(name);
            other_case.map_or(Receiver::Nobody, Receiver::OtherCase)
        }
    }
}
