//! The evaluation of scripts while documents are linted.

mod probe;

use std::path::{Path, PathBuf};

use wflint::config::Config;
use wflint::facts::{AnalyzedService, DefiniteValues};
use wflint::project::{self, File, Request, ServiceModel};
use wflint::script::evaluation::{EvaluationRequest, ScriptInput, ScriptParameter};
use wflint::script::sandbox::{Answer, FailureKind, Job, Sandbox};
use wflint::script::syntax::{Script, ScriptKind, Syntax, analyze};
use wflint::script::{Evaluation, Evaluator};
use wflint::suggest::Suggester;

fn evaluator() -> Evaluator {
    Evaluator::new(env!("CARGO_BIN_EXE_wflint").into())
}

/// Evaluates a script. A parameter without a value is open.
fn evaluate(evaluator: &Evaluator, script: &str, parameters: &[(&str, Option<&str>)]) -> Evaluation {
    let syntax = analyze(ScriptKind::Script, script);
    let syntax = syntax.script().unwrap();
    let parameters =
        parameters.iter().map(|&(name, value)| ScriptParameter { name, input: input(syntax, name, value) }).collect();
    let hosts = if script.contains("console") { vec!["console"] } else { Vec::new() };
    evaluator.evaluate(&EvaluationRequest { script, syntax, parameters, hosts })
}

fn input(script: &Script, name: &str, value: Option<&str>) -> ScriptInput {
    match value {
        Some(value) => ScriptInput::Fixed(value.to_owned()),
        None if script.read_as_json.iter().any(|read| read == name) => ScriptInput::OpenJson,
        None => ScriptInput::Open,
    }
}

fn always(evaluation: &Evaluation) -> bool {
    match evaluation {
        Evaluation::Failed { always, .. } => *always,
        other => panic!("{other:?}"),
    }
}

#[test]
fn strings_differ_where_they_depend_on_generated_values() {
    let found = evaluate(
        &evaluator(),
        "console.log('begins'); Json = JSON.stringify({ Name: Title, Mail: Mail, Days: +Days, Fixed: Fixed })",
        &[("Title", None), ("Mail", None), ("Days", None), ("Fixed", Some("a\"b"))],
    );
    let Evaluation::Text { text, other, .. } = found else { panic!("{found:?}") };
    assert_eq!(text, r#"{"Name":"Title 1","Mail":"name2@example.com","Days":3,"Fixed":"a\"b"}"#);
    assert_eq!(other, r#"{"Name":"Title 501","Mail":"name502@example.com","Days":503,"Fixed":"a\"b"}"#);
}

#[test]
fn parameter_that_is_parsed_gets_json() {
    let script = "var draft = JSON.parse(Draft); draft.Days = 3; Json = JSON.stringify(draft)";
    let found = evaluate(&evaluator(), script, &[("Draft", None)]);
    let Evaluation::Text { text, other, .. } = found else { panic!("{found:?}") };
    assert!(text.contains("\"Days\":3") && text != other, "{text}");
}

#[test]
fn results_hold_for_all_values() {
    let evaluator = evaluator();
    let other = |script: &str| evaluate(&evaluator, script, &[("Value", None)]);
    assert_eq!(other("Json = (function () { return [Value] })()"), Evaluation::NoText("array".to_owned()));
    assert!(matches!(other("Json = 'Dear ' + Value"), Evaluation::Text { .. }), "no JSON for any value");
    for script in [
        // A number would make it JSON.
        "Json = '{\"Days\": ' + Value + '}'",
        "Json = Value === '' ? JSON.stringify({}) : {}",
        "if (Value !== '1') Json = JSON.stringify({})",
        "function f() { Json = 1 }",
    ] {
        let found = other(script);
        let is_reported = matches!(found, Evaluation::NoText(_) | Evaluation::Failed { .. });
        assert!(!is_reported || script.contains('?'), "{script}: {found:?}");
    }
    assert_eq!(other("Json = '{\"Days\": ' + Value + '}'"), Evaluation::Unknown);
}

#[test]
fn failure_is_definite_only_if_no_value_avoids_it() {
    let evaluator = evaluator();
    let fails = |script: &str| always(&evaluate(&evaluator, script, &[("Value", None)]));
    assert!(fails("var none = null; none.length; Json = Value"));
    assert!(fails("var text = 'a' + Value; var none = void 0; none.length"));
    assert!(fails("var made = { Name: Value }; made.Parties.push(1)"));
    // Some value would do.
    assert!(!fails("Value.split(' of ')[1].trim()"));
    assert!(!fails("var parts = /(\\w+)=(\\w+)!/.exec(Value); parts[1]"));
    assert!(!fails("var made = { Name: Value.match(/x!/) }; made.Name[0]"));
    assert!(!fails("if (Value !== 'x') { var none = null; none.length }"));
    assert!(!fails("var none = null; if (Value === 'x') none = []; none.length"));
    assert!(!fails("throw new Error('no: ' + Value)"));
    assert!(
        always(&evaluate(&evaluator, "throw new Error(Value)", &[("Value", Some("x"))])),
        "the only value there is"
    );
}

#[test]
fn endless_script_is_stopped_and_the_next_one_runs() {
    let evaluator = evaluator();
    let began = std::time::Instant::now();
    // A failure, or unknown on a slow machine.
    let found = evaluate(&evaluator, "while (true) {}", &[]);
    assert!(!matches!(found, Evaluation::Text { .. } | Evaluation::NoText(_)));
    assert_eq!(evaluate(&evaluator, "new Array(4294967295).reverse(); Json = '{}'", &[]), Evaluation::Unknown);
    assert!(matches!(evaluate(&evaluator, "Json = '{}'", &[]), Evaluation::Text { .. }));
    assert!(began.elapsed().as_secs() < 20);
    assert_eq!(evaluator.note(), None);
}

#[test]
fn results_are_not_shared_between_scripts_or_inputs() {
    let evaluator = evaluator();
    let text = |script: &str, parameters: &[(&str, Option<&str>)]| match evaluate(&evaluator, script, parameters) {
        Evaluation::Text { text, .. } => text,
        other => panic!("{other:?}"),
    };
    // The second round gets its results from the cache.
    for _ in 0..2 {
        let script = "Json = JSON.stringify([Value])";
        assert_eq!(text(script, &[("Value", Some("a"))]), r#"["a"]"#);
        assert_eq!(text(script, &[("Value", Some("b"))]), r#"["b"]"#);
        assert_eq!(text(script, &[("Value", None)]), r#"["Value 1"]"#);
        assert_eq!(text("Json = JSON.stringify([[Value]])", &[("Value", Some("a"))]), r#"[["a"]]"#);
        assert_eq!(text("Json = JSON.stringify([Value]) ", &[("Value", Some("a")), ("b", Some("c"))]), r#"["a"]"#);
    }
}

#[test]
fn program_that_cannot_be_started_is_noted_once() {
    let evaluator = Evaluator::new(PathBuf::from("/no/such/program"));
    assert_eq!(evaluate(&evaluator, "Json = '{}'", &[]), Evaluation::Unknown);
    assert_eq!(evaluate(&evaluator, "Json = '[]'", &[]), Evaluation::Unknown);
    assert!(
        evaluator
            .note()
            .unwrap()
            .starts_with("scripts of Code activities were not run: cannot start the script process: ")
    );
}

#[test]
fn context_has_the_case_that_a_script_builds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/sign-json");
    let request = Request { current: folder, paths: vec![".".into()], ..Request::default() };
    let project = project::find(&request).unwrap();
    let read = project.read(&project.services[0], &project::Overrides::new());
    let (config, suggester) = (Config::default(), Suggester::default());
    let files: Vec<&File> = read.files.iter().collect();
    let model = ServiceModel::new(&files, &config, &suggester);
    let service = AnalyzedService::new(files.clone(), &config, &model, &suggester, None);
    assert_eq!(service.evaluated().count(), 0, "nothing was run");
    let evaluator = evaluator();
    let service = AnalyzedService::new(files.clone(), &config, &model, &suggester, Some(&evaluator));
    let cases: Vec<_> = service.evaluated().collect();
    assert_eq!(cases.len(), 1);
    let case: serde_json::Value = serde_json::from_str(cases[0].text).unwrap();
    assert_eq!(case["AllowedSignatureTypes"], serde_json::json!(["ElectronicId"]));
    let definite = DefiniteValues::of(cases[0].text, cases[0].other);
    assert!(definite.is_definite("/AllowedSignatureTypes/0") && definite.is_definite("/Parties/0/MobilePhone"));
    assert!(!definite.is_definite("/Parties/0/EmailAddress") && !definite.is_definite("/Parties"));
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
            setup: None,
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
