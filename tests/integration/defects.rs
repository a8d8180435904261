//! Single defects: each entry of `tests/defects/*.toml` changes one service of `tests/corpus/ok`,
//! and must cause exactly the errors and warnings that it lists, each at its exact place.
//! `tests/defects/README.md` describes the entries.

mod change;
mod entry;
mod path;
mod text;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use self::entry::{Defect, Expected, read_all};
use crate::support::fixing::Texts;
use crate::support::{file_of, lint_folder, lint_paths, source_of};
use wflint::lint::Outcome;
use wflint::text::diagnostic::{Diagnostic, Severity};

#[test]
fn each_defect_reports_exactly_its_finding() {
    let defects = read_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/defects"));
    let services = read_services(&defects);
    let wrong = Mutex::new(BTreeMap::new());
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(defect) = defects.get(index) else { break };
            if let Err(reasons) = check(defect, &services[&defect.service]) {
                let report = format!("{}\n  {}\n", defect.heading(), reasons.join("\n  "));
                wrong.lock().unwrap().insert(index, report);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(work);
        }
    });
    let wrong: Vec<String> = wrong.into_inner().unwrap().into_values().collect();
    assert!(wrong.is_empty(), "{} of {} entries:\n\n{}", wrong.len(), defects.len(), wrong.join("\n"));
}

/// The files of a service, by name.
type Files = BTreeMap<String, Vec<u8>>;

/// A service without a defect.
struct Service {
    files: Files,
    /// The infos that it has.
    infos: Vec<Identity>,
}

/// What distinguishes a finding.
#[derive(PartialEq)]
struct Identity {
    code: &'static str,
    file: String,
    pointer: String,
}

fn identity(outcome: &Outcome, found: &Diagnostic) -> Identity {
    let file = file_of(outcome, found).to_owned();
    Identity { code: found.code, file, pointer: found.location.pointer.clone() }
}

/// The services that the entries change, by name.
fn read_services(defects: &[Defect]) -> HashMap<String, Service> {
    let mut services = HashMap::new();
    for name in defects.iter().map(|defect| &defect.service) {
        services.entry(name.clone()).or_insert_with(|| {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/ok").join(name);
            let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{name}: {error}"));
            let files = entries.map(|entry| {
                let entry = entry.unwrap();
                (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())
            });
            let outcome = lint_folder(&folder);
            let infos = outcome.diagnostics.iter().map(|found| identity(&outcome, found));
            Service { files: files.collect(), infos: infos.collect() }
        });
    }
    services
}

/// A service with one defect.
pub struct Broken {
    pub heading: String,
    pub texts: Texts,
    /// The rule that reports it.
    pub code: String,
}

/// The services with the entries' defects that are a whole folder of texts.
pub fn broken_services() -> Vec<Broken> {
    let defects = read_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/defects"));
    let services = read_services(&defects);
    let broken = |defect: &Defect| {
        let mut files = services[&defect.service].files.clone();
        defect.apply(&mut files).ok().filter(|()| !defect.named)?;
        let texts = files.into_iter().map(|(name, bytes)| Some((name, String::from_utf8(bytes).ok()?)));
        let texts: Texts = texts.collect::<Option<_>>()?;
        let is_document = texts.keys().all(|name| Path::new(name).extension().is_some_and(|it| it == "json"));
        let code = defect.expected.first()?.code.clone();
        is_document.then(|| Broken { heading: defect.heading(), texts, code })
    };
    defects.iter().filter_map(broken).collect()
}

/// Applies the defect and compares the findings; returns the differences, one a line.
fn check(defect: &Defect, service: &Service) -> Result<(), Vec<String>> {
    let mut files = service.files.clone();
    defect.apply(&mut files).map_err(|reason| vec![reason])?;
    let outcome = lint_files(&files, defect.named.then_some(&defect.file));
    let is_new = |found: &&Diagnostic| !service.infos.contains(&identity(&outcome, found));
    let mut open: Vec<&Diagnostic> = outcome
        .diagnostics
        .iter()
        .map(Box::as_ref)
        .filter(|found| found.severity > Severity::Info || is_new(found))
        .collect();
    let mut wrong = Vec::new();
    for expected in &defect.expected {
        let file = expected.file.as_ref().unwrap_or(&defect.file);
        let text = String::from_utf8_lossy(&files[file]);
        let result = expected.place_in(&text).and_then(|(pointer, usual)| {
            let found = take(expected, file, &pointer, &outcome, &mut open)?;
            check_range(expected, usual, found, &outcome)
        });
        wrong.extend(result.err());
    }
    let others = open.iter().filter(|found| found.severity > Severity::Info);
    wrong.extend(others.map(|found| format!("not expected: {}", describe(&outcome, found))));
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

fn lint_files(files: &Files, named: Option<&String>) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    match named {
        Some(named) => lint_paths(folder.path(), vec![named.into()]),
        None => lint_folder(folder.path()),
    }
}

/// Removes the expected finding from the open ones.
fn take<'f>(
    expected: &Expected,
    file: &str,
    pointer: &str,
    outcome: &Outcome,
    open: &mut Vec<&'f Diagnostic>,
) -> Result<&'f Diagnostic, String> {
    let is_it = |found: &&Diagnostic| {
        found.code == expected.code
            && found.severity.word() == expected.severity
            && file_of(outcome, found) == file
            && found.location.pointer == pointer
    };
    let index = open.iter().position(is_it);
    let missing = || format!("not found: {} {} {file} {pointer}", expected.code, expected.severity);
    index.map(|index| open.remove(index)).ok_or_else(missing)
}

/// The range is the one that the entry gives, or the usual one.
fn check_range(
    expected: &Expected,
    usual: Option<std::ops::Range<usize>>,
    found: &Diagnostic,
    outcome: &Outcome,
) -> Result<(), String> {
    let source = source_of(outcome, found);
    let range = found.location.span.range();
    let covered = source.text.get(range.clone()).ok_or_else(|| format!("the file has no range {range:?}"))?;
    let start = source.position(found.location.span.start);
    let place = format!("{}:{}", start.line, start.column);
    let is_right = if expected.covers.is_none() && expected.place.is_none() {
        usual.is_none_or(|usual| usual == range)
    } else {
        expected.covers.as_ref().is_none_or(|wanted| wanted == covered)
            && expected.place.as_ref().is_none_or(|wanted| *wanted == place)
    };
    if is_right { Ok(()) } else { Err(format!("at {place}, {covered:?}: {}", describe(outcome, found))) }
}

fn describe(outcome: &Outcome, found: &Diagnostic) -> String {
    let location = &found.location;
    let severity = found.severity.word();
    format!("{} {severity} {} {} ({})", found.code, file_of(outcome, found), location.pointer, found.message)
}

#[test]
fn wrong_entry_fails_the_check() {
    let right = "title = 'x'\nfile = 'approval-trimmed/order.workflow.json'\n\
                 change = [{ at = '@Approve purchase/assignees', set = '[]' }]\n\
                 code = 'WF501'\nseverity = 'error'\nat = '@Approve purchase/assignees'\n";
    let reasons = |old: &str, new: &str| {
        let defects = [toml::from_str::<Defect>(&right.replace(old, new)).unwrap()];
        check(&defects[0], &read_services(&defects)[&defects[0].service]).err().unwrap_or_default().join("\n")
    };
    assert_eq!(reasons("", ""), "");
    assert!(reasons("'error'", "'warning'").contains("not found: WF501 warning"));
    assert!(reasons("'error'", "'warning'").contains("not expected: WF501 error"));
    assert!(reasons("'error'", "'error'\ncovers = '[]'").starts_with("at 1:"));
    assert!(reasons("set = '[]'", "set = '[ ]'").is_empty());
    assert!(reasons("set = '[]'", "rename = 'asignees'").contains("leads to 0 places"));
    assert!(reasons("@Approve purchase/assignees', set", "@Nobody', set").contains("are named `Nobody`"));
}
