//! Signing cases (docs/platform-methods.md, Signing case).

use super::reader::{Literal, Lowering, Member, Reader, UnknownMember};
use crate::document::{NodeId, NodeKind};
use crate::schema::Element;

/// The known signature types, each with the key that a party needs for it, if that is documented (docs/platform-methods.md,
/// Party). They are compared without case.
pub const SIGNATURE_TYPES: [(&str, Option<&str>); 5] = [
    ("ElectronicId", Some(case_key::SOCIAL_SECURITY_NUMBER)),
    ("sms", Some(case_key::MOBILE_PHONE)),
    ("touch", None),
    ("quickintent", None),
    ("signbyhand", None),
];

#[derive(Debug, Default)]
pub struct SigningCase<'d> {
    pub name: Member<&'d str>,
    pub parties: Member<Vec<Party<'d>>>,
    /// `AllowedSignatureTypes`; the name is `None` for an entry that is not a string.
    pub allowed_types: Member<Vec<(NodeId, Option<&'d str>)>>,
    pub culture: Member<&'d str>,
    /// `SignInSequence`
    pub in_sequence: Member<bool>,
    pub expire_after_days: Member<Literal<'d>>,
    pub remind_after_days: Member<Literal<'d>>,
    pub approval_required: Member<bool>,
    /// The number of `Approvers`.
    pub approvers: Member<usize>,
    /// `SendSignRequestEmailToParties`
    pub mails_request: Member<bool>,
    /// `SendFinishEmailToCreator`
    pub mails_finish_to_creator: Member<bool>,
    /// `SendFinishEmailToParties`
    pub mails_finish_to_parties: Member<bool>,
    /// `SendRejectNotification`
    pub mails_reject: Member<bool>,
    /// Keys that the schema does not describe.
    pub unknown_members: Vec<UnknownMember>,
}

#[derive(Debug)]
pub struct Party<'d> {
    pub node: NodeId,
    pub name: Member<&'d str>,
    /// `EmailAddress`
    pub mail: Member<&'d str>,
    pub anyone_can_sign: Member<bool>,
    pub mobile_phone: Member<&'d str>,
    /// `SocialSecurityNumber`
    pub personal_id: Member<&'d str>,
    pub signature_type: Member<Literal<'d>>,
}

impl<'d> SigningCase<'d> {
    pub fn lower(lowering: Lowering<'d, '_>) -> Self {
        let document = lowering.document;
        let mut reader = Reader::new(lowering);
        let root = document.root();
        reader.enter(Element::SigningCase, root);
        Self {
            name: reader.required_text(root, case_key::NAME),
            parties: reader.list(root, case_key::PARTIES, Party::read),
            allowed_types: reader
                .list(root, case_key::ALLOWED_SIGNATURE_TYPES, |_, node| (node, document.string(node))),
            culture: reader.text(root, case_key::CULTURE),
            in_sequence: reader.boolean(root, case_key::SIGN_IN_SEQUENCE),
            expire_after_days: reader.literal(root, case_key::EXPIRE_AFTER_DAYS),
            remind_after_days: reader.literal(root, case_key::REMIND_AFTER_DAYS),
            approval_required: reader.boolean(root, case_key::APPROVAL_REQUIRED),
            approvers: reader.list(root, case_key::APPROVERS, |_, _| ()).map(|_, list| list.len()),
            mails_request: reader.boolean(root, case_key::SEND_SIGN_REQUEST_EMAIL_TO_PARTIES),
            mails_finish_to_creator: reader.boolean(root, case_key::SEND_FINISH_EMAIL_TO_CREATOR),
            mails_finish_to_parties: reader.boolean(root, case_key::SEND_FINISH_EMAIL_TO_PARTIES),
            mails_reject: reader.boolean(root, case_key::SEND_REJECT_NOTIFICATION),
            unknown_members: reader.unknown,
        }
    }

    /// The parties that have the data for none of the allowed signature types, and the keys of which each of them needs
    /// one. No parties if no type is listed, or one whose data is not documented.
    pub fn parties_who_cannot_sign(&self) -> (impl Iterator<Item = &Party<'d>>, Vec<&'static str>) {
        // A type may be listed any number of times.
        let mut needed: Vec<&'static str> = Vec::new();
        let mut are_known = true;
        for (_, name) in self.allowed_types.get().into_iter().flatten() {
            let is_this = |known: &str| name.is_some_and(|name| known.eq_ignore_ascii_case(name));
            match SIGNATURE_TYPES.iter().find(|(known, _)| is_this(known)).and_then(|(_, key)| *key) {
                Some(key) if needed.contains(&key) => {}
                Some(key) => needed.push(key),
                None => are_known = false,
            }
        }
        let keys = needed.clone();
        let parties = self.parties.get().filter(|_| are_known && !needed.is_empty());
        let cannot = move |party: &&Party<'d>| {
            party.anyone_can_sign.value() != Some(true) && !keys.iter().any(|key| party.has(key))
        };
        (parties.into_iter().flatten().filter(cannot), needed)
    }
}

impl<'d> Party<'d> {
    fn read(reader: &mut Reader<'d, '_>, node: NodeId) -> Self {
        reader.enter(Element::Party, node);
        let is_object = reader.lowering.document.kind(node) == NodeKind::Object;
        let text =
            |reader: &Reader<'d, '_>, key| if is_object { reader.text(node, key) } else { Member::Unknown(node) };
        Self {
            node,
            name: text(reader, case_key::NAME),
            mail: text(reader, case_key::EMAIL_ADDRESS),
            anyone_can_sign: reader.boolean(node, case_key::ANYONE_CAN_SIGN),
            mobile_phone: text(reader, case_key::MOBILE_PHONE),
            personal_id: text(reader, case_key::SOCIAL_SECURITY_NUMBER),
            signature_type: reader.literal(node, case_key::SIGNATURE_TYPE),
        }
    }

    /// Whether a key has a value, or may have one; an empty string counts as missing.
    fn has(&self, key: &str) -> bool {
        let member = if key == case_key::MOBILE_PHONE { &self.mobile_phone } else { &self.personal_id };
        member.is_unknown() || member.value().is_some_and(|text| !text.is_empty())
    }
}

/// The keys of a signing case and of its parties (docs/platform-methods.md, Signing case).
pub mod case_key {
    /// In a case and in a party.
    pub const NAME: &str = "Name";
    pub const PARTIES: &str = "Parties";
    pub const ALLOWED_SIGNATURE_TYPES: &str = "AllowedSignatureTypes";
    pub const REQUEST_MESSAGE: &str = "RequestMessage";
    pub const CULTURE: &str = "Culture";
    pub const SIGN_IN_SEQUENCE: &str = "SignInSequence";
    pub const EXPIRE_AFTER_DAYS: &str = "ExpireAfterDays";
    pub const REMIND_AFTER_DAYS: &str = "RemindAfterDays";
    pub const APPROVAL_REQUIRED: &str = "ApprovalRequired";
    pub const APPROVERS: &str = "Approvers";
    pub const SEND_SIGN_REQUEST_EMAIL_TO_PARTIES: &str = "SendSignRequestEmailToParties";
    pub const SEND_FINISH_EMAIL_TO_CREATOR: &str = "SendFinishEmailToCreator";
    pub const SEND_FINISH_EMAIL_TO_PARTIES: &str = "SendFinishEmailToParties";
    pub const SEND_REJECT_NOTIFICATION: &str = "SendRejectNotification";

    pub const EMAIL_ADDRESS: &str = "EmailAddress";
    pub const ANYONE_CAN_SIGN: &str = "AnyoneCanSign";
    pub const MOBILE_PHONE: &str = "MobilePhone";
    pub const SOCIAL_SECURITY_NUMBER: &str = "SocialSecurityNumber";
    pub const SIGNATURE_TYPE: &str = "SignatureType";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Types;
    use crate::document::{Document, Limits};
    use crate::text::suggest::Suggester;

    #[test]
    fn keys_that_parties_need_are_listed_once() {
        let json = r#"{ "Parties": [{ "MobilePhone": "1" }, {}, {}], "AllowedSignatureTypes": ["sms", "sms", "sms"] }"#;
        let document = Document::parse(json, Limits::default()).unwrap();
        let (types, suggester) = (Types::default(), Suggester::default());
        let case = SigningCase::lower(Lowering { document: &document, types: &types, suggester: &suggester });
        let (parties, needed) = case.parties_who_cannot_sign();
        assert_eq!((parties.count(), needed), (2, vec![case_key::MOBILE_PHONE]));
    }
}
