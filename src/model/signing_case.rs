//! Signing cases (reference, Signing case description).

use super::literal::Literal;
use super::lowering::Lowering;
use super::reader::{Member, Reader, UnknownMember};
use crate::document::{Kind, NodeId};
use crate::schema::Element;

/// What a party needs to sign in a documented way (reference, Party).
pub const SIGNATURE_TYPES: [(&str, &str); 2] = [("ElectronicId", "SocialSecurityNumber"), ("sms", "MobilePhone")];

/// A case as a caller describes it.
#[derive(Debug)]
pub struct SigningCase<'d> {
    /// `Name`
    pub name: Member<&'d str>,
    /// `Parties`
    pub parties: Member<Vec<Party<'d>>>,
    /// `AllowedSignatureTypes`; an entry that is no text has none.
    pub allowed_types: Member<Vec<(NodeId, Option<&'d str>)>>,
    /// `Culture`
    pub culture: Member<&'d str>,
    /// `SignInSequence`
    pub in_sequence: Member<bool>,
    /// `ExpireAfterDays`
    pub expire_after_days: Member<Literal<'d>>,
    /// `RemindAfterDays`
    pub remind_after_days: Member<Literal<'d>>,
    /// `ApprovalRequired`
    pub approval_required: Member<bool>,
    /// `Approvers`: how many.
    pub approvers: Member<usize>,
    /// `SendSignRequestEmailToParties`
    pub mails_request: Member<bool>,
    /// `SendFinishEmailToCreator`
    pub mails_finish_to_creator: Member<bool>,
    /// `SendFinishEmailToParties`
    pub mails_finish_to_parties: Member<bool>,
    /// `SendRejectNotification`
    pub mails_reject: Member<bool>,
    /// Member names that nobody knows.
    pub unknown_members: Vec<UnknownMember>,
}

/// One signer.
#[derive(Debug)]
pub struct Party<'d> {
    /// The object.
    pub node: NodeId,
    /// `Name`
    pub name: Member<&'d str>,
    /// `EmailAddress`
    pub mail: Member<&'d str>,
    /// `AnyoneCanSign`
    pub anyone_can_sign: Member<bool>,
    /// `MobilePhone`
    pub mobile_phone: Member<&'d str>,
    /// `SocialSecurityNumber`
    pub personal_id: Member<&'d str>,
    /// `SignatureType`
    pub signature_type: Member<Literal<'d>>,
}

impl<'d> SigningCase<'d> {
    /// The case in a document.
    pub fn lower(lowering: Lowering<'d>) -> Self {
        let document = lowering.document;
        let mut reader = Reader::new(lowering);
        let root = document.root();
        reader.enter(Element::SigningCase, root);
        Self {
            name: reader.text(root, "Name"),
            parties: reader.list(root, "Parties", Party::read),
            allowed_types: reader.list(root, "AllowedSignatureTypes", |_, node| (node, document.string(node))),
            culture: reader.text(root, "Culture"),
            in_sequence: reader.boolean(root, "SignInSequence"),
            expire_after_days: reader.literal(root, "ExpireAfterDays"),
            remind_after_days: reader.literal(root, "RemindAfterDays"),
            approval_required: reader.boolean(root, "ApprovalRequired"),
            approvers: reader.list(root, "Approvers", |_, _| ()).map(|_, list| list.len()),
            mails_request: reader.boolean(root, "SendSignRequestEmailToParties"),
            mails_finish_to_creator: reader.boolean(root, "SendFinishEmailToCreator"),
            mails_finish_to_parties: reader.boolean(root, "SendFinishEmailToParties"),
            mails_reject: reader.boolean(root, "SendRejectNotification"),
            unknown_members: reader.unknown,
        }
    }

    /// The parties that have the data for none of the allowed ways of signing, and what one of
    /// which each would need. Nothing is said when no way is listed, or one that is not documented.
    pub fn parties_who_cannot_sign(&self) -> Vec<(&Party<'d>, Vec<&'static str>)> {
        let allowed = self.allowed_types.get().map_or(&[][..], Vec::as_slice);
        let needed: Option<Vec<&'static str>> = allowed
            .iter()
            .map(|(_, name)| SIGNATURE_TYPES.iter().find(|(known, _)| Some(*known) == *name).map(|(_, member)| *member))
            .collect();
        let Some(needed) = needed.filter(|needed| !needed.is_empty()) else { return Vec::new() };
        let cannot = |party: &&Party<'d>| {
            party.anyone_can_sign.value() != Some(true) && !needed.iter().any(|member| party.has(member))
        };
        let parties = self.parties.get().into_iter().flatten();
        parties.filter(cannot).map(|party| (party, needed.clone())).collect()
    }
}

impl<'d> Party<'d> {
    fn read(reader: &mut Reader<'d>, node: NodeId) -> Self {
        reader.enter(Element::Party, node);
        let is_object = reader.lowering.document.kind(node) == Kind::Object;
        let text = |reader: &Reader<'d>, name| if is_object { reader.text(node, name) } else { Member::Unknown(node) };
        Self {
            node,
            name: text(reader, "Name"),
            mail: text(reader, "EmailAddress"),
            anyone_can_sign: reader.boolean(node, "AnyoneCanSign"),
            mobile_phone: text(reader, "MobilePhone"),
            personal_id: text(reader, "SocialSecurityNumber"),
            signature_type: reader.literal(node, "SignatureType"),
        }
    }

    /// Whether a member that signing needs is there, or may be: empty is missing.
    fn has(&self, member: &str) -> bool {
        let member = if member == "MobilePhone" { &self.mobile_phone } else { &self.personal_id };
        member.is_unknown() || member.value().is_some_and(|text| !text.is_empty())
    }
}
