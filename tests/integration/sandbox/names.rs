//! The names that the linter calls undefined, held against what the engine calls undefined.

use std::sync::Arc;

use proptest::prelude::*;
use wflint::script::sandbox::{Answer, FailureKind, NOT_SIMULATED, Sandbox};
use wflint::script::syntax::{Script, ScriptKind, Syntax, analyze};

use super::{sandbox, text_of, with};

const PARAMETERS: [(&str, &str); 2] = [("Name", "Anna"), ("Days", "14")];

fn parse(text: &str) -> Option<Arc<Script>> {
    match analyze(ScriptKind::Script, text) {
        Syntax::Script(script) => Some(script),
        _ => None,
    }
}

fn unknown(script: &Script) -> Vec<String> {
    let known = PARAMETERS.iter().map(|(name, _)| *name).chain(["Json"]);
    script.unknown(known).into_iter().map(|global| global.name.clone()).collect()
}

/// The name that a run calls undefined.
fn undefined(sandbox: &mut Sandbox, text: &str) -> Option<String> {
    match sandbox.run(&with(text, &PARAMETERS)).unwrap() {
        Answer::Failed(failure) => {
            failure.message.strip_prefix("ReferenceError: ")?.strip_suffix(" is not defined").map(str::to_owned)
        }
        Answer::Done { .. } => None,
    }
}

/// Each with the names that are undefined in it; the engine meets the first of them first.
const CONSTRUCTS: &[(&str, &[&str])] = &[
    // Strict mode.
    ("'use strict'; Json = Name", &[]),
    ("'use strict'; Name = 'b'; Days = Name; Json = Days", &[]),
    ("'use strict'; other = 1", &["other"]),
    ("(function () { 'use strict'; inner = 1 })()", &["inner"]),
    ("class A { static m() { inner = 1 } } A.m()", &["inner"]),
    ("other = 1; Json = other + ''", &[]),
    ("other += 1", &["other"]),
    ("other++", &["other"]),
    ("other ||= 1", &["other"]),
    ("other = 1; other++; other += other", &[]),
    // Annex B.
    ("{ function f() { return 1 } } Json = '' + f()", &[]),
    ("if (Name) { function f() { return 1 } } f()", &[]),
    ("if (Name) function f() { return 1 } f()", &[]),
    ("switch (1) { case 1: function f() { return 1 } } f()", &[]),
    ("try { function f() { } } catch (e) { } f()", &[]),
    ("(function () { { function f() { } } f() })()", &[]),
    ("(function () { { function f() { } } f() })(); f()", &["f"]),
    ("'use strict'; { function f() { } } f()", &["f"]),
    ("{ let f = 1; { function f() { } } } f()", &["f"]),
    ("{ async function f() { } } f()", &["f"]),
    ("{ function* f() { } } f()", &["f"]),
    ("{ class C { } } new C()", &["C"]),
    ("{ let a = 1 } a", &["a"]),
    ("{ var a = 1 } a", &[]),
    ("a: function f() { } f()", &[]),
    ("Json = escape(Name) + unescape(Name)", &[]),
    ("Json = 'abc'.substr(1, 1) + 'a'.anchor('b') + 'a'.big() + ' a '.trimLeft() + 'a'.fontcolor('red')", &[]),
    ("Json = '' + new Date(0).getYear() + new Date(0).toGMTString(); new Date(0).setYear(99)", &[]),
    ("Json = '' + 017 + 089 + '\\101'", &[]),
    ("var a = 1 <!-- missing\n--> missing\nJson = '' + a", &[]),
    ("/a/.compile('b'); Json = '' + RegExp.prototype.compile.length", &[]),
    ("var o = { __proto__: { a: 'x' } }; Json = o.a + o.__proto__.a", &[]),
    ("o = {}; o.__defineGetter__('a', function () { return 1 }); o.__lookupGetter__('a')", &[]),
    ("for (var i = 0 in {}) ; i", &[]),
    ("try { throw 1 } catch (e) { var e = 2 }", &[]),
    ("/\\c/.test(''); /]/.test(''); /{/.test(''); /\\1(a)/.test('')", &[]),
    ("yield_ = 1; var yield = 1, let = 2, static = 3; Json = '' + yield + let", &[]),
    ("undefined = 1; NaN = 2; Infinity = 3", &[]),
    // Classes.
    (
        "class A { #a = Name; static #b = 1; get a() { return this.#a } static b() { return this.#b } has(o) { return #a in o } } \
      Json = new A().a + A.b()",
        &[],
    ),
    ("class A { #a = 1; m() { return this.#a + Nmae } } new A().m()", &["Nmae"]),
    ("class A { a = Nmae } new A()", &["Nmae"]),
    ("class A { static { this.x = Nmae } }", &["Nmae"]),
    ("class A { static { this.x = 1; var inner = 2; inner } } Json = '' + A.x", &[]),
    ("class A { static { var inner = 2 } } inner", &["inner"]),
    ("class A { constructor(n) { this.Nmae = n; return this } } new A(1); Nmae", &["Nmae"]),
    (
        "class A extends Array { constructor() { super(); super.push(1) } get [Name]() { return new.target } } new A()",
        &[],
    ),
    ("class A { ['m' + Name]() { } static async *g() { } accessor = 1 } new A()", &[]),
    // The global object.
    ("this.Made = 1; Json = '' + Made", &[]),
    ("globalThis.Made = 1; Json = '' + Made", &[]),
    ("globalThis['Made'] = 1; Json = '' + Made", &[]),
    ("var g = this; g.Made = 1; Json = '' + Made", &[]),
    ("var g = this; Json = g.Name; Nmae", &["Nmae"]),
    ("(function () { this.Made = 1 })(); Json = '' + Made", &[]),
    ("(function (root) { root.Made = 1 })(this); Json = '' + Made", &[]),
    ("(function (root) { root.Made = 1 })(this); Nmae", &["Nmae"]),
    ("(function () { this.Made = 1 }).call(this); Made; Nmae", &["Nmae"]),
    ("for (const k of ['Made']) globalThis[k] = 1; Made", &[]),
    ("for (const k of ['Made']) globalThis[k]; Nmae", &["Nmae"]),
    ("Object.defineProperty(this, 'Made', { value: 1 }); Made", &[]),
    ("Object.assign(globalThis, { Made: 1 }); Made", &[]),
    (
        "function P(n) { this.Nmae = n; return this } P.prototype.m = function () { return this }; new P(1).m(); Nmae",
        &["Nmae"],
    ),
    (
        "var o = { a: 1, m() { return this }, get g() { return this }, f: function () { return this } }; o.m(); Nmae",
        &["Nmae"],
    ),
    ("Json = typeof this + (this === globalThis); Nmae", &["Nmae"]),
    ("const { Name: n } = globalThis; Json = n; Nmae", &["Nmae"]),
    // `with`, `eval`.
    ("with ({ a: 1 }) { a } Json = Name", &[]),
    ("with ({ a: 1 }) { a } Nmae", &["Nmae"]),
    ("with (Nmae) { a }", &["Nmae"]),
    ("eval('var a = 1'); a", &[]),
    ("new Function('a = 1')(); a", &[]),
    // Binding and assignment patterns.
    ("var { a, b: [c, ...d], ...e } = { b: [] }; a; c; d; e", &[]),
    ("[a, b.c] = [1, 2]", &["b"]),
    ("[a, b = Name] = [1]; ({ c, d: e = 2, ...f } = {}); a + b + c + e + f", &[]),
    ("for (a in { x: 1 }) a; for (b of [1]) b; for (let c = 0; c < 1; c++) c", &[]),
    ("for (let c = 0; c < 1; c++) c; c", &["c"]),
    ("function f({ a = Name, ...b } = {}, c = a, ...d) { return a + b + c + d + arguments.length } f()", &[]),
    ("function f(a = Nmae) { } f()", &["Nmae"]),
    ("try { null.a } catch ({ message }) { Json = message }", &[]),
    ("try { null.a } catch { } ", &[]),
    // Other syntax.
    ("outer: for (;;) { inner: for (;;) { break outer } }", &[]),
    ("function* g() { const a = yield 1; yield* [a] } Json = '' + [...g()]", &[]),
    ("async function f() { for await (const a of []) a; await 1 } f()", &[]),
    ("Json = Name?.length?.toString?.() ?? 'x'; Name?.[Days]", &[]),
    ("Json = Nmae?.length", &["Nmae"]),
    ("Json = String.raw`a${Name}\\u`; (function (s) { return s })`${Days}`", &[]),
    ("Json = `${Nmae}`", &["Nmae"]),
    ("function F() { return new.target } new F()", &[]),
    ("import('x').catch(() => 1)", &[]),
    ("Json = '' + /(?<y>\\d)(?=a)(?<!b)./dgimsuy.flags + /[\\p{L}--[a-z]]/v.test('é')", &[]),
    ("Json = '' + 1_000 + 0b1_0 + 0o17 + 10n ** 2n", &[]),
    ("typeof Maybe === 'undefined' || Maybe; typeof (Other); delete Missing", &[]),
    ("a ?? b", &["a", "b"]),
    ("var a = a; let b = 1; b; c", &["c"]),
    ("debugger; ; {} void 0; Json = '' + [, 1, ...'ab'] + ({ Name, [Days]: 1, 'x y': 2, 3: 4, async *g() { } })", &[]),
    (
        "Promise.resolve().then(() => 1); Symbol.iterator; new Proxy({}, Reflect); new WeakRef({}); new Map(); new Set()",
        &[],
    ),
    ("structuredClone({})", &["structuredClone"]),
    ("setTimeout(() => 1)", &["setTimeout"]),
    ("new InternalError('a')", &["InternalError"]),
    ("queueMicrotask(() => { Json = Name })", &[]),
    ("#!/usr/bin/env node\nJson = Name", &[]),
    // A top-level `return`.
    ("if (Name) { Json = Name; return } Nmae", &["Nmae"]),
    ("Json = Name; return Json; Json = 1", &[]),
];

#[test]
fn undefined_names_of_each_construct_are_reported() {
    let mut sandbox = sandbox();
    for (text, expected) in CONSTRUCTS {
        let script = parse(text).unwrap_or_else(|| panic!("{text}: {:?}", analyze(ScriptKind::Script, text)));
        assert_eq!(unknown(&script), *expected, "{text}");
        let met = undefined(&mut sandbox, text);
        // What follows a `return` is judged, but not run.
        if script.returns.is_empty() {
            assert_eq!(
                met.as_deref(),
                expected.first().copied(),
                "{text}: {:?}",
                sandbox.run(&with(text, &PARAMETERS))
            );
        }
    }
}

#[test]
fn names_of_ecmascript_exist_in_the_engine() {
    let mut sandbox = sandbox();
    let missing: Vec<_> = wflint::script::syntax::built_in_names()
        .filter(|name| match sandbox.run(&with(name, &PARAMETERS)).unwrap() {
            Answer::Failed(failure) => {
                assert_eq!(
                    (failure.kind, &*failure.message),
                    (FailureKind::Unsupported, &*format!("`{name}` is not simulated"))
                );
                true
            }
            Answer::Done { .. } => false,
        })
        .collect();
    assert_eq!(missing, NOT_SIMULATED);
}

#[test]
fn names_of_the_engine_are_known() {
    let text = "Json = Object.getOwnPropertyNames(globalThis).filter(name => name !== 'Json').join(' ')";
    let names = text_of(sandbox().run(&with(text, &[])).unwrap());
    let unknown: Vec<&str> = names.split(' ').filter(|name| !wflint::script::syntax::is_built_in(name)).collect();
    assert_eq!(unknown, Vec::<&str>::new());
}

#[test]
fn sandbox_runs_the_constructs() {
    let mut sandbox = sandbox();
    for (text, expected) in CONSTRUCTS.iter().filter(|(_, expected)| expected.is_empty()) {
        let answer = sandbox.run(&with(text, &PARAMETERS)).unwrap();
        assert!(matches!(answer, Answer::Done { .. }), "{text} {expected:?}: {answer:?}");
    }
}

fn fragment() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(
        CONSTRUCTS
            .iter()
            .filter(|(_, expected)| expected.len() < 2)
            // What follows a `return` does not run, in a function either.
            .filter(|(text, _)| parse(text).is_none_or(|script| script.returns.is_empty()))
            .collect::<Vec<_>>(),
    );
    (leaf, 0..5_usize).prop_map(|((text, expected), around)| {
        let inside = match around {
            0 => format!("(function () {{\n{text}\n}})();"),
            1 => format!("{{\n{text}\n}}"),
            2 => format!("if (Name) {{\n{text}\n}} else {{ typeof Name }}"),
            3 => format!("try {{\n{text}\n}} finally {{ }}"),
            _ => format!("{text};"),
        };
        // Its functions are its own: one of another part, under the same name, would run in their place.
        if expected.is_empty() { inside } else { format!("(function () {{\n{inside}\n}})();") }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// A name that is used in code which always runs is reported only if the engine does not know it either.
    #[test]
    fn scripts_that_run_have_no_undefined_names(parts in prop::collection::vec(fragment(), 1..4)) {
        let text = parts.join("\n");
        if let Some(script) = parse(&text).filter(|script| script.returns.is_empty())
            && let Answer::Done { .. } = sandbox().run(&with(&text, &PARAMETERS)).unwrap()
        {
            prop_assert_eq!(unknown(&script), Vec::<String>::new(), "{}", text);
        }
    }
}
