//! What the server can do.

use gen_lsp_types::{
    DiagnosticOptions, DiagnosticProvider, InitializeResult, Save, ServerCapabilities, ServerInfo, TextDocumentSync,
    TextDocumentSyncKind, TextDocumentSyncOptions, WorkspaceFoldersServerCapabilities, WorkspaceOptions,
};

use super::client::Client;

pub fn initialize_result(client: &Client) -> InitializeResult {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::Incremental),
        save: None::<Save>,
        ..TextDocumentSyncOptions::default()
    };
    let diagnostics = DiagnosticOptions {
        identifier: Some(super::convert::SOURCE.to_owned()),
        inter_file_dependencies: true,
        workspace_diagnostics: true,
        ..DiagnosticOptions::default()
    };
    let folders = WorkspaceFoldersServerCapabilities { supported: Some(true), change_notifications: Some(true.into()) };
    let capabilities = ServerCapabilities {
        position_encoding: Some(client.encoding.kind()),
        text_document_sync: Some(TextDocumentSync::Options(sync)),
        diagnostic_provider: client.pulls.then_some(DiagnosticProvider::DiagnosticOptions(diagnostics)),
        document_formatting_provider: Some(true.into()),
        workspace: Some(WorkspaceOptions { workspace_folders: Some(folders), ..WorkspaceOptions::default() }),
        ..ServerCapabilities::default()
    };
    let info = ServerInfo { name: "wflint".to_owned(), version: Some(env!("CARGO_PKG_VERSION").to_owned()) };
    InitializeResult { capabilities, server_info: Some(info) }
}
