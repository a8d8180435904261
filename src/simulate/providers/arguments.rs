//! What a provider call gets, checked as the platform would, and what it returns.

use std::borrow::Cow;
use std::sync::Arc;

use crate::catalog::{Method, ParameterKind, Purpose, ValueType};
use crate::common::collections::IndexMap;
use crate::document::NodeId;
use crate::model::{Activity, Provider};
use crate::simulate::program::Parameter;
use crate::simulate::run::Run;
use crate::simulate::strings::{Text, boolean, number, quote, quote_value};
use crate::simulate::trace::Stop;

/// A parameter's value in one call.
#[derive(Debug, Clone)]
pub struct Argument<'p> {
    pub name: &'p str,
    pub text: Text<'p>,
    /// The literal, or the binding.
    pub node: NodeId,
}

/// The parameters that have a value in one call, each name once.
#[derive(Debug)]
pub struct Arguments<'p>(IndexMap<&'p str, Argument<'p>>);

impl<'p> Arguments<'p> {
    /// Resolves the parameters of an activity; of those with one name the first counts.
    ///
    /// # Errors
    /// A value that cannot be read fails the activity.
    pub fn read(run: &mut Run<'p, '_>, activity: &Activity<'p>, parameters: &[Parameter<'p>]) -> Result<Self, Stop> {
        let mut arguments = IndexMap::default();
        for &Parameter { name, source, node } in parameters {
            let Some(text) = run.read(activity, name, source)? else { continue };
            arguments.entry(name).or_insert(Argument { name, text, node });
        }
        Ok(Self(arguments))
    }

    pub fn get(&self, name: &str) -> Option<&Argument<'p>> {
        self.0.get(name)
    }

    /// Unless it is the empty string, which counts as missing.
    pub fn non_empty(&self, name: &str) -> Option<&Argument<'p>> {
        self.get(name).filter(|argument| !argument.text.as_str().is_empty())
    }

    /// The argument of the parameter with this kind in the catalog, unless it is empty.
    pub fn of_kind(&self, method: &Method, kind: ParameterKind) -> Option<&Argument<'p>> {
        self.non_empty(&method.parameter_of_kind(kind)?.name)
    }

    /// The argument of the parameter with this purpose in the catalog, unless it is empty.
    pub fn for_purpose(&self, method: &Method, purpose: Purpose) -> Option<&Argument<'p>> {
        self.non_empty(&method.parameter_for(purpose)?.name)
    }

    /// Checks required parameters and types against the catalog.
    pub fn check_declared(&self, method: &Method) -> Result<(), CallError> {
        for parameter in &method.parameters {
            self.check(&parameter.name, parameter.required, parameter.value_type)?;
        }
        Ok(())
    }

    /// The same for a method that no catalog has, by what the document says of its parameters.
    pub fn check_own(&self, provider: &Provider<'p>) -> Result<(), CallError> {
        for parameter in provider.parameters() {
            let Some(name) = parameter.name.value() else { continue };
            let value_type = [ValueType::String, ValueType::Decimal, ValueType::Boolean]
                .into_iter()
                .find(|value_type| parameter.value_type.value() == Some(value_type.word()));
            self.check(name, parameter.required.value() == Some(true), value_type)?;
        }
        Ok(())
    }

    fn check(&self, name: &str, required: bool, value_type: Option<ValueType>) -> Result<(), CallError> {
        if !required && matches!(value_type, Some(ValueType::String) | None) {
            return Ok(());
        }
        let Some(argument) = self.non_empty(name) else {
            return if required {
                let node = self.get(name).map(|argument| argument.node);
                Err(CallError { message: missing_parameter(name), node })
            } else {
                Ok(())
            };
        };
        let text = argument.text.as_str();
        let (fits, expected) = match value_type {
            Some(ValueType::Decimal) => (number(text).is_some(), "a number"),
            Some(ValueType::Boolean) => (boolean(text).is_some(), "`true` or `false`"),
            Some(ValueType::String) | None => (true, "a string"),
        };
        if fits {
            return Ok(());
        }
        Err(argument.error(format!("expected {expected} in parameter {}, found {}", quote(name), quote_value(text))))
    }
}

impl Argument<'_> {
    /// An error that this argument causes.
    pub fn error(&self, message: impl Into<String>) -> CallError {
        CallError { message: message.into(), node: Some(self.node) }
    }

    /// The parameter in a message.
    pub fn parameter(&self) -> String {
        format!("parameter {}", quote(self.name))
    }
}

/// A message about the missing parameter of a kind.
pub fn missing_of_kind(method: &Method, kind: ParameterKind) -> String {
    match method.parameter_of_kind(kind) {
        Some(parameter) => missing_parameter(&parameter.name),
        None => format!("method {} has no such parameter", quote(&method.name)),
    }
}

fn missing_parameter(name: &str) -> String {
    format!("missing required parameter {}", quote(name))
}

/// In the order in which they are written to variables.
#[derive(Debug, Default)]
pub struct Outputs<'p>(pub Vec<Output<'p>>);

#[derive(Debug)]
pub struct Output<'p> {
    /// The name of the variable without the prefix.
    pub property: Cow<'p, str>,
    pub value: Arc<str>,
    /// A default of the method that was not requested: no warning when no variable has its name.
    pub is_default: bool,
}

impl<'p> Output<'p> {
    pub fn requested(property: impl Into<Cow<'p, str>>, value: Arc<str>) -> Self {
        Self { property: property.into(), value, is_default: false }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallError {
    pub message: String,
    /// The parameter at fault.
    pub node: Option<NodeId>,
}

impl CallError {
    /// An error that no parameter causes.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), node: None }
    }
}
