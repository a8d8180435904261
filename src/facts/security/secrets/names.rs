//! Secrets that are recognized by their name: the values that texts and scripts assign to it.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use regex_automata::meta::Regex;
use regex_automata::{Anchored, Input};

use super::patterns::{FoundSecret, SecretKind, is_placeholder};

/// The endings of names of secrets, in lower case and without separators.
const ENDINGS: [&str; 14] = [
    "password", "passwd", "pwd", "passphrase", "secret", "apikey", "secretkey", "secretaccesskey", "privatekey",
    "accesstoken", "authtoken", "bearertoken", "apitoken", "refreshtoken",
];
/// The prefixes of names that only refer to a secret: `ShowPassword`.
const NON_SECRET_PREFIXES: [&str; 10] =
    ["show", "hide", "reset", "forgot", "change", "has", "is", "use", "no", "require"];
/// Each ending ends with one of these, so a search for them finds all candidates.
const MARKERS: [&str; 7] = ["password", "passwd", "pwd", "passphrase", "secret", "key", "token"];

static FIND_MARKERS: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::builder().ascii_case_insensitive(true).build(MARKERS).ok());

/// What may follow a name in a string: `=value`, with or without quotes, or `": "value"` of JSON.
static IN_TEXT: LazyLock<Option<Regex>> =
    LazyLock::new(|| regex(r#"=(QUOTED)|"\s*:\s*(QUOTED)|=([^\s;&"'`,]{1,255})(?:[\s;&"'`,]|$)"#));
/// What may be between a name in a script and its value: the end of a string or of a computed key, and a sign.
static SIGN: LazyLock<Option<Regex>> = LazyLock::new(|| regex(r#"["'`]?\s*\]?\s*(?:\|\||\?\?|&&)?[:=]\s*"#));
static STRING: LazyLock<Option<Regex>> = LazyLock::new(|| regex("(QUOTED)"));
/// What may be an expression with choices.
static EXPRESSION: LazyLock<Option<Regex>> = LazyLock::new(|| regex(r#"(?:QUOTED|[^;,{}\n"'`])*"#));
/// A string that an expression may be, with no operator after it but another choice: `? "…" : "…"`, `|| "…"`, `?? "…"`.
static CHOICE: LazyLock<Option<Regex>> = LazyLock::new(|| regex(r"(?:\?|\|\||:)\s*(QUOTED)\s*(?:[:)]|\|\||\?\?|$)"));

fn regex(pattern: &str) -> Option<Regex> {
    let quoted = r#"(?s:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)"#;
    Regex::new(&pattern.replace("QUOTED", quoted)).ok()
}

/// The first match: its end, and its group, of a string without the quotes.
fn find(regex: Option<&Regex>, input: Input<'_>) -> Option<(usize, Option<Range<usize>>)> {
    let (text, regex) = (input.haystack(), regex?);
    let mut captures = regex.create_captures();
    regex.captures(input, &mut captures);
    let group = captures.iter().skip(1).flatten().next().map(|group| {
        let is_quoted = matches!(text.get(group.start), Some(b'"' | b'\'' | b'`'));
        if is_quoted { group.start + 1..group.end - 1 } else { group.range() }
    });
    Some((captures.get_match()?.end(), group))
}

fn at(text: &str, range: Range<usize>) -> Input<'_> {
    Input::new(text).range(range).anchored(Anchored::Yes)
}

/// Whether a name is that of a password or a secret: `DbPassword`, `client_secret`, `api-key`.
pub fn is_secret_name(name: &str) -> bool {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase);
    let letters: String = letters.collect();
    let letters = letters.trim_end_matches(|letter: char| letter.is_ascii_digit());
    ENDINGS.iter().any(|ending| letters.ends_with(ending)) && !only_refers(name)
}

/// Whether a name begins with a word that says that it only refers to a secret.
fn only_refers(name: &str) -> bool {
    NON_SECRET_PREFIXES.iter().any(|prefix| {
        let rest = name.split_at_checked(prefix.len()).filter(|(start, _)| start.eq_ignore_ascii_case(prefix));
        rest.is_some_and(|(_, rest)| rest.starts_with(|letter: char| letter.is_uppercase() || "_-".contains(letter)))
    })
}

/// Whether the value of such a name can be the secret itself, rather than a switch, a prompt, a GUID or a
/// placeholder.
pub fn is_secret_value(value: &str, name: &str) -> bool {
    const SWITCHES: [&str; 9] = ["true", "false", "yes", "no", "none", "null", "undefined", "required", "optional"];
    let value = value.trim();
    !is_placeholder(value)
        && value.chars().count() > 3
        && !value.contains(char::is_whitespace)
        && !value.contains("://")
        && !SWITCHES.iter().any(|switch| value.eq_ignore_ascii_case(switch))
        && !value.trim_end_matches(':').eq_ignore_ascii_case(name)
        && !is_guid(value)
}

/// Hexadecimal digits in groups of 8-4-4-4-12, with or without braces.
fn is_guid(text: &str) -> bool {
    let inner = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(text);
    let parts: Vec<&str> = inner.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    lengths == [8, 4, 4, 4, 12] && parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// The values that a string assigns to names of secrets: `Password=…;` in a connection string, `"password": "…"` in
/// JSON.
pub fn assigned_in_text(text: &str) -> Vec<FoundSecret> {
    assigned(text, is_secret_name, |name_end, name| {
        let (_, value) = find(IN_TEXT.as_ref(), at(text, name_end..text.len()))?;
        value.filter(|value| is_secret_value(text.get(value.clone()).unwrap_or_default(), name))
    })
}

/// What a string that contains a secret assigns to names of keys and tokens, and looks like one: `AccountKey=…`,
/// `&token=…`.
pub fn assigned_beside_secrets(text: &str) -> Vec<FoundSecret> {
    const MIN_BYTES: usize = 8;
    assigned(text, is_name_of_key, |name_end, name| {
        let (_, value) = find(IN_TEXT.as_ref(), at(text, name_end..text.len()))?;
        value.filter(|value| {
            let written = text.get(value.clone()).unwrap_or_default();
            let is_random = written.len() >= MIN_BYTES && written.contains(|letter: char| letter.is_ascii_digit());
            is_random && is_secret_value(written, name)
        })
    })
}

fn is_name_of_key(name: &str) -> bool {
    let name = name.trim_end_matches(|letter: char| letter.is_ascii_digit()).to_ascii_lowercase();
    (name.ends_with("key") || name.ends_with("token")) && !is_secret_name(&name)
}

/// The values that a script assigns to names of secrets: `password = "…"`, `password: "…"`, and those that its strings
/// do: `"Server=db;Password=…"`.
pub fn assigned_in_script(script: &str) -> Vec<FoundSecret> {
    assigned(script, is_secret_name, |name_end, name| {
        let written = |value: &Range<usize>| script.get(value.clone()).unwrap_or_default();
        if let Some(value) = value_in_string(script, name_end) {
            return Some(value).filter(|value| is_secret_value(written(value), name)).into_iter().collect();
        }
        let Some((start, _)) = find(SIGN.as_ref(), at(script, name_end..script.len())) else { return Vec::new() };
        let is_comparison = written(&(start..script.len())).starts_with(['=', '>']);
        let mut values = if is_comparison { Vec::new() } else { values_of_expression(script, start) };
        values.retain(|value| {
            let written = written(value);
            // A label is a single capitalized word: `{ password: "Lösenord" }`.
            let mut letters = written.chars();
            let is_label = letters.next().is_some_and(char::is_uppercase) && letters.all(char::is_lowercase);
            is_secret_value(written, name) && !is_label
        });
        values
    })
}

/// The value that follows a name and `=` in a string of a script. Neither a name that the script computes nor a marker
/// for one starts so.
fn value_in_string(script: &str, name_end: usize) -> Option<Range<usize>> {
    let is_written = script.get(name_end..)?.strip_prefix('=')?.starts_with(char::is_alphanumeric);
    let is_in_string = is_written && is_in_string(script, name_end);
    if is_in_string { find(IN_TEXT.as_ref(), at(script, name_end..script.len()))?.1 } else { None }
}

/// Whether a place of a script is in a string that begins in the same line, and not too far before it.
fn is_in_string(script: &str, at: usize) -> bool {
    const MAX_BYTES: usize = 4096;
    let before = script.as_bytes().get(..at).unwrap_or_default();
    let length = before.iter().rev().take(MAX_BYTES + 1).take_while(|&&byte| byte != b'\n').count();
    let line = before.get(at - length..).filter(|_| length <= MAX_BYTES).unwrap_or_default();
    let (mut quote, mut is_escaped) = (None, false);
    for &byte in line {
        match quote {
            Some(_) if is_escaped => is_escaped = false,
            Some(_) if byte == b'\\' => is_escaped = true,
            Some(open) if byte == open => quote = None,
            None if matches!(byte, b'"' | b'\'' | b'`') => quote = Some(byte),
            _ => {}
        }
    }
    quote.is_some()
}

/// The strings that an expression of a script may be: it begins with one, or is not too long and ends with choices.
fn values_of_expression(script: &str, start: usize) -> Vec<Range<usize>> {
    const MAX_BYTES: usize = 256;
    let first = find(STRING.as_ref(), at(script, start..script.len()));
    let (mut from, mut values) = first.map_or((start, Vec::new()), |(end, value)| (end, value.into_iter().collect()));
    let is_choice = |rest: &str| ["||", "??"].iter().any(|sign| rest.trim_start().starts_with(sign));
    if !values.is_empty() && !script.get(from..).is_some_and(is_choice) {
        return values;
    }
    let longest = (0..=script.len().min(from + MAX_BYTES)).rev().find(|&end| script.is_char_boundary(end)).unwrap_or(0);
    let Some((end, _)) = find(EXPRESSION.as_ref(), at(script, from..longest)) else { return values };
    let expression = script.get(..end).unwrap_or_default();
    while let Some((_, Some(value))) = find(CHOICE.as_ref(), Input::new(expression).range(from..end)) {
        // The sign after it may be that of the next one.
        from = value.end + 1;
        values.push(value);
    }
    values
}

/// The values that `values` finds after the names that count. It gets the end of the name, and the name.
fn assigned<V: IntoIterator<Item = Range<usize>>>(
    text: &str,
    counts: impl Fn(&str) -> bool,
    values: impl Fn(usize, &str) -> V,
) -> Vec<FoundSecret> {
    let names = FIND_MARKERS.iter().flat_map(|markers| markers.find_iter(text));
    let names = names.filter_map(|marker| name_around(text, marker.range()));
    let names = names.filter_map(|name| Some((name.end, text.get(name).filter(|name| counts(name))?)));
    names.flat_map(|(end, name)| values(end, name)).map(|part| (part, SecretKind::Named)).collect()
}

/// The name that ends with a marker, if it is not too long.
fn name_around(text: &str, marker: Range<usize>) -> Option<Range<usize>> {
    const MAX_PREFIX_BYTES: usize = 64;
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'-') || !byte.is_ascii();
    let bytes = text.as_bytes();
    let before =
        bytes.get(..marker.start)?.iter().rev().take(MAX_PREFIX_BYTES).take_while(|&&byte| is_part(byte)).count();
    let after = bytes.get(marker.end..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let name = marker.start - before..marker.end + after;
    let goes_on = bytes.get(name.end).is_some_and(|&byte| is_part(byte));
    (!goes_on && text.is_char_boundary(name.start)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_of_a_secret_has_a_known_ending() {
        for name in ["Password", "DbPassword2", "client_secret", "API-KEY", "apiKey", "AccessToken", "smtpPwd"] {
            assert!(is_secret_name(name), "{name}");
        }
        for name in ["PasswordHint", "CredentialName", "SecretName", "Key", "Token", "ShowPassword", "PartyName"] {
            assert!(!is_secret_name(name), "{name}");
        }
    }

    #[test]
    fn value_of_a_secret_is_no_prompt_guid_or_placeholder() {
        assert!(is_secret_value("hunter2", "Password"));
        for value in [
            "",
            "{Password}",
            "********",
            "true",
            "Your password",
            "password",
            "<password>",
            "abc",
            "0f8fad5b-d9cb-469f-a165-70867728950e",
            "{0F8FAD5B-D9CB-469F-A165-70867728950E}",
        ] {
            assert!(!is_secret_value(value, "Password"), "{value}");
        }
    }

    fn in_script(script: &str) -> Vec<&str> {
        assigned_in_script(script).into_iter().map(|(part, _)| script.get(part).unwrap()).collect()
    }

    #[test]
    fn secret_in_a_script_is_found_by_name() {
        assert_eq!(in_script(r#"var password = "hunter2"; a = { "api_key": 'k\'1234' };"#), ["hunter2", r"k\'1234"]);
        assert_eq!(in_script("if (password == \"hunter2\") { passwordHint = 'hunter2' }"), [""; 0]);
        assert_eq!(in_script("t = { password: 'Lösenord', secret: `${key}` }; p(password)"), [""; 0]);
    }

    #[test]
    fn every_secret_of_a_choice_in_a_script_is_found() {
        assert_eq!(in_script("password = test ? \"hunter2\" : \"swordfish\";"), ["hunter2", "swordfish"]);
        assert_eq!(in_script("{ secret: a || 'hunter2' || 'swordfish' }"), ["hunter2", "swordfish"]);
        assert_eq!(in_script("password = 'hunter2' || 'swordfish'"), ["hunter2", "swordfish"]);
        assert_eq!(
            in_script("password = a ? 'hunter2' : b ? 'swordfish' : ask('Your password')"),
            ["hunter2", "swordfish"]
        );
    }

    #[test]
    fn secret_in_a_string_of_a_script_is_found_by_name() {
        assert_eq!(in_script("open(\"Server=db;User=a;Password=hunter2;\");"), ["hunter2"]);
        assert_eq!(in_script("a = 'it\\'s'; call('/?apikey=k123456&x=' + x);"), ["k123456"]);
        assert_eq!(in_script("open('Password=' + password); 'Password={Password}'"), [""; 0]);
        assert_eq!(in_script("a = 'b'; password=found; secret=`${found}`"), [""; 0]);
    }

    #[test]
    fn secret_in_a_text_is_found_by_name() {
        let find = |text: &'static str| -> Vec<&str> {
            assigned_in_text(text).into_iter().map(|(part, _)| text.get(part).unwrap()).collect()
        };
        assert_eq!(find("Server=db;User=a;Password=hunter2;"), ["hunter2"]);
        assert_eq!(find(r#"{ "Password": "hunter2" }"#), ["hunter2"]);
        assert_eq!(find("https://example.com/?apikey=k123456&x=1"), ["k123456"]);
        assert_eq!(find("Password={Password};"), [""; 0]);
        assert_eq!(find("Your password: ask Anna"), [""; 0]);
    }
}
