//! The parameters of a provider call: their values, checked as the platform would.

use super::CallError;
use crate::catalog::{Method, ParameterKind, Purpose, ValueType};
use crate::document::NodeId;
use crate::model::{Activity, Parameter, Provider};
use crate::simulate::activity::number;
use crate::simulate::quote;
use crate::simulate::run::Run;
use crate::simulate::stop::Stop;
use crate::simulate::trace::Text;

/// A parameter's value in one call.
#[derive(Debug, Clone)]
pub struct Argument<'p> {
    /// The parameter's name.
    pub name: &'p str,
    /// Its value.
    pub text: Text<'p>,
    /// The literal, or the binding, that gives it.
    pub node: NodeId,
}

/// The parameters that have a value in one call.
#[derive(Debug, Default)]
pub struct Arguments<'p>(Vec<Argument<'p>>);

impl<'p> Arguments<'p> {
    /// Resolves the parameters of an activity; of several with one name the first counts.
    ///
    /// # Errors
    /// A value that cannot be read fails the activity.
    pub fn read(run: &mut Run<'p, '_>, activity: &'p Activity<'p>, provider: &'p Provider<'p>) -> Result<Self, Stop> {
        let mut arguments = Self::default();
        for parameter in provider.parameters() {
            let Some(name) = parameter.name.value() else { continue };
            let Some(text) = run.read_member(activity, name, &parameter.value)? else { continue };
            if arguments.get(name).is_none() {
                arguments.0.push(Argument { name, text, node: value_node(parameter) });
            }
        }
        Ok(arguments)
    }

    /// The argument of this name.
    pub fn get(&self, name: &str) -> Option<&Argument<'p>> {
        self.0.iter().find(|argument| argument.name == name)
    }

    /// The argument of this name, unless it is the empty text.
    pub fn given(&self, name: &str) -> Option<&Argument<'p>> {
        self.get(name).filter(|argument| !argument.text.as_str().is_empty())
    }

    /// The argument for the parameter of a kind, unless it is the empty text.
    pub fn of_kind(&self, method: &Method, kind: ParameterKind) -> Option<&Argument<'p>> {
        self.given(&method.parameter_of_kind(kind)?.name)
    }

    /// The argument for the parameter with a purpose, unless it is the empty text.
    pub fn for_purpose(&self, method: &Method, purpose: Purpose) -> Option<&Argument<'p>> {
        self.given(&method.parameter_for(purpose)?.name)
    }

    /// Checks that what a method requires is there, and that values have its types.
    ///
    /// # Errors
    /// The first parameter that the platform would not take.
    pub fn check_declared(&self, method: &Method) -> Result<(), CallError> {
        for parameter in &method.parameters {
            self.check(&parameter.name, parameter.required, Some(parameter.value_type))?;
        }
        Ok(())
    }

    /// The same for a method that no catalogue has, by what the document says of its parameters.
    ///
    /// # Errors
    /// The first parameter that the platform would not take.
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
        let Some(argument) = self.given(name) else {
            return if required {
                let node = self.get(name).map(|argument| argument.node);
                Err(CallError { message: format!("the required parameter {} has no value", quote(name)), node })
            } else {
                Ok(())
            };
        };
        let text = argument.text.as_str();
        let (fits, wanted) = match value_type {
            Some(ValueType::Decimal) => (number(text).is_some(), "a number"),
            Some(ValueType::Boolean) => (boolean(text).is_some(), "`true` or `false`"),
            Some(ValueType::String) | None => (true, "a text"),
        };
        if fits {
            return Ok(());
        }
        Err(argument.wrong(&format!("must be {wanted}, but is {}", quote(text))))
    }
}

impl Argument<'_> {
    /// A failure that is this argument's fault; the message goes on after the parameter's name.
    pub fn wrong(&self, message: &str) -> CallError {
        CallError { message: format!("{} {message}", quote(self.name)), node: Some(self.node) }
    }
}

/// The boolean that a text is, whatever its case.
pub fn boolean(text: &str) -> Option<bool> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("true") {
        return Some(true);
    }
    text.eq_ignore_ascii_case("false").then_some(false)
}

fn value_node(parameter: &Parameter<'_>) -> NodeId {
    let Some(binding) = parameter.value.get() else { return parameter.node };
    match binding.literal() {
        Some((node, _)) => node,
        None => binding.node,
    }
}
