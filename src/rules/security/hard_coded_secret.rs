use std::borrow::Cow;

use crate::facts::{Context, Place, SecretKind};
use crate::redaction::finds_copies;
use crate::rules::{Reporter, Rule};
use crate::text::diagnostic::Severity;

pub const RULE: Rule = rule!("WF901-hard-coded-secret", Warning | Info, check, recommends_infos: true);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    report_unredacted(cx, out);
    for secret in cx.secrets().iter().filter(|secret| secret.is_reported) {
        let place = if secret.in_script {
            Place::inside(secret.file, secret.node, secret.part.clone())
        } else {
            Place::value(secret.file, secret.node)
        };
        let script = if secret.in_script { "a script of " } else { "" };
        out.report(&place, format!("hard-coded {} in {script}{}", kind_in_words(secret.kind), secret.holder))
            .help("remove it, rotate it, and use a stored credential (`CredentialName`) instead");
    }
}

/// Reports secrets and masked values that are too long to search for their copies.
fn report_unredacted(cx: &Context<'_>, out: &mut Reporter<'_>) {
    if let Some(first) = cx.sensitive_values().next()
        && !finds_copies(cx.sensitive_values())
    {
        let message = "unredacted copies: secrets and masked values are too long to search for";
        out.report(&Place::value(first.file, first.node), message)
            .severity(Severity::Info)
            .help("remove long values of masked variables and secrets from the documents");
    }
}

fn kind_in_words(kind: SecretKind) -> Cow<'static, str> {
    match kind {
        SecretKind::UriPassword => "user name and password".into(),
        SecretKind::PrivateKey => "private key".into(),
        SecretKind::Jwt => "token (JWT)".into(),
        SecretKind::Token(service) => format!("{service} token").into(),
        SecretKind::Named => "password or secret".into(),
    }
}
