//! Parts of Markdown texts.

/// A name as a code span (`CommonMark` 0.31, section 6.1). Line breaks and control characters are replaced.
pub fn code(text: &str) -> String {
    let text: String = text.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect();
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if longest > 0 { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A list with a heading; empty without items. Of a long one the first.
pub fn list(heading: &str, items: &[String]) -> String {
    const MAX_SHOWN: usize = 20;
    if items.is_empty() {
        return String::new();
    }
    let mut shown: Vec<String> = items.iter().take(MAX_SHOWN).map(|item| format!("- {item}")).collect();
    if let Some(more) = items.len().checked_sub(MAX_SHOWN).filter(|more| *more > 0) {
        shown.push(format!("- {more} more"));
    }
    format!("\n\n{heading}:\n\n{}", shown.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::code;

    #[test]
    fn code_span_is_longer_than_the_backticks_in_it() {
        assert_eq!(
            (code("a"), code("a`b``c"), code("a\nb")),
            ("`a`".into(), "``` a`b``c ```".into(), "`a\u{fffd}b`".into())
        );
    }
}
