//! The `findings` fences of pages in words.

use crate::rules::REGISTRY;

const SEVERITIES: [&str; 3] = ["error", "warning", "info"];

/// A line `CODE [severity] [file] pointer [covered text]` in words: `WF101 error at /activities/0: "Stat"`.
pub(super) fn in_words(line: &str) -> String {
    let mut words = line.trim().split(' ').peekable();
    let code = words.next().unwrap_or_default();
    let severity = words.next_if(|word| SEVERITIES.contains(word)).or_else(|| {
        let rule = REGISTRY.iter().find(|rule| rule.code == code)?;
        Some(rule.severity.word())
    });
    let file = words.next_if(|word| !word.starts_with(['/', '(']));
    let pointer = words.next().unwrap_or_default();
    let covered: Vec<&str> = words.collect();
    let severity = severity.unwrap_or_default();
    let file = file.map_or_else(String::new, |file| format!(" in {file}"));
    let place = if pointer == "(root)" { " at the root".to_owned() } else { format!(" at {pointer}") };
    let covered = if covered.is_empty() { String::new() } else { format!(": {}", covered.join(" ")) };
    format!("{code} {severity}{file}{place}{covered}")
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn finding_has_its_severity_file_place_and_characters() {
        assert_eq!(in_words("WF101 /a/0 \"O S\""), "WF101 error at /a/0: \"O S\"");
        assert_eq!(in_words("WF101 info (root) {"), "WF101 info at the root: {");
        assert_eq!(
            in_words("WF000 wflint.toml (root) [[suppress]]"),
            "WF000 warning in wflint.toml at the root: [[suppress]]"
        );
        assert_eq!(in_words("WF414 order.json /activities/0"), "WF414 warning in order.json at /activities/0");
    }
}
