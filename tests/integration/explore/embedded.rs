//! What a reader needs who plays the runs of a service, and chooses by hand: events, the graph of states, statuses.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use wflint::explore::{
    Covers, ExploredEnd, ExploredProject, ExploredService, PublishedStatus, Request, StateGraph, without_ids,
};
use wflint::files::boundary::Boundary;
use wflint::lint::pool;
use wflint::project::{self, Overrides};
use wflint::simulate::{RunEvent, RunEventKind};

use super::walker::{Walker, published};
use crate::support::cases;
use crate::support::folder::{Folder, copy_of};
use crate::support::run::TODAY;
use crate::support::services::write_service;

fn explored(folder: &Folder, name: &str, embeds: Option<usize>, jobs: usize) -> ExploredProject {
    let current = std::fs::canonicalize(folder.path()).unwrap();
    let request =
        project::Request { current: current.clone(), paths: vec![PathBuf::from(name)], ..project::Request::default() };
    let project = project::find(&request).unwrap_or_else(|error| panic!("{name}: {}", error.0));
    let request = Request {
        project: &project,
        program: Path::new(env!("CARGO_BIN_EXE_wflint")),
        boundary: &Boundary::below(vec![current]),
        max_states: None,
        proves: false,
        overrides: &Overrides::new(),
        covers: Covers::Nothing,
        embeds,
        progress: &|_| {},
    };
    wflint::explore::explore_project(&request, &[], TODAY, &pool(Some(jobs)).unwrap()).unwrap()
}

/// Everything that a page shows of a service, as JSON.
fn shown(project: &ExploredProject, service: &ExploredService) -> Value {
    let events: Vec<&Vec<RunEvent>> = service.ends.iter().map(|end| &end.events).collect();
    let laws = project.explored.laws.iter().flat_map(|law| &law.broken);
    let laws: Vec<&Vec<RunEvent>> = laws.map(|broken| &broken.events).collect();
    let published: Vec<_> = service.published.iter().map(published_status).collect();
    let in_moves: Vec<&RunEvent> = service.graph.iter().flat_map(|graph| &graph.events).collect();
    let events = format!("{events:?} {laws:?} {in_moves:?}");
    json!({ "events": events, "graph": service.graph, "published": published })
}

fn published_status(status: &PublishedStatus) -> Value {
    let texts: Vec<_> = status.texts.iter().map(|text| json!([text.text, text.ends])).collect();
    json!([status.activity, texts, status.ends])
}

/// What is wrong with the graph and the events of a service.
fn problems(service: &ExploredService) -> Vec<String> {
    let mut problems = Vec::new();
    for (index, end) in service.ends.iter().enumerate() {
        let last = end.events.last();
        if !last
            .is_some_and(|last| last.kind == RunEventKind::Ended && last.value.as_deref() == Some(end.ending.word()))
        {
            problems.push(format!("end-{} ends with {last:?}", index + 1));
        }
        if !end.events.is_sorted_by_key(|event| event.at) {
            problems.push(format!("end-{} goes back in time", index + 1));
        }
    }
    let Some(graph) = &service.graph else {
        problems.push("no graph".to_owned());
        return problems;
    };
    problems.extend(broken_references(graph));
    if !graph.complete {
        return problems;
    }
    let walked = Walker::new(graph, None).ends();
    for (index, end) in service.ends.iter().enumerate() {
        let texts = published(&end.events);
        if !walked.contains(&index) {
            problems.push(format!("end-{} {:?} is not reached", index + 1, end.ending));
        } else if !Walker::new(graph, Some(&texts)).ends().contains(&index) {
            problems.push(format!("end-{} {:?} is not reached with {texts:?}", index + 1, end.ending));
        }
    }
    problems
}

/// Moves to states, ends and events that do not exist, and choices that look alike.
fn broken_references(graph: &StateGraph) -> Vec<String> {
    let mut problems = Vec::new();
    let moves = graph.states.iter().enumerate().flat_map(|(state, it)| it.moves.iter().map(move |next| (state, next)));
    for (state, next) in moves.chain([(usize::MAX, &graph.start)]) {
        let exists = next.to.is_none_or(|to| to < graph.states.len())
            && next.end.is_none_or(|end| end < graph.ends.len())
            && next.events.iter().all(|(at, event)| *event < graph.events.len() && (0..=next.elapsed).contains(at));
        if !exists || next.to.is_some() && next.end.is_some() {
            problems.push(format!("state {state} has {next:?}"));
        }
        if graph.complete && next.to.is_none() && next.end.is_none() {
            problems.push(format!("state {state} of a complete graph leads nowhere: {next:?}"));
        }
    }
    for (index, state) in graph.states.iter().enumerate() {
        let words: BTreeSet<&Option<String>> = state.moves.iter().map(|next| &next.choice).collect();
        let has_choice = state.moves.len() > 1;
        let is_named = state.moves.iter().all(|next| next.choice.is_some() == has_choice);
        if words.len() != state.moves.len() || !is_named || state.question.is_some() != has_choice {
            problems.push(format!("state {index} asks {state:?}"));
        }
        if graph.complete && state.moves.is_empty() {
            problems.push(format!("state {index} of a complete graph has no move"));
        }
    }
    problems.extend(endless_without_choice(graph));
    let is_known = |state: &usize| *state < graph.states.len();
    if !graph.cycles.iter().all(|cycle| cycle.end < graph.ends.len() && cycle.states.iter().all(is_known)) {
        problems.push("cycles of unknown states or ends".to_owned());
    }
    problems
}

/// Loops of moves without a choice that are no cycle: a reader would never get out of them.
fn endless_without_choice(graph: &StateGraph) -> Vec<String> {
    let next = |state: &usize| match graph.states[*state].moves.as_slice() {
        [only] => only.to,
        _ => None,
    };
    let loops = (0..graph.states.len()).filter_map(|state| {
        let way = std::iter::successors(Some(state), next).skip(1).take(graph.states.len());
        let states: Vec<usize> = way.take_while(|at| *at != state).chain([state]).collect();
        let closes = states.iter().rev().nth(1).map_or(next(&state), next) == Some(state);
        closes.then_some(states)
    });
    let is_cycle =
        |states: &Vec<usize>| graph.cycles.iter().any(|cycle| states.iter().all(|state| cycle.states.contains(state)));
    loops
        .filter(|states| graph.complete && !is_cycle(states))
        .map(|states| format!("goes on forever in {states:?}"))
        .collect()
}

/// Checks the services of a folder, and returns how many there were.
fn check(folder: &Folder, differences: &mut String) -> usize {
    let mut number = 0;
    for name in folder.names().into_iter().filter(|name| folder.file(name).is_dir()) {
        let project = explored(folder, &name, Some(10_000), 2);
        for service in &project.explored.services {
            number += 1;
            for problem in problems(service) {
                let _ = writeln!(differences, "{name}: {problem}");
            }
            let shown = shown(&project, service).to_string();
            if service.masker.finds(&shown) {
                let _ = writeln!(differences, "{name}: shows a masked value");
            }
        }
    }
    number
}

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn ends_of_examples_and_small_services_are_reached_by_choices() {
    let mut differences = String::new();
    let mut number = 0;
    for root in ["examples", "tests/explore"] {
        number += check(&copy_of(root), &mut differences);
    }
    assert!(differences.is_empty() && number > 70, "{number} services\n{differences}");
}

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn ends_of_generated_services_are_reached_by_choices() {
    let folder = Folder::with(&[]);
    for seed in 0..cases(40).cases {
        write_service(&folder, &format!("service{seed}"), seed.into());
    }
    let mut differences = String::new();
    check(&folder, &mut differences);
    assert!(differences.is_empty(), "{differences}");
}

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn statuses_of_examples_are_those_of_simulated_scenarios() {
    let folder = copy_of("examples");
    for name in folder.names().into_iter().filter(|name| folder.file(name).is_dir()) {
        for service in explored(&folder, &name, Some(0), 2).explored.services {
            assert!(service.graph.is_none(), "no states are asked for");
            for end in &service.ends {
                let (found, simulated) = (published(&end.events), simulated(&folder, &name, end));
                let simulated = if end.ending.is_cycle() { &simulated[..found.len()] } else { &simulated };
                assert_eq!(found, simulated, "{name}: {end:?}");
            }
        }
    }
}

/// The texts that the scenario of an end publishes.
fn simulated(folder: &Folder, name: &str, end: &ExploredEnd) -> Vec<String> {
    let scenario = format!("{name}/found.scenario.json");
    folder.write(&scenario, end.scenario.to_string());
    let report = folder.run(&["--simulate", "--format", "json", &scenario]).json();
    std::fs::remove_file(folder.file(&scenario)).unwrap();
    let texts = report["scenarios"][0]["statuses"].as_array().unwrap().iter();
    let mut texts: Vec<String> = texts.map(|status| without_ids(status["text"].as_str().unwrap())).collect();
    texts.dedup();
    texts
}

#[test]
fn statuses_name_the_ends_that_can_follow() {
    let folder = copy_of("examples");
    let project = explored(&folder, "sign-upload", Some(2000), 2);
    let [service] = project.explored.services.as_slice() else { panic!("one service") };
    for (index, end) in service.ends.iter().enumerate() {
        let activities: BTreeSet<_> = end
            .events
            .iter()
            .filter(|event| event.kind == RunEventKind::Published)
            .filter_map(|event| event.activity)
            .collect();
        for activity in activities {
            let status = service.published.iter().find(|status| status.activity == activity);
            assert!(
                status.is_some_and(|status| status.ends.contains(&index)),
                "{activity:?} before {index}: {status:?}"
            );
        }
    }
    assert!(service.published.iter().any(|status| status.ends.len() < service.ends.len()), "{:?}", service.published);
}

#[test]
fn nothing_is_embedded_unless_asked_for_and_threads_do_not_show() {
    let folder = copy_of("examples");
    let plain = explored(&folder, "sign-upload", None, 2);
    let service = &plain.explored.services[0];
    assert!(
        service.graph.is_none() && service.published.is_empty() && service.ends.iter().all(|end| end.events.is_empty())
    );
    let all = |jobs| {
        let project = explored(&folder, ".", Some(2000), jobs);
        let services = project.explored.services.iter();
        services.map(|service| shown(&project, service).to_string()).collect::<Vec<_>>()
    };
    assert_eq!(all(1), all(3));
    let few = explored(&folder, "sign-upload", Some(5), 2);
    let graph = few.explored.services[0].graph.as_ref().unwrap();
    assert!(!graph.complete && graph.states.len() == 5 && broken_references(graph).is_empty(), "{graph:?}");
}
