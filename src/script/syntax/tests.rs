#![allow(clippy::string_slice, reason = "a test that cannot go on fails")]

use super::*;

fn script(text: &str) -> Script {
    match analyse(Goal::Script, text) {
        Syntax::Script(script) => *script,
        other => panic!("{text}: {other:?}"),
    }
}

fn error(goal: Goal, text: &str) -> (String, String) {
    match analyse(goal, text) {
        Syntax::Error(error) => (error.message, text[error.range].to_owned()),
        other => panic!("{text}: {other:?}"),
    }
}

/// What is at the end of a script: the texts of the assignments that may be the last.
fn end(text: &str) -> (Coverage, Vec<&str>) {
    let json = script(text).json;
    let last = json.assignments.iter().filter(|assignment| assignment.reaches_end);
    (json.coverage, last.map(|assignment| &text[assignment.value.clone()]).collect())
}

fn kind(expression: &str) -> Kind {
    script(&format!("var text = 'a', list = [], number = 1; var both = 1; both = 'a'; Json = {expression}"))
        .json
        .assignments[0]
        .kind
}

fn joined(text: &str) -> Vec<String> {
    let joined = script(text).json.assignments.into_iter().flat_map(|assignment| assignment.joined);
    joined.map(|(name, _)| name).collect()
}

#[test]
fn a_syntax_error_has_its_place() {
    assert_eq!(error(Goal::Script, "var a = [1, 2;").1, ";");
    assert_eq!(error(Goal::Script, "let a; let b; let a").1, "a");
    assert_eq!(error(Goal::Script, "x = /a(/").1, "(");
    assert_eq!(error(Goal::Script, "f(").1, "(");
    assert_eq!(error(Goal::Script, "é = 'ü").1, "'ü");
    assert_eq!(error(Goal::Script, "return 1").1, "return");
    assert!(matches!(analyse(Goal::FunctionBody, "return 1"), Syntax::Script(_)));
    assert_eq!(error(Goal::FunctionBody, "}); f(function () {").1, "}");
}

#[test]
fn sloppy_scripts_may_do_what_modules_may_not() {
    for text in ["with (a) b", "x = 010", "delete x", "var let = 1", "a = 1 <!-- b", "await = 1", "arguments = 1"] {
        assert!(matches!(analyse(Goal::Script, text), Syntax::Script(_)), "{text}");
    }
}

#[test]
fn names_are_told_apart() {
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
        script.own.iter().map(|own| (&*own.name, own.is_read)).collect::<Vec<_>>(),
        [("f", true), ("own", true)]
    );
}

#[test]
fn what_is_certain_of_a_value() {
    for text in
        ["'a'", "`a`", "JSON.stringify(list)", "text", "text + 1", "list.length + text", "typeof a", "String(1)"]
    {
        assert_eq!(kind(text), Kind::Text, "{text}");
    }
    for text in ["{}", "[]", "list", "(list)", "1", "number", "!text", "null", "new Date()", "a ? {} : []", "undefined"]
    {
        assert!(kind(text).not_text().is_some(), "{text}");
    }
    for text in ["both", "Name", "f()", "Name || {}", "list + list", "a ? 'b' : {}", "JSON.parse(text)"] {
        assert_eq!(kind(text), Kind::Unknown, "{text}");
    }
}

#[test]
fn a_later_assignment_takes_the_place_of_an_earlier_one() {
    assert_eq!(
        end("Json = {}; Json.a = 1; Json = JSON.stringify(Json)"),
        (Coverage::Always, vec!["JSON.stringify(Json)"])
    );
    assert_eq!(end("Json = 1; if (a) Json = 2"), (Coverage::Always, vec!["1", "2"]));
    assert_eq!(end("if (a) { Json = 1 } else { Json = 2 }"), (Coverage::Always, vec!["1", "2"]));
    assert_eq!(end("var Json = 1"), (Coverage::Always, vec!["1"]));
    assert_eq!(end("const Json = 'a'"), (Coverage::Always, vec!["'a'"]));
    assert_eq!(end("try { f(); Json = 1 } catch (e) { Json = 2 }"), (Coverage::Always, vec!["1", "2"]));
    assert_eq!(end("switch (a) { case 1: Json = 1; break; default: Json = 2 }"), (Coverage::Always, vec!["1", "2"]));
    assert_eq!(end("if (!a) throw new Error('a'); Json = 1"), (Coverage::Always, vec!["1"]));
    assert_eq!(end("while (true) { Json = 1; break }"), (Coverage::Always, vec!["1"]));
    assert_eq!(end("do { Json = 1 } while (a)"), (Coverage::Always, vec!["1"]));
    assert_eq!(end("a = Json = 1"), (Coverage::Always, vec!["1"]));
}

#[test]
fn nothing_is_certain_of_what_a_function_may_replace() {
    let text = "Json = {}; function finish() { Json = JSON.stringify(Json) } finish()";
    assert_eq!(end(text), (Coverage::NotKnown, Vec::new()));
    assert_eq!(end("(function () { Json = {} })()"), (Coverage::NotKnown, vec!["{}"]));
}

#[test]
fn some_paths_may_leave_it_unset() {
    assert_eq!(end("if (a) Json = 1").0, Coverage::SomePaths);
    assert_eq!(end("a && (Json = 1)").0, Coverage::SomePaths);
    assert_eq!(end("for (var i = 0; i < 3; i++) Json = i").0, Coverage::SomePaths);
    assert_eq!(end("try { Json = f() } catch (e) {}").0, Coverage::SomePaths);
    assert_eq!(end("switch (a) { case 1: Json = 1 }").0, Coverage::SomePaths);
    assert_eq!(end("").0, Coverage::Never);
    assert_eq!(end("var json = 1; function f() { var Json = 2 }").0, Coverage::Never);
}

#[test]
fn what_cannot_be_followed_is_not_known() {
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
        assert_eq!(end(text).0, Coverage::NotKnown, "{text}");
    }
}

#[test]
fn values_that_are_a_part_of_a_text_as_they_are() {
    assert_eq!(joined(r#"Json = '{"a":"' + Name + '"}'"#), ["Name"]);
    assert_eq!(joined(r#"Json = `{"a":"${Name.trim()}"}`"#), ["Name"]);
    assert_eq!(joined(r#"var s = '{"a":"'; s += Name; s += '"}'; Json = s"#), ["Name"]);
    assert_eq!(joined(r#"Json = ['{"a":"', Name, '"}'].join('')"#), ["Name"]);
    assert_eq!(joined(r#"Json = '{"a":"%"}'.replace('%', Name)"#), ["Name"]);
    assert_eq!(joined(r#"(function () { Json = '{"a":"' + Name + '"}' })()"#), ["Name"]);
    for text in [
        r#"Json = '{"a":"' + Name + '"}'; Json = JSON.stringify({ a: Name })"#,
        "Json = JSON.stringify({ a: 'Dear ' + Name })",
        "Json = '[' + JSON.stringify(Name) + ']'",
        "Json = Name",
        "Json = `${Name}`",
        r#"Json = '{"a":' + Number(Name) + '}'"#,
        r#"Json = '{"a":"' + Name.replace(/"/g, '') + '"}'"#,
    ] {
        assert_eq!(joined(text), [""; 0], "{text}");
    }
}

#[test]
fn code_in_a_text_is_found() {
    let dynamic = |text| script(text).dynamic.into_iter().map(|dynamic| dynamic.name).collect::<Vec<_>>();
    assert_eq!(dynamic("eval('a'); (0, eval)('b'); var e = eval"), ["eval", "eval", "eval"]);
    assert_eq!(dynamic("new Function('a')(); Function('b'); this.Function('c')"), ["Function", "Function", "Function"]);
    assert_eq!(dynamic("setTimeout('a()', 1); window.setTimeout('a', 1)"), ["setTimeout", "setTimeout"]);
    assert_eq!(dynamic("setTimeout(f, 1); a instanceof Function; function g(eval) { eval(1) } a.eval(1)"), [""; 0]);
}

#[test]
fn texts_and_patterns_have_their_places() {
    let text = "Z('#Name').val(\"b\\n\"); /a[/]b/gi.test(`c`)";
    let script = script(text);
    let texts: Vec<_> = script
        .texts
        .iter()
        .map(|found| (&*found.value, &text[found.range.clone()], found.argument_of.as_deref()))
        .collect();
    assert_eq!(texts, [("#Name", "#Name", Some("Z")), ("b\n", "b\\n", None), ("c", "c", None)]);
    assert_eq!((&*script.patterns[0].pattern, &*script.patterns[0].flags), ("a[/]b", "gi"));
}

/// Texts of 64 KiB that nest, or go on, as far as they can.
#[test]
fn no_script_takes_the_process_down() {
    let nested = |open: &str, inside: &str, close: &str| {
        let times = (LONGEST - inside.len()) / (open.len() + close.len());
        format!("{}{inside}{}", open.repeat(times), close.repeat(times))
    };
    let hostile = [
        nested("a=>", "a", ""),
        nested("a+", "a", ""),
        nested("a=", "a", ""),
        nested("a?b:", "a", ""),
        nested("a,", "a", ""),
        nested("a&&", "a", ""),
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
        format!("/{}/", nested("(", "a", ")").replace('a', "").get(..LONGEST - 2).unwrap()),
        format!("/{}/", "(?:".repeat(9000) + &")".repeat(9000)),
        format!("/{}/v", "[".repeat(30000) + &"]".repeat(30000)),
        format!("/{}/", "a|".repeat(30000)),
        format!("Json = {}", "'a'+".repeat(16000) + "Name"),
        (0..2500).map(|i| format!("var v{}=v{i}+v{i};", i + 1)).collect::<String>() + "Json=v2499",
        "if(a)Json=1;".repeat(5000),
        "a;".repeat(30000),
        nested("Json=", "a", ""),
        "'".repeat(LONGEST),
        "\0".repeat(LONGEST),
        "é".repeat(LONGEST / 2),
    ];
    for text in hostile {
        assert!(text.len() <= LONGEST, "{}", text.len());
        for goal in [Goal::Script, Goal::FunctionBody] {
            let began = std::time::Instant::now();
            assert_ne!(analyse(goal, &text), Syntax::NotKnown, "{}", &text[..text.len().min(20)]);
            assert!(
                began.elapsed().as_secs() < 30,
                "{:?} {:?}",
                &text.chars().take(20).collect::<String>(),
                began.elapsed()
            );
        }
    }
    assert_eq!(analyse(Goal::Script, &"a".repeat(LONGEST + 1)), Syntax::NotKnown);
}

#[test]
fn each_distinct_script_is_looked_at_once() {
    let scripts =
        Scripts::new([(Goal::Script, "a"), (Goal::Script, "a"), (Goal::FunctionBody, "a"), (Goal::Script, "(")]);
    assert_eq!(scripts.by_text.len(), 3);
    assert!(scripts.get(Goal::Script, "a").script().is_some());
    assert!(matches!(scripts.get(Goal::Script, "("), Syntax::Error(_)));
    assert_eq!(scripts.get(Goal::Script, "b"), &Syntax::NotKnown);
}

#[test]
fn what_surely_runs_on_what_the_script_itself_says() {
    let text = "var a = null, b = Name; a.x; b.y; if (c) a.z; (function () { a.w })(); a && b.v";
    let uses = script(text).sure_uses;
    let seen = |found: &SureUse| (text[found.start..=found.start].to_owned(), found.is_constant, found.is_straight);
    let expected = [("N", false, true), ("a", true, true), ("b", false, true), ("c", false, false), ("a", true, false)];
    assert_eq!(uses.iter().map(seen).collect::<Vec<_>>(), expected.map(|(name, a, b)| (name.to_owned(), a, b)));
}
