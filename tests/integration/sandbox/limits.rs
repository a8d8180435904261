//! Scripts that exceed a limit.

use std::time::{Duration, Instant};

use wflint::script::sandbox::FailureKind::{MemoryLimit, StackLimit, Thrown, TimeLimit};
use wflint::script::sandbox::{Answer, Job};

use super::{NO_TEXT, assert_failures, failure_in, job, sandbox, text, text_of, with};

const OUT_OF_TIME: &str = "the script did not end within 10 s";
const OUT_OF_MEMORY: &str = "the script needs more than 32 MiB of memory";
const TOO_DEEP: &str = "calls or parentheses in the script nest too deeply";

#[test]
fn endless_scripts_hit_the_time_limit() {
    let began = Instant::now();
    assert_failures(&[
        ("while (true) {}", TimeLimit, OUT_OF_TIME, None),
        ("try { for (;;); } catch {} finally { throw 1 }", TimeLimit, OUT_OF_TIME, None),
        // The place is the one known for sure: of the call that did not return.
        ("function f() { while (true) {} }\n\n  f()", TimeLimit, OUT_OF_TIME, Some((3, 3))),
        ("var a = 'a'.repeat(50) + '!';\n/(a+)+$/.test(a)", TimeLimit, OUT_OF_TIME, Some((2, 15))),
        ("async function f() { for (;;); } f(); Json = 'went on'", TimeLimit, OUT_OF_TIME, Some((1, 34))),
        ("Object.defineProperty(globalThis, 'Json', { get() { while (1); } })", TimeLimit, OUT_OF_TIME, None),
        ("throw { toString() { for (;;); } }", TimeLimit, OUT_OF_TIME, None),
        ("throw { get stack() { for (;;); } }", TimeLimit, OUT_OF_TIME, None),
        ("throw new Proxy({}, { get() { for (;;); } })", TimeLimit, OUT_OF_TIME, None),
        ("Error.prepareStackTrace = () => { for (;;); }; null.x", TimeLimit, OUT_OF_TIME, None),
        ("for (var x of (function* () { for (;;) yield 1 })());", TimeLimit, OUT_OF_TIME, Some((1, 48))),
    ]);
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
}

#[test]
fn uninterruptible_scripts_are_killed() {
    let mut sandbox = sandbox();
    for script in ["new Array(2 ** 32 - 1).reverse()", "var a = 7n ** 100000n; for (;;) a * a"] {
        let began = Instant::now();
        let answer = sandbox.run(&Job { seconds: 0.3, ..job(script) }).unwrap();
        let Answer::Failed(failure) = answer else { panic!("{script} ended") };
        assert_eq!(failure.kind, TimeLimit, "{script}");
        assert_eq!(failure.message, "the script did not end within 0.3 s");
        assert!(began.elapsed() < Duration::from_secs(5));
        assert_eq!(sandbox.process_id(), None);
    }
    assert_eq!(text_of(sandbox.run(&job("Json = 'alive'")).unwrap()), "alive");
}

#[test]
fn memory_hungry_scripts_hit_the_memory_limit() {
    let mut sandbox = sandbox();
    // With nothing left for an error, the engine throws `null`, and knows no place.
    for script in [
        "var a = []; for (;;) a.push(new Array(1000).fill(1))",
        "var a = new Map; for (var i = 0;; i++) a.set(i, i)",
        "(function () { var a; for (;;) a = { a } })()",
        "if (this.x) throw new Error('x'); (() => { var a; for (;;) a = { a } })()",
        "if (this.x) throw x; var a; for (;;) a = { a }",
        "[...function* () { for (;;) yield 1 }()]",
        "Object.defineProperty(globalThis, 'Json', { get() { var a = []; for (;;) a.push({}) } })",
        "function A() { this.a = new A } try { new A } catch {} var a; for (;;) a = [a]",
    ] {
        let failure = failure_in(&mut sandbox, script);
        assert_eq!((failure.kind, failure.message.as_str()), (MemoryLimit, OUT_OF_MEMORY), "{script}");
    }
    assert_failures(&[
        ("\nnew ArrayBuffer(1e9)", MemoryLimit, OUT_OF_MEMORY, Some((2, 5))),
        ("var s = 'x'; for (;;) s += s", Thrown, "InternalError: string too long", Some((1, 28))),
        ("throw { toString() { var a = []; for (;;) a.push({}) } }", Thrown, NO_TEXT, None),
    ]);
    // What a script has caught is its own affair.
    assert_eq!(text("try { new ArrayBuffer(1e9) } catch { Json = 'caught' }"), "caught");
    let variable = "\u{20ac}".repeat(1 << 20);
    let variables = [("a", variable.as_str()), ("Json", "ample")];
    assert_eq!(text_of(sandbox.run(&with("", &variables)).unwrap()), "ample");
}

#[test]
fn deeply_nested_scripts_hit_the_stack_limit() {
    let parentheses = "(".repeat(100_000);
    assert_failures(&[
        ("function f() {\n  f()\n}\nf()", StackLimit, TOO_DEEP, Some((2, 3))),
        ("var f = () => [1].map(f); f()", StackLimit, TOO_DEEP, Some((1, 23))),
        ("var s = '['.repeat(100000);\nJSON.parse(s)", StackLimit, TOO_DEEP, Some((2, 12))),
        (&parentheses, StackLimit, TOO_DEEP, None),
    ]);
}

#[test]
fn deep_values_within_the_limits_are_returned() {
    let script = "var a = []; for (var i = 0; i < 100000; i++) a = [a]; Json = 'made'";
    assert_eq!(text(script), "made");
    assert_eq!(text("Json = JSON.stringify(JSON.parse('['.repeat(1000) + ']'.repeat(1000)))").len(), 2000);
}
