//! Spans of values, in each syntax.

use super::{ScenarioSyntax, problems, slice};
use crate::simulate::scenario::parse::parse;
use crate::simulate::scenario::tree::{Shape, Style, Value};

fn tree(text: &str, syntax: ScenarioSyntax) -> Value {
    parse(text, syntax).unwrap()
}

/// The source of each key and value, in the order of the file.
fn written(text: &str, syntax: ScenarioSyntax) -> Vec<String> {
    fn walk(value: &Value, text: &str, found: &mut Vec<String>) {
        found.push(slice(text, value.span));
        match &value.shape {
            Shape::Scalar(_) => {}
            Shape::Array(values) => values.iter().for_each(|value| walk(value, text, found)),
            Shape::Object(members) => members.iter().for_each(|member| {
                found.push(slice(text, member.key.span));
                walk(&member.value, text, found);
            }),
        }
    }
    let mut found = Vec::new();
    walk(&tree(text, syntax), text, &mut found);
    found
}

#[test]
fn spans_count_bytes_not_characters() {
    let text = "\u{feff}# ÅÄÖ 😀\nå: ä # ö\n\"ö\": [ü, 'é']\n";
    assert_eq!(
        written(text, ScenarioSyntax::Yaml),
        ["å: ä # ö\n\"ö\": [ü, 'é']", "å", "ä", "\"ö\"", "[ü, 'é']", "ü", "'é'"]
    );
    let text = "\u{feff}{\"å\": \"ä\"}";
    assert_eq!(written(text, ScenarioSyntax::Json), ["{\"å\": \"ä\"}", "\"å\"", "\"ä\""]);
    let text = "\u{feff}\"å\" = \"ä\" # ö\n";
    assert_eq!(written(text, ScenarioSyntax::Toml)[1..], ["\"å\"", "\"ä\""]);
}

#[test]
fn yaml_block_ends_with_its_last_value() {
    let text = "a:\n  b: |\n    one\n    two\n\n  # a comment\nc:\n- d\n-\n  e: f\n\n\ng:\n";
    assert_eq!(
        written(text, ScenarioSyntax::Yaml)[1..],
        ["a", "b: |\n    one\n    two", "b", "one\n    two", "c", "d\n-\n  e: f", "d", "e: f", "e", "f", "g", ""]
    );
}

#[test]
fn yaml_list_without_indentation_ends_before_the_next_key() {
    let text = "a:\n- b\n? c\n: {d: e}\n";
    assert_eq!(written(text, ScenarioSyntax::Yaml)[1..], ["a", "b", "b", "c", "{d: e}", "d", "e"]);
}

#[test]
fn toml_tables_keep_the_order_of_the_file() {
    let text = "[z]\nb = 1_0\na = 2024-01-01 08:00:00Z\n[y.x]\n[[w]]\nc = true\n";
    let Shape::Object(members) = tree(text, ScenarioSyntax::Toml).shape else { panic!("a map") };
    let keys: Vec<&str> = members.iter().map(|member| &*member.key.text).collect();
    assert_eq!(keys, ["z", "y", "w"]);
    let Shape::Object(members) = &members[0].value.shape else { panic!("a map") };
    let texts = members.iter().map(|member| match &member.value.shape {
        Shape::Scalar(scalar) => (&*member.key.text, &*scalar.text, scalar.style),
        other => panic!("{other:?}"),
    });
    let expected = [("b", "1_0", Style::Plain), ("a", "2024-01-01 08:00:00Z", Style::Plain)];
    assert_eq!(texts.collect::<Vec<_>>(), expected);
}

#[test]
fn problems_in_toml_tables_have_locations() {
    let text = "workflow = 'w'\n[limits]\nstep = 1\n[[faults]]\nmethod = 'm'\n[signing.'a@b']\nafter = '1h'\n";
    let report = problems(text, ScenarioSyntax::Toml);
    assert_eq!(
        report,
        "3:1 /limits/step: unknown key `step` - did you mean `steps`?\n\
         4:1 /faults/0: missing key `error` in entry 1 of `faults`\n\
         6:10 /signing/a@b: missing key `action` in `a@b`\n"
    );
}
