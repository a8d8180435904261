#![expect(clippy::string_slice, reason = "a test fails at the first error")]

mod hostile;

use std::sync::Arc;

use super::*;

fn script(text: &str) -> Script {
    match analyze(ScriptKind::Script, text) {
        Syntax::Script(script) => Arc::unwrap_or_clone(script),
        other => panic!("{text}: {other:?}"),
    }
}

fn error(kind: ScriptKind, text: &str) -> (String, String) {
    match analyze(kind, text) {
        Syntax::Error(error) => (error.message, text[error.range].to_owned()),
        other => panic!("{text}: {other:?}"),
    }
}

/// Whether `Json` is assigned at the end of a script, and the values that may be the last.
fn end(text: &str) -> (Assigned, Vec<&str>) {
    let json = script(text).json;
    let last = json.assignments.iter().filter(|assignment| assignment.reaches_end);
    (json.assigned, last.map(|assignment| &text[assignment.value.clone()]).collect())
}

fn kind(expression: &str) -> ValueKind {
    script(&format!("var text = 'a', list = [], number = 1; var both = 1; both = 'a'; Json = {expression}"))
        .json
        .assignments[0]
        .kind
}

/// The globals that the last assignments of `Json` join to JSON text.
fn joined(text: &str) -> Vec<String> {
    let assignments = script(text).json.assignments.into_iter().filter(|assignment| assignment.reaches_end);
    assignments.flat_map(|assignment| assignment.joined).map(|found| found.name).collect()
}

#[test]
fn syntax_error_has_its_position() {
    assert_eq!(error(ScriptKind::Script, "var a = [1, 2;").1, ";");
    assert_eq!(error(ScriptKind::Script, "let a; let b; let a").1, "a");
    assert_eq!(error(ScriptKind::Script, "x = /a(/").1, "(");
    assert_eq!(error(ScriptKind::Script, "f(").1, "(");
    assert_eq!(error(ScriptKind::Script, "é = 'ü").1, "'ü");
    assert!(matches!(analyze(ScriptKind::Script, "return 1"), Syntax::Script(_)));
    assert!(matches!(analyze(ScriptKind::FunctionBody, "return 1"), Syntax::Script(_)));
    assert_eq!(error(ScriptKind::FunctionBody, "}); f(function () {").1, "}");
}

#[test]
fn new_target_is_valid_in_functions() {
    for text in ["if (new.target) return", "const f = () => new.target", "new.target?.name"] {
        assert!(matches!(analyze(ScriptKind::FunctionBody, text), Syntax::Script(_)), "{text}");
        assert_eq!(error(ScriptKind::Script, text).1, "new.target");
    }
    assert_eq!(error(ScriptKind::FunctionBody, "new.target; with (a) b; break").1, "break");
    assert!(matches!(analyze(ScriptKind::Script, "function F() { new.target }"), Syntax::Script(_)));
}

#[test]
fn sloppy_mode_scripts_parse() {
    for text in ["with (a) b", "x = 010", "delete x", "var let = 1", "a = 1 <!-- b", "await = 1", "arguments = 1"] {
        assert!(matches!(analyze(ScriptKind::Script, text), Syntax::Script(_)), "{text}");
    }
}

#[test]
fn globals_and_declarations_are_collected() {
    let script = script(
        "var own = Name; function f(inner) { return inner + own + typeof Maybe } Made = f(1); console.log(Made)",
    );
    let names: Vec<_> = script
        .globals
        .iter()
        .map(|global| (&*global.name, global.is_read, global.is_written, global.is_tested))
        .collect();
    assert_eq!(
        names,
        [
            ("Name", true, false, false),
            ("Maybe", true, false, true),
            ("Made", false, true, false),
            ("console", true, false, false),
            ("Made", true, false, false)
        ]
    );
    assert_eq!(
        script.declarations.iter().map(|declared| (&*declared.name, declared.is_read)).collect::<Vec<_>>(),
        [("f", true), ("own", true)]
    );
}

#[test]
fn kinds_of_values_are_inferred() {
    for text in
        ["'a'", "`a`", "JSON.stringify(list)", "text", "text + 1", "list.length + text", "typeof a", "String(1)"]
    {
        assert_eq!(kind(text), ValueKind::String, "{text}");
    }
    for text in ["{}", "[]", "list", "(list)", "1", "number", "!text", "null", "new Date()", "a ? {} : []", "undefined"]
    {
        assert!(kind(text).not_string().is_some(), "{text}");
    }
    for text in ["both", "Name", "f()", "Name || {}", "list + list", "a ? 'b' : {}", "JSON.parse(text)"] {
        assert_eq!(kind(text), ValueKind::Unknown, "{text}");
    }
}

#[test]
fn later_assignment_replaces_earlier_one() {
    assert_eq!(
        end("Json = {}; Json.a = 1; Json = JSON.stringify(Json)"),
        (Assigned::OnEveryPath, vec!["JSON.stringify(Json)"])
    );
    assert_eq!(end("Json = 1; if (a) Json = 2"), (Assigned::OnEveryPath, vec!["1", "2"]));
    assert_eq!(end("if (a) { Json = 1 } else { Json = 2 }"), (Assigned::OnEveryPath, vec!["1", "2"]));
    assert_eq!(end("var Json = 1"), (Assigned::OnEveryPath, vec!["1"]));
    assert_eq!(end("const Json = 'a'"), (Assigned::OnEveryPath, vec!["'a'"]));
    assert_eq!(end("try { f(); Json = 1 } catch (e) { Json = 2 }"), (Assigned::OnEveryPath, vec!["1", "2"]));
    assert_eq!(
        end("switch (a) { case 1: Json = 1; break; default: Json = 2 }"),
        (Assigned::OnEveryPath, vec!["1", "2"])
    );
    assert_eq!(end("if (!a) throw new Error('a'); Json = 1"), (Assigned::OnEveryPath, vec!["1"]));
    assert_eq!(end("while (true) { Json = 1; break }"), (Assigned::OnEveryPath, vec!["1"]));
    assert_eq!(end("do { Json = 1 } while (a)"), (Assigned::OnEveryPath, vec!["1"]));
    assert_eq!(end("a = Json = 1"), (Assigned::OnEveryPath, vec!["1"]));
}

#[test]
fn assignment_in_function_makes_order_unknown() {
    let text = "Json = {}; function finish() { Json = JSON.stringify(Json) } finish()";
    assert_eq!(end(text), (Assigned::Unknown, Vec::new()));
    assert_eq!(end("(function () { Json = {} })()"), (Assigned::Unknown, vec!["{}"]));
}

#[test]
fn json_may_be_unassigned_on_some_paths() {
    assert_eq!(end("if (a) Json = 1").0, Assigned::OnSomePaths);
    assert_eq!(end("a && (Json = 1)").0, Assigned::OnSomePaths);
    assert_eq!(end("for (var i = 0; i < 3; i++) Json = i").0, Assigned::OnSomePaths);
    assert_eq!(end("try { Json = f() } catch (e) {}").0, Assigned::OnSomePaths);
    assert_eq!(end("switch (a) { case 1: Json = 1 }").0, Assigned::OnSomePaths);
    assert_eq!(end("").0, Assigned::Never);
    assert_eq!(end("var json = 1; function f() { var Json = 2 }").0, Assigned::Never);
}

#[test]
fn return_ends_the_script() {
    assert_eq!(end("if (a) { Json = 1; return } Json = 2"), (Assigned::OnEveryPath, vec!["1", "2"]));
    assert_eq!(end("Json = 1; return; Json = 2"), (Assigned::OnEveryPath, vec!["1"]));
    assert_eq!(end("if (!a) return; Json = 1").0, Assigned::OnSomePaths);
    assert_eq!(end("return; Json = 1").0, Assigned::Never);
    assert_eq!(end("for (;;) { if (a) { Json = 1; return } }"), (Assigned::OnEveryPath, vec!["1"]));
    assert_eq!(end("for (;;) { if (a) return; Json = 1; if (b) break } Json = 2").0, Assigned::OnSomePaths);
    assert_eq!(end("try { return } finally { Json = 1 }"), (Assigned::OnEveryPath, vec!["1"]));
    assert_eq!(
        end("try { if (a) { Json = 1; return } } finally { f() } Json = 2"),
        (Assigned::OnEveryPath, vec!["1", "2"])
    );
    assert_eq!(end("for (;;) { try { break } finally { Json = 1 } }"), (Assigned::OnEveryPath, vec!["1"]));
    assert_eq!(end("try { Json = 1 } finally { return }"), (Assigned::OnEveryPath, vec!["1"]));
    // Conditions that may be each other's opposite.
    assert_eq!(end("if (a) { Json = 1; return } if (!a) Json = 2").0, Assigned::Unknown);
    assert_eq!(
        end(&("try { if (a) return } finally {".repeat(60) + "Json = 1" + &"}".repeat(60))).0,
        Assigned::Unknown
    );
}

#[test]
fn top_level_await_is_its_own_error() {
    for text in ["await f()", "var a = 1; if (a) await (1)", "for await (const a of b) c", "{ await using a = b }"] {
        let Syntax::Error(error) = analyze(ScriptKind::Script, text) else { panic!("{text}") };
        assert_eq!((error.kind, &text[error.range]), (SyntaxErrorKind::TopLevelAwait, "await"), "{text}");
    }
    for text in ["function f() { await g() }", "await f(", "}); (async function () { await 1"] {
        let Syntax::Error(error) = analyze(ScriptKind::Script, text) else { panic!("{text}") };
        assert_eq!(error.kind, SyntaxErrorKind::Invalid, "{text}");
    }
    for text in ["async function f() { await g() }", "var await = f; await (1)", "typeof await", "await = 1"] {
        assert!(matches!(analyze(ScriptKind::Script, text), Syntax::Script(_)), "{text}");
    }
}

#[test]
fn untraceable_assignment_is_unknown() {
    for text in [
        "function f() { Json = 1 } f()",
        "this.Json = 1",
        "globalThis['Json'] = 1",
        "eval('Json = 1')",
        "[Json] = a",
        "for (Json of a) f()",
        "var { Json } = a",
        "with (a) Json = 1",
        // Conditions that may be each other's opposite.
        "if (a) Json = 1; if (!a) Json = 2",
    ] {
        assert_eq!(end(text).0, Assigned::Unknown, "{text}");
    }
}

#[test]
fn values_that_are_joined_to_json_text_are_found() {
    for text in [
        r#"Json = '{"a":"' + Name + '"}'"#,
        r#"Json = `{"a":"${Name}"}`"#,
        r#"Json = '{'; Json += '"a":"' + Name + '"}'"#,
        r#"(function () { Json = '{"a":"' + (Name + '"') + '}' })()"#,
        r#"if (b) Json = '[{"a":"' + Name + '"}]'; else Json = '{}'"#,
    ] {
        assert_eq!(joined(text), ["Name"], "{text}");
    }
    for text in [
        r#"Json = '{"a":"' + Name + '"}'; Json = JSON.stringify({ a: Name })"#,
        "Json = JSON.stringify({ a: 'Dear ' + Name })",
        r#"var Name = 'b'; Json = '{"a":"' + Name + '"}'"#,
        r#"Json = '{"a":"' + escaped(Name) + '"}'"#,
        "Json = `Dear ${Name} [${City}]`",
        r#"Json = Name ? "a" : "b""#,
    ] {
        assert_eq!(joined(text), [""; 0], "{text}");
    }
}

#[test]
fn message_of_the_parser_is_one_line() {
    assert_eq!(error(ScriptKind::Script, "f(1").0, "expected `)`, found `EOF`");
    assert_eq!(error(ScriptKind::Script, "var a = 1;\nlet a;").0, "identifier `a` has already been declared");
}

#[test]
fn dynamic_code_is_found() {
    let dynamic = |text| script(text).dynamic.into_iter().map(|dynamic| dynamic.name).collect::<Vec<_>>();
    assert_eq!(dynamic("eval('a'); (0, eval)('b'); var e = eval"), ["eval", "eval", "eval"]);
    assert_eq!(dynamic("new Function('a')(); Function('b'); this.Function('c')"), ["Function", "Function", "Function"]);
    assert_eq!(dynamic("var F = Function; new F('a'); Object.constructor('b')"), ["Function", "Function"]);
    assert_eq!(dynamic("const A = (async function () {}).constructor; new A('a')"), ["Function"]);
    assert_eq!(dynamic("function f() {} f.constructor('a'); const g = () => {}; g.constructor('b')"), ["Function"; 2]);
    assert_eq!(dynamic("var F = Function, c = {}.constructor; x.constructor('a'); new c()"), [""; 0]);
    assert_eq!(dynamic("const { eval: run } = globalThis; run('a'); ({ eval: run } = window)"), ["eval"; 2]);
    assert_eq!(dynamic("const { eval } = self; eval('a'); let e = this['eval']; e('b')"), ["eval"; 2]);
    assert_eq!(dynamic("const { Function: F, setTimeout: later } = window; F('a'); new F('b')"), ["Function"; 2]);
    assert_eq!(dynamic("const { setTimeout: later } = window; later('a', 1); later(f, 1)"), ["setTimeout"]);
    assert_eq!(dynamic("const { eval: run } = a; typeof globalThis.eval; window.eval = f"), [""; 0]);
    assert_eq!(dynamic("setTimeout('a()', 1); window.setTimeout('a', 1)"), ["setTimeout", "setTimeout"]);
    assert_eq!(dynamic("setTimeout(f, 1); a instanceof Function; function g(eval) { eval(1) } a.eval(1)"), [""; 0]);
}

#[test]
fn string_literals_have_their_ranges() {
    let text = "Z('#Name').val(\"b\\n\"); /a[/]b/gi.test(`c`)";
    let script = script(text);
    let strings: Vec<_> = script
        .strings
        .iter()
        .map(|found| (&*found.value, &text[found.range.clone()], found.argument_of.as_deref()))
        .collect();
    assert_eq!(strings, [("#Name", "#Name", Some("Z")), ("b\n", "b\\n", None), ("c", "c", None)]);
}
