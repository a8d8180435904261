//! The limits of time, memory and stack.

use std::time::{Duration, Instant};

use wflint::script::sandbox::FailureKind::{MemoryLimit, StackLimit, Thrown, TimeLimit};
use wflint::script::sandbox::{Answer, Job};

use super::{NO_STRING, assert_failures, failing, failure_in, job, sandbox, text, text_of, with};

const TIME_EXCEEDED: &str = "script exceeded its time limit of 10 s";
const MEMORY_EXCEEDED: &str = "script exceeded its memory limit of 32 MiB";
const STACK_EXCEEDED: &str = "script exceeded its stack limit, calls or parentheses are nested too deeply";

#[test]
fn endless_script_exceeds_time_limit() {
    let began = Instant::now();
    assert_failures(&[
        failing("while (true) {}", TimeLimit, TIME_EXCEEDED, None),
        failing("try { for (;;); } catch {} finally { throw 1 }", TimeLimit, TIME_EXCEEDED, None),
        // The position is that of the call that did not return: the only one that is known.
        failing("function f() { while (true) {} }\n\n  f()", TimeLimit, TIME_EXCEEDED, Some((3, 3))),
        failing("var a = 'a'.repeat(50) + '!';\n/(a+)+$/.test(a)", TimeLimit, TIME_EXCEEDED, Some((2, 15))),
        failing("async function f() { for (;;); } f(); Json = 'went on'", TimeLimit, TIME_EXCEEDED, Some((1, 34))),
        failing("Object.defineProperty(globalThis, 'Json', { get() { while (1); } })", TimeLimit, TIME_EXCEEDED, None),
        failing("throw { toString() { for (;;); } }", TimeLimit, TIME_EXCEEDED, None),
        failing("throw { get stack() { for (;;); } }", TimeLimit, TIME_EXCEEDED, None),
        failing("throw new Proxy({}, { get() { for (;;); } })", TimeLimit, TIME_EXCEEDED, None),
        failing("Error.prepareStackTrace = () => { for (;;); }; null.x", TimeLimit, TIME_EXCEEDED, None),
    ]);
    // Stopped in the generator or in the loop: the position depends on it.
    let generator = failure_in(&mut sandbox(), "for (var x of (function* () { for (;;) yield 1 })());");
    assert_eq!((generator.kind, generator.message.as_str()), (TimeLimit, TIME_EXCEEDED));
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
}

#[test]
fn script_that_does_not_poll_is_ended_by_the_watchdog() {
    let mut sandbox = sandbox();
    for script in ["new Array(2 ** 32 - 1).reverse()", "var a = 7n ** 100000n; for (;;) a * a"] {
        let began = Instant::now();
        let answer = sandbox.run(&Job { seconds: 0.3, ..job(script) }).unwrap();
        let Answer::Failed(failure) = answer else { panic!("{script} ended") };
        assert_eq!(failure.kind, TimeLimit, "{script}");
        assert_eq!(failure.message, "script exceeded its time limit of 0.3 s");
        assert!(began.elapsed() < Duration::from_secs(5));
        assert_eq!(sandbox.process_id(), None);
    }
    assert_eq!(text_of(sandbox.run(&job("Json = 'alive'")).unwrap()), "alive");
}

#[test]
fn script_that_polls_is_counted_and_not_timed() {
    // Each poll takes milliseconds: far more time than the limit, and yet the count ends it.
    let script = "for (;;) { try { null.x } catch {} }";
    let polls = |seconds| sandbox().run_counted(&Job { seconds, ..job(script) }).unwrap();
    let reply = polls(0.2);
    assert_eq!(reply.polls, 40);
    assert!(matches!(&reply.answer, Answer::Failed(failure) if failure.column.is_none()), "{:?}", reply.answer);
    assert_eq!(polls(0.2).polls, 40);
}

#[test]
fn unbounded_allocation_exceeds_memory_limit() {
    let mut sandbox = sandbox();
    // Without memory for an error object the engine throws `null`, without a position.
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
        assert_eq!((failure.kind, failure.message.as_str()), (MemoryLimit, MEMORY_EXCEEDED), "{script}");
    }
    assert_failures(&[
        failing("\nnew ArrayBuffer(1e9)", MemoryLimit, MEMORY_EXCEEDED, Some((2, 5))),
        failing("var s = 'x'; for (;;) s += s", Thrown, "InternalError: string too long", Some((1, 28))),
        failing("throw { toString() { var a = []; for (;;) a.push({}) } }", Thrown, NO_STRING, None),
    ]);
    // A script may catch the exception and go on.
    assert_eq!(text("try { new ArrayBuffer(1e9) } catch { Json = 'caught' }"), "caught");
    let variable = "\u{20ac}".repeat(1 << 20);
    let variables = [("a", variable.as_str()), ("Json", "ample")];
    assert_eq!(text_of(sandbox.run(&with("", &variables)).unwrap()), "ample");
}

#[test]
fn deep_nesting_exceeds_stack_limit() {
    let parentheses = "(".repeat(100_000);
    assert_failures(&[
        failing("function f() {\n  f()\n}\nf()", StackLimit, STACK_EXCEEDED, Some((2, 3))),
        failing("var f = () => [1].map(f); f()", StackLimit, STACK_EXCEEDED, Some((1, 23))),
        failing("var s = '['.repeat(100000);\nJSON.parse(s)", StackLimit, STACK_EXCEEDED, Some((2, 12))),
        failing(&parentheses, StackLimit, STACK_EXCEEDED, None),
    ]);
}

#[test]
fn deep_values_within_limits_are_fine() {
    let script = "var a = []; for (var i = 0; i < 100000; i++) a = [a]; Json = 'made'";
    assert_eq!(text(script), "made");
    assert_eq!(text("Json = JSON.stringify(JSON.parse('['.repeat(1000) + ']'.repeat(1000)))").len(), 2000);
}

#[test]
fn scripts_run_up_to_their_limits_and_not_beyond() {
    let mut sandbox = sandbox();
    assert_eq!(text("var a = new ArrayBuffer(31 * 2 ** 20); Json = 'fits'"), "fits");
    assert_eq!(failure_in(&mut sandbox, "new ArrayBuffer(32 * 2 ** 20)").kind, MemoryLimit);
    let calls = |number: u32| format!("function f(n) {{ return n ? f(n - 1) : 'ended' }} Json = f({number})");
    assert_eq!(text(&calls(1000)), "ended");
    assert_eq!(failure_in(&mut sandbox, &calls(100_000)).kind, StackLimit);
    // Two hundred polls in a second.
    let loops =
        |steps: u32| Job { seconds: 1.0, ..job(&format!("for (var i = 0; i < {steps}; i++) {{}} Json = 'ended'")) };
    let each_poll = 100_000 / sandbox.run_counted(&loops(100_000)).unwrap().polls;
    assert_eq!(text_of(sandbox.run(&loops(199 * each_poll)).unwrap()), "ended");
    let Answer::Failed(failure) = sandbox.run(&loops(201 * each_poll)).unwrap() else { panic!("no limit") };
    assert_eq!(failure.kind, TimeLimit);
}
