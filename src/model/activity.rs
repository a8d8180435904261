//! Activities (reference, Activity and the sections on its types).

use super::binding::Binding;
use super::provider::Provider;
use super::reader::{Member, Reader};
use crate::config::ActivityShape;
use crate::document::{Kind as Json, NodeId};
use crate::schema::Element;
use crate::text::quote;

/// Index of an activity in its workflow, in the order of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActivityId(pub u32);

/// One step of a workflow.
#[derive(Debug, Clone, PartialEq)]
pub struct Activity<'d> {
    /// Its index.
    pub id: ActivityId,
    /// The object.
    pub node: NodeId,
    /// `name`
    pub name: Member<&'d str>,
    /// `type`, as written.
    pub type_name: Member<&'d str>,
    /// What its type has.
    pub kind: Kind<'d>,
    /// The activity around it.
    pub parent: Option<ActivityId>,
    /// `activities`: its children, in order.
    pub children: Member<Vec<ActivityId>>,
    /// `displayWarning`, saved by the editor.
    pub display_warning: Member<bool>,
    /// `warningText`, saved by the editor.
    pub warning_text: Member<&'d str>,
    /// `hasNewerVersion`
    pub has_newer_version: Member<bool>,
    /// `ownBoundVariables`: places and names, as the editor lists them; an entry that is no text has none.
    pub own_bound_variables: Member<Vec<(NodeId, Option<&'d str>)>>,
}

/// The members of an activity's type.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind<'d> {
    /// Calls a plug-in.
    Provider(Box<Provider<'d>>),
    /// Asks people for a decision.
    Approval(Box<Approval<'d>>),
    /// Runs its children when something happens in the Approval around it.
    Event {
        /// Name of what happens.
        event: Member<&'d str>,
    },
    /// Writes a text to a variable.
    Assign(Box<Assign<'d>>),
    /// Publishes a text.
    Status {
        /// The variable, or a literal text.
        status: Member<Binding<'d>>,
        /// The text by locale.
        translations: Member<Locales<'d>>,
    },
    /// Runs its children in order.
    Sequence,
    /// Runs its children as long as a condition holds.
    While {
        /// The condition.
        expression: Member<Expression<'d>>,
        /// The wait in each round.
        delay: Member<Binding<'d>>,
    },
    /// Runs its children when a condition holds.
    If {
        /// The condition.
        expression: Member<Expression<'d>>,
    },
    /// Ends the process.
    Terminate,
    /// Runs a script.
    Code(Box<Code<'d>>),
    /// A type that the user declared.
    Declared {
        /// Whether it runs children.
        shape: ActivityShape,
        /// The bindings found among its members.
        bindings: Vec<Binding<'d>>,
    },
    /// No type, or one that nobody knows.
    Unknown {
        /// The bindings found among its members.
        bindings: Vec<Binding<'d>>,
    },
}

/// A text by locale code.
pub type Locales<'d> = Vec<(NodeId, &'d str, Option<&'d str>)>;

/// The members of an Approval.
#[derive(Debug, Clone, PartialEq)]
pub struct Approval<'d> {
    /// Name of the form that approvers see.
    pub form: Member<&'d str>,
    /// `approvalType`
    pub approval_type: Member<&'d str>,
    /// `required`
    pub required: Member<&'d str>,
    /// `onTimeout`
    pub on_timeout: Member<&'d str>,
    /// When it times out.
    pub timeout: Member<Binding<'d>>,
    /// Who is asked.
    pub assignees: Member<Vec<Assignee<'d>>>,
    /// Whether they are told.
    pub notify: Member<Binding<'d>>,
    /// The variable that receives the decision.
    pub result: Member<Binding<'d>>,
    /// When they are reminded.
    pub remind_time: Member<Binding<'d>>,
    /// Whether they are reminded.
    pub remind: Member<Binding<'d>>,
}

/// One entry of an Approval's `assignees`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Assignee<'d> {
    /// The object.
    pub node: NodeId,
    /// `type`; `Parameter` is the one shown.
    pub kind: Member<&'d str>,
    /// The mail addresses.
    pub parameter: Member<Binding<'d>>,
}

/// The members of an Assign.
#[derive(Debug, Clone, PartialEq)]
pub struct Assign<'d> {
    /// The variable that is written.
    pub result: Member<Binding<'d>>,
    /// The text, with placeholders.
    pub body: Member<&'d str>,
    /// The variables used in the text.
    pub variables: Member<Vec<Binding<'d>>>,
}

/// The members of a Code activity.
#[derive(Debug, Clone, PartialEq)]
pub struct Code<'d> {
    /// What the script is given.
    pub parameters: Member<Vec<CodeParameter<'d>>>,
    /// JavaScript.
    pub script: Member<&'d str>,
}

/// A named value for a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeParameter<'d> {
    /// The object.
    pub node: NodeId,
    /// Its name in the script.
    pub name: Member<&'d str>,
    /// Its value.
    pub value: Member<Binding<'d>>,
}

/// How an expression compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    /// `equal`
    Equal,
    /// `notEqual`
    NotEqual,
}

/// A condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expression<'d> {
    /// The object.
    pub node: NodeId,
    /// `operand`
    pub operand: Member<Operand>,
    /// `left`
    pub left: Member<Binding<'d>>,
    /// `right`
    pub right: Member<Binding<'d>>,
}

impl<'d> Activity<'d> {
    /// Its children, in order.
    pub fn children(&self) -> &[ActivityId] {
        self.children.get().map_or(&[], Vec::as_slice)
    }

    /// Its Provider members.
    pub const fn provider(&self) -> Option<&Provider<'d>> {
        match &self.kind {
            Kind::Provider(provider) => Some(provider),
            _ => None,
        }
    }

    /// Its Approval members.
    pub const fn approval(&self) -> Option<&Approval<'d>> {
        match &self.kind {
            Kind::Approval(approval) => Some(approval),
            _ => None,
        }
    }

    /// The condition of a While or an If.
    pub fn expression(&self) -> Option<&Expression<'d>> {
        match &self.kind {
            Kind::While { expression, .. } | Kind::If { expression } => expression.get(),
            _ => None,
        }
    }
}

impl<'d> Kind<'d> {
    pub(super) fn read(reader: &mut Reader<'d>, node: NodeId, type_name: Member<&'d str>) -> Self {
        match type_name.value() {
            Some("Provider") => Self::Provider(Box::new(Provider::read(reader, node))),
            Some("Approval") => Self::Approval(Box::new(Approval::read(reader, node))),
            Some("Event") => Self::Event { event: reader.text(node, "event") },
            Some("Assign") => Self::Assign(Box::new(Assign {
                result: Binding::member(reader, node, "result"),
                body: reader.text(node, "body"),
                variables: reader.list(node, "assignedVariables", Binding::read),
            })),
            Some("Status") => Self::Status {
                status: Binding::member(reader, node, "status"),
                translations: locales(reader, node, "statusTranslations"),
            },
            Some("Sequence") => Self::Sequence,
            Some("While") => Self::While {
                expression: Expression::read(reader, node),
                delay: Binding::member(reader, node, "iterationDelaySeconds"),
            },
            Some("If") => Self::If { expression: Expression::read(reader, node) },
            Some("Terminate") => Self::Terminate,
            Some("Code") => Self::Code(Box::new(Code {
                parameters: reader.list(node, "parameters", CodeParameter::read),
                script: reader.text(node, "script"),
            })),
            other => {
                let declared = other.and_then(|name| reader.lowering.types.activities.get(name));
                let bindings = undocumented_bindings(reader, node);
                match declared {
                    Some(&shape) => Self::Declared { shape, bindings },
                    None => Self::Unknown { bindings },
                }
            }
        }
    }
}

/// Locale codes and texts of a locale object.
pub(super) fn locales<'d>(reader: &Reader<'d>, object: NodeId, name: &'static str) -> Member<Locales<'d>> {
    let document = reader.lowering.document;
    reader.object(object, name).map(|node, ()| {
        document
            .children(node)
            .map(|text| (text, document.key(text).unwrap_or_default(), document.string(text)))
            .collect()
    })
}

/// The objects that look like bindings among the members of an activity whose shape is unknown.
fn undocumented_bindings<'d>(reader: &mut Reader<'d>, activity: NodeId) -> Vec<Binding<'d>> {
    let document = reader.lowering.document;
    let mut open: Vec<NodeId> =
        document.children(activity).rev().filter(|&member| document.key(member) != Some("activities")).collect();
    let mut bindings = Vec::new();
    while let Some(node) = open.pop() {
        let is_binding = document.member(node, "boundTo").is_some()
            && (document.member(node, "state").is_some() || document.member(node, "isBound").is_some());
        if is_binding {
            bindings.push(Binding::read(reader, node));
        } else if matches!(document.kind(node), Json::Array | Json::Object) {
            open.extend(document.children(node).rev());
        }
    }
    bindings
}

impl<'d> Approval<'d> {
    fn read(reader: &mut Reader<'d>, node: NodeId) -> Self {
        Self {
            form: reader.text(node, "connectedFormName"),
            approval_type: reader.text(node, "approvalType"),
            required: reader.text(node, "required"),
            on_timeout: reader.text(node, "onTimeout"),
            timeout: Binding::member(reader, node, "timeout"),
            assignees: reader.list(node, "assignees", Assignee::read),
            notify: Binding::member(reader, node, "notifyAssignees"),
            result: Binding::member(reader, node, "approvalResult"),
            remind_time: Binding::member(reader, node, "remindTime"),
            remind: Binding::member(reader, node, "remindAssignees"),
        }
    }
}

impl<'d> Assignee<'d> {
    fn read(reader: &mut Reader<'d>, node: NodeId) -> Self {
        if reader.lowering.document.kind(node) != Json::Object {
            return Self { node, kind: Member::Unknown(node), parameter: Member::Unknown(node) };
        }
        Self { node, kind: reader.text(node, "type"), parameter: Binding::member(reader, node, "parameter") }
    }
}

impl<'d> CodeParameter<'d> {
    fn read(reader: &mut Reader<'d>, node: NodeId) -> Self {
        Self { node, name: reader.text(node, "name"), value: Binding::member(reader, node, "value") }
    }
}

impl<'d> Expression<'d> {
    fn read(reader: &mut Reader<'d>, activity: NodeId) -> Member<Self> {
        reader.object(activity, "expression").map(|node, ()| {
            let operand = match reader.text(node, "operand") {
                Member::Known(node, "equal") => Member::Known(node, Operand::Equal),
                Member::Known(node, "notEqual") => Member::Known(node, Operand::NotEqual),
                Member::Known(node, _) | Member::Unknown(node) => Member::Unknown(node),
                Member::Absent => Member::Absent,
            };
            Self {
                node,
                operand,
                left: Binding::member(reader, node, "left"),
                right: Binding::member(reader, node, "right"),
            }
        })
    }
}

/// The types that the reference shows (Activity, common fields).
pub const TYPES: [&str; 10] =
    ["Provider", "Approval", "Event", "Assign", "Status", "Sequence", "While", "If", "Terminate", "Code"];

/// Reads an activity without its children.
pub(super) fn read<'d>(
    reader: &mut Reader<'d>,
    node: NodeId,
    id: ActivityId,
    parent: Option<ActivityId>,
) -> Activity<'d> {
    let document = reader.lowering.document;
    let is_documented =
        document.member(node, "type").and_then(|name| document.string(name)).is_none_or(|name| TYPES.contains(&name));
    reader.enter(if is_documented { Element::Activity } else { Element::OtherActivity }, node);
    let type_name = reader.text(node, "type");
    Activity {
        id,
        node,
        name: reader.text(node, "name"),
        kind: Kind::read(reader, node, type_name),
        type_name,
        parent,
        children: Member::Absent,
        display_warning: reader.boolean(node, "displayWarning"),
        warning_text: reader.optional_text(node, "warningText"),
        has_newer_version: reader.boolean(node, "hasNewerVersion"),
        own_bound_variables: reader.list(node, "ownBoundVariables", |_, entry| (entry, document.string(entry))),
    }
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
