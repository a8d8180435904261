//! What the server can do.

use gen_lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProvider, CodeLensOptions, CompletionOptions, DiagnosticOptions,
    DiagnosticProvider, ExecuteCommandOptions, InitializeResult, RenameOptions, RenameProvider, Save,
    ServerCapabilities, ServerInfo, TextDocumentSync, TextDocumentSyncKind, TextDocumentSyncOptions,
    WorkspaceFoldersServerCapabilities, WorkspaceOptions,
};
use serde_json::json;

use super::client::Client;
use super::features::code_actions::FIX_ALL;
use super::features::commands::{EXPLAIN, EXPLORE, RUN};

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
        code_action_provider: Some(CodeActionProvider::CodeActionOptions(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QuickFix, FIX_ALL.to_owned().into()]),
            ..CodeActionOptions::default()
        })),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: [EXPLAIN, RUN, EXPLORE].map(str::to_owned).to_vec(),
            ..ExecuteCommandOptions::default()
        }),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(vec!["\"".to_owned(), "{".to_owned()]),
            ..CompletionOptions::default()
        }),
        code_lens_provider: Some(CodeLensOptions::default()),
        inlay_hint_provider: Some(true.into()),
        hover_provider: Some(true.into()),
        definition_provider: Some(true.into()),
        references_provider: Some(true.into()),
        document_highlight_provider: Some(true.into()),
        rename_provider: Some(RenameProvider::RenameOptions(RenameOptions {
            prepare_provider: Some(true),
            ..RenameOptions::default()
        })),
        document_symbol_provider: Some(true.into()),
        workspace_symbol_provider: Some(true.into()),
        folding_range_provider: Some(true.into()),
        selection_range_provider: Some(true.into()),
        document_formatting_provider: Some(true.into()),
        workspace: Some(WorkspaceOptions { workspace_folders: Some(folders), ..WorkspaceOptions::default() }),
        experimental: Some(json!({ "wflintDrawing": true })),
        ..ServerCapabilities::default()
    };
    let info = ServerInfo { name: "wflint".to_owned(), version: Some(env!("CARGO_PKG_VERSION").to_owned()) };
    InitializeResult { capabilities, server_info: Some(info) }
}
