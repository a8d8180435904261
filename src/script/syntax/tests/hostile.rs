//! Scripts that a recursive parser may crash on.

use super::super::parse::{MAX_FREE_BYTES, levels};
use super::*;

/// A script of the maximal length, nested as deeply as possible.
fn nested(open: &str, inside: &str, close: &str) -> String {
    let times = (MAX_FREE_BYTES - inside.len()) / (open.len() + close.len());
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
        nested("a==", "a", ""),
        nested("new Date(", "a", ")<1"),
        nested("RegExp('(').test(", "a", ")"),
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
        format!("/{}/", nested("(", "a", ")").replace('a', "").get(..MAX_FREE_BYTES - 2).unwrap()),
        format!("/{}/", "(?:".repeat(9000) + &")".repeat(9000)),
        format!("/{}/v", "[".repeat(30000) + &"]".repeat(30000)),
        format!("/{}/", "a|".repeat(30000)),
        format!("Json = {}", "'a'+".repeat(16000) + "Name"),
        (0..2500).map(|i| format!("var v{}=v{i}+v{i};", i + 1)).collect::<String>() + "Json=v2499",
        "if(a)Json=1;".repeat(5000),
        "a;".repeat(30000),
        "var{a:[b,...c]=d}=e;".repeat(3000),
        "a.slice(1)<b+c;".repeat(4000),
        nested("Json=", "a", ""),
        "'".repeat(MAX_FREE_BYTES),
        "\0".repeat(MAX_FREE_BYTES),
        "é".repeat(MAX_FREE_BYTES / 2),
    ]
}

#[test]
fn hostile_scripts_do_not_crash_the_parser() {
    for text in hostile_scripts() {
        assert!(text.len() <= MAX_FREE_BYTES, "{}", text.len());
        for kind in [ScriptKind::Script, ScriptKind::FunctionBody] {
            let found = analyze(kind, &text);
            assert!(!matches!(found, Syntax::Unread(_)), "{}", text.chars().take(20).collect::<String>());
        }
    }
}

/// Nestings that are as deep as a long script may be, so that the stack is in proportion to their tokens.
#[test]
fn deepest_long_scripts_do_not_crash_the_parser() {
    let padding = "x;\n".repeat(MAX_FREE_BYTES / 3 + 1);
    for (open, inside, close) in NESTINGS {
        let text = |times: usize| [&padding, &*open.repeat(times), inside, &close.repeat(times)].concat();
        let is_read = |times: &usize| levels(&text(*times)).is_some();
        let times = (0..40).map(|step| 33_000 * (40 - step) / 40).find(is_read).unwrap();
        assert!(!matches!(analyze(ScriptKind::Script, &text(times)), Syntax::Unread(_)), "{open}");
    }
}

#[test]
fn long_scripts_that_are_too_deep_are_not_read() {
    for (open, inside, close) in NESTINGS {
        let times = (1 << 20) / (open.len() + close.len());
        let text = [&*open.repeat(times), inside, &close.repeat(times)].concat();
        assert_eq!(analyze(ScriptKind::Script, &text), Syntax::Unread(Unread::TooLarge), "{open}");
    }
    // What nests across lines that end with `;`.
    for line in ["(`;\n`+", "a+/*;\n*/", "a+//;\n", "a+<!--;\n", "a+\n-->;\n", "if(a)b;\nelse ", "{;\n", "for(a;\n;)"] {
        assert_eq!(levels(&line.repeat(60_000)), None, "{line}");
    }
}

#[test]
fn scripts_of_many_bytes_or_tokens_are_not_read() {
    let text = |statements: usize| "a;\n".repeat(statements);
    assert!(matches!(analyze(ScriptKind::Script, &text(131_000)), Syntax::Script(_)));
    assert_eq!(analyze(ScriptKind::Script, &text(131_100)), Syntax::Unread(Unread::TooLarge));
    let data = |bytes: usize| format!("var data = '{}';", "A".repeat(bytes));
    assert!(matches!(analyze(ScriptKind::Script, &data(1_000_000)), Syntax::Script(_)));
    assert_eq!(analyze(ScriptKind::Script, &data(1 << 20)), Syntax::Unread(Unread::TooLarge));
}

/// Scripts whose values are nested deeper than their text.
#[test]
fn long_chains_of_variables_do_not_overflow_the_stack() {
    for text in [
        (0..20_000).map(|i| format!("var v{}=v{i}+v{i};\n", i + 1)).collect::<String>() + "Json=v19999+'a'",
        (0..12_000).map(|i| format!("var v{}=[v{i},Name].join('a');\n", i + 1)).collect::<String>() + "Json=v11999+'a'",
        format!("var a=this;{}", "a.b(a);\n".repeat(20_000)),
        "(function(){this})();\n".repeat(5000),
    ] {
        assert!(matches!(analyze(ScriptKind::Script, &text), Syntax::Script(_)), "{}", &text[..20]);
    }
}

#[test]
fn long_scripts_that_are_flat_are_read() {
    let line = "var list = [1, 'it\\'s', /[/'\"]/g, `a${b}c`];\nfunction f(a) { if (a / 2 > 1) { return { b: a, c: [a] } } }\nlist.push(f(1));\n";
    for text in
        [line.repeat(1000), format!("x = {{{}}}", "aaaaaaaa: 1, ".repeat(8_000)), "case_ = a ? b : c;\n".repeat(20_000)]
    {
        assert!(matches!(analyze(ScriptKind::Script, &text), Syntax::Script(_)), "{}", &text[..20]);
        let wrong = text + " }";
        assert_eq!(error(ScriptKind::Script, &wrong).1, "}");
    }
}

/// What is repeated, what stands inside, and what closes it.
const NESTINGS: [(&str, &str, &str); 38] = [
    ("a=>", "a", ""),
    ("a+", "a", ""),
    ("a=", "a", ""),
    ("a?b:", "a", ""),
    ("a&&", "a", ""),
    ("a**", "a", ""),
    ("(", "a", ")"),
    ("[", "a", "]"),
    ("(", "", ""),
    ("[", "", ""),
    ("{", "", "}"),
    ("({a:", "a", "})"),
    ("`${", "a", "}`"),
    ("- ", "a", ""),
    ("!", "a", ""),
    ("a(", "a", ")"),
    ("a", "", "()"),
    ("a.", "a", ""),
    ("a?.", "a", ""),
    ("``", "", ""),
    ("new ", "a", ""),
    ("typeof ", "a", ""),
    ("if(a)", "b", ""),
    ("for(;;)", "b", ""),
    ("while(a)", "b", ""),
    ("with(a)", "b", ""),
    ("do ", "b", ";while(a)"),
    ("if(a)b;else ", "c", ""),
    ("if(a)\nb\nelse\n", "c", ""),
    ("if(a){}else ", "c", ""),
    ("a:", "b", ""),
    ("function a(){", "", "}"),
    ("(function(){", "", "})"),
    ("class a extends ", "b", "{}"),
    ("try{", "", "}finally{}"),
    ("switch(a){case 1:", "", "}"),
    ("a;", "", ""),
    ("a\n", "", ""),
];
