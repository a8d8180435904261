//! Scripts that end with `return`, and what is not simulated.

use wflint::script::sandbox::{Answer, FailureKind, JsonVariable};

use super::{failure, job, sandbox, text, with};

#[test]
fn return_ends_a_script() {
    for script in [
        "Json = 'x'; return; Json = 'y'",
        "Json = 'x'; return Json + 'y'\nJson = 'z'",
        "if (true) { Json = 'x'; return }\nJson = 'y'",
        "Json = 'x'; if (Json) return; else Json = 'y'; Json = 'z'",
        "Json = 'x'; if (Json) return Json; else Json = 'y'",
        "for (;;) { switch (1) { case 1: while (true) { Json = 'x'; return [1, { a: 2 }] } } }",
        "try { return Json = 'y' } finally { Json = 'x' } Json = 'z'",
        "try { return Json = 'x' } catch (e) { Json = 'y' }",
        "try { throw 1 } catch (e) { Json = 'x'; return (1, 2) /* ; */ ; } Json = 'y'",
        "var Json = 'x'; return",
        "'use strict'; Json = 'x'; return function () { return this }; // end",
        "function f() { return 'x' } Json = f(); return // a comment\n; Json = 'y'",
        "function f() { return 'y' } function f() { return 'x' } Json = f(); return",
        "Json = typeof f === 'function' ? 'x' : 'y'; return; function f() { }",
        "#! a line\nJson = 'x'; return",
        "label: { Json = 'x'; break label } return -1\n;[Json] = 'y'",
    ] {
        assert_eq!(text(script), "x", "{script}");
    }
    let unset = sandbox().run(&job("return; Json = 'x'")).unwrap();
    assert_eq!(unset, Answer::Done { json: JsonVariable::Unset, by_job: false });
}

#[test]
fn strict_mode_may_assign_json_and_variables() {
    let job = with("'use strict'; Name = Name + '!'; Json = Name", &[("Name", "x")]);
    assert_eq!(sandbox().run(&job).unwrap(), Answer::Done { json: JsonVariable::Text("x!".to_owned()), by_job: false });
    assert_eq!(failure("'use strict'; other = 1").message, "ReferenceError: other is not defined");
    assert_eq!(failure("'use strict'; if (Json) return; other = 1").message, "ReferenceError: other is not defined");
}

#[test]
fn failures_of_scripts_that_return_have_their_position() {
    for (script, line, column) in [
        ("if (0) return; nope()", 1, 16),
        ("if (0) { return } nope()", 1, 19),
        ("if (0) return 1, 2; if (0) return; nope()", 1, 36),
        ("'use strict'; if (0) return\nif (0) return;é = nope()", 2, 19),
        ("return nope()", 1, 8),
        ("#!a\nif (0) return\nnope()", 3, 1),
    ] {
        let failure = failure(script);
        assert_eq!(failure.kind, FailureKind::Thrown, "{script}: {}", failure.message);
        assert_eq!((failure.line, failure.column), (Some(line), Some(column)), "{script}: {}", failure.message);
    }
}

#[test]
fn what_is_not_simulated_is_called_so() {
    for (script, message, position) in [
        ("Json = 'x';\n  await f()", "top-level `await` is not simulated", (Some(2), Some(3))),
        ("await (1)", "top-level `await` is not simulated", (Some(1), Some(1))),
        ("for await (const a of []) a", "top-level `await` is not simulated", (Some(1), Some(5))),
        ("return await 1", "top-level `await` is not simulated", (Some(1), Some(8))),
        ("new Intl.NumberFormat()", "`Intl` is not simulated", (Some(1), Some(5))),
    ] {
        let failure = failure(script);
        assert_eq!((failure.kind, &*failure.message), (FailureKind::Unsupported, message), "{script}");
        assert_eq!((failure.line, failure.column), position, "{script}");
    }
    let unsupported = failure("function f(it) { return it } @f class A { }");
    assert_eq!(unsupported.kind, FailureKind::Unsupported);
    assert!(unsupported.message.starts_with("syntax that the script engine lacks is not simulated: SyntaxError"));
    // A variable of this name, a call of it in a function, and a syntax error.
    assert_eq!(text("var await = (x) => x; Json = await ('x')"), "x");
    assert_eq!(failure("f(await 1").kind, FailureKind::Syntax);
}
