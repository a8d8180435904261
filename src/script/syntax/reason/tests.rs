use super::*;
use crate::script::syntax::{ScriptKind, Syntax, analyze};

#[test]
fn reason_is_worded_as_other_messages() {
    for (script, wanted) in [
        ("var a = [1, 2;", "expected `,`, found `;`"),
        ("f(", "expected `)`, found the end"),
        ("f(a b)", "expected `,`, found `b`"),
        ("f(a 'b')", "expected `,`, found a string"),
        ("f(a averylongnameofsomevariable)", "expected `,`, found `averylongnameofsomev…`"),
        ("x = { a 1 }", "expected `,`, found `1`"),
        ("switch a {}", "expected `(`, found `a`"),
        ("function f() { await g() }", "`await` outside an async function"),
        ("var class = 1", "expected a name, found `class`"),
        ("'use strict'; var public = 1", "reserved word `public`"),
        ("let a; let a", "duplicate declaration of `a`"),
        ("a = 1 b = 2", "missing `;` or line break"),
        ("a = ]", "unexpected `]`"),
        ("a = 'b", "unterminated string"),
        ("a = \u{2018}b\u{2019}", "invalid character `\u{2018}`"),
        ("x = a\\u200bb", "invalid character U+200B"),
        ("if (a) const b = 1", "`const` without a block"),
        ("const { a }", "missing initializer of `{ a }`"),
        ("import a from 'b'", "`import` outside a module"),
        ("import.name", "unknown property `import.name`"),
        ("let a = b as string", "TypeScript syntax"),
        ("class A { const a = 1 }", "unexpected `const`"),
        ("this.#a", "`#a` outside a class"),
        ("x = /a(/", "unterminated regex group"),
        ("x = /a)/", "unexpected `)` in a regex"),
        ("x = /+/", "nothing to repeat in regex"),
        ("x = 1 + 'a' 'b' 'c", "missing `;` or line break"),
        ("x.'a'", "unexpected string"),
        ("class A { 'constructor' = 1 }", "invalid name `constructor`"),
        ("x = 5px", "unexpected `px` after a number"),
    ] {
        assert_eq!(reason_of(script).as_deref(), Some(wanted), "{script}");
    }
}

#[test]
fn reasons_are_short() {
    let (mut count, mut wrong) = (0, Vec::new());
    for line in include_str!("broken.txt").lines() {
        let script = line.replace("\\n", "\n");
        let Some(reason) = reason_of(&script) else { continue };
        count += 1;
        let words = reason.split('`').step_by(2).collect::<String>();
        let is_strange = words.contains(['\'', '"', '{', '}', '*', '.']) || reason.starts_with(char::is_uppercase);
        let parser_words = ["dentifier", "token", "llegal", "not allowed", "cannot", "EOF", "decimal"];
        if length_without_names(&reason) > MAX_REASON
            || is_strange && reason != "TypeScript syntax"
            || reason.contains("``")
            || parser_words.iter().any(|word| words.contains(word))
        {
            wrong.push(format!("{script}: {reason}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(count > 300, "{count}");
}

/// Every entry of the tables fits, whatever it repeats.
#[test]
fn reworded_reasons_are_short() {
    for (message, reworded) in REWORDED.iter().chain(&REWORDED_PATTERN) {
        let shown = reworded.replace("{found}", "`a`").replace("{word}", "`a`");
        assert!(length_without_names(&shown) <= MAX_REASON, "{message}: {reworded}");
    }
}

fn reason_of(script: &str) -> Option<String> {
    match analyze(ScriptKind::Script, script) {
        Syntax::Error(error) => Some(error.message),
        _ => None,
    }
}
