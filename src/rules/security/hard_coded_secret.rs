use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place, Secret, SecretKind};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF901",
    name: "hard-coded-secret",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF901-hard-coded-secret.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for secret in cx.secrets() {
        let place = if secret.in_script {
            Place::inside(secret.file, secret.node, secret.part.clone())
        } else {
            Place::value(secret.file, secret.node)
        };
        out.report(&place, format!("{} {}: whoever can read this document, a copy or an old version of it can use it", r#where(secret), what(secret))).help("take it out, and change it at the service that it is for; a stored credential is named by `CredentialName`");
    }
}

fn r#where(secret: &Secret<'_>) -> String {
    match (secret.in_script, secret.name) {
        (true, _) => "this script holds".to_owned(),
        (false, Some(name)) => format!("the text of {} holds", quote(name)),
        (false, None) => "this text holds".to_owned(),
    }
}

fn what(secret: &Secret<'_>) -> String {
    match secret.kind {
        SecretKind::UriPassword => "a user name with its password".to_owned(),
        SecretKind::PrivateKey => "a private key".to_owned(),
        SecretKind::Jwt => "a token (JWT)".to_owned(),
        SecretKind::Token(service) => format!("what looks like a token or key of {service}"),
        SecretKind::Named => "what by its name is a password or secret".to_owned(),
    }
}
