//! Provider: the method that is called, and where its parameters come from.

use std::sync::Arc;

use super::context::Context;
use super::source::{Readable, Source, Target};
use crate::catalog::Method;
use crate::document::NodeId;
use crate::model::{self, DECLARED_PARAMETERS, Provider};

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
    /// What gets whether it succeeded.
    pub result: Target<'p>,
    /// What the common outputs get when it succeeds.
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
        let parameters = provider.parameters().filter_map(|parameter| {
            let source = Source::of(&parameter.value, context.names);
            Some(Parameter { name: parameter.name.value()?, source, node: value_node(parameter) })
        });
        Ok(Self {
            provider,
            name,
            number: context.methods.binary_search(&name).unwrap_or_default(),
            method: context.config.catalog.method(name),
            parameters: parameters.collect(),
            result: Target::of(provider.result.get(), context.names),
            completed: format!("{name}: completed").into(),
        })
    }
}

fn value_node(parameter: &model::Parameter<'_>) -> NodeId {
    let Some(binding) = parameter.value.get() else { return parameter.node };
    binding.literal().map_or(binding.node, |(node, _)| node)
}
