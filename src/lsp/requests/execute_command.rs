//! `workspace/executeCommand`.

use gen_lsp_types::{
    ExecuteCommandParams, MessageType, ShowDocumentParams, ShowDocumentRequest, ShowMessageNotification,
    ShowMessageParams,
};
use serde_json::Value;

use crate::lsp::message::Failure;
use crate::lsp::state::Server;
use crate::rules::{REGISTRY, Rule, page_address};

/// Shows the page of a rule: its address, or what it reports.
pub const EXPLAIN: &str = "wflint.explain";

/// Returns the page of a rule, and shows it.
///
/// # Errors
/// An unknown command, or an unknown rule.
pub fn handle(server: &mut Server, params: &ExecuteCommandParams) -> Result<Value, Failure> {
    if params.command != EXPLAIN {
        return Err(Failure::params(format!("unknown command `{}`", params.command)));
    }
    let argument = params.arguments.as_ref().and_then(|arguments| arguments.first()).and_then(Value::as_str);
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
