//! Evaluation of scripts while documents are linted.

use std::path::{Path, PathBuf};

use wflint::config::Config;
use wflint::facts::{AnalyzedService, DefiniteValues};
use wflint::project::{self, File, Request, ServiceModel};
use wflint::script::evaluation::Given;
use wflint::script::sandbox::{Answer, FailureKind, Job, Sandbox};
use wflint::script::syntax::{Goal, Script, Syntax, analyse};
use wflint::script::{Evaluation, Evaluator, evaluation};
use wflint::suggest::Suggester;

fn evaluator() -> Evaluator {
    Evaluator::new(env!("CARGO_BIN_EXE_wflint").into())
}

/// Evaluates a script; a parameter without a value gets assumed ones.
fn evaluate(evaluator: &Evaluator, script: &str, parameters: &[(&str, Option<&str>)]) -> Evaluation {
    let syntax = analyse(Goal::Script, script);
    let known = syntax.script().unwrap();
    let request = evaluation::Request {
        script,
        parameters: parameters.iter().map(|(name, value)| (*name, given(known, name, *value))).collect(),
        hosts: if script.contains("console") { vec!["console"] } else { Vec::new() },
        sure_uses: &known.sure_uses,
        has_condition: known.has_condition,
    };
    evaluator.evaluate(&request)
}

fn given(script: &Script, name: &str, value: Option<&str>) -> Given {
    match value {
        Some(value) => Given::Text(value.to_owned()),
        None if script.read_as_json.iter().any(|read| read == name) => Given::OpenJson,
        None => Given::Open,
    }
}

fn always(evaluation: &Evaluation) -> bool {
    match evaluation {
        Evaluation::Failed { always, .. } => *always,
        other => panic!("{other:?}"),
    }
}

#[test]
fn text_differs_where_it_depends_on_assumed_values() {
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
fn values_read_as_json_are_json() {
    let script = "var draft = JSON.parse(Draft); draft.Days = 3; Json = JSON.stringify(draft)";
    let found = evaluate(&evaluator(), script, &[("Draft", None)]);
    let Evaluation::Text { text, other, .. } = found else { panic!("{found:?}") };
    assert!(text.contains("\"Days\":3") && text != other, "{text}");
}

#[test]
fn findings_hold_for_all_values() {
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
        let is_told = matches!(found, Evaluation::NoText(_) | Evaluation::Failed { .. });
        assert!(!is_told || script.contains('?'), "{script}: {found:?}");
    }
    assert_eq!(other("Json = '{\"Days\": ' + Value + '}'"), Evaluation::NotKnown);
}

#[test]
fn failure_is_certain_only_when_its_cause_is_known() {
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
fn endless_script_is_stopped_and_delays_nothing_else() {
    let evaluator = evaluator();
    let began = std::time::Instant::now();
    // Reported as a failure, or, on a slow machine, not at all.
    let found = evaluate(&evaluator, "while (true) {}", &[]);
    assert!(!matches!(found, Evaluation::Text { .. } | Evaluation::NoText(_)));
    assert_eq!(evaluate(&evaluator, "new Array(4294967295).reverse(); Json = '{}'", &[]), Evaluation::NotKnown);
    assert!(matches!(evaluate(&evaluator, "Json = '{}'", &[]), Evaluation::Text { .. }));
    assert!(began.elapsed().as_secs() < 20);
    assert_eq!(evaluator.note(), None);
}

#[test]
fn program_that_does_not_start_is_reported_once() {
    let evaluator = Evaluator::new(PathBuf::from("/no/such/program"));
    assert_eq!(evaluate(&evaluator, "Json = '{}'", &[]), Evaluation::NotKnown);
    assert_eq!(evaluate(&evaluator, "Json = '[]'", &[]), Evaluation::NotKnown);
    assert!(evaluator.note().unwrap().starts_with("the scripts of Code activities are not run"));
}

#[test]
fn rules_check_the_case_that_a_script_builds() {
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

/// Scripts on which parsers often disagree.
const SCRIPTS: &[&str] = &[
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

/// The parser that reports syntax errors (WF801) and the engine that runs scripts are different programs.
#[test]
fn parser_and_engine_accept_the_same_scripts() {
    let mut sandbox = Sandbox::new(env!("CARGO_BIN_EXE_wflint").into());
    for &script in SCRIPTS {
        let job = Job {
            script: script.to_owned(),
            variables: Vec::new(),
            hosts: Vec::new(),
            now_ms: 0,
            seed: 1,
            seconds: 5.0,
        };
        let refused = match sandbox.run(&job).unwrap() {
            Answer::Failed(failure) => failure.kind == FailureKind::Syntax,
            Answer::Done { .. } => false,
        };
        assert_eq!(matches!(analyse(Goal::Script, script), Syntax::Error(_)), refused, "{script}");
    }
}
