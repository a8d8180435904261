//! The keys of a signing case and of its parties (docs/platform.md, Signing case).

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
