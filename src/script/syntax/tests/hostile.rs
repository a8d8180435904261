//! Scripts that a recursive parser may crash on.

use super::super::parse::MAX_FREE_BYTES;
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
    let padding = format!("/*{}*/", " ".repeat(MAX_FREE_BYTES));
    for (open, inside, close) in NESTINGS {
        let count =
            |times: usize| nesting::bound(&[&open.repeat(times), inside, &close.repeat(times)].concat(), usize::MAX);
        let each = count(2000).unwrap() - count(1000).unwrap();
        let times = 31_000_000_usize.checked_div(each).unwrap_or(5000);
        let text = [&padding, &*open.repeat(times), inside, &close.repeat(times)].concat();
        assert!(!matches!(analyze(ScriptKind::Script, &text), Syntax::Unread(_)), "{open}: {each} in a thousand");
    }
}

#[test]
fn long_scripts_are_read_up_to_the_limit_of_their_nesting() {
    let padding = format!("/*{}*/", " ".repeat(MAX_FREE_BYTES));
    let text = |levels: usize| [&padding, &*"(".repeat(levels), "a", &")".repeat(levels)].concat();
    let bound = |levels: usize| nesting::bound(&text(levels), usize::MAX).unwrap();
    let limit = MAX_FREE_BYTES / 2;
    let levels = limit + limit - bound(limit);
    assert_eq!(bound(levels), limit);
    assert!(matches!(analyze(ScriptKind::Script, &text(levels)), Syntax::Script(_)));
    assert!(matches!(analyze(ScriptKind::Script, &text(levels + 1)), Syntax::Unread(Unread::TooDeep)));
}

#[test]
fn long_scripts_that_are_too_deep_are_not_read() {
    for length in [1 << 20, 8 << 20] {
        for (open, inside, close) in NESTINGS {
            let times = length / (open.len() + close.len());
            let is_flat = matches!(open, "a;" | "a\n");
            if is_flat && length > 1 << 20 {
                continue;
            }
            let text = [&*open.repeat(times), inside, &close.repeat(times)].concat();
            let found = analyze(ScriptKind::Script, &text);
            assert_eq!(matches!(found, Syntax::Unread(Unread::TooDeep)), !is_flat, "{open}");
        }
    }
}

#[test]
fn scripts_of_too_many_tokens_are_not_read() {
    let text = |statements: usize| "a;".repeat(statements);
    let most =
        (1..1 << 20).take_while(|statements| 2 * statements <= (256 << 10) + 2 * statements / 16).last().unwrap();
    assert!(matches!(analyze(ScriptKind::Script, &text(most)), Syntax::Script(_)));
    assert_eq!(analyze(ScriptKind::Script, &text(most + 1)), Syntax::Unread(Unread::TooLarge));
    // Each byte of a regular expression counts.
    let text = |statements: usize| r"/()()()()/;".repeat(statements);
    assert!(matches!(analyze(ScriptKind::Script, &text(26_000)), Syntax::Script(_)));
    assert_eq!(analyze(ScriptKind::Script, &text(30_000)), Syntax::Unread(Unread::TooLarge));
    // What is long, but not many tokens.
    let data = format!("var data = '{}';", "A".repeat(4 << 20));
    assert!(matches!(analyze(ScriptKind::Script, &data), Syntax::Script(_)));
}

/// Scripts whose values are nested deeper than their text.
#[test]
fn long_chains_of_variables_do_not_overflow_the_stack() {
    for text in [
        (0..20_000).map(|i| format!("var v{}=v{i}+v{i};", i + 1)).collect::<String>() + "Json=v19999+'a'",
        (0..20_000).map(|i| format!("var v{}=[v{i},Name].join('a');", i + 1)).collect::<String>() + "Json=v19999+'a'",
        (0..20_000).map(|i| format!("function f{}(a){{return f{i}(a)+a}}", i + 1)).collect::<String>()
            + "Json=f19999(Name)+'a'",
        format!("function f(a){{return {}a}} Json='a'+f(Name);//{}", "f(a)+".repeat(5000), " ".repeat(MAX_FREE_BYTES)),
        format!("var a=this;{}", "a.b(a);".repeat(20_000)),
        "(function(){this})();".repeat(5000),
    ] {
        assert!(matches!(analyze(ScriptKind::Script, &text), Syntax::Script(_)), "{}", &text[..20]);
    }
}

#[test]
fn long_scripts_that_are_flat_are_read() {
    let line = "var list = [1, 'it\\'s', /[/'\"]/g, `a${b}c`];\nfunction f(a) { if (a / 2 > 1) { return { b: a, c: [a] } } }\nlist.push(f(1))\n";
    for text in [line.repeat(5000), format!("x = {{{}}}", "a: 1, ".repeat(60_000)), "case_ = a ? b : c;".repeat(30_000)]
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
