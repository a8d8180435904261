//! Scripts that share their runs, because they only insert fixed values.

use std::sync::Arc;

use wflint::script::evaluation::{Ending, EvaluationRequest, Run, ScriptInput, ScriptLimits, ScriptParameter};
use wflint::script::sandbox::{Answer, Job, JsonVariable, Sandbox};
use wflint::script::syntax::{ScriptKind, analyze};
use wflint::script::{Evaluation, Evaluator};

const TITLES: [&str; 8] = [
    "Headset",
    "Hyresavtal för lägenhet 12",
    "A long & plain title (of a document), no. 3",
    "Volvo AB",
    "Contract of 2024-01-01.",
    "Överenskommelse",
    "info@example.com",
    "March 5, 2030",
];

/// Only combine values.
const COMBINING: [&str; 3] = [
    "Json = JSON.stringify({ Name: Title, Parties: [{ Name: Who }] })",
    "var o = {}; o.Name = `Case: ${Title}`; o.Who = Who.trim().toLowerCase(); Json = JSON.stringify(o)",
    "var text = ''; text += 'Case: ' + Title + '\\n'; text += Who; Json = text",
];

/// Only insert `Title`.
const INSERTING: [&str; 5] = [
    "var o = {}; o.Name = Title || 'Document'; o.Who = Who.split(';')[0]; Json = JSON.stringify(o)",
    "var text = ''; text += 'Case: ' + Title + '\\n'; if (Who === 'x') text += Title; Json = text",
    "Json = '{\"Name\":\"' + Title + '\",\"Who\":\"' + Who.replace(/\"/g, '') + '\"}'",
    "const party = (name) => ({ Name: name }); Json = JSON.stringify([Title, ...Who.split(';').map(party)])",
    "var o = { Name: Title }; if (Who === 'x') throw 'no signer of ' + o.Name; Json = `${Title} ${Who}`",
];

/// What comes of it is inspected: `o` has `Title` as `Name`, and becomes `Json`.
const INSPECTING: [&str; 19] = [
    "if (o.Name.length > 20) o.Name = 'long'",
    "if (Who === 'x' && o.Name.length > 20) o.Name = 'long'",
    "for (var k in o) o[k] = o[k].substring(0, 9)",
    "o.Name = o.Name.toUpperCase()",
    "var list = [Title, Who, 'terms']; list.sort(); o.Names = list",
    "o.Name = o.Name.split(' ')[0]",
    "if (/hyres/i.test(o.Name)) o.Name = 'Rent'",
    "if (/^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$/.test(o.Name)) o.Mail = o.Name",
    "o.Kind = { Headset: 'IT' }[o.Name] || 'HR'",
    "o.Kind = { hyr: 'Rent' }[o.Name.substring(0, 3).toLowerCase()] || 'HR'",
    "if (o.Name.toLowerCase().indexOf('contract') >= 0) o.Kind = 'C'",
    "if (o.Name.startsWith('H')) o.Kind = 'H'",
    "if (o.Name.endsWith('AB')) o.Kind = 'AB'",
    "if (!o.Name.endsWith('.')) o.Name += '.'",
    "o.Name = o.Name.replace(/\\d+$/, '')",
    "o.Name = o.Name.replace(/\\d{4}-\\d{2}-\\d{2}/, '')",
    "var words = o.Name.split(' '); if (words.length === 2) o.First = words[0]",
    "var date = new Date(o.Name); if (!isNaN(date)) o.Name = date.toISOString()",
    "o.IsSame = o.Name === Who",
];

fn scripts() -> Vec<String> {
    let inspecting =
        INSPECTING.map(|it| format!("var o = {{ Name: Title, Who: Who }}; {it}; Json = JSON.stringify(o)"));
    COMBINING.into_iter().chain(INSERTING).map(str::to_owned).chain(inspecting).collect()
}

fn evaluator() -> Evaluator {
    Evaluator::new(env!("CARGO_BIN_EXE_wflint").into())
}

/// Evaluates a script with some fixed parameters, and with `Who`, which is open.
fn evaluate(evaluator: &Evaluator, script: &str, fixed: &[(&'static str, &str)]) -> Arc<Evaluation> {
    let syntax = analyze(ScriptKind::Script, script);
    let parameter = |name, input| ScriptParameter { name, input, may_be_empty: false };
    let fixed = fixed.iter().map(|&(name, value)| parameter(name, ScriptInput::Fixed(value.to_owned())));
    let parameters = fixed.chain([parameter("Who", ScriptInput::Open)]).collect();
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

/// Checks that each run of an evaluation ends as the script does on its values.
fn assert_result(sandbox: &mut Sandbox, script: &str, found: &Evaluation) {
    assert!(found.runs.len() > 1 && found.stopped.is_none(), "{script}: {found:?}");
    for run in &found.runs {
        match (&run.ending, answer(sandbox, script, run)) {
            (Ending::Text { text, .. }, Answer::Done { json: JsonVariable::Text(own) }) => {
                assert_eq!(*text, own, "{script}");
            }
            (Ending::Failed(failure), Answer::Failed(own)) => assert_eq!(*failure, own, "{script}"),
            (ending, answer) => panic!("{script}: {ending:?}, {answer:?}"),
        }
    }
}

#[test]
fn results_are_those_of_the_values() {
    let mut sandbox = Sandbox::new(env!("CARGO_BIN_EXE_wflint").into());
    // The first title decides nothing.
    for titles in [TITLES.to_vec(), TITLES.into_iter().rev().collect()] {
        let evaluator = evaluator();
        for script in scripts() {
            for title in &titles {
                let found = evaluate(&evaluator, &script, &[("Title", title)]);
                assert!(found.runs.iter().all(|run| run.values[0].text == *title), "{script}: {found:?}");
                assert_result(&mut sandbox, &script, &found);
            }
        }
    }
}

#[test]
fn values_that_are_compared_with_each_other_are_not_replaced() {
    let mut sandbox = Sandbox::new(env!("CARGO_BIN_EXE_wflint").into());
    for script in [
        "var seen = {}, docs = [{ Name: A }, { Name: B }]; \
         docs = docs.filter(d => !seen[d.Name] && (seen[d.Name] = true)); Json = JSON.stringify([docs, Who])",
        "Json = JSON.stringify([[A, B].sort(), Who])",
        "var o = { Name: A }; o.IsSame = o.Name === B; Json = JSON.stringify([o, Who])",
    ] {
        let evaluator = evaluator();
        for (a, b) in [("Contract", "Terms"), ("Contract", "Contract"), ("Terms", "Annex"), ("Contract", "contract")] {
            assert_result(&mut sandbox, script, &evaluate(&evaluator, script, &[("A", a), ("B", b)]));
        }
    }
}

#[test]
fn scripts_that_only_combine_run_once() {
    let evaluator = evaluator();
    for script in COMBINING {
        evaluate(&evaluator, script, &[("Title", "Headset")]);
        for (title, is_known) in [("Hyresavtal för lägenhet 12", true), ("", false), ("NDA", false), ("30 days", false)]
        {
            let knowing = evaluator.without_runs();
            evaluate(&knowing, script, &[("Title", title)]);
            assert_eq!(!knowing.has_missed(), is_known, "{script}: {title}");
        }
    }
}
