//! A provider activity with its method and parameters.

use crate::catalog::{self, Method, ParameterKind, ValueType};
use crate::common::collections::HashMap;
use crate::document::NodeId;
use crate::facts::place::Place;
use crate::graph::{Analysis, ProviderOutput, ProviderOutputs, Receiver};
use crate::model::{Activity, ActivityId, Literal, Parameter, Provider};

/// A provider activity with what is known of its method and its outputs.
pub struct ProviderSite<'c, 'a> {
    pub analysis: &'c Analysis<'a>,
    pub activity: &'c Activity<'a>,
    pub provider: &'c Provider<'a>,
    pub outputs: &'c ProviderOutputs<'a>,
}

impl<'c, 'a> ProviderSite<'c, 'a> {
    /// Every provider activity of a workflow.
    pub fn of(analysis: &'c Analysis<'a>) -> impl Iterator<Item = Self> {
        analysis.workflow.activities.iter().filter_map(|activity| Self::of_activity(analysis, activity.id))
    }

    /// That of an activity.
    pub fn of_activity(analysis: &'c Analysis<'a>, id: ActivityId) -> Option<Self> {
        let (activity, effects) = (analysis.workflow.activity(id)?, analysis.effects(id)?);
        Some(Self { analysis, activity, provider: activity.provider()?, outputs: effects.provider.as_deref()? })
    }

    pub const fn at(&self, node: NodeId) -> Place {
        Place::value(self.analysis.file, node)
    }

    /// Whether another prefix would change the name of an output.
    pub fn prefixes(&self, output: &str) -> bool {
        self.outputs.method.is_none_or(|method| method.prefixes(output))
    }

    /// Where outputs are named: the prefix's literal, or the activity if it has none.
    pub fn prefix_place(&self) -> Place {
        self.at(self.outputs.prefix_node.unwrap_or(self.activity.node))
    }
}

/// Whether a call returns an output of this name that no variable receives: what uses the name is right then, and the
/// declaration of the variable is missing, or has another name.
pub fn is_lost_output(analysis: &Analysis<'_>, name: &str) -> bool {
    let is_lost = |output: &ProviderOutput<'_>| output.name == name && output.receiver == Receiver::Missing;
    ProviderSite::of(analysis).any(|site| site.outputs.outputs.iter().any(is_lost))
}

/// The bindings of a provider's parameters, each with the parameter's name.
pub fn named_parameters<'p, 'a>(provider: &'p Provider<'a>) -> impl Iterator<Item = (&'a str, &'p Parameter<'a>)> {
    provider.parameters().filter_map(|parameter| Some((parameter.name.value()?, parameter)))
}

/// The parameters whose name an earlier one has, each after the first of that name.
pub fn repeated_parameters<'p, 'a>(provider: &'p Provider<'a>) -> impl Iterator<Item = [&'p Parameter<'a>; 2]> {
    let mut first = HashMap::default();
    let parameters = provider.repeats_names().then(|| named_parameters(provider)).into_iter().flatten();
    parameters.filter_map(move |(name, parameter)| {
        let first = *first.entry(name).or_insert(parameter);
        (!std::ptr::eq(first, parameter)).then_some([first, parameter])
    })
}

/// The parameters that the catalog describes, each with its description; a repeated one each time.
pub fn described_parameters<'s, 'a>(
    site: &'s ProviderSite<'_, 'a>,
) -> impl Iterator<Item = (&'s Parameter<'a>, &'a catalog::Parameter)> {
    let method = site.outputs.method;
    site.provider.parameters().filter_map(move |parameter| {
        let known = method?.parameter(parameter.name.value()?)?;
        Some((parameter, known))
    })
}

/// The parameters that the catalog describes as of a kind, each with its description. Of several with one name only the
/// first counts, as if the others were not there.
pub fn parameters_of_kind<'s, 'a>(
    site: &'s ProviderSite<'_, 'a>,
    kind: ParameterKind,
) -> impl Iterator<Item = (&'s Parameter<'a>, &'a catalog::Parameter)> {
    // Most methods have none of the kind.
    let has_some = site.outputs.method.is_some_and(|method| method.parameter_of_kind(kind).is_some());
    let described = has_some.then(|| described_parameters(site)).into_iter().flatten();
    described.filter(move |(_, known)| known.kind == Some(kind)).filter(|(parameter, known)| {
        site.provider.parameter(&known.name).is_some_and(|first| first.node == parameter.node)
    })
}

/// A literal value of a parameter.
pub struct LiteralValue<'a> {
    /// The parameter's name.
    pub name: &'a str,
    /// The value, which is where findings about it point.
    pub node: NodeId,
    pub literal: Literal<'a>,
    /// Whether the literal and the type that the document gives the parameter are of the catalog's type.
    pub has_its_type: bool,
}

impl<'a> LiteralValue<'a> {
    /// As a string; a number or a boolean as it is written.
    pub const fn text(&self) -> Option<&'a str> {
        match self.literal {
            Literal::Text(text) | Literal::Number(text) => Some(text),
            Literal::Boolean(true) => Some("true"),
            Literal::Boolean(false) => Some("false"),
            Literal::Null => None,
        }
    }
}

/// The literal values, but empty ones, of the parameters of a kind.
pub fn literals<'s, 'a>(
    site: &'s ProviderSite<'_, 'a>,
    kind: ParameterKind,
) -> impl Iterator<Item = LiteralValue<'a>> + use<'s, 'a> {
    parameters_of_kind(site, kind).filter_map(|(parameter, known)| {
        let (node, literal) = parameter.value.get()?.literal().filter(|(_, literal)| !literal.is_empty())?;
        Some(LiteralValue { name: &known.name, node, literal, has_its_type: has_its_type(parameter, known) })
    })
}

/// The declared parameters whose name the method does not have.
pub fn unknown_parameters<'s, 'a>(
    site: &'s ProviderSite<'_, 'a>,
    method: &'s Method,
) -> impl Iterator<Item = &'s Parameter<'a>> {
    site.provider
        .declared()
        .filter(move |parameter| parameter.name.value().is_some_and(|name| method.parameter(name).is_none()))
}

/// Whether the type that the document gives a parameter, and its literal, are of the type that the method takes.
pub fn has_its_type(parameter: &Parameter<'_>, known: &catalog::Parameter) -> bool {
    let Some(wanted) = known.value_type else { return true };
    let names_another = parameter.value_type.value().is_some_and(|written| written != wanted.word());
    let literal = parameter.value.get().and_then(|binding| binding.literal());
    !names_another && literal.is_none_or(|(_, literal)| literal.is_empty() || fits(literal, wanted))
}

/// Whether a literal is of a type. A number may be written as a string (docs/concepts.md, Parameters).
pub fn fits(literal: Literal<'_>, wanted: ValueType) -> bool {
    match (wanted, literal) {
        (ValueType::String, _) | (ValueType::Boolean, Literal::Boolean(_)) => true,
        (ValueType::Decimal, _) => literal.as_number().is_some_and(f64::is_finite),
        (ValueType::Boolean, _) => false,
    }
}
