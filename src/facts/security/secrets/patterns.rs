//! The formats of secrets: a table of patterns, each searched for only where one of its markers is.

use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::AhoCorasick;
use regex_automata::meta::Regex;
use regex_automata::{Anchored, Input};

use crate::common::collections::HashMap;
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

pub struct Pattern {
    kind: SecretKind,
    /// Every match begins with one of these.
    markers: &'static [&'static str],
    /// The last group of it, or else the whole match, is not a placeholder, and has this entropy in bits a character.
    /// The first group, or else the whole match, is the secret.
    regex: &'static str,
    min_entropy: f64,
    compiled: OnceLock<Option<Regex>>,
}

const fn pattern(kind: SecretKind, markers: &'static [&'static str], regex: &'static str, min_entropy: f64) -> Pattern {
    Pattern { kind, markers, regex, min_entropy, compiled: OnceLock::new() }
}

const fn token(service: &'static str, markers: &'static [&'static str], regex: &'static str) -> Pattern {
    pattern(SecretKind::Token(service), markers, regex, 2.5)
}

/// Tokens have the formats that their services document:
///
/// - GitHub: docs.github.com, "About authentication to GitHub", token formats.
/// - GitLab: docs.gitlab.com, "GitLab token overview", token prefixes.
/// - Slack: docs.slack.dev, "Tokens", token types.
/// - Stripe: docs.stripe.com, "API keys", secret and restricted keys in live mode.
/// - AWS: docs.aws.amazon.com, IAM, "Unique identifiers".
/// - `SendGrid`: docs of the API, "API keys".
/// - npm: github.blog, "Announcing npm's new access token format".
/// - `PyPI`: pypi.org, "API tokens" in the help: a macaroon in base64url.
/// - Azure Storage: learn.microsoft.com, "Configure Azure Storage connection strings": 64 bytes in base64.
static PATTERNS: [Pattern; 13] = [
    pattern(
        SecretKind::UriPassword,
        &["://"],
        r#"(?-u:\b)://([^\s/?#"'`<>\\:@]+:([^\s/?#"'`<>\\]+))@[^\s/?#"'`<>\\@]"#,
        0.0,
    ),
    pattern(
        SecretKind::PrivateKey,
        &["-----BEGIN "],
        "-----BEGIN [A-Z ]{0,20}PRIVATE KEY[A-Z ]{0,20}-----(?:\
        (?:[A-Za-z0-9+/=\\s]|\\\\[rn]){4,}-----END [A-Z ]{0,40}-----|\
        (?:-{0,4}[^-])*?[A-Za-z0-9+/=]{16}(?:-{0,4}[^-])*(?:-----END [A-Z ]{0,40}-----)?)",
        0.0,
    ),
    pattern(
        SecretKind::Jwt,
        &["eyJ"],
        r"(?-u:\b)eyJ[0-9A-Za-z_-]{12,}\.(?:eyJ[0-9A-Za-z_-]+\.[0-9A-Za-z_-]+|[0-9A-Za-z_-]*\.[0-9A-Za-z_-]+\.[0-9A-Za-z_-]+\.[0-9A-Za-z_-]+)",
        2.5,
    ),
    token("GitHub", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], r"(?-u:\b)gh[pousr]_[0-9A-Za-z]{36,}"),
    token("GitHub", &["github_pat_"], r"(?-u:\b)github_pat_[0-9A-Za-z_]{60,}"),
    token("GitLab", &["glpat-", "gldt-"], r"(?-u:\b)gl(?:pat|dt)-[0-9A-Za-z_.-]{20,}"),
    token("Slack", &["xoxb-", "xoxp-", "xapp-"], r"(?-u:\b)x(?:ox[bp]|app)-[0-9A-Za-z_-]{24,}"),
    token("Stripe", &["sk_live_", "rk_live_"], r"(?-u:\b)[sr]k_live_[0-9A-Za-z]{16,}"),
    token("AWS", &["AKIA", "ASIA"], r"(?-u:\b)A[KS]IA[0-9A-Z]{16,}"),
    token("SendGrid", &["SG."], r"(?-u:\b)SG\.[0-9A-Za-z_-]{20,}\.[0-9A-Za-z_-]{39,}"),
    token("npm", &["npm_"], r"(?-u:\b)npm_[0-9A-Za-z]{36,}"),
    token("PyPI", &["pypi-"], r"(?-u:\b)pypi-[0-9A-Za-z_-]{85,}"),
    token("Azure Storage", &["AccountKey="], r"(?-u:\b)AccountKey=[0-9A-Za-z+/]{86,}={0,2}"),
];

/// An address without its scheme or slashes, which only a parameter for addresses is searched for.
static ADDRESS: Pattern = pattern(SecretKind::UriPassword, &[], r"\s*(?:https?:)?/*([^:/?#@]+:([^/?#]+))@[^/?#@]", 0.0);

/// Finds all markers in one pass, each with its pattern.
static MARKERS: LazyLock<Option<(AhoCorasick, Vec<&Pattern>)>> = LazyLock::new(|| {
    let markers = PATTERNS.iter().flat_map(|pattern| pattern.markers.iter().map(move |marker| (*marker, pattern)));
    let (markers, patterns): (Vec<&str>, Vec<&Pattern>) = markers.unzip();
    Some((AhoCorasick::new(markers).ok()?, patterns))
});

/// Where a secret is in a string, and of which kind it is.
pub type FoundSecret = (Range<usize>, SecretKind);

impl Pattern {
    /// The end of a match that begins at a byte of a string, and its secret.
    fn at(&self, text: &str, start: usize) -> Option<(usize, Option<FoundSecret>)> {
        let regex = self.compiled.get_or_init(|| Regex::new(self.regex).ok()).as_ref()?;
        let mut captures = regex.create_captures();
        regex.captures(Input::new(text).range(start..).anchored(Anchored::Yes), &mut captures);
        let secret = captures.get_group(1).or_else(|| captures.get_group(0))?;
        let judged = text.get(captures.get_group(2).unwrap_or(secret).range())?;
        let is_secret = !is_placeholder(judged) && entropy(judged) >= self.min_entropy;
        Some((captures.get_match()?.end(), is_secret.then_some((secret.range(), self.kind))))
    }
}

/// The secrets in a string, in their order.
pub fn find(text: &str) -> Vec<FoundSecret> {
    let mut found: Vec<FoundSecret> = Vec::new();
    let Some((markers, patterns)) = &*MARKERS else { return found };
    // What begins later in a match ends like it, and in a word alike: each is read once.
    let mut end = 0;
    for marker in markers.find_iter(text) {
        let Some(pattern) = patterns.get(marker.pattern().as_usize()).filter(|_| marker.start() >= end) else {
            continue;
        };
        match pattern.at(text, marker.start()) {
            Some((end_of_match, secret)) => {
                end = end_of_match;
                found.extend(secret);
            }
            None if pattern.kind == SecretKind::Jwt => end = end_of_word(text, marker.end()),
            None => {}
        }
    }
    found
}

/// Where the letters of base64url end that a string has from a byte on.
fn end_of_word(text: &str, start: usize) -> usize {
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    start + text.as_bytes().iter().skip(start).take_while(is_part).count()
}

/// User and password in an address that may lack the scheme or the slashes.
pub fn user_and_password(address: &str) -> Option<(Range<usize>, SecretKind)> {
    ADDRESS.at(address, 0)?.1
}

/// Whether a string is empty, a mask such as `***`, or a placeholder of some syntax.
pub fn is_placeholder(text: &str) -> bool {
    let inner = text.trim();
    let is_mask = |letter: char| matches!(letter, '*' | 'x' | 'X' | '.' | '•' | '-' | '_' | '#' | '?');
    let is_marked = |open: &str, close: char| inner.starts_with(open) && inner.ends_with(close);
    inner.chars().all(is_mask)
        || placeholders(inner, |_| false).next().is_some()
        || inner.contains("${")
        || is_marked("{", '}')
        || is_marked("<", '>')
        || is_marked("[", ']')
        || is_marked("%", '%')
}

/// Shannon's entropy, in bits a character: examples in documentation repeat few characters.
fn entropy(text: &str) -> f64 {
    let mut counts: HashMap<char, u32> = HashMap::default();
    for letter in text.chars() {
        *counts.entry(letter).or_default() += 1;
    }
    let all: f64 = counts.values().copied().map(f64::from).sum();
    counts.values().map(|&count| f64::from(count) / all).map(|share| -share * share.log2()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<(&str, SecretKind)> {
        find(text).into_iter().map(|(part, kind)| (text.get(part).unwrap(), kind)).collect()
    }

    #[test]
    fn uri_with_user_and_password_has_a_secret() {
        let uri = "see https://svc:Tr0ub4dor@esign.example.com/a@b";
        assert_eq!(shown(uri), [("svc:Tr0ub4dor", SecretKind::UriPassword)]);
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
    fn password_is_found_in_an_invalid_address() {
        for address in ["user:hunter2@sign.example.com/a", "//user:hunter2@a.com/", "https:/user:hunter2@a.com"] {
            let found = user_and_password(address).and_then(|(part, _)| address.get(part));
            assert_eq!(found, Some("user:hunter2"), "{address}");
        }
        assert_eq!(user_and_password("https://sign.example.com/a:b@c"), None);
        assert_eq!(user_and_password("mail@example.com"), None);
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
        assert_eq!(shown("'-----BEGIN PRIVATE KEY-----\\n' + privateKey + '\\n-----END PRIVATE KEY-----'"), []);
    }

    #[test]
    fn tokens_have_a_format_and_entropy() {
        let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";
        assert_eq!(shown(&format!("Bearer {jwt}.")), [(jwt, SecretKind::Jwt)]);
        let github = format!("ghp_{}", "a1B2c3".repeat(6));
        assert_eq!(shown(&format!("'{github}'")), [(github.as_str(), SecretKind::Token("GitHub"))]);
        let pypi = format!("pypi-AgEIcHlwaS5vcmc{}", "a1-_".repeat(20));
        assert_eq!(shown(&pypi), [(pypi.as_str(), SecretKind::Token("PyPI"))]);
        for harmless in ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0", "ghp_short", &format!("ghp_{}", "x".repeat(36))] {
            assert_eq!(shown(harmless), [], "{harmless}");
        }
        assert_eq!(shown(&format!("x{github}")), []);
    }

    #[test]
    fn words_of_many_markers_are_read_once() {
        for word in ["eyJ-", "eyJ-eyJ-eyJ-eyJ-.", "xoxb-", "pypi-", "glpat-", "SG.", "://a:"] {
            find(&word.repeat(1 << 16));
        }
    }

    #[test]
    fn every_pattern_can_be_compiled() {
        for pattern in PATTERNS.iter().chain([&ADDRESS]) {
            Regex::new(pattern.regex).unwrap();
        }
    }
}
