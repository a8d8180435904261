//! Secrets that are recognized by their format.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use data_encoding::BASE64URL_NOPAD;
use serde_json::{Map, Value};

use crate::graph::placeholders;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecretKind {
    /// User and password in a URI (RFC 3986, section 3.2.1).
    UriPassword,
    /// A private key (RFC 7468, sections 10 and 11).
    PrivateKey,
    /// A signed or encrypted token (RFC 7519).
    Jwt,
    /// A token or key of this service.
    Token(&'static str),
    /// A value whose name is that of a secret.
    Named,
}

/// A documented format of tokens: a prefix, and at least `min_length` bytes of a class after it.
struct TokenFormat {
    service: &'static str,
    prefix: &'static str,
    is_in_class: fn(u8) -> bool,
    min_length: usize,
}

const fn token_format(
    service: &'static str,
    prefix: &'static str,
    is_in_class: fn(u8) -> bool,
    min_length: usize,
) -> TokenFormat {
    TokenFormat { service, prefix, is_in_class, min_length }
}

const fn is_alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

const fn is_url_safe(byte: u8) -> bool {
    is_word(byte) || byte == b'-'
}

const fn is_dotted(byte: u8) -> bool {
    is_url_safe(byte) || byte == b'.'
}

const fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

const fn is_base32_upper(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit()
}

/// - GitHub: docs.github.com, "About authentication to GitHub", token formats; 36 characters follow.
/// - GitLab: docs.gitlab.com, "GitLab token overview", token prefixes; 20 or more follow.
/// - Slack: docs.slack.dev, "Tokens", token types.
/// - Stripe: docs.stripe.com, "API keys", secret and restricted keys in live mode.
/// - AWS: docs.aws.amazon.com, IAM, "Unique identifiers"; 16 follow.
/// - `SendGrid`: docs of the API, "API keys": two parts of 22 and 43 after `SG.`.
/// - npm: github.blog, "Announcing npm's new access token format"; 36 follow.
/// - `PyPI`: pypi.org, "API tokens" in the help: a macaroon in base64url.
/// - Azure Storage: learn.microsoft.com, "Configure Azure Storage connection strings": 64 bytes in base64.
const TOKEN_FORMATS: [TokenFormat; 19] = [
    token_format("GitHub", "ghp_", is_alphanumeric, 36),
    token_format("GitHub", "gho_", is_alphanumeric, 36),
    token_format("GitHub", "ghu_", is_alphanumeric, 36),
    token_format("GitHub", "ghs_", is_alphanumeric, 36),
    token_format("GitHub", "ghr_", is_alphanumeric, 36),
    token_format("GitHub", "github_pat_", is_word, 60),
    token_format("GitLab", "glpat-", is_dotted, 20),
    token_format("Slack", "xoxb-", is_url_safe, 24),
    token_format("Slack", "xoxp-", is_url_safe, 24),
    token_format("Slack", "xapp-", is_url_safe, 24),
    token_format("Stripe", "sk_live_", is_alphanumeric, 16),
    token_format("Stripe", "rk_live_", is_alphanumeric, 16),
    token_format("AWS", "AKIA", is_base32_upper, 16),
    token_format("AWS", "ASIA", is_base32_upper, 16),
    token_format("SendGrid", "SG.", is_dotted, 60),
    token_format("npm", "npm_", is_alphanumeric, 36),
    token_format("GitLab", "gldt-", is_dotted, 20),
    token_format("PyPI", "pypi-", is_url_safe, 85),
    token_format("Azure Storage", "AccountKey=", is_base64, 86),
];

const URI: &str = "://";
const PEM: &str = "-----BEGIN ";
/// The start of every JWT: `{"` of its header in base64url.
const JWT: &str = "eyJ";

/// The formats in `MARKERS` before those of tokens.
const FORMATS_BEFORE_TOKENS: usize = 3;

static MARKERS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let markers = [URI, PEM, JWT].into_iter().chain(TOKEN_FORMATS.iter().map(|format| format.prefix));
    AhoCorasick::new(markers).ok()
});

/// The secrets in a string, in their order, found by one search for all prefixes.
pub fn find(text: &str) -> Vec<(Range<usize>, SecretKind)> {
    let mut found: Vec<(Range<usize>, SecretKind)> = Vec::new();
    for marker in MARKERS.iter().flat_map(|markers| markers.find_iter(text)) {
        if found.last().is_some_and(|(last, _)| marker.start() < last.end) {
            continue;
        }
        found.extend(match marker.pattern().as_usize() {
            0 => uri_password(text, marker.start()).map(|part| (part, SecretKind::UriPassword)),
            1 => private_key(text, marker.start()).map(|part| (part, SecretKind::PrivateKey)),
            2 => jwt(text, marker.start()).map(|part| (part, SecretKind::Jwt)),
            format => token(text, marker.start(), TOKEN_FORMATS.get(format - FORMATS_BEFORE_TOKENS)),
        });
    }
    found
}

/// User and password before the host, if both are present and the password is not a placeholder.
fn uri_password(text: &str, slashes: usize) -> Option<Range<usize>> {
    let before = text.get(..slashes)?;
    before.ends_with(|letter: char| letter.is_ascii_alphanumeric()).then_some(())?;
    let start = slashes + URI.len();
    let rest = text.get(start..)?;
    let ends = |letter: char| {
        letter.is_whitespace() || matches!(letter, '/' | '?' | '#' | '"' | '\'' | '`' | '<' | '>' | '\\')
    };
    let authority = rest.get(..rest.find(ends).unwrap_or(rest.len()))?;
    let (user_info, host) = authority.rsplit_once('@')?;
    let (user, password) = user_info.split_once(':')?;
    let is_given = !user.is_empty() && !host.is_empty() && !is_placeholder(password);
    is_given.then_some(start..start + user_info.len())
}

/// User and password in an address that may lack the scheme or the slashes.
pub fn user_and_password(address: &str) -> Option<Range<usize>> {
    let text = address.trim_start();
    let without_scheme = ["https:", "http:"].iter().find_map(|scheme| text.strip_prefix(scheme)).unwrap_or(text);
    let rest = without_scheme.trim_start_matches('/');
    let start = address.len() - rest.len();
    let authority = rest.get(..rest.find(['/', '?', '#']).unwrap_or(rest.len()))?;
    let (user_info, host) = authority.rsplit_once('@')?;
    let (user, password) = user_info.split_once(':')?;
    let is_given = !user.is_empty() && !host.is_empty() && !is_placeholder(password);
    is_given.then_some(start..start + user_info.len())
}

/// Whether a string is empty, a mask such as `***`, or a placeholder of some syntax.
pub fn is_placeholder(text: &str) -> bool {
    let inner = text.trim();
    let is_mask = |letter: char| matches!(letter, '*' | 'x' | 'X' | '.' | '•' | '-' | '_' | '#' | '?');
    let is_marked = |open: &str, close: char| inner.starts_with(open) && inner.ends_with(close);
    inner.chars().all(is_mask)
        || placeholders(inner).next().is_some()
        || inner.contains("${")
        || is_marked("{", '}')
        || is_marked("<", '>')
        || is_marked("[", ']')
        || is_marked("%", '%')
}

/// A PEM block with the label of a private key, including its end line.
fn private_key(text: &str, start: usize) -> Option<Range<usize>> {
    let rest = text.get(start + PEM.len()..)?;
    let (label, body) = rest.split_once("-----")?;
    let is_label = label.len() < 40 && label.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b' ');
    (is_label && label.contains("PRIVATE KEY")).then_some(())?;
    // Dashes are not in the alphabet of base64, so the key ends before the next ones.
    let body_end = body.find("-----").unwrap_or(body.len());
    let after = body.get(body_end..)?.strip_prefix("-----END ").and_then(|rest| rest.strip_prefix(label));
    let is_closed = after.is_some_and(|after| after.starts_with("-----"));
    let key = body.get(..body_end)?;
    let has_key = longest_run(key) >= if is_closed && is_base64_text(key) { 4 } else { 16 };
    let end = if is_closed { body_end + "-----END ".len() + label.len() + "-----".len() } else { body_end };
    let body_start = text.len() - body.len();
    has_key.then_some(start..(body_start + end).min(text.len()))
}

/// Whether a string is base64 on several lines, whose breaks may be escaped.
fn is_base64_text(text: &str) -> bool {
    let lines = text.replace("\\r", "\r").replace("\\n", "\n");
    lines.bytes().all(|byte| is_base64(byte) || byte.is_ascii_whitespace())
}

/// The longest run of base64 characters.
fn longest_run(text: &str) -> usize {
    text.as_bytes().split(|&byte| !is_base64(byte)).map(<[u8]>::len).max().unwrap_or(0)
}

/// Three parts of base64url (signed, RFC 7515) or five (encrypted, RFC 7516), of which the first is a JSON object
/// that names an algorithm.
fn jwt(text: &str, start: usize) -> Option<Range<usize>> {
    let is_before = |byte: &u8| is_dotted(*byte);
    (start == 0 || !text.as_bytes().get(start - 1).is_some_and(is_before)).then_some(())?;
    let rest = text.get(start..)?;
    let token = rest.get(..rest.bytes().take_while(|&byte| is_dotted(byte)).count())?.trim_end_matches('.');
    let parts: Vec<&str> = token.splitn(6, '.').collect();
    let is_token = match parts.as_slice() {
        [header, payload, signature] => {
            object(header)?.contains_key("alg") && object(payload).is_some() && !signature.is_empty()
        }
        [header, _, _, cipher, tag] => object(header)?.contains_key("enc") && !cipher.is_empty() && !tag.is_empty(),
        _ => false,
    };
    is_token.then(|| start..start + token.len())
}

fn object(part: &str) -> Option<Map<String, Value>> {
    serde_json::from_slice(&BASE64URL_NOPAD.decode(part.as_bytes()).ok()?).ok()
}

fn token(text: &str, start: usize, format: Option<&TokenFormat>) -> Option<(Range<usize>, SecretKind)> {
    let format = format?;
    let is_inside_word = start > 0 && text.as_bytes().get(start - 1).is_some_and(|&byte| is_word(byte));
    if is_inside_word {
        return None;
    }
    let rest = text.get(start + format.prefix.len()..)?;
    let length = rest.bytes().take_while(|&byte| (format.is_in_class)(byte)).count();
    let body = rest.get(..length)?;
    // Documentation writes example tokens as one repeated letter.
    let is_example = body.bytes().all(|byte| Some(byte) == body.bytes().next());
    let end = start + format.prefix.len() + length;
    (length >= format.min_length && !is_example).then_some((start..end, SecretKind::Token(format.service)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<(&str, SecretKind)> {
        find(text).into_iter().map(|(part, kind)| (text.get(part).unwrap(), kind)).collect()
    }

    #[test]
    fn uri_with_user_and_password_has_a_secret() {
        assert_eq!(
            shown("see https://svc:Tr0ub4dor@esign.example.com/a@b"),
            [("svc:Tr0ub4dor", SecretKind::UriPassword)]
        );
        for harmless in [
            "https://esign.example.com/api:v2@x",
            "https://svc@esign.example.com",
            "https://svc:@esign.example.com",
            "https://{User}:{Password}@esign.example.com",
            "https://svc:***@esign.example.com",
            "mailto://a",
            "'https://' + user + ':' + password + '@host'",
        ] {
            assert_eq!(shown(harmless), [], "{harmless}");
        }
    }

    #[test]
    fn private_key_is_a_secret_and_a_certificate_is_not() {
        let key =
            "-----BEGIN EC PRIVATE KEY-----\nMIIBVgIBADANBgkqhkiG9w0BAQEFAASCAUAwggE8\n-----END EC PRIVATE KEY-----";
        assert_eq!(shown(&format!("a {key} b")), [(key, SecretKind::PrivateKey)]);
        assert_eq!(shown(&key.replace("EC PRIVATE KEY", "CERTIFICATE")), []);
        assert_eq!(shown("text.startsWith('-----BEGIN PRIVATE KEY-----')"), []);
        let short = "-----BEGIN PRIVATE KEY-----\\nMIIB\\n-----END PRIVATE KEY-----";
        assert_eq!(shown(short), [(short, SecretKind::PrivateKey)]);
        let joined = "'-----BEGIN PRIVATE KEY-----\\n' + privateKey + '\\n-----END PRIVATE KEY-----'";
        assert_eq!(shown(joined), []);
    }

    #[test]
    fn jwt_has_a_header_that_names_an_algorithm() {
        let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";
        assert_eq!(shown(&format!("Bearer {token}.")), [(token, SecretKind::Jwt)]);
        assert_eq!(shown("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0"), []);
        assert_eq!(shown("eyJhIjoxfQ.eyJhIjoxfQ.c2ln"), []);
    }

    #[test]
    fn token_has_the_prefix_and_length_of_its_format() {
        let token = format!("ghp_{}", "a1B2".repeat(9));
        assert_eq!(shown(&format!("'{token}'")), [(token.as_str(), SecretKind::Token("GitHub"))]);
        assert_eq!(shown(&format!("x{token}")), []);
        let token = format!("pypi-AgEIcHlwaS5vcmc{}", "a1-_".repeat(20));
        assert_eq!(shown(&token), [(token.as_str(), SecretKind::Token("PyPI"))]);
        let key = format!("AccountKey={}==", "aB+/12".repeat(15));
        assert_eq!(
            shown(&format!("AccountName=a;{key};EndpointSuffix=b")),
            [(key.as_str(), SecretKind::Token("Azure Storage"))]
        );
        assert_eq!(shown("ghp_short"), []);
        assert_eq!(shown(&format!("ghp_{}", "x".repeat(36))), []);
    }

    #[test]
    fn password_is_found_in_an_invalid_address() {
        for address in [
            "user:hunter2@sign.example.com/api/v2",
            "//user:hunter2@sign.example.com/",
            "https:user:hunter2@sign.example.com",
            "https:/user:hunter2@sign.example.com",
        ] {
            let found = user_and_password(address).and_then(|part| address.get(part));
            assert_eq!(found, Some("user:hunter2"), "{address}");
        }
        assert_eq!(user_and_password("https://sign.example.com/a:b@c"), None);
        assert_eq!(user_and_password("mail@example.com"), None);
    }
}
