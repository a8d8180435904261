//! Single defects: each entry of `tests/defects/*.toml` changes one service of `tests/corpus/ok`,
//! and must give exactly the errors and warnings that it tells, each at its exact place.
//! `tests/defects/README.md` describes the entries.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that cannot go on fails"
)]

mod support;

#[path = "defects/change.rs"]
mod change;
#[path = "defects/entry.rs"]
mod entry;
#[path = "defects/path.rs"]
mod path;
#[path = "defects/text.rs"]
mod text;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use entry::{Defect, Expected, read_all};
use support::{file_of, lint_folder};
use wflint::diagnostic::{Diagnostic, Severity};
use wflint::lint::{self, Options, Outcome};
use wflint::project::{self, Project, Request};

#[test]
fn each_defect_gives_its_finding_and_no_other() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/defects");
    let defects = read_all(&data);
    let services = Services::read(&defects);
    let wrong = Mutex::new(BTreeMap::new());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some((index, defect)) = numbered(&defects, &next) {
                    if let Err(reason) = check(defect, &services) {
                        wrong.lock().unwrap().insert(index, format!("{}\n{reason}", defect.heading()));
                    }
                }
            });
        }
    });
    let wrong: Vec<String> = wrong.into_inner().unwrap().into_values().collect();
    assert!(wrong.is_empty(), "{} of {} entries:\n\n{}", wrong.len(), defects.len(), wrong.join("\n"));
}

fn numbered<'d>(defects: &'d [Defect], next: &AtomicUsize) -> Option<(usize, &'d Defect)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    defects.get(index).map(|defect| (index, defect))
}

/// The files of a service, by name.
type Files = BTreeMap<String, Vec<u8>>;

/// The services that the entries change, as they are without a defect.
struct Services {
    files: HashMap<String, Files>,
    /// What they give: infos, as code, file and pointer.
    infos: HashMap<String, Vec<(&'static str, String, String)>>,
}

impl Services {
    fn read(defects: &[Defect]) -> Self {
        let mut services = Self { files: HashMap::new(), infos: HashMap::new() };
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/ok");
        for name in defects.iter().map(|defect| &defect.service) {
            if services.files.contains_key(name) {
                continue;
            }
            let folder = corpus.join(name);
            let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{name}: {error}"));
            let files = entries.map(|entry| {
                let entry = entry.unwrap();
                (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())
            });
            services.files.insert(name.clone(), files.collect());
            let (project, outcome) = lint_folder(&folder);
            let infos = outcome.diagnostics.iter().map(|found| identity(&project, found));
            services.infos.insert(name.clone(), infos.collect());
        }
        services
    }
}

fn identity(project: &Project, found: &Diagnostic) -> (&'static str, String, String) {
    (found.code, file_of(project, found).to_owned(), found.location.pointer.clone())
}

fn check(defect: &Defect, services: &Services) -> Result<(), String> {
    let mut files = services.files[&defect.service].clone();
    defect.apply(&mut files)?;
    let (project, outcome) = lint_files(&files, defect.named.then_some(&defect.file));
    let known = &services.infos[&defect.service];
    let is_new = |found: &&Diagnostic| found.severity > Severity::Info || !known.contains(&identity(&project, found));
    let mut open: Vec<&Diagnostic> = outcome.diagnostics.iter().filter(is_new).collect();
    let mut wrong = Vec::new();
    for expected in &defect.expected {
        let file = expected.file.as_ref().unwrap_or(&defect.file);
        match take(expected, file, &files[file], &project, &mut open) {
            Ok(found) => wrong.extend(check_range(expected, found, &project)),
            Err(reason) => wrong.push(reason),
        }
    }
    let others = open.iter().filter(|found| found.severity > Severity::Info);
    wrong.extend(others.map(|found| format!("not expected: {}", describe(&project, found))));
    if wrong.is_empty() { Ok(()) } else { Err(format!("  {}\n", wrong.join("\n  "))) }
}

fn lint_files(files: &Files, named: Option<&String>) -> (Project, Outcome) {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    let Some(named) = named else { return lint_folder(folder.path()) };
    let current = folder.path().to_path_buf();
    let request = Request { current, paths: vec![named.into()], ..Request::default() };
    let project = project::load(&request).unwrap();
    let outcome = lint::lint(&project, &Options::default()).unwrap();
    (project, outcome)
}

/// Takes the expected finding out of the open ones; gives what is wrong with its range.
fn take(
    expected: &Expected,
    file: &str,
    bytes: &[u8],
    project: &Project,
    open: &mut Vec<&Diagnostic>,
) -> Result<Option<String>, String> {
    let text = String::from_utf8_lossy(bytes);
    let (pointer, usual) = expected.place_in(&text)?;
    let is_it = |found: &&Diagnostic| {
        (found.code, found.severity.word()) == (expected.code.as_str(), expected.severity.as_str())
            && file_of(project, found) == file
            && found.location.pointer == pointer
    };
    let Some(index) = open.iter().position(is_it) else {
        return Err(format!("not found: {} {} {file} {pointer}", expected.code, expected.severity));
    };
    let found = open.remove(index);
    let source = &project.file(found.location.file).unwrap().source;
    let range = found.location.span.range();
    let start = source.position(found.location.span.start);
    let Some(covered) = source.text.get(range.clone()) else {
        return Ok(Some(format!("the range {range:?} is none of {file}")));
    };
    let place = format!("{}:{}", start.line, start.column);
    let is_right = match (&expected.covers, &expected.place) {
        (None, None) => usual.is_none_or(|usual| usual == range),
        (covers, wanted) => {
            covers.as_ref().is_none_or(|covers| covers == covered) && wanted.as_ref().is_none_or(|it| *it == place)
        }
    };
    Ok((!is_right).then(|| format!("the finding is at {place}, {covered:?}: {}", describe(project, found))))
}

fn describe(project: &Project, found: &Diagnostic) -> String {
    let location = &found.location;
    let severity = found.severity.word();
    format!("{} {severity} {} {} ({})", found.code, file_of(project, found), location.pointer, found.message)
}

#[test]
fn a_wrong_entry_is_noticed() {
    let right = "title = 'x'\nfile = 'approval-trimmed/order.workflow.json'\n\
                 change = [{ at = '@Approve purchase/assignees', set = '[]' }]\n\
                 code = 'WF501'\nseverity = 'error'\nat = '@Approve purchase/assignees'\n";
    let reason = |text: &str| {
        let defect: Defect = toml::from_str(text).unwrap();
        let defects = [defect];
        check(&defects[0], &Services::read(&defects)).err().unwrap_or_default()
    };
    assert_eq!(reason(right), "");
    assert!(reason(&right.replace("'error'", "'warning'")).contains("not found: WF501 warning"));
    assert!(reason(&right.replace("'error'", "'warning'")).contains("not expected: WF501 error"));
    assert!(reason(&right.replace("'error'", "'error'\ncovers = '[]'")).contains("the finding is at 1:"));
    assert!(reason(&right.replace("set = '[]'", "replace = ['Parameter', 'Parameter']")).contains("not found"));
    assert!(reason(&right.replace("@Approve purchase/assignees', set", "@Nobody', set")).contains("`Nobody`"));
}
