//! Scripts that share their runs, because they only insert fixed values.

use wflint::script::evaluation::{Ending, EvaluationRequest, Run, ScriptInput, ScriptLimits, ScriptParameter};
use wflint::script::sandbox::{Answer, Job, JsonVariable, Sandbox};
use wflint::script::syntax::{ScriptKind, analyze};
use wflint::script::{Evaluation, Evaluator};

const TITLES: [&str; 4] =
    ["Headset", "Hyresavtal för lägenhet 12", "A long & plain title (of a document), no. 3", "x > y"];

/// Only insert `Title`.
const INSERTING: [&str; 6] = [
    "Json = JSON.stringify({ Name: Title, Parties: [{ Name: Who }] })",
    "var o = {}; o.Name = Title || 'Document'; o.Who = Who.trim().toLowerCase(); Json = JSON.stringify(o)",
    "var text = ''; text += 'Case: ' + Title + '\\n'; if (Who === 'x') text += Title; Json = text",
    "Json = '{\"Name\":\"' + Title + '\",\"Who\":\"' + Who.replace(/\"/g, '') + '\"}'",
    "const party = (name) => ({ Name: name }); Json = JSON.stringify([Title, ...Who.split(';').map(party)])",
    "var o = { Name: Title }; if (Who === 'x') throw 'no signer of ' + o.Name; Json = `${Title} ${Who}`",
];

/// Insert `Title`, and inspect what has it.
const INSPECTING: [&str; 9] = [
    "var o = { Name: Title }; if (o.Name.length > 20) o.Name = 'long'; Json = JSON.stringify([o, Who])",
    "var o = { Name: Title }; if (Who === 'x' && o.Name.length > 20) o.Name = 'long'; Json = JSON.stringify([o, Who])",
    "var o = { Name: Title, Who: Who }; for (var k in o) o[k] = o[k].substring(0, 9); Json = JSON.stringify(o)",
    "var o = { Name: Title }; o.Name = o.Name.toUpperCase(); Json = JSON.stringify([o, Who])",
    "var o = [Title, Who]; o.sort(); Json = JSON.stringify(o)",
    "var o = { Name: Title }; Json = JSON.stringify([o.Name.split(' ')[0], Who])",
    "var o = { Name: Title }; if (/hyres/i.test(o.Name)) o.Name = 'Rent'; Json = JSON.stringify([o, Who])",
    "var o = { Name: Title }; Json = JSON.stringify([{ Headset: 'IT' }[o.Name] || 'HR', Who])",
    "var o = { Name: Title }; Json = encodeURIComponent(JSON.stringify([o, Who]))",
];

fn evaluator() -> Evaluator {
    Evaluator::new(env!("CARGO_BIN_EXE_wflint").into())
}

fn evaluate(evaluator: &Evaluator, script: &str, title: &str) -> std::sync::Arc<Evaluation> {
    let syntax = analyze(ScriptKind::Script, script);
    let parameter = |name, input| ScriptParameter { name, input, may_be_empty: false };
    let parameters =
        vec![parameter("Title", ScriptInput::Fixed(title.to_owned())), parameter("Who", ScriptInput::Open)];
    let limits = ScriptLimits::of_seconds(2.0);
    let syntax = syntax.script().unwrap();
    evaluator.evaluate(&EvaluationRequest { script, syntax, parameters, hosts: Vec::new(), limits })
}

/// Runs the script on the values of a run.
fn answer(sandbox: &mut Sandbox, script: &str, run: &Run) -> Answer {
    let job = Job {
        script: script.to_owned(),
        variables: run.values.iter().map(|value| (value.parameter.clone(), value.text.clone())).collect(),
        hosts: Vec::new(),
        setup: None,
        now_ms: 0,
        seed: 1,
        seconds: 2.0,
        max_polls: None,
    };
    sandbox.run(&job).unwrap()
}

#[test]
fn results_are_those_of_the_values() {
    let mut sandbox = Sandbox::new(env!("CARGO_BIN_EXE_wflint").into());
    // Titles in both orders: the first one decides nothing.
    for titles in [TITLES.to_vec(), TITLES.into_iter().rev().collect()] {
        let evaluator = evaluator();
        for script in INSERTING.into_iter().chain(INSPECTING) {
            for title in &titles {
                let found = evaluate(&evaluator, script, title);
                assert!(found.runs.len() > 1 && found.stopped.is_none(), "{script}: {found:?}");
                for run in &found.runs {
                    assert_eq!(run.values[0].text, *title);
                    match (&run.ending, answer(&mut sandbox, script, run)) {
                        (Ending::Text { text, .. }, Answer::Done { json: JsonVariable::Text(own) }) => {
                            assert_eq!(*text, own, "{script}");
                        }
                        (Ending::Failed(failure), Answer::Failed(own)) => assert_eq!(*failure, own, "{script}"),
                        (ending, answer) => panic!("{script}: {ending:?}, {answer:?}"),
                    }
                }
            }
        }
    }
}

#[test]
fn scripts_that_only_insert_run_once() {
    let evaluator = evaluator();
    for (script, runs_once) in
        INSERTING.map(|script| (script, true)).into_iter().chain(INSPECTING.map(|it| (it, false)))
    {
        evaluate(&evaluator, script, "Headset");
        let knowing = evaluator.without_runs();
        evaluate(&knowing, script, "Hyresavtal för lägenhet 12");
        assert_eq!(!knowing.has_missed(), runs_once, "{script}");
        evaluate(&evaluator.without_runs(), script, "30 days");
        assert!(knowing.has_missed() || runs_once);
    }
}

#[test]
fn value_that_is_no_example_has_runs_of_its_own() {
    let evaluator = evaluator();
    let script = INSERTING[0];
    evaluate(&evaluator, script, "Headset");
    for title in ["", "NDA", "30 days", "a\"b", "false"] {
        let knowing = evaluator.without_runs();
        evaluate(&knowing, script, title);
        assert!(knowing.has_missed(), "{title}");
    }
}
