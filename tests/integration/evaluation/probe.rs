//! The probes that show whether a script inspects its parameters (`probe.js`).

use wflint::script::Evaluation;
use wflint::script::evaluation::{Concatenation, probe};
use wflint::script::sandbox::{Answer, FailureKind, Job, JsonVariable, Sandbox};

use super::{always, evaluate, evaluator};

fn run(sandbox: &mut Sandbox, script: &str, concatenation: Concatenation) -> Answer {
    let names = ["Name", "JSON", "Proxy", "Error", "Reflect", "globalThis", "undefined"];
    let job = Job {
        script: script.to_owned(),
        variables: names.map(|name| (name.to_owned(), "text".to_owned())).into(),
        hosts: Vec::new(),
        // Parameters may have the names of built-in objects that the probe itself needs.
        setup: Some(probe(names.into_iter(), concatenation)),
        now_ms: 0,
        seed: 1,
        seconds: 5.0,
        max_polls: None,
    };
    sandbox.run(&job).unwrap()
}

#[test]
fn every_inspection_of_a_probe_fails() {
    let mut sandbox = Sandbox::new(env!("CARGO_BIN_EXE_wflint").into());
    for script in [
        "Name.length",
        "Name[0]",
        "Name.x = 1",
        "'x' in Name",
        "Name()",
        "new Name",
        "Object.keys(Name)",
        "Object.assign({}, Name)",
        "Object.getOwnPropertyDescriptor(Name, 'x')",
        "Object.defineProperty(Name, 'x', { value: 1 })",
        "delete Name.x",
        "Object.getPrototypeOf(Name)",
        "Object.setPrototypeOf(Name, null)",
        "Object.isExtensible(Name)",
        "Object.preventExtensions(Name)",
        "Name instanceof String",
        "for (var key in Name);",
        "[...Name]",
        "Proxy.x",
    ] {
        for concatenation in [Concatenation::Fails, Concatenation::Allowed] {
            let Answer::Failed(failure) = run(&mut sandbox, script, concatenation) else { panic!("{script}") };
            let found = (failure.kind, failure.message.as_str(), failure.line);
            assert_eq!(found, (FailureKind::Thrown, "Error: opaque", Some(1)), "{script}");
        }
    }
}

#[test]
fn probe_can_be_concatenated_only_where_that_is_allowed() {
    let mut sandbox = Sandbox::new(env!("CARGO_BIN_EXE_wflint").into());
    for (script, expected) in [
        ("Json = 'Dear ' + Name", "Dear concatenated"),
        ("Json = `${Name}`", "concatenated"),
        ("Json = [Name, 1] + ''", "concatenated,1"),
    ] {
        let answer = run(&mut sandbox, script, Concatenation::Fails);
        assert!(matches!(answer, Answer::Failed(failure) if failure.message == "Error: opaque"), "{script}");
        let json = JsonVariable::Text(expected.to_owned());
        assert_eq!(run(&mut sandbox, script, Concatenation::Allowed), Answer::Done { json }, "{script}");
    }
}

#[test]
fn probe_can_be_passed_on_stored_and_serialized() {
    let mut sandbox = Sandbox::new(env!("CARGO_BIN_EXE_wflint").into());
    // In strict mode, too: the setup does not disturb the directives of the script.
    for script in [
        "var text = (0, [].concat([1])); function f(value) { return [value] } f(Name); Json = 'done'",
        "var object = { Name }; object.other = Name; new Map().set(Name, Name); Json = 'done'",
        "'use strict'; try { undeclared = 1 } catch (error) { var Json = 'done' }",
        "Json = Name === Name && undefined === void 0 ? 'done' : 'changed'",
    ] {
        let json = JsonVariable::Text("done".to_owned());
        assert_eq!(run(&mut sandbox, script, Concatenation::Fails), Answer::Done { json }, "{script}");
    }
    let job = Job {
        script: "Json = JSON.stringify({ a: Name, b: [Name] })".to_owned(),
        variables: vec![("Name".to_owned(), "text".to_owned())],
        hosts: Vec::new(),
        setup: Some(probe(std::iter::once("Name"), Concatenation::Fails)),
        now_ms: 0,
        seed: 1,
        seconds: 5.0,
        max_polls: None,
    };
    let json = JsonVariable::Text(r#"{"b":[null]}"#.to_owned());
    assert_eq!(sandbox.run(&job).unwrap(), Answer::Done { json });
}

#[test]
fn evaluation_shows_whether_parameters_are_only_forwarded() {
    let evaluator = evaluator();
    let forwards = |script: &str| match evaluate(&evaluator, script, &[("Value", None)]) {
        Evaluation::Text { forwards_parameters, .. } => forwards_parameters,
        other => panic!("{script}: {other:?}"),
    };
    for script in [
        "Json = JSON.stringify({ Name: Value })",
        "Json = JSON.stringify({ Name: 'Dear ' + Value })",
        "function f(x) { return { Name: x } } Json = JSON.stringify(f(Value))",
        "'use strict'; var made = {}; made.Name = Value; var Json = JSON.stringify(made)",
    ] {
        assert!(forwards(script), "{script}");
    }
    // Only the probe sees these: none is a condition, or a property that inspects a value.
    for script in [
        "Json = JSON.stringify(Object.assign({}, Value))",
        "Json = JSON.stringify({ Name: Value.trim() })",
        "Json = JSON.stringify(Array.from(Value))",
    ] {
        assert!(!forwards(script), "{script}");
    }
}

#[test]
fn failure_at_the_same_position_with_probes_is_definite() {
    let evaluator = evaluator();
    let fails = |script: &str| always(&evaluate(&evaluator, script, &[("Value", None)]));
    assert!(fails("\n  var made = { Name: Value };\n  made.Parties.push(1)"));
    assert!(fails("'use strict'; var made = { Name: Value }; made.Parties.push(1)"));
    assert!(!fails("var made = { Name: Value.trim() }; made.Parties.push(1)"));
}
