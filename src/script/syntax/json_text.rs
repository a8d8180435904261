//! The strings from which a script joins JSON.

use oxc_ast::ast::TemplateLiteral;

/// Whether a string begins like JSON, or continues it: without one, a script joins other text.
pub(super) fn is_json_text(text: &str) -> bool {
    begins_like_json(text) || continues_json(text)
}

/// As [`is_json_text`], of the text around the substitutions of a template.
pub(super) fn joins_json(template: &TemplateLiteral<'_>) -> bool {
    let mut parts = template.quasis.iter().map(|part| part.value.cooked.unwrap_or(part.value.raw));
    parts.next().is_some_and(|first| is_json_text(&first)) || parts.any(|part| continues_json(&part))
}

/// Whether a string has the end of a key, or begins with the end of a quoted value.
pub(super) fn continues_json(text: &str) -> bool {
    text.trim_start().strip_prefix('"').is_some_and(begins_like_json) || has_end_of_key(text)
}

fn begins_like_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '[', '}', ']'])
}

fn has_end_of_key(text: &str) -> bool {
    text.split('"').skip(1).any(|rest| rest.trim_start().starts_with(':'))
}

#[cfg(test)]
mod tests {
    use crate::script::syntax::{ScriptKind, analyze};

    fn joins_json(script: &str) -> bool {
        analyze(ScriptKind::Script, script).script().unwrap().has_json_text
    }

    #[test]
    fn strings_and_templates_are_those_of_json() {
        for script in [
            r#"Json = '{"Name":"' + Name + '"}'"#,
            r#"Json = "[\"" + Name + "\"]""#,
            r#"Json = "{ \"Name\": \"" + Name + "\" }""#,
            r#"Json = ['"Name": "', Name, '"'].join("")"#,
            r#"Json = `{ "Name": "${Name}" }`"#,
            r#"Json = `${start}"Name": "${Name}"`"#,
            "Json = open + Name + '}'",
            r#"Json = open + Name + '"}'"#,
            r#"Json = `${open}"${Name}"}`"#,
            r#"Json = pattern.replace(/"{Name}"/g, Name)"#,
        ] {
            assert!(joins_json(script), "{script}");
        }
    }

    #[test]
    fn other_text_is_not_that_of_json() {
        for script in [
            r#"Json = ["Dear ", Name, "!"].join("")"#,
            "Json = lines.map(line => [`Dear ${line}`]).join('')",
            r#"Json = Name ? "a" : "b""#,
            "Json = { 'Name': Name }",
            "Json = `Dear ${Name} [${City}]`",
            "Json = Name.split(/[;,]/).join()",
            r#"// '{"Name":"' "#,
        ] {
            assert!(!joins_json(script), "{script}");
        }
    }
}
