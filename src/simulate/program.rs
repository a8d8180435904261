//! A workflow as runs need it: the names of variables and methods, conditions and placeholders are resolved once, not in
//! each step. Read [`Action`] first: a kind for each type of activity.

use std::borrow::Borrow;
use std::ops::Range;
use std::sync::Arc;

use jiff::SignedDuration;

use super::clock;
use super::strings::{equal, number};
use super::variables::{Slot, VariableTable};
use crate::catalog::{Method, ParameterKind};
use crate::common::collections::HashSet;
use crate::config::{ActivityShape, Config};
use crate::document::NodeId;
use crate::graph::{braces, placeholders_of};
use crate::model::{
    self, Activity, ActivityId, ActivityKind, Approval, Binding, Code, DECLARED_PARAMETERS, Expression, Literal,
    Locales, Member, Operand, Provider, Workflow,
};

/// The activities of a workflow, prepared for runs.
#[derive(Debug)]
pub struct Program<'p> {
    /// By activity.
    steps: Vec<Step<'p>>,
    /// The methods that the workflow calls, each once.
    methods: Vec<&'p str>,
    /// The variables to which every call writes whether it succeeded.
    pub status_outputs: Vec<Slot>,
}

#[derive(Debug)]
pub struct Step<'p> {
    pub activity: &'p Activity<'p>,
    pub action: Action<'p>,
    /// The variables in braces in texts where nothing substitutes them.
    pub literal: Vec<&'p str>,
}

impl<'p> Program<'p> {
    pub fn new(workflow: &'p Workflow<'p>, names: &VariableTable, config: &'p Config) -> Arc<Self> {
        let mut methods: Vec<&str> =
            workflow.activities.iter().filter_map(|activity| activity.provider()?.method.value()).collect();
        methods.sort_unstable();
        methods.dedup();
        let status_outputs = config.catalog.status_outputs.iter().filter_map(|name| names.slot(name));
        let mut program = Self { steps: Vec::new(), methods, status_outputs: status_outputs.collect() };
        let steps = workflow.activities.iter().map(|activity| {
            let action = Action::of(activity, &Context { names, config, methods: &program.methods });
            Step { activity, action, literal: literal_placeholders(activity, names) }
        });
        program.steps = steps.collect();
        Arc::new(program)
    }

    pub fn step(&self, id: ActivityId) -> Option<&Step<'p>> {
        self.steps.get(id.0 as usize)
    }

    /// The call that an activity makes.
    pub fn call(&self, id: ActivityId) -> Option<&Call<'p>> {
        match &self.step(id)?.action {
            Action::Call(call) => call.as_ref().as_ref().ok(),
            _ => None,
        }
    }

    /// The methods that the workflow calls, in the order of their numbers.
    pub fn methods(&self) -> &[&'p str] {
        &self.methods
    }

    /// The number of a method.
    pub fn method(&self, name: &str) -> Option<usize> {
        self.methods.binary_search(&name).ok()
    }
}

#[derive(Debug)]
pub enum Action<'p> {
    Call(Box<Readable<Call<'p>>>),
    Approval(&'p Approval<'p>),
    /// In document order it does nothing: its Approval runs it when an approver answers.
    Event,
    Assign(Assign<'p>),
    Status {
        status: &'p Member<Box<Binding<'p>>>,
        translations: &'p Member<Locales<'p>>,
    },
    Sequence,
    While(While<'p>),
    If(Readable<Condition<'p>>),
    Terminate,
    Code(&'p Code<'p>),
    Declared(Declared<'p>),
    /// One of an unknown type that the platform may have: it does nothing.
    Skipped(&'p str),
    Unknown,
}

/// An activity of a declared type.
#[derive(Debug)]
pub struct Declared<'p> {
    pub shape: ActivityShape,
    /// The time that it takes.
    pub delay: Delay<'p>,
    /// The key that holds it.
    pub key: &'p str,
}

#[derive(Debug)]
pub struct While<'p> {
    pub condition: Readable<Condition<'p>>,
    pub delay: Delay<'p>,
}

/// The time that a loop waits in each round, or that an activity of a declared type takes.
#[derive(Debug, Clone, Copy)]
pub enum Delay<'p> {
    Fixed(SignedDuration),
    /// A number of seconds, and the node to report if it is invalid.
    Of(Source<'p>, Option<NodeId>),
}

impl<'p> Action<'p> {
    fn of(activity: &'p Activity<'p>, context: &Context<'_, 'p>) -> Self {
        let names = context.names;
        match &activity.kind {
            ActivityKind::Provider(provider) => Self::Call(Box::new(Call::of(provider, context))),
            ActivityKind::Approval(approval) => Self::Approval(approval),
            ActivityKind::Event { .. } => Self::Event,
            ActivityKind::Assign(assign) => Self::Assign(Assign::of(assign, names)),
            ActivityKind::Status { status, translations } => Self::Status { status, translations },
            ActivityKind::Sequence => Self::Sequence,
            ActivityKind::While { expression, delay } => {
                Self::While(While { condition: Condition::of(expression, names), delay: Delay::of(delay, names) })
            }
            ActivityKind::If { expression } => Self::If(Condition::of(expression, names)),
            ActivityKind::Terminate => Self::Terminate,
            ActivityKind::Code(code) => Self::Code(code),
            ActivityKind::Declared { shape, delay, .. } => {
                let declared = activity.type_name.value().and_then(|name| context.config.types.activities.get(name));
                let key = declared.and_then(|declared| declared.delay.as_deref()).unwrap_or_default();
                Self::Declared(Declared { shape: *shape, delay: Delay::of(delay, names), key })
            }
            ActivityKind::Unknown { is_undocumented: true, .. } => {
                Self::Skipped(activity.type_name.value().unwrap_or_default())
            }
            ActivityKind::Unknown { .. } => Self::Unknown,
        }
    }
}

impl<'p> Delay<'p> {
    fn of(member: &Member<Box<Binding<'p>>>, names: &VariableTable) -> Self {
        let source = Source::of(member, names);
        let fixed = match source {
            Source::Nothing => Some(SignedDuration::ZERO),
            Source::Text(text) => Self::of_text(text),
            Source::Variable { .. } | Source::Unreadable => None,
        };
        let node = member.get().map(|binding| binding.value.node().unwrap_or(binding.node));
        fixed.map_or(Self::Of(source, node), Self::Fixed)
    }

    /// The duration that a string gives in seconds: zero if it is blank, `None` if it cannot be read.
    pub fn of_text(text: &str) -> Option<SignedDuration> {
        let text = text.trim();
        if text.is_empty() { Some(SignedDuration::ZERO) } else { number(text).and_then(clock::seconds) }
    }
}

/// Something that a run needs, or the key because of which its activity fails.
pub type Readable<T> = Result<T, &'static str>;

/// Where a value comes from.
#[derive(Debug, Clone, Copy)]
pub enum Source<'p> {
    /// No value is given.
    Nothing,
    Text(&'p str),
    Variable {
        /// `None` if no variable has the name.
        slot: Option<Slot>,
        name: &'p str,
        /// The name in the binding.
        node: NodeId,
    },
    /// The activity that reads it fails.
    Unreadable,
}

impl<'p> Source<'p> {
    /// That of a member which holds a binding.
    pub fn of(member: &Member<impl Borrow<Binding<'p>>>, names: &VariableTable) -> Self {
        if member.is_absent() {
            return Self::Nothing;
        }
        match member.get().map(Borrow::borrow) {
            Some(binding) if !binding.is_opaque() && !binding.value.is_unknown() => Self::of_binding(binding, names),
            _ => Self::Unreadable,
        }
    }

    fn of_binding(binding: &Binding<'p>, names: &VariableTable) -> Self {
        if let Some((node, name)) = binding.target() {
            return Self::Variable { slot: names.slot(name), name, node };
        }
        match binding.literal() {
            None | Some((_, Literal::Null)) => Self::Nothing,
            Some((_, Literal::Boolean(true))) => Self::Text("true"),
            Some((_, Literal::Boolean(false))) => Self::Text("false"),
            Some((_, Literal::Number(text) | Literal::Text(text))) => Self::Text(text),
        }
    }
}

/// The variable that a value is written to.
#[derive(Debug, Clone, Copy)]
pub enum Target<'p> {
    Variable(Slot),
    /// No variable has this name, so the value is lost.
    Undefined(&'p str),
    Nothing,
}

impl<'p> Target<'p> {
    pub fn of(binding: Option<&Binding<'p>>, names: &VariableTable) -> Self {
        match binding.and_then(Binding::target) {
            Some((_, name)) => names.slot(name).map_or(Self::Undefined(name), Self::Variable),
            None => Self::Nothing,
        }
    }
}

#[derive(Debug)]
pub struct Condition<'p> {
    pub left: Source<'p>,
    pub right: Source<'p>,
    operand: Operand,
    /// Whether a side is a static JSON number.
    as_numbers: bool,
}

impl<'p> Condition<'p> {
    fn of(expression: &Member<Box<Expression<'p>>>, names: &VariableTable) -> Readable<Self> {
        let expression = expression.unboxed().ok_or("expression")?;
        let side = |member: &Member<Binding<'p>>| match Source::of(member, names) {
            Source::Nothing if member.is_absent() => Source::Unreadable,
            source => source,
        };
        Ok(Self {
            left: side(&expression.left),
            right: side(&expression.right),
            operand: expression.operand.value().ok_or("operand")?,
            as_numbers: is_number(&expression.left) || is_number(&expression.right),
        })
    }

    /// Whether it holds for the values of its sides.
    pub fn holds(&self, left: &str, right: &str) -> bool {
        equal(left, right, self.as_numbers) == (self.operand == Operand::Equal)
    }
}

fn is_number(side: &Member<Binding<'_>>) -> bool {
    let literal = side.get().and_then(Binding::literal);
    matches!(literal, Some((_, Literal::Number(_))))
}

#[derive(Debug)]
pub struct Assign<'p> {
    pub body: Readable<Body<'p>>,
    pub result: Readable<Target<'p>>,
}

/// A string with placeholders.
#[derive(Debug, Default)]
pub struct Body<'p> {
    pub parts: Vec<Part<'p>>,
}

#[derive(Debug, Clone)]
pub enum Part<'p> {
    Text(&'p str),
    /// A placeholder, as a range of the string of a node.
    Variable {
        slot: Slot,
        name: &'p str,
        node: NodeId,
        range: Range<usize>,
    },
    /// A placeholder without a variable, the first with its name in the string; those after it are text.
    Undefined {
        name: &'p str,
        text: &'p str,
    },
}

impl<'p> Assign<'p> {
    fn of(assign: &model::Assign<'p>, names: &VariableTable) -> Self {
        let body = match assign.body.known() {
            Some((node, body)) => Ok(Body { parts: parts(node, body, assign, names) }),
            None if assign.body.is_unknown() => Err("body"),
            None => Ok(Body::default()),
        };
        let result =
            if assign.result.is_unknown() { Err("result") } else { Ok(Target::of(assign.result.get(), names)) };
        Self { body, result }
    }
}

fn parts<'p>(node: NodeId, body: &'p str, assign: &model::Assign<'p>, names: &VariableTable) -> Vec<Part<'p>> {
    let mut parts = Vec::new();
    let mut rest = 0;
    let mut undefined = HashSet::default();
    for placeholder in placeholders_of(assign, |name| names.slot(name).is_some()) {
        let name = placeholder.name;
        let range = placeholder.range;
        let slot = names.slot(name);
        if slot.is_none() && !undefined.insert(name) {
            continue;
        }
        parts.extend(text(body, rest..range.start));
        rest = range.end;
        parts.push(match slot {
            Some(slot) => Part::Variable { slot, name, node, range },
            None => Part::Undefined { name, text: body.get(range).unwrap_or_default() },
        });
    }
    parts.extend(text(body, rest..body.len()));
    parts
}

fn literal_placeholders<'p>(activity: &Activity<'p>, names: &VariableTable) -> Vec<&'p str> {
    let texts = activity.static_texts();
    let mut found: Vec<&str> = texts.into_iter().flat_map(|(_, text)| braces(text)).map(|found| found.name).collect();
    found.retain(|name| names.slot(name).is_some());
    found.sort_unstable();
    found.dedup();
    found
}

fn text(body: &str, range: Range<usize>) -> Option<Part<'_>> {
    body.get(range).filter(|text| !text.is_empty()).map(Part::Text)
}

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
    fn of(provider: &'p Provider<'p>, context: &Context<'_, 'p>) -> Readable<Self> {
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
    let slot = |name| context.names.slot(&context.config.catalog.output_variable(Some(method), prefix, name));
    names.map(|name| (name, slot(name))).collect()
}

fn value_node(parameter: &model::Parameter<'_>) -> NodeId {
    let Some(binding) = parameter.value.get() else { return parameter.node };
    binding.literal().map_or(binding.node, |(node, _)| node)
}

struct Context<'c, 'p> {
    names: &'c VariableTable,
    config: &'p Config,
    /// The methods that the workflow calls, in the order of their numbers.
    methods: &'c [&'p str],
}
