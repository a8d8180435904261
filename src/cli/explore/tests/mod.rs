use std::io;
use std::path::Path;
use std::sync::Arc;

use clap::Parser;
use jiff::civil::date;
use serde_json::json;

use super::*;
use crate::cli::options::{Cli, Command};
use crate::cli::{Shows, Widths};
use crate::diagnostic::{FileId, Location};
use crate::explore::test_data::{choice, end, service};
use crate::explore::{
    BrokenLaw, ChoiceKind, Chooser, CoverRun, Cut, Ending, Explored, ExploredEnd, ExploredLaw, ExploredService,
};
use crate::model::ActivityId;
use crate::read::Unsaved;
use crate::simulate::Covered;
use crate::source::{SourceFile, Span};

const MARK: &str = "# Written by `wflint explore --write`.\n";

/// The result of a search, and what came of it.
struct Shown {
    code: u8,
    out: String,
    err: String,
}

fn found(explored: Explored, folder: &Path) -> ExploredProject {
    let names = ["sign/order.workflow.json", "sign/other.workflow.json"];
    let sources = (0..)
        .zip(names)
        .map(|(id, name)| (FileId(id), SourceFile::new(folder.join(name), name.to_owned(), "{}".into())));
    ExploredProject { explored, sources: sources.collect(), ..ExploredProject::default() }
}

fn one_end(ending: Ending, status: &str, to: &str) -> ExploredEnd {
    let signs = vec![choice("Request", "anna@example.com", Chooser::Signer, ChoiceKind::Sign)];
    let scenario = json!({ "workflow": "order.workflow.json", "expect": { "outcome": to } });
    ExploredEnd { scenario, ..end(ending, Some(status), signs) }
}

fn two_ends() -> ExploredService {
    ExploredService {
        ends: vec![
            one_end(Ending::Completed, "Done", "completed"),
            one_end(Ending::Terminated, "Document was rejected", "terminated"),
        ],
        ..service()
    }
}

fn law(name: &str, broken: Vec<BrokenLaw>) -> ExploredLaw {
    ExploredLaw {
        name: name.to_owned(),
        holds: Some(broken.is_empty()),
        broken,
        unlisted: BTreeMap::new(),
        is_met: true,
        declared: None,
        has_unknown_names: false,
    }
}

fn broken() -> BrokenLaw {
    BrokenLaw {
        workflow: FileId(0),
        location: Location { file: FileId(0), pointer: String::new(), span: Span::default() },
        message: "the order never ends".to_owned(),
        scenario: Some(json!({ "workflow": "order.workflow.json", "expect": { "outcome": "stuck" } })),
        timeline: Arc::default(),
        accepted: None,
    }
}

fn explored(service: ExploredService, laws: Vec<ExploredLaw>) -> Explored {
    Explored { services: vec![service], laws, unexplored: Vec::new(), warnings: Vec::new() }
}

fn options(args: &[&str]) -> ExploreOptions {
    let cli = Cli::try_parse_from([&["wflint", "explore"], args].concat()).unwrap();
    let Some(Command::Explore(options)) = cli.command else { panic!("another command") };
    options
}

fn in_world<T>(folder: &Path, run: impl FnOnce(&mut World<'_>) -> T) -> (T, String, String) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut world = World {
        current: folder.to_path_buf(),
        stdin: &mut io::empty(),
        stdout: &mut stdout,
        stderr: &mut stderr,
        stdout_shows: Shows::default(),
        stderr_has_color: false,
        widths: Widths::default(),
        stderr_is_terminal: false,
        program: "wflint".into(),
        today: date(2026, 6, 15),
        step_summary: None,
        unsaved: Unsaved::default(),
    };
    let done = run(&mut world);
    (done, String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

fn finished(explored: Explored, args: &[&str], folder: &Path) -> Shown {
    let options = options(args);
    let (done, out, err) = in_world(folder, |world| {
        let done = finish(found(explored, folder), &options, world);
        crate::cli::finish(done, world)
    });
    Shown { code: done.code(), out, err }
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn exit_code_says_whether_laws_hold_and_the_search_was_complete() {
    let folder = tempfile::tempdir().unwrap();
    let code = |explored| finished(explored, &[], folder.path()).code;
    assert_eq!(code(explored(two_ends(), vec![law("ends", Vec::new())])), 0);
    assert_eq!(code(explored(two_ends(), vec![law("ends", vec![broken()])])), 1);
    let accepted = BrokenLaw { accepted: Some("known".to_owned()), ..broken() };
    assert_eq!(code(explored(two_ends(), vec![law("ends", vec![accepted])])), 0);
    let cut_off = ExploredService { cut: Some(Cut::MaxStates), ..two_ends() };
    assert_eq!(code(explored(cut_off.clone(), Vec::new())), 2);
    assert_eq!(code(explored(cut_off, vec![law("ends", vec![broken()])])), 2);
    let mut unexplored = explored(two_ends(), Vec::new());
    unexplored.unexplored.push((FileId(1), "no value for field `Iban`".to_owned()));
    let shown = finished(unexplored, &["--format", "json"], folder.path());
    assert_eq!(shown.code, 2);
    assert_eq!(shown.err, "wflint: cannot explore sign/other.workflow.json: no value for field `Iban`\n");
    let shown = finished(Explored::default(), &[], folder.path());
    assert_eq!((shown.code, shown.err.as_str()), (2, "wflint: nothing to explore: no workflow found\n"));
}

#[test]
fn reports_go_where_the_options_say() {
    let folder = tempfile::tempdir().unwrap();
    let laws = || vec![law("ends", Vec::new())];
    let human = finished(explored(two_ends(), laws()), &[], folder.path());
    assert!(human.out.starts_with("sign/order.workflow.json: 2 ends, explored completely (41 states)\n"));
    let args = ["--output", "report.txt", "--output", "json:report.json"];
    let shown = finished(explored(two_ends(), laws()), &args, folder.path());
    assert_eq!(shown.out, "Explored 1 service: 2 ends, 1 law holds.\n");
    assert_eq!(read(folder.path(), "report.txt"), human.out);
    let json = finished(explored(two_ends(), laws()), &["--format", "json"], folder.path());
    assert_eq!(read(folder.path(), "report.json"), json.out);
    let quiet = finished(explored(two_ends(), laws()), &["--quiet"], folder.path());
    assert_eq!((quiet.out.as_str(), quiet.err.as_str()), ("", ""));
}

#[test]
fn a_scenario_is_written_for_each_end() {
    let folder = tempfile::tempdir().unwrap();
    let write = |explored: Explored, args: &[&str]| finished(explored, args, folder.path());
    let shown = write(explored(two_ends(), Vec::new()), &["--write", "tests/explored"]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    assert_eq!(shown.err, "Wrote 2 scenarios to tests/explored; run them with `wflint --simulate tests/explored`.\n");
    let written = folder.path().join("tests/explored");
    assert_eq!(names(&written), ["completed-done.scenario.yaml", "terminated-document-was-rejected.scenario.yaml"]);
    let expected = "# terminated: the signer signs\nworkflow: \"../../sign/order.workflow.json\"\nexpect:\n  outcome: terminated\n";
    assert_eq!(read(&written, "terminated-document-was-rejected.scenario.yaml"), MARK.to_owned() + expected);
    // Its own files are overwritten.
    std::fs::write(written.join("completed-done.scenario.yaml"), MARK.to_owned() + "old").unwrap();
    assert_eq!(write(explored(two_ends(), Vec::new()), &["--write", "tests/explored", "-q"]).err, "");
    assert!(!read(&written, "completed-done.scenario.yaml").contains("old"));
    // The run that breaks a law, when it is asked for.
    let laws = vec![law("it's told", vec![broken()])];
    write(explored(two_ends(), laws), &["--write", "tests/explored", "--law", "it's told"]);
    assert!(read(&written, "broken-it-s-told.scenario.yaml").contains("outcome: stuck"));
}

#[test]
fn a_file_of_somebody_else_is_never_overwritten() {
    for text in ["", "name: mine\n", " # Written by `wflint explore --write`.\n"] {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("terminated-document-was-rejected.scenario.yaml");
        std::fs::write(&own, text).unwrap();
        let shown = finished(explored(two_ends(), vec![law("ends", vec![broken()])]), &["--write", "."], folder.path());
        assert_eq!(shown.code, 2);
        assert!(shown.err.contains("did not write the file that is there; no scenario was written"), "{}", shown.err);
        assert!(shown.out.contains("broken: ends"), "{}", shown.out);
        assert_eq!(names(folder.path()), ["terminated-document-was-rejected.scenario.yaml"]);
        assert_eq!(std::fs::read_to_string(own).unwrap(), text);
    }
}

#[test]
fn a_folder_or_report_in_the_way_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    for name in ["file", "file/below"] {
        let (done, ..) = in_world(folder.path(), |world| check_folder(Some(Path::new(name)), world));
        assert!(done.is_err());
    }
    std::fs::create_dir(folder.path().join("completed-done.scenario.yaml")).unwrap();
    let shown = finished(explored(two_ends(), Vec::new()), &["--write", "."], folder.path());
    assert_eq!(shown.code, 2, "{}", shown.err);
    let folder = tempfile::tempdir().unwrap();
    let args = ["--write", ".", "--output", "json:completed-done.scenario.yaml"];
    let shown = finished(explored(two_ends(), Vec::new()), &args, folder.path());
    assert!(shown.code == 2 && shown.err.contains("it is a report of this run as well"), "{}", shown.err);
}

#[test]
fn as_few_scenarios_as_cover_everything() {
    let folder = tempfile::tempdir().unwrap();
    let run = |status: &str, reaches: &[u32]| CoverRun {
        end: one_end(Ending::Completed, status, status),
        reaches: reaches.iter().map(|id| Covered::Activity(ActivityId(*id))).collect(),
    };
    let candidates = vec![run("a", &[1, 2, 3]), run("b", &[2, 3, 4, 5]), run("c", &[4, 5, 6])];
    let service = ExploredService { candidates, ..two_ends() };
    let shown = finished(explored(service, Vec::new()), &["--write", ".", "--cover"], folder.path());
    assert_eq!(shown.code, 0, "{}", shown.err);
    assert_eq!(names(folder.path()), ["completed-a.scenario.yaml", "completed-c.scenario.yaml"]);
}

#[test]
fn values_of_masked_variables_are_not_in_names_of_files() {
    let folder = tempfile::tempdir().unwrap();
    let masks = [(crate::redaction::Mask::new(0, 0), "19900101-2385".into())];
    let mut service = two_ends();
    service.masker = Arc::new(crate::redaction::Masker::new(&masks));
    service.ends = vec![one_end(Ending::Completed, "Sent to 19900101-2385", "completed")];
    finished(explored(service, Vec::new()), &["--write", "."], folder.path());
    assert_eq!(names(folder.path()), ["completed-sent-to.scenario.yaml"]);
}

#[test]
fn options_are_checked_first() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |args: &[&str]| {
        let options = options(args);
        let (done, _, err) = in_world(folder.path(), |world| {
            let done = run(&options, world);
            crate::cli::finish(done, world)
        });
        assert_eq!(done.code(), 2);
        err
    };
    assert!(refused(&["--output", "azure:x"]).contains("`wflint explore` supports the formats `human`, `concise`"));
    assert!(refused(&["-"]).contains("not standard input"));
    assert!(Cli::try_parse_from(["wflint", "explore", "--format", "sarif"]).is_err());
    assert!(Cli::try_parse_from(["wflint", "explore", "--cover"]).is_err());
    assert!(Cli::try_parse_from(["wflint", "explore", "--max-states", "0"]).is_err());
}
