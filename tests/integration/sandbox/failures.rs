//! Failures and their positions.

use wflint::script::sandbox::FailureKind::{Syntax, Thrown};

use super::{NO_STRING, assert_failures, failing, job, sandbox, text_of};

#[test]
fn uncaught_exceptions_have_their_position() {
    assert_failures(&[
        failing("var x;\n  x.foo", Thrown, "TypeError: cannot read property 'foo' of undefined", Some((2, 3))),
        failing("x.foo", Thrown, "ReferenceError: x is not defined", Some((1, 1))),
        failing("  null.foo", Thrown, "TypeError: cannot read property 'foo' of null", Some((1, 3))),
        failing("'\u{e4}\u{1f600}'; null.foo", Thrown, "TypeError: cannot read property 'foo' of null", Some((1, 7))),
        failing("\r\n\r  /* \u{1f600} */ q()", Thrown, "ReferenceError: q is not defined", Some((3, 11))),
        failing("function f() { throw new RangeError('far') }\n\n f()", Thrown, "RangeError: far", Some((1, 26))),
        failing("[1].map(() => {\n  throw Error('in')\n})", Thrown, "Error: in", Some((2, 9))),
        failing("\nJSON.parse('{')", Thrown, JSON_ERROR, Some((2, 6))),
        failing("\n\neval('1 +')", Thrown, "SyntaxError: unexpected token in expression: ''", Some((3, 1))),
        failing("throw new Error('two\\nlines (script:9:9)')", Thrown, "Error: two\nlines (script:9:9)", Some((1, 11))),
        failing("throw 'a text'", Thrown, "a text", None),
        failing("throw 17", Thrown, "17", None),
        failing("throw null", Thrown, "null", None),
        failing("throw undefined", Thrown, "undefined", None),
        failing("throw Symbol('s')", Thrown, "Symbol(s)", None),
        failing("throw { code: 5 }", Thrown, r#"{"code":5}"#, None),
        failing("throw Object.create(null)", Thrown, NO_STRING, None),
        failing("Error.stackTraceLimit = 0; null.x", Thrown, "TypeError: cannot read property 'x' of null", None),
        failing("var e = Error('x'); e.stack = 'at f (script:77:1)'; throw e", Thrown, "Error: x", None),
        failing("new Date(Symbol())", Thrown, "TypeError: cannot convert symbol to number", Some((1, 10))),
    ]);
}

const JSON_ERROR: &str = "SyntaxError: Expected property name or '}' in JSON at position 1 (line 1 column 2)";

#[test]
fn syntax_errors_have_their_position() {
    assert_failures(&[
        failing("let a = ;", Syntax, "SyntaxError: unexpected token in expression: ';'", Some((1, 9))),
        failing("\n\n  foo bar", Syntax, "SyntaxError: expecting ';'", Some((3, 7))),
        failing(
            "/* \u{e4}\u{1f600} */ let a = ;",
            Syntax,
            "SyntaxError: unexpected token in expression: ';'",
            Some((1, 18)),
        ),
        failing("let a;\r\nlet a;", Syntax, "SyntaxError: invalid redefinition of lexical identifier", Some((2, 6))),
        failing("if (x) {", Syntax, "SyntaxError: unexpected token in expression: ''", Some((1, 9))),
        failing("'abc", Syntax, "SyntaxError: unexpected end of string", Some((1, 1))),
        failing("import 'x'", Syntax, "SyntaxError: Unexpected string", Some((1, 8))),
        failing("\n'a\0'", Syntax, "SyntaxError: invalid character U+0000", Some((2, 3))),
        failing("/(/", Syntax, "SyntaxError: expecting ')'", None),
    ]);
}

#[test]
fn hostile_scripts_cannot_forge_results() {
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
        failing(
            "Object.defineProperty(globalThis, 'Json', { get() { throw Error('no') } })",
            Thrown,
            "Error: no",
            Some((1, 59)),
        ),
        failing("Error.prototype.toString = () => { throw 1 }; null.x", Thrown, NO_STRING, Some((1, 47))),
        failing("Error.prototype.toString = () => ({}); null.x", Thrown, NO_STRING, Some((1, 40))),
        failing("throw { toJSON() { throw 1 } }", Thrown, "[object Object]", None),
        failing("String = () => 'mine'; throw 'theirs'", Thrown, "theirs", None),
    ]);
}
