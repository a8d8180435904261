//! Failures of scripts and their places.

use wflint::script::sandbox::FailureKind::{Syntax, Thrown};

use super::{NO_TEXT, assert_failures, job, sandbox, text_of};

#[test]
fn thrown_values_are_reported_with_their_place() {
    assert_failures(&[
        ("var x;\n  x.foo", Thrown, "TypeError: cannot read property 'foo' of undefined", Some((2, 3))),
        ("x.foo", Thrown, "ReferenceError: x is not defined", Some((1, 1))),
        ("  null.foo", Thrown, "TypeError: cannot read property 'foo' of null", Some((1, 3))),
        ("'\u{e4}\u{1f600}'; null.foo", Thrown, "TypeError: cannot read property 'foo' of null", Some((1, 7))),
        ("\r\n\r  /* \u{1f600} */ q()", Thrown, "ReferenceError: q is not defined", Some((3, 11))),
        ("function f() { throw new RangeError('far') }\n\n f()", Thrown, "RangeError: far", Some((1, 26))),
        ("[1].map(() => {\n  throw Error('in')\n})", Thrown, "Error: in", Some((2, 9))),
        ("\nJSON.parse('{')", Thrown, JSON_ERROR, Some((2, 6))),
        ("\n\neval('1 +')", Thrown, "SyntaxError: unexpected token in expression: ''", Some((3, 1))),
        ("throw new Error('two\\nlines (script:9:9)')", Thrown, "Error: two\nlines (script:9:9)", Some((1, 11))),
        ("throw 'a text'", Thrown, "a text", None),
        ("throw 17", Thrown, "17", None),
        ("throw null", Thrown, "null", None),
        ("throw undefined", Thrown, "undefined", None),
        ("throw Symbol('s')", Thrown, "Symbol(s)", None),
        ("throw { code: 5 }", Thrown, r#"{"code":5}"#, None),
        ("throw Object.create(null)", Thrown, NO_TEXT, None),
        ("Error.stackTraceLimit = 0; null.x", Thrown, "TypeError: cannot read property 'x' of null", None),
        ("var e = Error('x'); e.stack = 'at f (script:77:1)'; throw e", Thrown, "Error: x", None),
        ("new Date(Symbol())", Thrown, "TypeError: cannot convert symbol to number", Some((1, 10))),
    ]);
}

const JSON_ERROR: &str = "SyntaxError: Expected property name or '}' in JSON at position 1 (line 1 column 2)";

#[test]
fn syntax_errors_are_reported_with_their_place() {
    assert_failures(&[
        ("let a = ;", Syntax, "SyntaxError: unexpected token in expression: ';'", Some((1, 9))),
        ("\n\n  foo bar", Syntax, "SyntaxError: expecting ';'", Some((3, 7))),
        ("/* \u{e4}\u{1f600} */ let a = ;", Syntax, "SyntaxError: unexpected token in expression: ';'", Some((1, 18))),
        ("let a;\r\nlet a;", Syntax, "SyntaxError: invalid redefinition of lexical identifier", Some((2, 6))),
        ("return 1", Syntax, "SyntaxError: return not in a function", Some((1, 1))),
        ("if (x) {", Syntax, "SyntaxError: unexpected token in expression: ''", Some((1, 9))),
        ("'abc", Syntax, "SyntaxError: unexpected end of string", Some((1, 1))),
        ("import 'x'", Syntax, "SyntaxError: Unexpected string", Some((1, 8))),
        ("\n'a\0'", Syntax, "SyntaxError: the character U+0000", Some((2, 3))),
        ("/(/", Syntax, "SyntaxError: expecting ')'", None),
    ]);
}

#[test]
fn hostile_scripts_do_not_corrupt_answers() {
    let mut sandbox = sandbox();
    for (script, expected) in [
        ("Object.defineProperty(globalThis, 'Json', { get() { return 'from a getter' } })", "from a getter"),
        ("Reflect.apply = Function.prototype.call = null; Json = 'x'", "x"),
        ("Array.prototype[Symbol.iterator] = null; Object.freeze(Object.prototype); Json = 'x'", "x"),
        ("Object.defineProperty(Object.prototype, 'read', { get() { throw 1 } }); Json = 'x'", "x"),
        ("String.prototype.length = 1e9; var Json = 'x'", "x"),
        ("globalThis.Date = undefined; for (var key of Reflect.ownKeys(this)) delete this[key]; Json = 'x'", "x"),
        ("Object.setPrototypeOf(globalThis, new Proxy({}, { has: () => false })); Json = 'x'", "x"),
    ] {
        assert_eq!(text_of(sandbox.run(&job(script)).unwrap()), expected, "{script}");
    }
    assert_failures(&[
        (
            "Object.defineProperty(globalThis, 'Json', { get() { throw Error('no') } })",
            Thrown,
            "Error: no",
            Some((1, 59)),
        ),
        ("Error.prototype.toString = () => { throw 1 }; null.x", Thrown, NO_TEXT, Some((1, 47))),
        ("Error.prototype.toString = () => ({}); null.x", Thrown, NO_TEXT, Some((1, 40))),
        ("throw { toJSON() { throw 1 } }", Thrown, "[object Object]", None),
        ("String = () => 'mine'; throw 'theirs'", Thrown, "theirs", None),
    ]);
}
