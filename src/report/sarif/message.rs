//! Messages with links to related places.

use crate::diagnostic::Diagnostic;
use crate::report::escape::visible;

/// Related places that a message links to; a reader finds the others beside it.
const MAX_LINKS: usize = 20;

/// A string without links, whatever it contains.
pub(super) fn plain(text: &str) -> String {
    let text = visible(text);
    // Brackets elsewhere are no links, and not every reader removes backslashes.
    if text.contains("](") { escaped(&text) } else { text.into_owned() }
}

/// The message of a result: the finding, its help, and a link to each related place.
pub(super) fn of(diagnostic: &Diagnostic) -> String {
    let mut text = sentence(&plain(&diagnostic.message));
    if let Some(help) = &diagnostic.help {
        text.push_str(" Help: ");
        text.push_str(&sentence(&plain(help)));
    }
    let labels = diagnostic.related.iter().take(MAX_LINKS);
    let links: Vec<String> =
        (1..).zip(labels).map(|(id, label)| format!("[{}]({id})", escaped(&visible(&label.message)))).collect();
    if !links.is_empty() {
        text.push_str(" Related: ");
        text.push_str(&links.join(", "));
        text.push('.');
    }
    text
}

fn sentence(text: &str) -> String {
    format!("{}.", text.trim_end_matches('.'))
}

/// Escapes as section 3.11.6 of the specification says.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 4);
    for character in text.chars() {
        if matches!(character, '\\' | '[' | ']') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_become_links() {
        assert_eq!(plain("undefined `a[0]`"), "undefined `a[0]`");
        assert_eq!(plain("`[click](https://example.com)`"), "`\\[click\\](https://example.com)`");
        assert_eq!(escaped("para[0]\\x"), "para\\[0\\]\\\\x");
    }
}
