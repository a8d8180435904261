//! Secrets that are recognized by their name.

use std::cell::LazyCell;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use memchr::memchr2;

use super::shapes::{SecretKind, is_placeholder};

/// The endings of names of secrets, in lower case and without separators.
const ENDINGS: [&str; 14] = [
    "password",
    "passwd",
    "pwd",
    "passphrase",
    "secret",
    "apikey",
    "secretkey",
    "secretaccesskey",
    "privatekey",
    "accesstoken",
    "authtoken",
    "bearertoken",
    "apitoken",
    "refreshtoken",
];
/// The prefixes of names that only refer to a secret: `ShowPassword`.
const NON_SECRET_PREFIXES: [&str; 10] =
    ["show", "hide", "reset", "forgot", "change", "has", "is", "use", "no", "require"];
/// Each ending ends with one of these, so a search for them finds all candidates.
const MARKERS: [&str; 7] = ["password", "passwd", "pwd", "passphrase", "secret", "key", "token"];

static FIND_MARKERS: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::builder().ascii_case_insensitive(true).build(MARKERS).ok());

/// Whether a name is that of a password or a secret: `DbPassword`, `client_secret`, `api-key`.
pub fn is_secret_name(name: &str) -> bool {
    let small = |letter: char| letter.to_lowercase().rev();
    let backwards = name.chars().rev().filter(|letter| letter.is_alphanumeric()).flat_map(small);
    let backwards = backwards.skip_while(char::is_ascii_digit);
    // Most names are rejected by their last two letters.
    let mut letters = backwards.clone().map(|letter| u8::try_from(letter).ok());
    let (Some(Some(last)), Some(Some(before))) = (letters.next(), letters.next()) else { return false };
    let ends_with = |ending: &&str| {
        matches!(ending.as_bytes(), [.., one, other] if *one == before && *other == last)
            && ending.chars().rev().eq(backwards.clone().take(ending.len()))
    };
    ENDINGS.iter().any(ends_with) && !only_refers(name)
}

/// Whether a name begins with a word that says that it only refers to a secret.
fn only_refers(name: &str) -> bool {
    NON_SECRET_PREFIXES.iter().any(|prefix| {
        let rest = name.get(..prefix.len()).filter(|start| start.eq_ignore_ascii_case(prefix));
        let rest = rest.and_then(|_| name.get(prefix.len()..));
        rest.is_some_and(|rest| rest.starts_with(|letter: char| letter.is_uppercase() || matches!(letter, '_' | '-')))
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

/// The values that a script assigns to names of secrets: `password = "…"`, `password: "…"`, and those that its strings
/// do: `"Server=db;Password=…"`.
pub fn assigned_in_script(script: &str) -> Vec<(Range<usize>, SecretKind)> {
    assigned(script, |text, at, name| {
        if let Some(value) = value_in_string(text, at) {
            return is_secret_value(text.get(value.clone())?, name).then_some(value);
        }
        values_from(text, after_script_sign(text, at)?).into_iter().find(|value| {
            let written = text.get(value.clone()).unwrap_or_default();
            // A label is a single capitalized word: `{ password: "Lösenord" }`.
            let mut letters = written.chars();
            let is_label = letters.next().is_some_and(char::is_uppercase) && letters.all(char::is_lowercase);
            is_secret_value(written, name) && !is_label
        })
    })
}

/// The value that follows a name and `=` in a string of a script. Neither a name that the script computes nor a marker
/// for one starts so.
fn value_in_string(script: &str, name_end: usize) -> Option<Range<usize>> {
    let start = name_end + 1;
    let rest = script.get(name_end..)?.strip_prefix('=')?;
    if !rest.starts_with(char::is_alphanumeric) {
        return None;
    }
    let quote = quote_around(script, name_end)?;
    let length = unquoted_length(rest)?;
    Some(start..start + rest.get(..length)?.find(quote).unwrap_or(length))
}

/// The quote of the string around a place of a script, if it begins in the same line and not too far before it.
fn quote_around(script: &str, at: usize) -> Option<char> {
    const MAX_BYTES: usize = 4096;
    let before = script.as_bytes().get(..at).unwrap_or_default();
    let length = before.iter().rev().take(MAX_BYTES + 1).take_while(|&&byte| byte != b'\n').count();
    let line = script.get(at - length..at).filter(|_| length <= MAX_BYTES).unwrap_or_default();
    let (mut quote, mut is_escaped) = (None, false);
    for letter in line.chars() {
        match quote {
            Some(_) if is_escaped => is_escaped = false,
            Some(_) if letter == '\\' => is_escaped = true,
            Some(open) if letter == open => quote = None,
            None if matches!(letter, '"' | '\'' | '`') => quote = Some(letter),
            _ => {}
        }
    }
    quote
}

/// The strings that an expression of a script may be: it is one, or ends with `? "…" : "…"`, `|| "…"` or `?? "…"`.
fn values_from(text: &str, start: usize) -> Vec<Range<usize>> {
    const MAX_BYTES: usize = 256;
    if let Some(value) = quoted(text, start) {
        return vec![value];
    }
    let mut values = Vec::new();
    let mut at = start;
    let mut is_in_choice = false;
    while at < start + MAX_BYTES {
        let Some(rest) = text.get(at..) else { break };
        let Some(letter) = rest.chars().next().filter(|letter| !matches!(letter, ';' | ',' | '{' | '}' | '\n')) else {
            break;
        };
        let sign = if rest.starts_with("||") || rest.starts_with("??") {
            2
        } else if letter == '?' && !rest.starts_with("?.") || letter == ':' && is_in_choice {
            is_in_choice = true;
            1
        } else {
            0
        };
        let next = text.len() - text.get(at + sign..).unwrap_or_default().trim_start().len();
        at = match quoted(text, next).filter(|_| sign > 0).or_else(|| quoted(text, at)) {
            Some(value) => {
                let end = value.end + 1;
                // With an operator after it, the string is a part of another value.
                let is_whole = text.get(end..).unwrap_or_default().trim_start().starts_with([':', ';', ',', ')', '}']);
                if sign > 0 && (is_whole || is_end_of_line(text, end)) {
                    values.push(value);
                }
                end
            }
            None => at + sign.max(letter.len_utf8()),
        };
    }
    values
}

fn is_end_of_line(text: &str, at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default().trim_start_matches([' ', '\t']);
    rest.is_empty() || rest.starts_with(['\n', '\r'])
}

/// As [`after_sign`], also after `]` of a computed key and the signs `||=`, `??=` and `&&=`.
fn after_script_sign(text: &str, name_end: usize) -> Option<usize> {
    let rest = text.get(name_end..)?;
    let unquoted = rest.strip_prefix(['"', '\'', '`']).unwrap_or(rest).trim_start();
    let (has_bracket, open) = unquoted.strip_prefix(']').map_or((false, unquoted), |open| (true, open.trim_start()));
    let assigned = ["||=", "??=", "&&="].iter().find_map(|sign| open.strip_prefix(sign));
    if let Some(value) = assigned {
        return Some(text.len() - value.trim_start().len());
    }
    if has_bracket {
        let value = open.strip_prefix('=').filter(|value| !value.starts_with(['=', '>']))?;
        return Some(text.len() - value.trim_start().len());
    }
    after_sign(text, name_end)
}

/// The values that a string assigns to names of secrets: `Password=…;` in a connection string,
/// `"password": "…"` in JSON.
pub fn assigned_in_text(text: &str) -> Vec<(Range<usize>, SecretKind)> {
    // No other sign follows a name.
    if memchr2(b'=', b'"', text.as_bytes()).is_none() {
        return Vec::new();
    }
    let is_json = LazyCell::new(|| text.contains('{'));
    assigned(text, |text, at, name| {
        let start = at + 1;
        let value = match text.get(at..)?.chars().next()? {
            '=' => match quoted(text, start) {
                Some(value) => value,
                None => start..start + unquoted_length(text.get(start..)?)?,
            },
            '"' => quoted(text, after_sign(text, at).filter(|_| *is_json)?)?,
            _ => return None,
        };
        is_secret_value(text.get(value.clone())?, name).then_some(value)
    })
}

/// The values that `value` finds after each name of a secret. It gets the text, the end of the name, and the name.
fn assigned(text: &str, value: impl Fn(&str, usize, &str) -> Option<Range<usize>>) -> Vec<(Range<usize>, SecretKind)> {
    let mut found = Vec::new();
    for marker in FIND_MARKERS.iter().flat_map(|markers| markers.find_iter(text)) {
        let Some(name) = name_around(text, marker.range()) else { continue };
        let Some(written) = text.get(name.clone()).filter(|name| is_secret_name(name)) else { continue };
        found.extend(value(text, name.end, written).map(|part| (part, SecretKind::Named)));
    }
    found
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

/// The start of the value after a name and its `=` or `:`; `None` if it is a comparison.
fn after_sign(text: &str, name_end: usize) -> Option<usize> {
    let rest = text.get(name_end..)?;
    let rest = rest.strip_prefix(['"', '\'']).unwrap_or(rest).trim_start();
    let value = rest.strip_prefix([':', '='])?;
    let is_comparison = value.starts_with(['=', '>']);
    (!is_comparison).then(|| text.len() - value.trim_start().len())
}

/// The length of a value without quotes; `None` if it is very long.
fn unquoted_length(rest: &str) -> Option<usize> {
    const MAX_BYTES: usize = 256;
    let ends = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b';' | b'&' | b'"' | b'\'' | b',');
    let length = rest.bytes().take(MAX_BYTES).position(ends);
    length.or((rest.len() < MAX_BYTES).then_some(rest.len()))
}

/// The text between the quotes that start at a byte.
fn quoted(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let quote = rest.chars().next().filter(|letter| matches!(letter, '"' | '\'' | '`'))?;
    let inner = rest.get(1..)?;
    let mut is_escaped = false;
    let length = inner.find(|letter| {
        let ends = letter == quote && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        ends
    })?;
    Some(at + 1..at + 1 + length)
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
