//! Scripts that a recursive parser may crash on.

use super::*;

/// A script of the maximal length, nested as deeply as possible.
fn nested(open: &str, inside: &str, close: &str) -> String {
    let times = (MAX_PARSED_BYTES - inside.len()) / (open.len() + close.len());
    format!("{}{inside}{}", open.repeat(times), close.repeat(times))
}

fn hostile_scripts() -> Vec<String> {
    vec![
        nested("a=>", "a", ""),
        nested("a+", "a", ""),
        nested("a=", "a", ""),
        nested("a?b:", "a", ""),
        nested("a,", "a", ""),
        nested("a&&", "a", ""),
        nested("a**", "a", ""),
        nested("(", "a", ")"),
        nested("[", "a", "]"),
        nested("(", "", ""),
        nested("[", "", ""),
        nested("{", "", "}"),
        nested("({a:", "a", "})"),
        nested("`${", "a", "}`"),
        nested("-", "a", ""),
        nested("- -", "a", ""),
        nested("!", "a", ""),
        nested("a(", "a", ")"),
        nested("a", "", "()"),
        nested("new ", "a", ""),
        nested("await ", "a", ""),
        nested("if(a)", "b", ""),
        nested("for(;;)", "b", ""),
        nested("if(a);else ", "b", ""),
        nested("a:", "b", ""),
        nested("function a(){", "", "}"),
        nested("(function(){", "", "})"),
        nested("class a extends ", "b", "{}"),
        nested("try{", "", "}finally{}"),
        nested("switch(a){case 1:", "", "}"),
        nested("var[", "a", "]=b"),
        nested("[", "a", "]=a"),
        nested("(a=", "b", ")=>c"),
        format!("/{}/", nested("(", "a", ")").replace('a', "").get(..MAX_PARSED_BYTES - 2).unwrap()),
        format!("/{}/", "(?:".repeat(9000) + &")".repeat(9000)),
        format!("/{}/v", "[".repeat(30000) + &"]".repeat(30000)),
        format!("/{}/", "a|".repeat(30000)),
        format!("Json = {}", "'a'+".repeat(16000) + "Name"),
        (0..2500).map(|i| format!("var v{}=v{i}+v{i};", i + 1)).collect::<String>() + "Json=v2499",
        "if(a)Json=1;".repeat(5000),
        "a;".repeat(30000),
        nested("Json=", "a", ""),
        "'".repeat(MAX_PARSED_BYTES),
        "\0".repeat(MAX_PARSED_BYTES),
        "é".repeat(MAX_PARSED_BYTES / 2),
    ]
}

#[test]
fn hostile_scripts_do_not_crash_the_parser() {
    for text in hostile_scripts() {
        assert!(text.len() <= MAX_PARSED_BYTES, "{}", text.len());
        for kind in [ScriptKind::Script, ScriptKind::FunctionBody] {
            let began = std::time::Instant::now();
            assert_ne!(analyze(kind, &text), Syntax::Unknown, "{}", &text[..text.len().min(20)]);
            assert!(
                began.elapsed().as_secs() < 30,
                "{:?} {:?}",
                &text.chars().take(20).collect::<String>(),
                began.elapsed()
            );
        }
    }
    assert_eq!(analyze(ScriptKind::Script, &"a".repeat(MAX_PARSED_BYTES + 1)), Syntax::Unknown);
}
