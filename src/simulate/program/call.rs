//! Provider: the method that is called, and where its parameters come from.

use std::sync::Arc;

use super::context::Context;
use super::source::{Readable, Source, Target};
use crate::catalog::{Method, ParameterKind};
use crate::document::NodeId;
use crate::model::{self, DECLARED_PARAMETERS, Provider};
use crate::simulate::variables::Slot;

#[derive(Debug)]
pub struct Call<'p> {
    pub provider: &'p Provider<'p>,
    /// The name of the method.
    pub name: &'p str,
    /// The number of the method.
    pub number: usize,
    /// As the catalog has it.
    pub method: Option<&'p Method>,
    pub parameters: Vec<Parameter<'p>>,
    /// The variables of outputs, where the prefix is known before the call.
    outputs: Vec<(&'p str, Option<Slot>)>,
    /// The target that gets whether the call succeeded.
    pub result: Target<'p>,
    /// The value of the common outputs if the call succeeds.
    pub completed: Arc<str>,
}

#[derive(Debug)]
pub struct Parameter<'p> {
    pub name: &'p str,
    pub source: Source<'p>,
    /// The literal, or the binding.
    pub node: NodeId,
}

impl<'p> Call<'p> {
    pub(super) fn of(provider: &'p Provider<'p>, context: &Context<'_, 'p>) -> Readable<Self> {
        let name = provider.method.value().ok_or("method")?;
        if !provider.lists_are_known() {
            return Err(DECLARED_PARAMETERS);
        }
        let method = context.config.catalog.method(name);
        let parameters = provider.parameters().filter_map(|parameter| {
            let source = Source::of(&parameter.value, context.names);
            Some(Parameter { name: parameter.name.value()?, source, node: value_node(parameter) })
        });
        let parameters: Vec<Parameter<'_>> = parameters.collect();
        Ok(Self {
            provider,
            name,
            number: context.methods.binary_search(&name).unwrap_or_default(),
            outputs: method.map(|method| outputs(method, &parameters, context)).unwrap_or_default(),
            method,
            parameters,
            result: Target::of(provider.result.get(), context.names),
            completed: format!("{name}: completed").into(),
        })
    }
}

impl Call<'_> {
    /// The variable of an output; `None` when the prefix is only known in the call.
    pub fn output(&self, property: &str) -> Option<Option<Slot>> {
        self.outputs.iter().find(|(name, _)| *name == property).map(|(_, slot)| *slot)
    }
}

/// The outputs that the catalog names, with their variables.
fn outputs<'p>(
    method: &'p Method,
    parameters: &[Parameter<'p>],
    context: &Context<'_, 'p>,
) -> Vec<(&'p str, Option<Slot>)> {
    let prefix = method.parameter_of_kind(ParameterKind::Prefix).map(|prefix| prefix.name.as_str());
    let mut given = parameters.iter().filter(|parameter| Some(parameter.name) == prefix).map(|it| it.source);
    let prefix = match (given.next(), given.next()) {
        (None | Some(Source::Nothing), None) => "",
        (Some(Source::Text(text)), None) => text,
        _ => return Vec::new(),
    };
    let names = method.outputs.iter().filter_map(|output| output.name.as_deref());
    names.map(|name| (name, context.names.slot(&context.config.catalog.output_variable(prefix, name)))).collect()
}

fn value_node(parameter: &model::Parameter<'_>) -> NodeId {
    let Some(binding) = parameter.value.get() else { return parameter.node };
    binding.literal().map_or(binding.node, |(node, _)| node)
}
