//! A provider activity, and its parameters as the catalog describes them.

use crate::catalog::{self, Method, ParameterKind};
use crate::document::NodeId;
use crate::graph::{Analysis, ProviderOutputs};
use crate::model::{Activity, Literal, Parameter, Provider};

use super::parameter_type::has_its_type;
use super::place::Place;

/// A provider activity and all that rules ask of it.
pub struct ProviderSite<'c, 'a> {
    /// The workflow.
    pub analysis: &'c Analysis<'a>,
    /// The activity.
    pub activity: &'c Activity<'a>,
    /// Its Provider members.
    pub provider: &'c Provider<'a>,
    /// What it writes, and its method.
    pub outputs: &'c ProviderOutputs<'a>,
}

impl<'c, 'a> ProviderSite<'c, 'a> {
    /// Every provider activity of a workflow.
    pub fn of(analysis: &'c Analysis<'a>) -> impl Iterator<Item = Self> {
        analysis.workflow.activities.iter().zip(&analysis.effects).filter_map(move |(activity, effects)| {
            let provider = activity.provider()?;
            let outputs = effects.provider.as_deref()?;
            Some(Self { analysis, activity, provider, outputs })
        })
    }

    /// A place in the workflow's document.
    pub const fn at(&self, node: NodeId) -> Place {
        Place::value(self.analysis.file, node)
    }

    /// Where outputs are named: the prefix's literal, else the activity.
    pub fn prefix_place(&self) -> Place {
        self.at(self.outputs.prefix_node.unwrap_or(self.activity.node))
    }
}

/// The bindings of a provider's parameters, each with the parameter's name.
pub fn named_parameters<'p, 'a>(provider: &'p Provider<'a>) -> impl Iterator<Item = (&'a str, &'p Parameter<'a>)> {
    provider.parameters().filter_map(|parameter| Some((parameter.name.value()?, parameter)))
}

/// The parameters that the catalogue describes, each with its description; of two with one name
/// the first.
pub fn known_parameters<'s, 'a>(
    site: &'s ProviderSite<'_, 'a>,
) -> impl Iterator<Item = (&'s Parameter<'a>, &'a catalog::Parameter)> {
    let method = site.outputs.method;
    site.provider.parameters().filter_map(move |parameter| {
        let known = method?.parameter(parameter.name.value()?)?;
        let is_first =
            site.provider.parameter(parameter.name.value()?).is_some_and(|first| first.node == parameter.node);
        is_first.then_some((parameter, known))
    })
}

/// A literal value of a parameter.
pub struct LiteralValue<'a> {
    /// The parameter's name.
    pub name: &'a str,
    /// The literal.
    pub node: NodeId,
    /// What it is.
    pub literal: Literal<'a>,
}

impl<'a> LiteralValue<'a> {
    /// As text; a number, true or false as it is written.
    pub const fn text(&self) -> Option<&'a str> {
        match self.literal {
            Literal::Text(text) | Literal::Number(text) => Some(text),
            Literal::Boolean(true) => Some("true"),
            Literal::Boolean(false) => Some("false"),
            Literal::Null => None,
        }
    }
}

/// The literal values of the parameters of a kind: those that are not empty, and of the type that the
/// method takes (else WF205 tells it).
pub fn literals<'s, 'a>(
    site: &'s ProviderSite<'_, 'a>,
    kind: ParameterKind,
) -> impl Iterator<Item = LiteralValue<'a>> + use<'s, 'a> {
    known_parameters(site).filter(move |(_, known)| known.kind == Some(kind)).filter_map(|(parameter, known)| {
        let (node, literal) = parameter.value.get()?.literal()?;
        let is_judged = !literal.is_empty() && has_its_type(parameter, known);
        is_judged.then_some(LiteralValue { name: &known.name, node, literal })
    })
}

/// The declared parameters whose name the method does not have. One that says that it is
/// additional is in the wrong list, which is told by WF209.
pub fn unknown_parameters<'s, 'a>(
    site: &'s ProviderSite<'_, 'a>,
    method: &'s Method,
) -> impl Iterator<Item = &'s Parameter<'a>> {
    site.provider.declared().filter(move |parameter| {
        !parameter.is_additional.is_true()
            && parameter.name.value().is_some_and(|name| method.parameter(name).is_none())
    })
}
