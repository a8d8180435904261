//! Commands and code lenses: runs of scenarios, searches, and the pages of rules.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use gen_lsp_types::{
    CodeLensParams, ExecuteCommandParams, MessageType, Position, Range, ShowDocumentParams, ShowDocumentRequest,
    ShowMessageNotification, ShowMessageParams,
};
use lsp_server::RequestId;
use serde_json::{Value, json};

use crate::lsp::connection::Failure;
use crate::lsp::convert::page_uri;
use crate::lsp::document_uri::DocumentUri;
use crate::lsp::load::Scope;
use crate::lsp::run::{Order, Report, Wanted, Work};
use crate::lsp::state::Server;
use crate::project::{clean_path, document_kind, is_json};
use crate::rules::{Rule, page_of};
use crate::schema::DocumentKind;
use crate::simulate::is_scenario;
use crate::text::count;

/// Shows the page of a rule: its address, or what it reports.
pub const EXPLAIN: &str = "wflint.explain";

/// Executes a command. The result of a run comes later.
pub fn execute(server: &mut Server, id: &RequestId, params: &ExecuteCommandParams) -> Result<Option<Value>, Failure> {
    let arguments = params.arguments.as_deref().unwrap_or_default();
    match params.command.as_str() {
        EXPLAIN => explain(server, arguments).map(Some),
        command @ (RUN | EXPLORE) => start_run(server, id, command, arguments).map(|()| None),
        command => Err(Failure::params(format!("unknown command `{command}`"))),
    }
}

/// Answers a command whose run has ended.
pub fn finish(server: &mut Server, id: &RequestId, Report { result, summary }: Report) {
    server.outbox.respond(id, result.map(Value::from));
    if let Some((message, is_well)) = summary {
        let kind = if is_well { MessageType::Info } else { MessageType::Warning };
        server.outbox.notify::<ShowMessageNotification>(&ShowMessageParams { kind, message });
    }
}

/// Returns the page of a rule, and shows it.
fn explain(server: &mut Server, arguments: &[Value]) -> Result<Value, Failure> {
    let argument = arguments.first().and_then(Value::as_str);
    let rule = argument.and_then(|word| server.rules().find(|rule| [rule.code, rule.name].contains(&word)));
    let rule = rule.ok_or_else(|| Failure::params("expected the code of a rule"))?;
    show(server, rule);
    Ok(page_of(rule).into())
}

fn show(server: &mut Server, rule: &Rule) {
    let address = page_uri(rule);
    if let Some(address) = address.clone().filter(|_| server.client.shows_documents) {
        let params = ShowDocumentParams {
            uri: address.into(),
            external: Some(!rule.is_own()),
            take_focus: None,
            selection: None,
        };
        server.outbox.request::<ShowDocumentRequest>(&params);
        return;
    }
    let page = page_of(rule);
    let first = page.split("\n\n").nth(1).unwrap_or_default().replace('\n', " ");
    let address = address.map_or_else(String::new, |address| format!("\n{address}"));
    let message = format!("{} {}: {first}{address}", rule.code, rule.name);
    server.outbox.notify::<ShowMessageNotification>(&ShowMessageParams { kind: MessageType::Info, message });
}

/// Runs a scenario, or all scenarios of a workflow. The result is the report, as in a pipe.
pub const RUN: &str = "wflint.run";

/// Explores a service. The result is the report, as in a pipe.
pub const EXPLORE: &str = "wflint.explore";

/// Starts a run; it is answered when it has ended.
///
/// # Errors
/// Invalid arguments, a document that cannot be run, or too many runs.
fn start_run(server: &mut Server, id: &RequestId, command: &str, arguments: &[Value]) -> Result<(), Failure> {
    let (path, shows_message) = read(arguments)?;
    let uri = DocumentUri::File(path.clone());
    let paths = if command == RUN { runnable(server, &uri, &path)? } else { explorable(server, &uri, &path)? };
    let folder = folder(server, &uri, &path);
    let mut line = vec![if command == RUN { "--simulate" } else { "explore" }.to_owned()];
    // What is shown does not depend on it; the server needs a processor, too.
    let jobs = std::thread::available_parallelism().map_or(1, |processors| processors.get().div_ceil(2));
    line.extend(["--color", "never", "--jobs"].map(str::to_owned));
    line.push(jobs.to_string());
    if let Some(config) = &server.settings.configuration {
        line.extend(["--config".to_owned(), text(&clean_path(config, &folder).0)?]);
    }
    line.push("--".to_owned());
    for path in paths {
        line.push(text(&path)?);
    }
    let (unsaved, runs_scripts) = (server.documents.unsaved(), server.settings.run_scripts);
    let (work, wanted) = (Work::Command(line), Wanted::Report { shows_message });
    server.runs.start(Order { id: id.clone(), folder, work, unsaved, runs_scripts, wanted })
}

/// The file that a command is about, and whether the summary is shown as a message: the URI of a document, and options if
/// there are any.
fn read(arguments: &[Value]) -> Result<(PathBuf, bool), Failure> {
    let (written, shows_message) = match arguments {
        [Value::String(written)] => (written, None),
        [Value::String(written), Value::Object(options)] => (written, options.get("showMessage")),
        _ => return Err(Failure::params("expected the URI of a document, and options as an object")),
    };
    let shows_message = shows_message.map_or(Some(true), Value::as_bool);
    let shows_message = shows_message.ok_or_else(|| Failure::params("expected a boolean in `showMessage`"))?;
    match DocumentUri::of(written) {
        DocumentUri::File(path) => Ok((path, shows_message)),
        DocumentUri::Other(_) if written.starts_with("untitled:") => {
            Err(Failure::refused("expected a file: save the document first"))
        }
        DocumentUri::Other(_) => Err(Failure::params("expected the URI of a file on this machine")),
    }
}

/// A scenario, or those of a workflow.
fn runnable(server: &Server, uri: &DocumentUri, path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if is_scenario(path) {
        return Ok(vec![path.to_path_buf()]);
    }
    if kind_of(server, uri) != Some(DocumentKind::Workflow) {
        return Err(Failure::params("expected the URI of a workflow or a scenario"));
    }
    let scenarios = scenarios_of(server, uri);
    if scenarios.is_empty() {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        return Err(Failure::refused(format!("no scenario of {name} found")));
    }
    Ok(scenarios)
}

/// A workflow, or a form of one.
fn explorable(server: &Server, uri: &DocumentUri, path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let kind = kind_of(server, uri).filter(|_| is_json(path) && !is_scenario(path));
    match kind {
        Some(DocumentKind::Workflow | DocumentKind::Form) => Ok(vec![path.to_path_buf()]),
        Some(DocumentKind::SigningCase) | None => Err(Failure::params("expected the URI of a workflow or a form")),
    }
}

/// The current folder: that of the workspace, or that of the document.
pub fn folder(server: &Server, uri: &DocumentUri, path: &Path) -> PathBuf {
    let root = server.root_index(uri).and_then(|index| server.roots.get(index));
    match root.map(|root| &root.scope) {
        Some(Scope::Folder(folder) | Scope::Loose(folder)) => folder.clone(),
        Some(Scope::Unnamed(_)) | None => path.parent().unwrap_or(path).to_path_buf(),
    }
}

pub fn text(path: &Path) -> Result<String, Failure> {
    path.to_str().map(str::to_owned).ok_or_else(|| Failure::refused("expected a path in Unicode"))
}

/// They are above the first line: what they are about is the whole document.
pub fn code_lenses(server: &Server, params: &CodeLensParams) -> Vec<Value> {
    let written = &params.text_document.uri.0;
    let uri = DocumentUri::of(written);
    let Some(path) = uri.path() else { return Vec::new() };
    let lens = |title: &str, command: &str| {
        let start = Position { line: 0, character: 0 };
        let command = json!({ "title": title, "command": command, "arguments": [written] });
        json!({ "range": Range { start, end: start }, "command": command })
    };
    if is_scenario(path) && server.documents.get(&uri).is_some() {
        return vec![lens("run", RUN)];
    }
    if kind_of(server, &uri) != Some(DocumentKind::Workflow) {
        return Vec::new();
    }
    let scenarios = scenarios_of(server, &uri).len();
    let run = (scenarios > 0).then(|| lens(&format!("run {}", count(scenarios, "scenario")), RUN));
    run.into_iter().chain([lens("explore", EXPLORE)]).collect()
}

/// The kind of a document, or of its last valid version if it is invalid.
pub fn kind_of(server: &Server, uri: &DocumentUri) -> Option<DocumentKind> {
    let now = || server.read_file(uri)?.document().map(|(kind, _)| kind);
    let document = server.documents.get(uri);
    let outside = || match document {
        Some(document) => document_kind(&document.text),
        None => document_kind(&server.documents.unsaved().read(uri.path()?).ok()?),
    };
    let before = || document_kind(document?.last_valid.as_deref()?);
    now().or_else(outside).or_else(before)
}

/// The scenarios of a workflow that exist or are open, sorted.
pub fn scenarios_of(server: &Server, uri: &DocumentUri) -> Vec<PathBuf> {
    let Some(workflow) = uri.path() else { return Vec::new() };
    let root = server.root_index(uri).and_then(|index| server.roots.get(index));
    let saved = root.and_then(|root| root.loaded.as_ref()).into_iter().flat_map(|loaded| &loaded.scenarios);
    let open = server.scenarios.keys().filter_map(DocumentUri::path);
    let mut paths: BTreeSet<&Path> = saved.map(PathBuf::as_path).chain(open).collect();
    paths.retain(|path| server.scenario_workflows.of(path, &server.documents).is_some_and(|about| about == workflow));
    paths.into_iter().map(Path::to_path_buf).collect()
}
