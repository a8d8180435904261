//! `wflint.run` and `wflint.explore`: runs of what is being typed.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::lsp::address::Address;
use crate::lsp::load::Scope;
use crate::lsp::message::Failure;
use crate::lsp::run::Order;
use crate::lsp::service_scenarios;
use crate::lsp::state::Server;
use crate::project::{clean_path, is_json};
use crate::schema::DocumentKind;
use crate::simulate::is_scenario;

/// Runs a scenario, or all scenarios of a workflow. The result is the report, as in a pipe.
pub const RUN: &str = "wflint.run";

/// Explores a service. The result is the report, as in a pipe.
pub const EXPLORE: &str = "wflint.explore";

/// Starts a run; it is answered when it has ended.
///
/// # Errors
/// Invalid arguments, a document that cannot be run, or too many runs.
pub fn start(server: &mut Server, id: &Value, command: &str, arguments: &[Value]) -> Result<(), Failure> {
    let Arguments { address, shows_message } = Arguments::read(arguments)?;
    let path = match &address {
        Address::File(path) => path,
        Address::Other(_) => return Err(Failure::refused("expected a file: save the document first")),
    };
    let paths = if command == RUN { runnable(server, &address, path)? } else { explorable(server, &address, path)? };
    let folder = folder(server, &address, path);
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
    server.runs.start(Order { id: id.clone(), folder, arguments: line, unsaved, runs_scripts, shows_message })
}

struct Arguments {
    address: Address,
    /// Whether the summary is shown as a message.
    shows_message: bool,
}

impl Arguments {
    /// The URI of a document, and options if there are any.
    fn read(arguments: &[Value]) -> Result<Self, Failure> {
        let (uri, options) = match arguments {
            [Value::String(uri)] => (uri, None),
            [Value::String(uri), Value::Object(options)] => (uri, options.get("showMessage")),
            _ => return Err(Failure::params("expected the URI of a document, and options as an object")),
        };
        let shows_message = match options {
            None => true,
            Some(Value::Bool(shows_message)) => *shows_message,
            Some(_) => return Err(Failure::params("expected a boolean in `showMessage`")),
        };
        let has_scheme = uri.split_once(':').is_some_and(|(scheme, _)| {
            let is_of_scheme = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
            scheme.len() > 1 && scheme.bytes().all(is_of_scheme)
        });
        if !has_scheme {
            return Err(Failure::params("expected the URI of a document"));
        }
        let address = Address::of(uri);
        let is_file = |uri: &str| uri.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:"));
        if is_file(uri) && address.path().is_none() {
            return Err(Failure::params("expected the URI of a file on this machine"));
        }
        Ok(Self { address, shows_message })
    }
}

/// A scenario, or those of a workflow.
fn runnable(server: &Server, address: &Address, path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if is_scenario(path) {
        return Ok(vec![path.to_path_buf()]);
    }
    if service_scenarios::kind_of(server, address) != Some(DocumentKind::Workflow) {
        return Err(Failure::params("expected the URI of a workflow or a scenario"));
    }
    let scenarios = service_scenarios::of_workflow(server, address);
    if scenarios.is_empty() {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        return Err(Failure::refused(format!("no scenario of {name} found")));
    }
    Ok(scenarios)
}

/// A workflow, or a form of one.
fn explorable(server: &Server, address: &Address, path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let kind = service_scenarios::kind_of(server, address).filter(|_| is_json(path) && !is_scenario(path));
    match kind {
        Some(DocumentKind::Workflow | DocumentKind::Form) => Ok(vec![path.to_path_buf()]),
        Some(DocumentKind::SigningCase) | None => Err(Failure::params("expected the URI of a workflow or a form")),
    }
}

/// The current folder: that of the workspace, or that of the document.
fn folder(server: &Server, address: &Address, path: &Path) -> PathBuf {
    let root = server.root_index(address).and_then(|index| server.roots.get(index));
    match root.map(|root| &root.scope) {
        Some(Scope::Folder(folder) | Scope::Loose(folder)) => folder.clone(),
        Some(Scope::Unnamed(_)) | None => path.parent().unwrap_or(path).to_path_buf(),
    }
}

fn text(path: &Path) -> Result<String, Failure> {
    path.to_str().map(str::to_owned).ok_or_else(|| Failure::refused("expected a path in Unicode"))
}
