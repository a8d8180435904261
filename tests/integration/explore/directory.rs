//! The directory that is made up as it is asked: the simulator finds in it what was answered.

use serde_json::{Value, json};
use wflint::made_up::{Answer, AskedDirectory, PropertyUses};
use wflint::simulate::{LookedUp, Lookup};

use crate::support::folder::Folder;

const KINDS: [LookedUp; 5] =
    [LookedUp::User, LookedUp::Members, LookedUp::Manager(1), LookedUp::Manager(2), LookedUp::TopManager];

const FILTERS: [Option<&str>; 3] = [None, Some("(mail=*)"), Some("(&(department=IT)(!(title=Boss)))")];

/// The same lookups as calls of a workflow, with the prefixes `A`, `B`, ….
fn workflow(lookups: &[Lookup<'_>]) -> Value {
    let fixed = |name: &str, value: &str| json!({ "name": name, "value": { "state": "static", "value": value } });
    let call = |(lookup, prefix): (&Lookup<'_>, char)| {
        let (method, more) = match lookup.of {
            LookedUp::User => ("Get-ZPADUser", None),
            LookedUp::Members => ("Get-ZPADGroupMember", None),
            LookedUp::Manager(levels) => ("Get-ZPADManager", Some(fixed("Depth", &levels.to_string()))),
            LookedUp::TopManager => ("Get-ZPADManager", Some(fixed("Last", "true"))),
        };
        let mut parameters = vec![
            fixed("Identity", lookup.identity),
            fixed("Property", &lookup.properties.join(",")),
            fixed("Prefix", &prefix.to_string()),
        ];
        parameters.extend(more);
        parameters.extend(lookup.filter.map(|filter| fixed("LDAPFilter", filter)));
        json!({ "type": "Provider", "name": prefix.to_string(), "method": method, "stopOnError": true,
            "providerParameters": parameters })
    };
    let activities: Vec<Value> = lookups.iter().zip('A'..).map(call).collect();
    let names = lookups.iter().zip('A'..).flat_map(|(lookup, prefix)| {
        lookup.properties.iter().map(move |property| format!("{prefix}{property}")).collect::<Vec<_>>()
    });
    let variables: Vec<Value> = names
        .enumerate()
        .map(|(index, name)| json!({ "name": name, "id": index + 1, "variableType": "String" }))
        .collect();
    json!({ "activities": activities, "variables": variables })
}

/// How many entries each property of an answer has values of.
fn is_answer(answer: Answer, values: &[&str]) -> bool {
    values.iter().all(|value| match answer {
        Answer::Full => !value.is_empty() && !value.contains(';'),
        Answer::Empty => value.is_empty(),
        Answer::Two => value.split(';').filter(|part| !part.is_empty()).count() == 2,
    })
}

#[test]
fn simulator_finds_what_was_answered() {
    let folder = Folder::with(&[]);
    let properties = ["Mail", "DisplayName"].map(str::to_owned);
    let mut expected: Vec<Vec<Option<Answer>>> = Vec::new();
    let lookups: Vec<Lookup<'_>> = KINDS
        .into_iter()
        .flat_map(|of| FILTERS.map(|filter| Lookup { identity: "anna", properties: properties.to_vec(), filter, of }))
        .collect();
    for (number, first) in lookups.iter().enumerate() {
        for second in lookups.iter().skip(number % 3).step_by(3) {
            // The first one again, last: what came between did not change its answer.
            let asked = [first.clone(), second.clone(), first.clone()];
            let name = format!("{}.workflow.json", expected.len());
            folder.write(&name, workflow(&asked).to_string());
            let empty = AskedDirectory::new(PropertyUses::default(), &[]);
            for answer in empty.answers(first) {
                let mut directory = empty.clone();
                assert!(directory.supply(first, answer));
                let open = directory.answers(second);
                let answers = if open.is_empty() { vec![None] } else { open.into_iter().map(Some).collect() };
                for other in answers {
                    let mut directory = directory.clone();
                    assert!(other.is_none_or(|other| directory.supply(second, other)));
                    let scenario = json!({ "name": "a", "workflow": name, "directory": directory.json() });
                    folder.write(format!("{:04}.scenario.json", expected.len()), scenario.to_string());
                    expected.push(vec![Some(answer), other]);
                }
            }
        }
    }
    assert!(expected.len() > 100, "{}", expected.len());
    let run = folder.run(&["simulate", "--format", "json"]);
    assert_ne!(run.code, 2, "{}", run.err());
    let run = run.json();
    let scenarios = run["scenarios"].as_array().unwrap();
    assert_eq!(scenarios.len(), expected.len());
    for (scenario, answers) in scenarios.iter().zip(expected) {
        let values = |prefix: &str| -> Vec<&str> {
            let name = |property: &&str| format!("{prefix}{property}");
            ["Mail", "DisplayName"].iter().map(|it| scenario["variables"][name(it)].as_str().unwrap_or("")).collect()
        };
        let first = scenario["calls"][0]["ok"] == true;
        assert!(first, "{scenario}");
        let has_filter = |values: &[&str]| values[1].is_empty();
        if let Some(answer) = answers[0] {
            let own = values("A");
            assert!(is_answer(answer, &own) || answer == Answer::Empty && has_filter(&own), "{answer:?} {scenario}");
        }
        if let Some(answer) = answers[1] {
            assert_eq!(scenario["calls"][1]["ok"], true, "{answer:?} {scenario}");
        }
        // After a second lookup that failed the order ends.
        if scenario["outcome"] == "completed" {
            assert_eq!(values("A"), values("C"), "{scenario}");
        } else {
            assert_eq!(answers[1], None, "{scenario}");
        }
    }
}
