//! `workspace/executeCommand`.

use gen_lsp_types::{
    ExecuteCommandParams, MessageType, ShowDocumentParams, ShowDocumentRequest, ShowMessageNotification,
    ShowMessageParams,
};
use serde_json::Value;

use super::run::{self, EXPLORE, RUN};
use crate::lsp::message::Failure;
use crate::lsp::run::{Ended, Report};
use crate::lsp::state::Server;
use crate::rules::{REGISTRY, Rule, page_address};

/// Shows the page of a rule: its address, or what it reports.
pub const EXPLAIN: &str = "wflint.explain";

/// Executes a command. The result of a run comes later.
///
/// # Errors
/// An unknown command, or invalid arguments.
pub fn handle(server: &mut Server, id: &Value, params: &ExecuteCommandParams) -> Result<Option<Value>, Failure> {
    let arguments = params.arguments.as_deref().unwrap_or_default();
    match params.command.as_str() {
        EXPLAIN => explain(server, arguments).map(Some),
        command @ (RUN | EXPLORE) => run::start(server, id, command, arguments).map(|()| None),
        command => Err(Failure::params(format!("unknown command `{command}`"))),
    }
}

/// Answers a run that has ended, and starts those that waited for it.
pub fn finish_run(server: &mut Server, ended: &Ended) {
    if let Some(Report { id, result, summary }) = server.runs.finish(ended) {
        server.outbox.respond(&id, result.map(Value::from));
        if let Some((message, is_well)) = summary {
            let kind = if is_well { MessageType::Info } else { MessageType::Warning };
            server.outbox.notify::<ShowMessageNotification>(&ShowMessageParams { kind, message });
        }
    }
    start_waiting(server);
}

/// Starts runs that waited for others.
pub fn start_waiting(server: &mut Server) {
    for (id, failure) in server.runs.start_waiting() {
        server.outbox.respond(&id, Err(failure));
    }
}

/// Returns the page of a rule, and shows it.
fn explain(server: &mut Server, arguments: &[Value]) -> Result<Value, Failure> {
    let argument = arguments.first().and_then(Value::as_str);
    let rule = argument.and_then(|code| REGISTRY.iter().find(|rule| [rule.code, rule.name].contains(&code)));
    let rule = rule.ok_or_else(|| Failure::params("expected the code of a rule"))?;
    show(server, rule);
    Ok(rule.page.into())
}

fn show(server: &mut Server, rule: &Rule) {
    let address = page_address(rule.code, rule.name);
    if server.client.shows_documents {
        let params =
            ShowDocumentParams { uri: address.into(), external: Some(true), take_focus: None, selection: None };
        server.outbox.request::<ShowDocumentRequest>(&params);
        return;
    }
    let mut paragraphs = rule.page.split("\n\n").skip(1);
    let first = paragraphs.next().unwrap_or_default().replace('\n', " ");
    let message = format!("{} {}: {first}\n{address}", rule.code, rule.name);
    server.outbox.notify::<ShowMessageNotification>(&ShowMessageParams { kind: MessageType::Info, message });
}
