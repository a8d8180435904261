//! What each activity reads and writes, in the order in which it does.

use std::borrow::Cow;

use std::ops::Range;

use super::outputs::{ProviderOutputs, Receiver};
use super::placeholder::placeholders;
use super::scope::{Resolution, Scope};
use crate::collections::HashMap;
use crate::document::NodeId;
use crate::model::{Activity, Assign, Binding, Kind, Operand, Role, SCRIPT_RESULT, Workflow};

/// Index of a variable name in a workflow's [`VariableNames`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(pub u32);

/// The variable names of a workflow.
#[derive(Debug, Default)]
pub struct VariableNames<'p> {
    list: Vec<Cow<'p, str>>,
    ids: HashMap<Cow<'p, str>, VarId>,
}

impl<'p> VariableNames<'p> {
    fn intern(&mut self, name: Cow<'p, str>) -> VarId {
        if let Some(&id) = self.ids.get(&name) {
            return id;
        }
        let id = VarId(u32::try_from(self.list.len()).unwrap_or(u32::MAX));
        self.list.push(name.clone());
        self.ids.insert(name, id);
        id
    }

    /// The id of a name.
    pub fn id(&self, name: &str) -> Option<VarId> {
        self.ids.get(name).copied()
    }

    /// A variable's name.
    pub fn name(&self, id: VarId) -> &str {
        self.list.get(id.0 as usize).map_or("", |name| name)
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds a name that only the analysis knows of.
    pub(super) fn add(&mut self, name: &'p str) -> VarId {
        self.intern(Cow::Borrowed(name))
    }

    /// All ids, in order.
    pub fn ids(&self) -> impl Iterator<Item = VarId> + use<> {
        (0..u32::try_from(self.list.len()).unwrap_or(u32::MAX)).map(VarId)
    }
}

/// One place where a variable's value is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// The variable.
    pub variable: VarId,
    /// The name in the document: that of a binding's variable, or the string with the placeholder.
    pub node: NodeId,
    /// The placeholder's part of the string.
    pub part: Option<Range<usize>>,
    /// Whether it is an operand of a condition.
    pub in_condition: bool,
    /// Whether the name is mistyped and this is the variable that is most likely meant: it counts as
    /// used, but no finding is made of it.
    pub guessed: bool,
}

/// One place where a variable gets a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Write<'p> {
    /// The variable.
    pub variable: VarId,
    /// What it gets.
    pub value: Written<'p>,
    /// Where the document says so.
    pub node: NodeId,
    /// How it comes about.
    pub by: Writer,
    /// As of a [`Read`].
    pub guessed: bool,
}

/// The value that a write gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written<'p> {
    /// A text known from the document.
    Constant(&'p str),
    /// The value of another variable.
    Copy(VarId),
    /// One that only the run knows.
    Unknown,
}

/// How a write comes about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writer {
    /// An Assign.
    Assign,
    /// An output of a provider; whether it is the status of a case.
    Output {
        /// It is.
        is_status: bool,
    },
    /// Whether a provider call succeeded.
    ProviderResult,
    /// The decision of an Approval.
    ApprovalResult,
    /// The result of a script.
    Script,
    /// A field of the form that approvers fill.
    Form,
}

/// An operand of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperandValue<'p> {
    /// A variable.
    Variable(VarId),
    /// A literal.
    Literal(crate::model::Literal<'p>),
    /// Not known.
    Unknown,
}

/// A condition, ready to be evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Condition<'p> {
    /// Equal or not equal.
    pub operand: Operand,
    /// The left operand.
    pub left: OperandValue<'p>,
    /// The right operand.
    pub right: OperandValue<'p>,
}

impl Condition<'_> {
    /// The variables that it compares.
    pub fn variables(&self) -> impl Iterator<Item = VarId> {
        [self.left, self.right].into_iter().filter_map(|value| match value {
            OperandValue::Variable(id) => Some(id),
            _ => None,
        })
    }
}

/// What an activity does to variables.
#[derive(Debug, Clone, Default)]
pub struct Effects<'p> {
    /// What it reads, before it writes.
    pub reads: Vec<Read>,
    /// What it writes.
    pub writes: Vec<Write<'p>>,
    /// It may write every variable whose name begins so.
    pub may_write: Option<&'p str>,
    /// It may read any variable.
    pub may_read: bool,
    /// What the form shows that approvers fill.
    pub shows: Vec<VarId>,
    /// The condition of a While or an If that can be evaluated.
    pub condition: Option<Condition<'p>>,
    /// What a Provider writes.
    pub provider: Option<Box<ProviderOutputs<'p>>>,
}

/// Collects the effects of a workflow's activities; by index of the activity.
pub struct Collector<'s, 'p> {
    scope: &'s Scope<'p>,
    names: VariableNames<'p>,
    effects: Vec<Effects<'p>>,
}

impl<'s, 'p> Collector<'s, 'p> {
    /// The names and the effects of every activity of a workflow.
    pub fn collect(scope: &'s Scope<'p>, workflow: &Workflow<'p>) -> (VariableNames<'p>, Vec<Effects<'p>>) {
        let mut collector = Self { scope, names: VariableNames::default(), effects: Vec::new() };
        for name in scope.declarations.names() {
            collector.names.intern(Cow::Borrowed(name));
        }
        for activity in &workflow.activities {
            let effects = collector.activity(activity);
            collector.effects.push(effects);
        }
        (collector.names, collector.effects)
    }

    fn activity(&mut self, activity: &Activity<'p>) -> Effects<'p> {
        let mut effects = Effects::default();
        activity.bindings(|binding, role| self.binding(binding, role, &mut effects));
        match &activity.kind {
            Kind::Assign(assign) => self.assign(assign, &mut effects),
            Kind::Provider(provider) => {
                let outputs = ProviderOutputs::new(self.scope, provider);
                self.outputs(activity, outputs, &mut effects);
            }
            Kind::Code(code) => {
                // The script is the only place that can be named; `Json` is its result (reference, Code).
                let node = code.script.node().unwrap_or(activity.node);
                let variable = self.names.intern(Cow::Borrowed(SCRIPT_RESULT));
                effects.writes.push(Write {
                    variable,
                    value: Written::Unknown,
                    node,
                    by: Writer::Script,
                    guessed: false,
                });
            }
            Kind::Declared { .. } | Kind::Unknown { .. } => effects.make_opaque(),
            Kind::While { .. } | Kind::If { .. } => effects.condition = self.condition(activity),
            _ => {}
        }
        effects
    }

    fn binding(&mut self, binding: &Binding<'p>, role: Role<'_, 'p>, effects: &mut Effects<'p>) {
        if role == Role::Assigned && !binding.is_opaque() {
            // The placeholders are what is read; this is the editor's list of them.
            return;
        }
        let Some((node, name)) = binding.target() else {
            if binding.is_opaque() {
                effects.touch_anything(role);
            }
            return;
        };
        let (meant, guessed) = match self.scope.resolve_binding(binding, name) {
            Resolution::Unknown(None) => {
                effects.touch_anything(role);
                return;
            }
            Resolution::Unknown(Some(meant)) => (meant.name, true),
            _ => (name, false),
        };
        let variable = self.names.intern(Cow::Borrowed(meant));
        if role.writes() {
            let by = match role {
                Role::ProviderResult => Writer::ProviderResult,
                Role::ApprovalResult => Writer::ApprovalResult,
                _ => Writer::Assign,
            };
            effects.writes.push(Write { variable, value: Written::Unknown, node, by, guessed });
        } else {
            let in_condition = role == Role::Operand;
            effects.reads.push(Read { variable, node, part: None, in_condition, guessed });
        }
    }

    fn assign(&mut self, assign: &Assign<'p>, effects: &mut Effects<'p>) {
        let Some((node, &body)) = assign.body.known() else {
            if assign.body.is_unknown() {
                effects.may_read = true;
            }
            return;
        };
        let mut only = None;
        for placeholder in placeholders(body) {
            let (meant, guessed) = match self.scope.resolve(placeholder.name) {
                Resolution::Unknown(Some(meant)) => (meant.name, true),
                Resolution::Unknown(None) => {
                    effects.may_read = true;
                    continue;
                }
                _ => (placeholder.name, false),
            };
            let variable = self.names.intern(Cow::Borrowed(meant));
            only = (placeholder.range == (0..body.len())).then_some(variable);
            effects.reads.push(Read { variable, node, part: Some(placeholder.range), in_condition: false, guessed });
        }
        let value = match only {
            Some(variable) => Written::Copy(variable),
            None if effects.reads.is_empty() && !effects.may_read => Written::Constant(body),
            None => Written::Unknown,
        };
        for write in &mut effects.writes {
            write.value = value;
        }
    }

    fn outputs(&mut self, activity: &Activity<'p>, outputs: ProviderOutputs<'p>, effects: &mut Effects<'p>) {
        let node = outputs.prefix_node.unwrap_or(activity.node);
        for output in &outputs.outputs {
            let name = match output.receiver {
                Receiver::Variable | Receiver::NotKnown => Cow::Owned(output.name.clone()),
                Receiver::OtherCase(name) => Cow::Borrowed(name),
                Receiver::Nobody => continue,
            };
            let variable = self.names.intern(name);
            let by = Writer::Output { is_status: output.is_status };
            effects.writes.push(Write { variable, value: Written::Unknown, node, by, guessed: false });
        }
        for common in &self.scope.config.catalog.common_outputs {
            let variable = self.names.intern(Cow::Borrowed(common));
            let by = Writer::Output { is_status: false };
            effects.writes.push(Write { variable, value: Written::Unknown, node: activity.node, by, guessed: false });
        }
        effects.may_write = shorter(effects.may_write, outputs.may_write);
        effects.provider = Some(Box::new(outputs));
    }

    fn condition(&mut self, activity: &Activity<'p>) -> Option<Condition<'p>> {
        let expression = activity.expression()?;
        let operand = expression.operand.value()?;
        let mut value = |binding: Option<&Binding<'p>>| {
            let Some(binding) = binding else { return OperandValue::Unknown };
            if let Some((_, name)) = binding.target() {
                return match self.scope.resolve_binding(binding, name) {
                    Resolution::Unknown(_) => OperandValue::Unknown,
                    _ => OperandValue::Variable(self.names.intern(Cow::Borrowed(name))),
                };
            }
            match binding.literal() {
                Some((_, literal)) => OperandValue::Literal(literal),
                None if binding.is_empty() => OperandValue::Literal(crate::model::Literal::Text("")),
                None => OperandValue::Unknown,
            }
        };
        let (left, right) = (value(expression.left.get()), value(expression.right.get()));
        Some(Condition { operand, left, right })
    }
}

impl<'p> Effects<'p> {
    /// It may read and write anything.
    pub fn make_opaque(&mut self) {
        self.may_read = true;
        self.may_write = Some("");
    }

    fn touch_anything(&mut self, role: Role<'_, '_>) {
        if role.writes() || role == Role::Undocumented {
            self.may_write = Some("");
        }
        if !role.writes() {
            self.may_read = true;
        }
    }
}

/// Of two prefixes the one that covers both, which is at most one of them here.
fn shorter<'p>(a: Option<&'p str>, b: Option<&'p str>) -> Option<&'p str> {
    match (a, b) {
        (Some(a), Some(b)) if a.starts_with(b) => Some(b),
        (Some(a), Some(b)) if b.starts_with(a) => Some(a),
        (Some(_), Some(_)) => Some(""),
        (a, b) => a.or(b),
    }
}
