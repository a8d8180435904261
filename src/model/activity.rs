//! Activities (docs/platform.md, Activity), and the role of each binding in one.

use std::sync::Arc;

use serde::Serialize;

use super::approval::{Approval, Assignee};
use super::binding::{Binding, Expression};
use super::provider::{Parameter, Provider};
use super::reader::{Literal, Locales, Member, NameList, Reader, locales};
use crate::config::ActivityShape;
use crate::document::{Document, NodeId, NodeKind};
use crate::schema::Element;
use crate::text::quote;

/// The keys of an activity that do not affect its meaning: ids, editor state, copies (docs/platform.md, Activity).
pub const NOT_OF_MEANING: [&str; 8] = [
    "allProviderParameters", "assignedVariables", "boundValues", "displayWarning", "hasNewerVersion", "id",
    "ownBoundVariables", "warningText",
];

/// Index of an activity in its workflow, in the order of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct ActivityId(pub u32);

/// One step of a workflow.
#[derive(Debug, Clone, PartialEq)]
pub struct Activity<'d> {
    pub id: ActivityId,
    pub node: NodeId,
    pub name: Member<&'d str>,
    /// `type` as written.
    pub type_name: Member<&'d str>,
    /// The members that depend on the type.
    pub kind: ActivityKind<'d>,
    pub parent: Option<ActivityId>,
    /// `activities`, in order.
    pub children: Member<Box<[ActivityId]>>,
    /// The first activity after its descendants.
    pub end: ActivityId,
    /// `connectedFormName`: the form that people see in an Approval, and maybe in other activities.
    pub form: Member<&'d str>,
    /// Saved by the editor; few have one.
    pub warning: Option<Box<EditorWarning<'d>>>,
    pub has_newer_version: Member<bool>,
    /// Variables that the editor lists.
    pub own_bound_variables: Member<NameList<'d>>,
}

/// A warning that the editor has saved: `displayWarning` is true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EditorWarning<'d> {
    /// The value of `displayWarning`.
    pub node: NodeId,
    /// `warningText`
    pub text: Option<&'d str>,
}

/// The type of an activity, with its members. Those that may be large are shared by the versions of a workflow.
#[derive(Debug, Clone, PartialEq)]
pub enum ActivityKind<'d> {
    /// Calls a plug-in.
    Provider(Arc<Provider<'d>>),
    /// Asks people to decide.
    Approval(Arc<Approval<'d>>),
    /// Runs its children on an event of the surrounding Approval.
    Event { event: Member<&'d str> },
    /// Writes a string to a variable.
    Assign(Arc<Assign<'d>>),
    /// Publishes a status text to the requester.
    Status {
        /// The variable, or a literal string.
        status: Member<Box<Binding<'d>>>,
        translations: Member<Locales<'d>>,
    },
    /// Runs its children in order.
    Sequence,
    /// Runs its children while a condition is true.
    While {
        expression: Member<Box<Expression<'d>>>,
        /// Seconds to wait in each iteration.
        delay: Member<Box<Binding<'d>>>,
    },
    /// Runs its children if a condition is true.
    If { expression: Member<Box<Expression<'d>>> },
    /// Ends the process.
    Terminate,
    /// Runs a script.
    Code(Arc<Code<'d>>),
    /// A type declared in the configuration.
    Declared {
        /// Whether it runs children.
        shape: ActivityShape,
        /// The seconds that it takes, if the configuration names the key that holds them.
        delay: Member<Box<Binding<'d>>>,
        /// What looks like a binding among its members.
        bindings: Vec<Binding<'d>>,
    },
    /// A missing or unknown type.
    Unknown {
        /// Whether it has a type that is not similar to a known one: the platform has more than are documented.
        is_undocumented: bool,
        /// What looks like a binding among its members.
        bindings: Vec<Binding<'d>>,
    },
}

/// The members of an Assign.
#[derive(Debug, Clone, PartialEq)]
pub struct Assign<'d> {
    /// The target variable.
    pub result: Member<Binding<'d>>,
    /// A template with placeholders.
    pub body: Member<&'d str>,
    /// `assignedVariables`: the variables used in the template.
    pub variables: Member<Vec<Binding<'d>>>,
}

impl<'d> Assign<'d> {
    /// The names in `assignedVariables`.
    pub fn listed(&self) -> impl Iterator<Item = &'d str> {
        let names = self.variables.get().into_iter().flatten().filter_map(|entry| entry.bound_to.value());
        names.filter(|name| !name.is_empty())
    }
}

impl<'d> Activity<'d> {
    /// In order.
    pub fn children(&self) -> &[ActivityId] {
        self.children.get().map_or(&[], |children| children)
    }

    pub fn provider(&self) -> Option<&Provider<'d>> {
        match &self.kind {
            ActivityKind::Provider(provider) => Some(provider),
            _ => None,
        }
    }

    pub fn code(&self) -> Option<&Code<'d>> {
        match &self.kind {
            ActivityKind::Code(code) => Some(code),
            _ => None,
        }
    }

    pub fn approval(&self) -> Option<&Approval<'d>> {
        match &self.kind {
            ActivityKind::Approval(approval) => Some(approval),
            _ => None,
        }
    }

    /// The condition of a While or an If.
    pub fn expression(&self) -> Option<&Expression<'d>> {
        match &self.kind {
            ActivityKind::While { expression, .. } | ActivityKind::If { expression } => expression.unboxed(),
            _ => None,
        }
    }
}

impl<'d> ActivityKind<'d> {
    /// Whether the platform runs no activities inside one of this type.
    pub const fn runs_no_children(&self) -> bool {
        matches!(self, Self::Provider(_) | Self::Assign(_) | Self::Status { .. } | Self::Terminate | Self::Code(_))
    }

    pub(super) fn read(reader: &mut Reader<'d, '_>, node: NodeId, type_name: Member<&'d str>) -> Self {
        match type_name.value() {
            Some("Provider") => Self::Provider(Arc::new(Provider::read(reader, node))),
            Some("Approval") => Self::Approval(Arc::new(Approval::read(reader, node))),
            Some("Event") => Self::Event { event: reader.text(node, "event") },
            Some("Assign") => Self::Assign(Arc::new(Assign {
                result: Binding::member(reader, node, "result"),
                body: reader.text(node, "body"),
                variables: reader.list(node, "assignedVariables", Binding::read),
            })),
            Some("Status") => Self::Status {
                status: Binding::member(reader, node, "status").boxed(),
                translations: locales(reader, node, "statusTranslations"),
            },
            Some("Sequence") => Self::Sequence,
            Some("While") => Self::While {
                expression: Expression::read(reader, node).boxed(),
                delay: Binding::member(reader, node, "iterationDelaySeconds").boxed(),
            },
            Some("If") => Self::If { expression: Expression::read(reader, node).boxed() },
            Some("Terminate") => Self::Terminate,
            Some("Code") => Self::Code(Arc::new(Code {
                parameters: reader.list(node, "parameters", CodeParameter::read),
                script: reader.text(node, "script"),
            })),
            other => {
                let declared = other.and_then(|name| reader.lowering.types.activities.get(name));
                let bindings = undocumented_bindings(reader, node);
                match declared {
                    Some(declared) => {
                        let key = declared.delay.as_deref();
                        let delay = key.map_or(Member::Absent, |key| declared_delay(reader, node, key));
                        Self::Declared { shape: declared.shape, delay, bindings }
                    }
                    None => Self::Unknown {
                        is_undocumented: other.is_some_and(|name| is_undocumented(reader, name)),
                        bindings,
                    },
                }
            }
        }
    }
}

/// The delay of an activity of a declared type: a binding, or the value itself.
fn declared_delay<'d>(reader: &mut Reader<'d, '_>, activity: NodeId, key: &str) -> Member<Box<Binding<'d>>> {
    let document = reader.lowering.document;
    match document.member(activity, key).map(|node| (node, document.kind(node))) {
        None | Some((_, NodeKind::Null)) => Member::Absent,
        Some((node, NodeKind::Object)) => Member::Known(node, Box::new(Binding::read(reader, node))),
        Some((node, _)) => match Literal::read(document, node) {
            Some(literal) => Member::Known(node, Box::new(Binding::of_literal(node, literal))),
            None => Member::Unknown(node),
        },
    }
}

/// Whether a type that is not known is not a mistyped one either.
fn is_undocumented(reader: &Reader<'_, '_>, name: &str) -> bool {
    let declared = reader.lowering.types.activities.keys().map(String::as_str);
    !name.trim().is_empty() && reader.lowering.suggester.nearest(name, TYPES.into_iter().chain(declared)).is_none()
}

/// The objects that look like bindings inside an activity of an undocumented type, in the order of the text.
fn undocumented_bindings<'d>(reader: &mut Reader<'d, '_>, activity: NodeId) -> Vec<Binding<'d>> {
    let document = reader.lowering.document;
    let mut bindings = Vec::new();
    walk_undocumented(document, activity, |node| {
        let is_binding = document.member(node, "boundTo").is_some()
            && (document.member(node, "state").is_some() || document.member(node, "isBound").is_some());
        if is_binding {
            bindings.push(Binding::read(reader, node));
        }
        !is_binding
    });
    bindings
}

/// The strings inside an activity of an undocumented type, in the order of the text, without its name and type, and
/// without those of activities in it.
pub fn undocumented_strings(document: &Document, activity: NodeId) -> Vec<(NodeId, &str)> {
    let mut strings = Vec::new();
    walk_undocumented(document, activity, |node| {
        strings.extend(document.string(node).map(|text| (node, text)));
        true
    });
    strings
}

/// Visits the values inside an activity of an undocumented type, and those inside a value if `visit` wants that.
fn walk_undocumented(document: &Document, activity: NodeId, mut visit: impl FnMut(NodeId) -> bool) {
    let is_other = |member: &NodeId| !["activities", "name", "type"].iter().any(|key| document.key_is(*member, key));
    // Depth-first with a stack; pushed in reverse, so that the first child is popped first.
    let mut open: Vec<NodeId> = document.children(activity).rev().filter(is_other).collect();
    while let Some(node) = open.pop() {
        if visit(node) && document.kind(node).is_container() {
            open.extend(document.children(node).rev());
        }
    }
}

/// The documented types (docs/platform.md, Activity).
pub const TYPES: [&str; 10] =
    ["Provider", "Approval", "Event", "Assign", "Status", "Sequence", "While", "If", "Terminate", "Code"];

/// Reads an activity without its children.
pub(super) fn read<'d>(
    reader: &mut Reader<'d, '_>,
    node: NodeId,
    id: ActivityId,
    parent: Option<ActivityId>,
) -> Activity<'d> {
    let document = reader.lowering.document;
    let is_documented =
        document.member(node, "type").and_then(|name| document.string(name)).is_none_or(|name| TYPES.contains(&name));
    reader.enter(if is_documented { Element::Activity } else { Element::OtherActivity }, node);
    let type_name = reader.required_text(node, "type");
    Activity {
        id,
        node,
        name: reader.required_text(node, "name"),
        kind: ActivityKind::read(reader, node, type_name),
        type_name,
        parent,
        children: Member::Absent,
        end: id,
        form: reader.text(node, "connectedFormName"),
        warning: editor_warning(reader, node),
        has_newer_version: reader.boolean(node, "hasNewerVersion"),
        own_bound_variables: NameList::read(reader, node, "ownBoundVariables"),
    }
}

fn editor_warning<'d>(reader: &mut Reader<'d, '_>, node: NodeId) -> Option<Box<EditorWarning<'d>>> {
    let display = reader.boolean(node, "displayWarning");
    let text = reader.text(node, "warningText").value();
    display.node().filter(|_| display.is_true()).map(|node| Box::new(EditorWarning { node, text }))
}

impl Activity<'_> {
    /// What to call it in a message: its name, or its type when it has none.
    pub fn display_name(&self) -> String {
        match (self.name.value(), self.type_name.value()) {
            (Some(name), _) if !name.trim().is_empty() => quote(name),
            (_, Some(kind)) if !kind.is_empty() => format!("unnamed {kind}"),
            _ => "unnamed activity".to_owned(),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Code<'d> {
    pub parameters: Member<Vec<CodeParameter<'d>>>,
    /// JavaScript.
    pub script: Member<&'d str>,
}

/// The global variable in which a script leaves its result (docs/platform.md, Code).
pub const SCRIPT_RESULT: &str = "Json";

/// A variable of the script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeParameter<'d> {
    pub node: NodeId,
    pub name: Member<&'d str>,
    pub value: Member<Binding<'d>>,
}

impl<'d> CodeParameter<'d> {
    pub(super) fn read(reader: &mut Reader<'d, '_>, node: NodeId) -> Self {
        reader.enter(Element::CodeParameter, node);
        Self { node, name: reader.text(node, "name"), value: Binding::member(reader, node, "value") }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role<'a, 'd> {
    /// The value of a provider parameter.
    Parameter(&'a Parameter<'d>),
    /// The variable that receives whether a provider call succeeded; written.
    ProviderResult,
    /// The target of an Assign; written.
    AssignResult,
    /// An entry of `assignedVariables`.
    Assigned,
    /// What a Status publishes.
    Status,
    /// An operand of an expression.
    Operand,
    /// A number or boolean of the activity: a delay, a timeout, a reminder.
    Setting,
    /// An approver of an Approval.
    Assignee(&'a Assignee<'d>),
    /// The variable that receives an Approval's decision; written.
    ApprovalResult,
    /// A parameter of a script.
    CodeParameter,
    /// In an activity of an undocumented type: may be read or written.
    Undocumented,
}

/// Not generic: many rules visit the bindings, and the code for all of them stays in the cache of the processor.
type Visit<'v, 'a, 'd> = &'v mut dyn FnMut(&'a Binding<'d>, Role<'a, 'd>);

impl Role<'_, '_> {
    /// Whether the activity writes the variable.
    pub const fn writes(self) -> bool {
        matches!(self, Self::ProviderResult | Self::AssignResult | Self::ApprovalResult)
    }
}

impl<'d> Activity<'d> {
    /// The texts that are not the body of an Assign nor a script: literals, and the translations of a Status. Without the
    /// strings of undocumented types.
    pub fn static_texts(&self) -> Vec<(NodeId, &'d str)> {
        let mut texts = Vec::new();
        self.bindings(|binding, role| {
            if !matches!(role, Role::Assigned | Role::Undocumented) {
                texts.extend(binding.literal_text());
            }
        });
        if let ActivityKind::Status { translations, .. } = &self.kind {
            let entries = translations.get().into_iter().flatten();
            texts.extend(entries.filter_map(|entry| Some((entry.node, entry.text?))));
        }
        texts
    }

    /// Calls `visit` with every binding of the activity, without its children, and without
    /// `allProviderParameters`, which is a copy.
    pub fn bindings<'a>(&'a self, mut visit: impl FnMut(&'a Binding<'d>, Role<'a, 'd>)) {
        self.visit(&mut visit);
    }

    fn visit<'a>(&'a self, visit: Visit<'_, 'a, 'd>) {
        fn each<'a, 'd>(member: Option<&'a Binding<'d>>, role: Role<'a, 'd>, visit: Visit<'_, 'a, 'd>) {
            if let Some(binding) = member {
                visit(binding, role);
            }
        }
        match &self.kind {
            ActivityKind::Provider(provider) => {
                for parameter in provider.parameters() {
                    each(parameter.value.get(), Role::Parameter(parameter), visit);
                }
                each(provider.result.get(), Role::ProviderResult, visit);
            }
            ActivityKind::Approval(approval) => {
                for assignee in approval.assignees.get().into_iter().flatten() {
                    each(assignee.parameter.get(), Role::Assignee(assignee), visit);
                }
                let settings = approval.settings();
                for setting in [&settings.timeout, &settings.notify, &settings.remind_time, &settings.remind] {
                    each(setting.get(), Role::Setting, visit);
                }
                each(approval.result.get(), Role::ApprovalResult, visit);
            }
            ActivityKind::Assign(assign) => {
                for binding in assign.variables.get().into_iter().flatten() {
                    visit(binding, Role::Assigned);
                }
                each(assign.result.get(), Role::AssignResult, visit);
            }
            ActivityKind::Status { status, .. } => each(status.unboxed(), Role::Status, visit),
            ActivityKind::While { expression, delay } => {
                expression_bindings(expression.unboxed(), visit);
                each(delay.unboxed(), Role::Setting, visit);
            }
            ActivityKind::If { expression } => expression_bindings(expression.unboxed(), visit),
            ActivityKind::Code(code) => {
                for parameter in code.parameters.get().into_iter().flatten() {
                    each(parameter.value.get(), Role::CodeParameter, visit);
                }
            }
            ActivityKind::Declared { bindings, .. } | ActivityKind::Unknown { bindings, .. } => {
                for binding in bindings {
                    visit(binding, Role::Undocumented);
                }
            }
            ActivityKind::Event { .. } | ActivityKind::Sequence | ActivityKind::Terminate => {}
        }
    }
}

fn expression_bindings<'a, 'd>(expression: Option<&'a Expression<'d>>, visit: Visit<'_, 'a, 'd>) {
    let Some(expression) = expression else { return };
    for operand in [&expression.left, &expression.right] {
        if let Some(binding) = operand.get() {
            visit(binding, Role::Operand);
        }
    }
}
