//! Approvals (docs/platform.md, Approval).

use super::binding::Binding;
use super::reader::{Literal, Member, Reader};
use crate::document::{NodeId, NodeKind as Json};
use crate::schema::Element;

/// The event of an approver who approves (docs/platform.md, Events).
pub const ON_APPROVE: &str = "OnForeachApprove";

/// The event of an approver who rejects.
pub const ON_REJECT: &str = "OnForeachReject";

/// The documented values of an Event's `event`.
pub const EVENTS: [&str; 2] = [ON_APPROVE, ON_REJECT];

#[derive(Debug, Clone, PartialEq)]
pub struct Approval<'d> {
    pub approval_type: Member<&'d str>,
    pub required: Member<&'d str>,
    pub on_timeout: Member<&'d str>,
    pub assignees: Member<Vec<Assignee<'d>>>,
    /// `approvalResult`: the variable that receives the decision.
    pub result: Member<Binding<'d>>,
    /// `None` if all of these keys are absent.
    settings: Option<Box<ApprovalSettings<'d>>>,
}

/// When an Approval ends, and what approvers get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApprovalSettings<'d> {
    /// A number; the unit is not documented.
    pub timeout: Member<Binding<'d>>,
    /// `notifyAssignees`: whether they get a mail.
    pub notify: Member<Binding<'d>>,
    /// A number; the unit is not documented.
    pub remind_time: Member<Binding<'d>>,
    /// `remindAssignees`: whether they are reminded.
    pub remind: Member<Binding<'d>>,
}

impl<'d> ApprovalSettings<'d> {
    const NONE: Self =
        Self { timeout: Member::Absent, notify: Member::Absent, remind_time: Member::Absent, remind: Member::Absent };
}

/// One entry of an Approval's `assignees`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Assignee<'d> {
    pub node: NodeId,
    /// `type`; only `Parameter` is documented.
    pub kind: Member<&'d str>,
    /// The mail addresses.
    pub parameter: Member<Binding<'d>>,
}

impl<'d> Approval<'d> {
    /// The first value that no run knows the meaning of: its member, and where it is.
    pub fn unknown_value(&self) -> Option<(&'static str, NodeId, &'d str)> {
        let members = [
            ("approvalType", &self.approval_type, &["parallel"][..]),
            ("required", &self.required, &["one"]),
            ("onTimeout", &self.on_timeout, &["approve", "reject"]),
        ];
        members.into_iter().find_map(|(name, member, values)| match *member {
            Member::Known(node, value) if !values.contains(&value) => Some((name, node, value)),
            _ => None,
        })
    }

    /// Whether the timeout ends it before a reminder is due, as far as literals show.
    pub fn ends_before_reminder(&self) -> bool {
        let literal = |member: &Member<Binding<'d>>| Some(member.get()?.literal()?.1);
        let settings = self.settings();
        is_late(literal(&settings.remind_time), literal(&settings.timeout))
    }

    pub(super) fn read(reader: &mut Reader<'d, '_>, node: NodeId) -> Self {
        let timeout = Binding::member(reader, node, "timeout");
        let assignees = reader.list(node, "assignees", Assignee::read);
        let notify = Binding::member(reader, node, "notifyAssignees");
        let result = Binding::member(reader, node, "approvalResult");
        let remind_time = Binding::member(reader, node, "remindTime");
        let remind = Binding::member(reader, node, "remindAssignees");
        let settings = ApprovalSettings { timeout, notify, remind_time, remind };
        Self {
            approval_type: reader.text(node, "approvalType"),
            required: reader.text(node, "required"),
            on_timeout: reader.text(node, "onTimeout"),
            assignees,
            result,
            settings: (settings != ApprovalSettings::NONE).then(|| Box::new(settings)),
        }
    }

    pub fn settings(&self) -> &ApprovalSettings<'d> {
        self.settings.as_deref().unwrap_or(&ApprovalSettings::NONE)
    }
}

impl<'d> Assignee<'d> {
    pub(super) fn read(reader: &mut Reader<'d, '_>, node: NodeId) -> Self {
        if reader.lowering.document.kind(node) != Json::Object {
            return Self { node, kind: Member::Unknown(node), parameter: Member::Unknown(node) };
        }
        reader.enter(Element::Assignee, node);
        Self { node, kind: reader.text(node, "type"), parameter: Binding::member(reader, node, "parameter") }
    }
}

impl Assignee<'_> {
    /// Whether an assignee is of the documented type and certain to have no value.
    pub fn is_certainly_empty(&self) -> bool {
        let is_documented = match self.kind {
            Member::Known(_, kind) => kind == "Parameter",
            Member::Absent => true,
            Member::Unknown(_) => false,
        };
        let is_empty = match &self.parameter {
            Member::Absent => true,
            Member::Unknown(_) => false,
            // A string without a mail address between its separators asks nobody.
            Member::Known(_, binding) => {
                let separators = |letter: char| letter.is_whitespace() || matches!(letter, ';' | ',');
                binding.is_empty() || binding.literal_text().is_some_and(|(_, text)| text.chars().all(separators))
            }
        };
        is_documented && is_empty
    }
}

/// Whether what is due after a time comes too late for what ends after another; 0 is no time.
pub fn is_late(due: Option<Literal<'_>>, end: Option<Literal<'_>>) -> bool {
    let time = |literal: Option<Literal<'_>>| literal?.as_number().filter(|time| *time > 0.0);
    matches!((time(due), time(end)), (Some(due), Some(end)) if due >= end)
}
