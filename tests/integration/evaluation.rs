//! The evaluation of scripts while documents are linted.

use std::path::PathBuf;
use std::sync::Arc;

use wflint::script::evaluation::{
    Ending, EvaluationRequest, Extent, Run, ScriptInput, ScriptLimits, ScriptParameter, Stopped,
};
use wflint::script::sandbox::{Answer, FailureKind, Job, Sandbox};
use wflint::script::syntax::{Script, ScriptKind, Syntax, analyze};
use wflint::script::{Evaluation, Evaluator};

fn evaluator() -> Evaluator {
    Evaluator::new(env!("CARGO_BIN_EXE_wflint").into())
}

/// Evaluates a script. A parameter without a value is open; one that is called `Optional…` may be empty.
fn evaluate(evaluator: &Evaluator, script: &str, parameters: &[(&str, Option<&str>)]) -> Arc<Evaluation> {
    let syntax = analyze(ScriptKind::Script, script);
    let syntax = syntax.script().unwrap();
    let parameters = parameters.iter().map(|&(name, value)| {
        let may_be_empty = name.starts_with("Optional");
        ScriptParameter { name, input: input(syntax, name, value), may_be_empty }
    });
    let parameters = parameters.collect();
    let hosts = if script.contains("console") { vec!["console"] } else { Vec::new() };
    let limits = ScriptLimits::of_seconds(2.0);
    evaluator.evaluate(&EvaluationRequest { script, syntax, parameters, hosts, limits })
}

fn input(script: &Script, name: &str, value: Option<&str>) -> ScriptInput {
    match value {
        Some(value) => ScriptInput::Fixed(value.to_owned()),
        None if script.read_as_json.iter().any(|read| read == name) => ScriptInput::OpenJson,
        None => ScriptInput::Open,
    }
}

/// The strings in `Json` of all runs that end with one.
fn texts(evaluation: &Evaluation) -> Vec<&str> {
    fn text(run: &Run) -> Option<&str> {
        match &run.ending {
            Ending::Text { text, .. } => Some(text),
            _ => None,
        }
    }
    evaluation.runs.iter().filter_map(text).collect()
}

#[test]
fn document_values_stay_and_made_up_values_differ_between_runs() {
    let found = evaluate(
        &evaluator(),
        "console.log('begins'); Json = JSON.stringify({ Name: Title, Mail: Mail, Days: +Days, Fixed: Fixed })",
        &[("Title", None), ("Mail", None), ("Days", None), ("Fixed", Some("a\"b"))],
    );
    let texts = texts(&found);
    assert_eq!(texts[0], r#"{"Name":"Title 000001","Mail":"name2@example.com","Days":3,"Fixed":"a\"b"}"#);
    assert_eq!(texts[1], r#"{"Name":"Title 000101","Mail":"name102@example.com","Days":4,"Fixed":"a\"b"}"#);
    assert_eq!(found.runs.len(), texts.len());
}

#[test]
fn document_without_open_values_needs_one_run() {
    let found = evaluate(&evaluator(), "Json = JSON.stringify([Value])", &[("Value", Some("a"))]);
    assert_eq!(texts(&found), [r#"["a"]"#]);
    assert_eq!(found.runs.len(), 1);
}

#[test]
fn constants_that_a_parameter_is_compared_with_are_tried() {
    let script = |test: &str| format!("var kind = Kind.trim().toLowerCase(); Json = ({test}) ? 'x' : 'y'");
    for test in [
        "Kind === 'nda'",
        "'nda' == kind",
        "['nda', 'contract'].includes(kind)",
        "kind.startsWith('nda')",
        "({ nda: 1 })[kind]",
        "Number(Kind) > 100000",
        "Kind.length === 0 || Kind === ''",
        "(function () { switch (kind) { case 'nda': return true } })()",
        "(function (value) { return value === 'nda' })(Kind)",
        "(function (options) { return options.what === 'nda' })({ what: Kind })",
        "[{ role: 'nda' }].some(each => each.role === Kind)",
        "new Map([['nda', 1]]).get(kind)",
        "['nda'].some(each => each === Kind)",
        "(function (value) { return Kind === value })('nda')",
        "kind in { nda: 1 }",
        "Object.keys({ nda: 1 }).indexOf(kind) >= 0",
        "Kind > 'nda'",
        "Kind.indexOf('@example.org') > 0",
        "Kind.replace(/\\D/g, '').length === 12",
        "Kind?.trim() === 'nda'",
        "new RegExp('^[A-F]{2}-\\\\d+$').test(Kind)",
        "new Date(Kind) > new Date('2040-01-01')",
        "(function (key) { switch (key) { case 'nda': return true } })([Kind][0].toLowerCase())",
    ] {
        let found = evaluate(&evaluator(), &script(test), &[("Kind", None), ("Other", None)]);
        let texts = texts(&found);
        assert!(texts.contains(&"x") && texts.contains(&"y"), "{test}: {texts:?}");
    }
    for script in [
        "const KNOWN = 'nda'; Json = Kind === KNOWN ? 'x' : 'y'",
        "var known = { NDA: 'nda', OTHER: 'other' }; Json = Kind === known.NDA ? 'x' : 'y'",
        "const LIMIT = 50000; Json = Number(Kind) > LIMIT ? 'x' : 'y'",
        "var day = Kind.split('.'); Json = isNaN(new Date(day[2], day[1] - 1, day[0])) ? 'y' : 'x'",
    ] {
        let found = evaluate(&evaluator(), script, &[("Kind", None)]);
        let texts = texts(&found);
        assert!(texts.contains(&"x") && texts.contains(&"y"), "{script}: {texts:?}");
    }
    let both = "Json = A === 'a' && B === 'b' ? 'x' : 'y'";
    assert!(texts(&evaluate(&evaluator(), both, &[("A", None), ("B", None)])).contains(&"x"));
}

#[test]
fn parameters_that_are_read_as_dates_or_numbers_are_such() {
    let found = evaluate(
        &evaluator(),
        "var until = new Date(Until), count = parseInt(Copies, 10); Json = until.toISOString() + '!'.repeat(count)",
        &[("Until", None), ("Copies", None)],
    );
    assert_eq!(texts(&found)[0], "2030-02-15T00:00:00.000Z!!");
    assert_eq!(found.failing(), None);
}

#[test]
fn quotation_marks_show_what_is_not_escaped() {
    let joined = |value: &str| format!("const [first] = Name.split(' '); Json = '{{\"Name\":\"' + {value} + '\"}}'");
    for (value, unescaped) in [
        ("first", &["Name"][..]),
        ("first.toUpperCase()", &["Name"]),
        ("new (class { name = first })().name", &["Name"]),
        ("(Kind === 'raw' ? first : '')", &["Name"]),
        ("first + Kind", &["Kind", "Name"]),
        ("JSON.stringify(first).slice(1, -1) + Kind", &["Kind"]),
        ("JSON.stringify(first).slice(1, -1)", &[]),
        ("first.replace(/\"/g, '\\\\\"')", &[]),
        ("first.replace(/[^a-z]/gi, '')", &[]),
        ("first.length", &[]),
    ] {
        let found = evaluate(&evaluator(), &joined(value), &[("Name", None), ("Kind", None)]);
        assert!(found.unescaped.iter().eq(unescaped), "{value}: {:?}", found.unescaped);
    }
    for script in ["Json = JSON.stringify({ Name: 'a' + Name })", "Json = 'Hello ' + Name", "Json = Name"] {
        assert!(evaluate(&evaluator(), script, &[("Name", None)]).unescaped.is_empty(), "{script}");
    }
}

#[test]
fn parsed_parameters_have_the_keys_that_the_script_reads() {
    for script in [
        "var d = JSON.parse(Data); Json = d.people.map(function (p) { return p.name }).join()",
        "var text = Data; var { people } = JSON.parse(text.trim()); Json = people.map(({ name }) => name).join()",
        "function read(t) { try { return JSON.parse(t) } catch (e) { return {} } } Json = read(Data).people.map(p => p.name).join()",
        "var list = JSON.parse(Data); Json = ''; for (var p of list) Json += p.name",
        "Json = JSON.parse(Data).map(p => p.company.name).join()",
        "const { company: { name }, people: [{ title = '' }] } = JSON.parse(Data); Json = name + title.trim()",
    ] {
        let found = evaluate(&evaluator(), script, &[("Data", None)]);
        let texts = texts(&found);
        assert_eq!(texts.len(), found.runs.len(), "{script}: {found:?}");
        assert!(texts.iter().take(2).all(|text| text.contains("name ")), "{script}: {texts:?}");
    }
}

#[test]
fn strings_have_the_parts_that_a_script_splits_them_into() {
    let script = "Json = Data.split(';').map(e => e.split(',')[1].trim()).join('\\n')";
    let found = evaluate(&evaluator(), script, &[("Data", None)]);
    assert!(texts(&found).iter().any(|text| text.contains('\n') && text.contains("@example.com")), "{found:?}");
    for count in [2, 4, 7] {
        let script = format!("if (Data.split(' / ').length !== {count}) throw new Error(); Json = Data");
        assert!(!texts(&evaluate(&evaluator(), &script, &[("Data", None)])).is_empty(), "{script}");
    }
}

#[test]
fn regular_expressions_are_matched() {
    for script in [
        "Json = /@corp\\.example\\.com$/.test(Value) ? 'x' : 'y'",
        "Json = /^\\d{4}-(\\d\\d|[A-F]+)?$/.test(Value) ? 'x' : 'y'",
        "Json = Value.match(/^[^a-z\\s]+(?:; ?)no$/i) ? 'x' : 'y'",
        "Json = Value.split(',').filter(v => /^(yes|no)$/.test(v)).length === 1 ? 'x' : 'y'",
    ] {
        let found = evaluate(&evaluator(), script, &[("Value", None)]);
        let texts = texts(&found);
        assert!(texts.contains(&"x") && texts.contains(&"y"), "{script}: {texts:?}");
    }
    // As many characters as the sample may not have.
    let found = evaluate(&evaluator(), "Json = /a{100000000}/.test(Value) ? 'x' : 'y'", &[("Value", None)]);
    assert!(!texts(&found).contains(&"x"));
}

#[test]
fn traces_show_the_sites_of_the_parts() {
    let script = "var p = { Name: 'a' }; if (!Value) p = {}; Json = JSON.stringify({ Parties: [p] })";
    let found = evaluate(&evaluator(), script, &[("Value", None)]);
    let Ending::Text { trace: Some(trace), .. } = &found.runs[0].ending else { panic!("{found:?}") };
    let syntax = analyze(ScriptKind::Script, script);
    let sites = &syntax.script().unwrap().sites;
    let at = |pointer: &str| {
        let (_, site) = trace.parts.iter().find(|(part, _)| part == pointer).unwrap();
        &script[sites[usize::try_from(*site).unwrap()].range.clone()]
    };
    assert_eq!(at(""), "{ Parties: [p] }");
    assert_eq!(at("/Parties"), "[p]");
    assert_eq!(at("/Parties/0"), "{ Name: 'a' }");
    assert_eq!(&script[sites[trace.site.unwrap()].range.clone()], "JSON.stringify");
    let empty = sites.iter().position(|site| &script[site.range.clone()] == "{}").unwrap();
    assert!(!trace.passed.contains(&empty));
}

#[test]
fn script_fails_always_or_for_some_values() {
    let evaluator = evaluator();
    let fails = |script: &str| {
        let found = evaluate(&evaluator, script, &[("Value", None)]);
        found.failing().map(|failing| failing.extent != Extent::SomeSamples)
    };
    for script in [
        "var none = null; none.length; Json = Value",
        "throw new Error('no: ' + Value)",
        "if (Value !== 'x') { var none = null; none.length } none.length",
        "while (true) {}",
        "function f() { return f() + 1 } Json = f()",
        "Json = ''; for (;;) Json += Value + Json",
    ] {
        assert_eq!(fails(script), Some(true), "{script}");
    }
    assert_eq!(fails("if (Value === 'x') { var none = null; none.length } Json = Value"), Some(false));
    assert_eq!(fails("Json = Value.split(' of ')[1].trim()"), Some(false));
    // On purpose.
    assert_eq!(fails("if (Value === '') throw new Error('no value'); Json = Value"), None);
    assert_eq!(fails("Json = Value"), None);
}

#[test]
fn endless_script_is_stopped_and_the_next_one_runs() {
    let evaluator = evaluator();
    let found = evaluate(&evaluator, "while (true) {}", &[("Value", None)]);
    assert_eq!((found.stopped, found.runs.len()), (Some(Stopped::Cost), 2));
    let found = evaluate(&evaluator, "new Array(4294967295).reverse(); Json = '{}'", &[]);
    assert!(found.failing().is_some_and(|failing| failing.extent == Extent::Always));
    assert_eq!(texts(&evaluate(&evaluator, "Json = '{}'", &[])), ["{}"]);
    assert_eq!(evaluator.note(), None);
}

#[test]
fn results_are_not_shared_between_scripts_or_inputs() {
    let evaluator = evaluator();
    let first = |script: &str, parameters: &[(&str, Option<&str>)]| {
        texts(&evaluate(&evaluator, script, parameters))[0].to_owned()
    };
    // The second round gets its results from the cache.
    for _ in 0..2 {
        let script = "Json = JSON.stringify([Value])";
        assert_eq!(first(script, &[("Value", Some("a"))]), r#"["a"]"#);
        assert_eq!(first(script, &[("Value", Some("b"))]), r#"["b"]"#);
        assert_eq!(first(script, &[("Value", None)]), r#"["Value 000001"]"#);
        assert_eq!(first("Json = JSON.stringify([[Value]])", &[("Value", Some("a"))]), r#"[["a"]]"#);
        assert_eq!(first("Json = JSON.stringify([Value]) ", &[("Value", Some("a")), ("b", Some("c"))]), r#"["a"]"#);
    }
}

#[test]
fn program_that_cannot_be_started_is_noted_once() {
    let evaluator = Evaluator::new(PathBuf::from("/no/such/program"));
    assert_eq!(evaluate(&evaluator, "Json = '{}'", &[]), Evaluation::stopped(Stopped::Sandbox).into());
    assert_eq!(evaluate(&evaluator, "Json = '[]'", &[]), Evaluation::stopped(Stopped::Sandbox).into());
    assert!(
        evaluator
            .note()
            .unwrap()
            .starts_with("scripts of Code activities were not run: cannot start the script process: ")
    );
}

/// Scripts at the edges of the grammar, valid and invalid.
const SCRIPTS: [&str; 54] = [
    "var yield = 1",
    "if (0) function f() {}",
    "try {} catch (e) { var e }",
    "for (var i = 0 in {}) ;",
    "'\\01'",
    "/a{,2}/",
    "/\\c/",
    "/(?<a>.)|(?<a>.)/",
    "/(?i:a)/",
    "/a/gg",
    "/[b-a]/",
    "/\\p{L}/u",
    "/[\\p{L}--[a-z]]/v",
    "function f(a, a) {}",
    "let let = 1",
    "const a",
    "x = 1\n--> c",
    "import.meta",
    "await 1",
    "({ a = 1 })",
    "f() = 1",
    "for (let of []) ;",
    "class A { m() { this.#y } }",
    "break",
    "a: { break b }",
    "return",
    "'use strict'; with (a) {}",
    "'use strict'; 010",
    "function f(a = 1) { 'use strict' }",
    "var \\u0061b = 1",
    "`\\u{zz}`",
    "1__0",
    "08.5",
    "01n",
    "'a\u{2028}b'",
    "a ?? b || c",
    "-1 ** 2",
    "throw\n1",
    "do ; while (0) var x",
    "switch (1) { case 1: let a; case 2: let a }",
    "{ function f() {} function f() {} }",
    "var a; let a",
    "try {} catch (e) { let e }",
    "export default 1",
    "enum",
    "var package",
    "while (0) function f() {}",
    "\u{feff}var a",
    "var a = <b/>",
    "var a: number",
    "class A { static {} static async *x() {} }",
    "0.a",
    "3in []",
    "a=b\n(c)",
];

/// Syntax errors (WF801) come from a parser that is not the one of the engine.
#[test]
fn parser_and_engine_reject_the_same_scripts() {
    let mut sandbox = Sandbox::new(env!("CARGO_BIN_EXE_wflint").into());
    for script in SCRIPTS {
        let job = Job {
            script: script.to_owned(),
            variables: Vec::new(),
            hosts: Vec::new(),
            trace: None,
            now_ms: 0,
            seed: 1,
            seconds: 5.0,
            max_polls: None,
        };
        let refused = match sandbox.run(&job).unwrap() {
            Answer::Failed(failure) => matches!(failure.kind, FailureKind::Syntax | FailureKind::Unsupported),
            Answer::Done { .. } => false,
        };
        assert_eq!(matches!(analyze(ScriptKind::Script, script), Syntax::Error(_)), refused, "{script}");
    }
}

#[test]
fn empty_strings_are_tried_where_a_field_is_optional_and_that_decides() {
    let evaluator = evaluator();
    let has_empty = |name: &str, script: &str| {
        let found = evaluate(&evaluator, &script.replace("Name", name), &[(name, None)]);
        found.runs.iter().any(|run| run.values.iter().any(|value| value.text.is_empty()))
    };
    for test in [
        "if (Name) { Json = 'a' } else { Json = 'b' }",
        "Json = Name ? 'a' : 'b'",
        "Json = Name || 'b'",
        "if (!Name) { Json = 'a' } else { Json = 'b' }",
        "Json = Name.trim() ? 'a' : 'b'",
        "var known = Name; if (known.length) Json = 'a'; else Json = 'b'",
        "if (Json == null && Name) Json = 'a'; else Json = 'b'",
    ] {
        assert!(has_empty("OptionalName", test), "{test}");
        assert!(!has_empty("RequiredName", test), "{test}");
    }
    assert!(!has_empty("OptionalName", "Json = 'a' + Name"));
}
