//! The capabilities of a client, from `initialize`. A part that does not follow the protocol counts as missing.

use std::path::PathBuf;

use serde_json::Value;

use super::document_uri::DocumentUri;
use super::position::Encoding;

/// The capabilities and the folders of the client.
#[derive(Debug, Clone, Default)]
pub struct Client {
    pub encoding: Encoding,
    /// Whether it asks for diagnostics, and asks again when the server says so.
    pub pulls: bool,
    /// Whether it watches files for the server.
    pub watches: bool,
    /// Whether it answers `workspace/configuration`.
    pub has_configuration: bool,
    /// Whether edits may create files.
    pub creates_files: bool,
    /// Whether edits may have the versions of documents.
    pub has_document_changes: bool,
    /// Whether completions may replace more than a word, such as a quote, and text behind the cursor.
    pub replaces_ranges: bool,
    /// Whether it opens uris for the server.
    pub shows_documents: bool,
    /// Whether it asks for inlay hints again when the server says so.
    pub refreshes_hints: bool,
    /// Whether it asks for code lenses again when the server says so.
    pub refreshes_lenses: bool,
    /// Whether it wants to know when there is another drawing of a workflow.
    pub draws: bool,
    /// The folders of the workspace, absolute.
    pub folders: Vec<PathBuf>,
    /// The process of the client, with which the server ends.
    pub process: Option<i32>,
}

impl Client {
    pub fn new(params: &Value) -> Self {
        let is = |pointer: &str| params.pointer(pointer) == Some(&Value::Bool(true));
        let has = |pointer: &str| params.pointer(pointer).is_some_and(Value::is_object);
        let lists = |pointer: &str, wanted: &str| {
            let list = params.pointer(pointer).and_then(Value::as_array);
            list.is_some_and(|list| list.iter().any(|value| value == wanted))
        };
        let encodings = "/capabilities/general/positionEncodings";
        let operations = "/capabilities/workspace/workspaceEdit/resourceOperations";
        let has_document_changes = is("/capabilities/workspace/workspaceEdit/documentChanges");
        Self {
            encoding: if lists(encodings, "utf-8") { Encoding::Utf8 } else { Encoding::Utf16 },
            pulls: has("/capabilities/textDocument/diagnostic")
                && is("/capabilities/workspace/diagnostics/refreshSupport"),
            watches: is("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration"),
            has_configuration: is("/capabilities/workspace/configuration"),
            creates_files: has_document_changes && lists(operations, "create"),
            has_document_changes,
            replaces_ranges: is("/capabilities/textDocument/completion/completionItem/insertReplaceSupport"),
            shows_documents: is("/capabilities/window/showDocument/support"),
            refreshes_hints: is("/capabilities/workspace/inlayHint/refreshSupport"),
            refreshes_lenses: is("/capabilities/workspace/codeLens/refreshSupport"),
            draws: is("/capabilities/experimental/wflintDrawing"),
            folders: folders(params),
            process: params.get("processId").and_then(Value::as_i64).and_then(|id| i32::try_from(id).ok()),
        }
    }
}

/// The folders of a list of workspace folders.
pub fn folders_of(list: &Value) -> Vec<PathBuf> {
    let uris = list.as_array().into_iter().flatten().filter_map(|folder| folder.get("uri")?.as_str());
    uris.filter_map(|uri| DocumentUri::of(uri).path().map(PathBuf::from)).collect()
}

fn folders(params: &Value) -> Vec<PathBuf> {
    let folders = params.get("workspaceFolders").map(folders_of).unwrap_or_default();
    if !folders.is_empty() {
        return folders;
    }
    let uri = params.get("rootUri").and_then(Value::as_str);
    let path = uri.and_then(|uri| DocumentUri::of(uri).path().map(PathBuf::from));
    let path = path.or_else(|| params.get("rootPath").and_then(Value::as_str).map(PathBuf::from));
    path.filter(|path| path.is_absolute()).into_iter().collect()
}
