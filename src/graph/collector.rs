//! The effects of a workflow's activities, before its paths are explored.

use std::borrow::Cow;
use std::rc::Rc;

use fixedbitset::FixedBitSet;

use super::effects::{
    Condition, Effects, FormUse, OpaqueActivities, OperandValue, Read, VarId, VariableNames, Write, Writer, Written,
};
use super::outputs::{Origin, ProviderOutputs, Receiver, RequestBudget};
use super::scope::{Resolution, Scope, Suggestion};
use super::usage::{FieldTarget, Usage};
use crate::common::collections::{HashMap, HashSet};
use crate::config::DeclaredWrites;
use crate::document::Document;
use crate::model::{
    Activity, ActivityId, ActivityKind, Assign, Binding, Literal, Role, SCRIPT_RESULT, Workflow, undocumented_strings,
};
use crate::project::{FormDocument, ServiceModel, WorkflowDocument};
use crate::text::diagnostic::FileId;

/// An output without a variable whose name is similar to a variable without a writer: most likely a mistyped prefix or
/// property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MistypedOutput {
    pub activity: ActivityId,
    /// The name of the lost output.
    pub output: String,
    /// The variable that was most likely meant.
    pub variable: VarId,
}

pub struct WorkflowEffects<'p> {
    pub document: &'p WorkflowDocument<'p>,
    pub scope: Scope<'p>,
    pub names: VariableNames<'p>,
    /// By activity.
    pub effects: Vec<Effects<'p>>,
    pub mistyped: Vec<MistypedOutput>,
}

impl<'p> WorkflowEffects<'p> {
    /// `form_scopes` are those of the model's forms.
    pub fn collect(
        (model, form_scopes): (&ServiceModel<'p>, &[Scope<'p>]),
        document: &'p WorkflowDocument<'p>,
        scope: Scope<'p>,
        opaque: &OpaqueActivities,
    ) -> Self {
        let workflow = document.workflow;
        let (mut names, mut effects) = Collector::collect(&scope, document.document, workflow);
        let mut forms: HashMap<FileId, Rc<FormUse<'p>>> = HashMap::default();
        for (activity, effects) in workflow.activities.iter().zip(&mut effects) {
            // What an activity of a declared type writes is declared, whatever else it has.
            let is_declared = matches!(activity.kind, ActivityKind::Declared { .. });
            if let Some(hidden) = opaque.get(&(document.file, activity.node)).filter(|_| !is_declared) {
                effects.hide(*hidden);
            }
            if activity.children.is_unknown() {
                effects.make_opaque();
            }
            let form = activity.form.value().and_then(|form| model.form_index(form));
            if let Some((form, scope)) = form.and_then(|index| model.forms.get(index).zip(form_scopes.get(index))) {
                let used = forms.entry(form.file).or_insert_with(|| Rc::new(use_of_form(form, scope, &mut names)));
                if used.may_be_any {
                    effects.make_opaque();
                }
                effects.writes.set_form(Rc::clone(used));
            }
        }
        Self { document, scope, names, effects, mistyped: Vec::new() }
    }

    /// Adds a write of the variable that was most likely meant for each such output, so that one typo does not cause
    /// findings about everything that depends on that variable (docs/how-it-thinks.md, Precedence).
    ///
    /// `before` is the usage without any of these writes: the result then does not depend on the order of the
    /// workflows.
    pub fn attribute_mistyped_outputs(&mut self, before: &Usage<'p>) {
        let Self { document, scope, names, effects, mistyped } = self;
        let mut unwritten: Option<Vec<&str>> = None;
        for (activity, effects) in document.workflow.activities.iter().zip(effects) {
            let Some(provider) = effects.provider.as_ref() else { continue };
            for output in &provider.outputs {
                // A default output is not asked for, so losing it is not a defect.
                if output.receiver != Receiver::Missing || output.origin == Origin::Default {
                    continue;
                }
                let candidates = unwritten.get_or_insert_with(|| {
                    scope.declarations.names().filter(|name| !before.has_known_writer(name)).collect()
                });
                let nearest = scope.suggester.nearest(&output.name, candidates.iter().copied());
                let unwritten = nearest.filter(|name| !before.is_written(name));
                let Some(variable) = unwritten.map(|name| names.add(name)) else { continue };
                let by = Writer::Output { is_status: output.is_status };
                effects.writes.push(Write {
                    variable,
                    value: Written::Unknown,
                    node: activity.node,
                    by,
                    guessed: true,
                });
                mistyped.push(MistypedOutput { activity: activity.id, output: output.name.clone(), variable });
            }
        }
    }
}

/// Approvers see all fields of the form, and may fill those that are not readonly (docs/platform.md, Approval). A mistyped
/// name counts as the variables that may have been meant.
fn use_of_form<'p>(form: &FormDocument<'p>, scope: &Scope<'p>, names: &mut VariableNames<'p>) -> FormUse<'p> {
    let mut used = FormUse::new(form.file);
    for field in &form.form.fields {
        let target = FieldTarget::of(field, scope);
        let meant = match target {
            FieldTarget::Variable(name) => name,
            FieldTarget::Nothing => continue,
            FieldTarget::Unknown => {
                used.may_be_any = true;
                continue;
            }
        };
        let Some((node, name)) = field.target() else { continue };
        let (writes, guessed) = (field.readonly.value() != Some(true), meant != name);
        for name in std::iter::once(meant).chain(target.also_meant(field, scope)) {
            let variable = names.add(name);
            let write = Write { variable, value: Written::Unknown, node, by: Writer::Form, guessed };
            used.add(variable, writes.then_some(write));
        }
    }
    used.sort();
    used
}

struct Collector<'s, 'p> {
    scope: &'s Scope<'p>,
    document: &'s Document,
    names: VariableNames<'p>,
    /// Those of `names` that are variables, as they are written: most names are used again and again.
    known: FixedBitSet,
    effects: Vec<Effects<'p>>,
    requested: RequestBudget,
}

impl<'s, 'p> Collector<'s, 'p> {
    /// The effects are by activity.
    fn collect(
        scope: &'s Scope<'p>,
        document: &'s Document,
        workflow: &Workflow<'p>,
    ) -> (VariableNames<'p>, Vec<Effects<'p>>) {
        let effects = Vec::with_capacity(workflow.activities.len());
        let requested = RequestBudget::new(document);
        let names = VariableNames::default();
        let mut collector = Self { scope, document, names, known: FixedBitSet::default(), effects, requested };
        for activity in &workflow.activities {
            let mut effects = collector.activity(activity);
            // Most have one read or write, and there may be very many activities.
            effects.reads.shrink_to_fit();
            effects.writes.own_mut().shrink_to_fit();
            collector.effects.push(effects);
        }
        (collector.names, collector.effects)
    }

    fn activity(&mut self, activity: &Activity<'p>) -> Effects<'p> {
        let mut effects = Effects::default();
        activity.bindings(|binding, role| self.binding(binding, role, &mut effects));
        match &activity.kind {
            ActivityKind::Assign(assign) => self.assign(assign, &mut effects),
            ActivityKind::Provider(provider) => {
                let outputs = ProviderOutputs::new(self.scope, provider, &mut self.requested);
                self.outputs(activity, outputs, &mut effects);
                effects.result_is_lost |= provider.result.is_unknown();
                // Whether a failed call ends the order decides what the result can be.
                if provider.stop_on_error.is_unknown() {
                    let results =
                        effects.writes.own_mut().iter_mut().filter(|write| write.by == Writer::ProviderResult);
                    results.for_each(|write| write.guessed = true);
                }
            }
            ActivityKind::Code(code) => {
                // The result of a script goes to the variable `Json` (docs/platform.md, Code).
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
            ActivityKind::Declared { .. } => self.declared(activity, &mut effects),
            ActivityKind::Unknown { .. } => effects.make_opaque(),
            ActivityKind::While { .. } | ActivityKind::If { .. } => {
                effects.condition = self.condition(activity).map(Box::new);
            }
            _ => {}
        }
        effects
    }

    /// The variable of a name, which may be that of a binding. A mistyped one counts as the variable that was most likely
    /// meant; `None` if none was.
    fn variable(&mut self, name: &'p str, binding: Option<&Binding<'p>>) -> Option<(VarId, Option<Suggestion<'p>>)> {
        let known = self.names.id(name).filter(|id| self.known.contains(id.0 as usize));
        if let Some(variable) = known {
            return Some((variable, None));
        }
        let resolution = match binding {
            Some(binding) => self.scope.resolve_binding(binding, name),
            None => self.scope.resolve(name),
        };
        match resolution {
            Resolution::Undefined(None) => None,
            Resolution::Undefined(Some(meant)) => Some((self.names.add(meant.name), Some(meant))),
            _ => {
                let variable = self.names.add(name);
                self.known.grow_and_insert(variable.0 as usize);
                Some((variable, None))
            }
        }
    }

    fn binding(&mut self, binding: &Binding<'p>, role: Role<'_, 'p>, effects: &mut Effects<'p>) {
        if role == Role::Assigned && !binding.is_opaque() {
            // `assignedVariables` is a copy of the placeholders in `body`, and these are what is read.
            return;
        }
        let Some((node, name)) = binding.target().or_else(|| binding.possible_target()) else {
            if binding.is_opaque() {
                effects.add_unknown_target(role);
            }
            return;
        };
        let Some((variable, suggestion)) = self.variable(name, Some(binding)) else {
            effects.add_unknown_target(role);
            return;
        };
        let guessed = suggestion.is_some() || !binding.is_bound();
        if role.writes() {
            let by = match role {
                Role::ProviderResult => Writer::ProviderResult,
                Role::ApprovalResult => Writer::ApprovalResult,
                _ => Writer::Assign,
            };
            effects.writes.push(Write { variable, value: Written::Unknown, node, by, guessed });
            // Of several that may have been meant, it writes each: otherwise reads of the others would be reported, too.
            for other in suggestion.map_or_else(Vec::new, |suggestion| self.scope.equally_near(name, suggestion)) {
                let variable = self.names.intern(Cow::Borrowed(other));
                effects.writes.push(Write { variable, value: Written::Unknown, node, by, guessed });
            }
        } else {
            let in_condition = role == Role::Operand;
            let guessed = guessed || role == Role::Undocumented;
            effects.reads.push(Read { variable, node, part: None, in_condition, guessed });
        }
    }

    /// An activity of a declared type reads the variables that its strings mention, and writes what the user has
    /// declared.
    fn declared(&mut self, activity: &Activity<'p>, effects: &mut Effects<'p>) {
        self.mentions(activity, effects);
        let config = self.scope.config;
        let declared = activity.type_name.value().and_then(|name| config.types.activities.get(name));
        effects.may_write = None;
        match declared.map(|declared| &declared.writes) {
            Some(DeclaredWrites::Variables(names)) => {
                for name in names {
                    let variable = self.names.add(name);
                    effects.writes.push(Write {
                        variable,
                        value: Written::Unknown,
                        node: activity.node,
                        by: Writer::Declared,
                        guessed: false,
                    });
                }
            }
            Some(DeclaredWrites::Any) | None => effects.may_write = Some(""),
        }
    }

    fn mentions(&mut self, activity: &Activity<'p>, effects: &mut Effects<'p>) {
        let mut mentioned: HashSet<VarId> = effects.reads.iter().map(|read| read.variable).collect();
        for (node, text) in undocumented_strings(self.document, activity.node) {
            let words = text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == '-'));
            let placeholders = self.scope.placeholders(text).map(|placeholder| placeholder.name);
            for name in words.chain([text]).chain(placeholders) {
                let Some(declared) = self.scope.declarations.variable(name) else { continue };
                let Some(name) = declared.variable.name.value() else { continue };
                let variable = self.names.intern(Cow::Borrowed(name));
                if mentioned.insert(variable) {
                    effects.reads.push(Read { variable, node, part: None, in_condition: false, guessed: true });
                }
            }
        }
    }

    fn assign(&mut self, assign: &Assign<'p>, effects: &mut Effects<'p>) {
        let Some((node, &body)) = assign.body.known() else {
            if assign.body.is_unknown() {
                effects.may_read = true;
            }
            return;
        };
        // The variable of a body that is exactly one placeholder, so that the Assign copies it.
        let mut copied = None;
        for placeholder in self.scope.placeholders_of(assign) {
            let Some((variable, suggestion)) = self.variable(placeholder.name, None) else {
                effects.may_read = true;
                continue;
            };
            copied = (placeholder.range == (0..body.len())).then_some(variable);
            let (part, guessed) = (Some(placeholder.range), suggestion.is_some());
            effects.reads.push(Read { variable, node, part, in_condition: false, guessed });
        }
        let value = match copied {
            Some(variable) => Written::Copy(variable),
            None if effects.reads.is_empty() && !effects.may_read => Written::Constant(body),
            None => Written::Unknown,
        };
        // The first: the others may have been meant by the same name.
        if let Some(write) = effects.writes.own_mut().first_mut() {
            write.value = value;
        }
    }

    fn outputs(&mut self, activity: &Activity<'p>, outputs: ProviderOutputs<'p>, effects: &mut Effects<'p>) {
        let node = outputs.prefix_node.unwrap_or(activity.node);
        for output in &outputs.outputs {
            let name = match output.receiver {
                Receiver::Variable | Receiver::Unknown => Cow::Owned(output.name.clone()),
                // Reported by WF301; the variable counts as written, so that its reads are not reported as well.
                Receiver::OtherCase(name) => Cow::Borrowed(name),
                Receiver::Missing => continue,
            };
            let variable = self.names.intern(name);
            let by = Writer::Output { is_status: output.is_status };
            effects.writes.push(Write { variable, value: Written::Unknown, node, by, guessed: false });
        }
        // Outputs of every provider activity, such as `ZPActivityStatus` (docs/platform.md, Outputs).
        for common in &self.scope.config.catalog.common_outputs {
            let variable = self.names.intern(Cow::Borrowed(common));
            let by = Writer::Output { is_status: false };
            effects.writes.push(Write { variable, value: Written::Unknown, node: activity.node, by, guessed: false });
        }
        effects.may_write = common_prefix(effects.may_write, outputs.may_write);
        effects.provider = Some(Box::new(outputs));
    }

    fn condition(&mut self, activity: &Activity<'p>) -> Option<Condition<'p>> {
        let expression = activity.expression()?;
        let operand = expression.operand.value()?;
        let mut value = |binding: Option<&Binding<'p>>| {
            let Some(binding) = binding else { return OperandValue::Unknown };
            if let Some((_, name)) = binding.target() {
                return match self.scope.resolve_binding(binding, name) {
                    Resolution::Undefined(_) => OperandValue::Unknown,
                    _ => OperandValue::Variable(self.names.intern(Cow::Borrowed(name))),
                };
            }
            match binding.literal() {
                // WF105, and WF104: the variable may be meant.
                _ if binding.lacks_literal() || binding.is_empty() && binding.has_stale_target() => {
                    OperandValue::Unknown
                }
                Some((_, literal)) => OperandValue::Literal(literal),
                // An empty operand compares as the empty string.
                None if binding.is_empty() => OperandValue::Literal(Literal::Text("")),
                None => OperandValue::Unknown,
            }
        };
        let (left, right) = (value(expression.left.get()), value(expression.right.get()));
        Some(Condition { operand, left, right })
    }
}

/// A prefix of both prefixes, so that it covers the variables of both. The longest one is not needed: if neither
/// contains the other, every variable is covered.
fn common_prefix<'p>(a: Option<&'p str>, b: Option<&'p str>) -> Option<&'p str> {
    match (a, b) {
        (Some(a), Some(b)) if a.starts_with(b) => Some(b),
        (Some(a), Some(b)) if b.starts_with(a) => Some(a),
        (Some(_), Some(_)) => Some(""),
        (a, b) => a.or(b),
    }
}
