//! Suppressions of findings in `wflint.toml`.

use std::path::Path;

use serde_json::{Value, json};

use crate::config::{FILE_NAME, NewSuppression, SuppressionTarget, with_suppressions};
use crate::lsp::address::Address;
use crate::lsp::convert::Item;
use crate::lsp::edit::{Edits, difference, document_edit, workspace_edit};
use crate::lsp::state::Server;
use crate::project::{clean_path, relative_name};
use crate::rules::CONFIG_PROBLEM;
use crate::source::SourceFile;

/// Left to fill in: a suppression must say why.
const REASON: &str = "TODO: why";

/// Adds a suppression of a finding to the configuration of its document, or to a new one. `None` where that is not
/// possible.
pub fn suppress_action(server: &Server, address: &Address, item: &Item) -> Option<Value> {
    let finding = item.finding.as_ref().filter(|finding| finding.code != CONFIG_PROBLEM.code)?;
    let path = address.path()?;
    let (root, service) = server.service(address)?;
    let loaded = root.loaded.as_ref()?;
    let config = loaded.project.configs.get(loaded.project.services.get(service)?.config)?;
    let is_new = config.path.is_none();
    let config = config.path.clone().unwrap_or_else(|| loaded.request.current.join(FILE_NAME));
    let folder = config.parent().unwrap_or(&config);
    let file = relative_name(path, folder);
    // A name that is not UTF-8 has no string in TOML.
    if clean_path(Path::new(&file), folder).0 != path {
        return None;
    }
    let target = match &finding.activity {
        Some(activity) => SuppressionTarget::Activity(activity.clone()),
        None => SuppressionTarget::Pointer(finding.pointer.clone()),
    };
    let entry = NewSuppression { rule: finding.code.to_owned(), file, target };
    let before = if is_new { String::new() } else { server.documents.unsaved().read(&config).ok()? };
    let after = with_suppressions(&before, &[entry], REASON).ok()?;
    let source = SourceFile::new(config.clone(), String::new(), before.into());
    let edit = difference(server, &source, &after);
    let address = Address::File(config);
    let edit = if !is_new {
        workspace_edit(server, &Edits::from([(address, vec![edit])]))
    } else if server.client.creates_files {
        let create = json!({
            "kind": "create", "uri": server.documents.uri(&address), "options": { "ignoreIfExists": true },
        });
        json!({ "documentChanges": [create, document_edit(server, &address, &[edit])] })
    } else {
        return None;
    };
    let title = format!("Suppress {} in {FILE_NAME}", finding.code);
    Some(json!({ "title": title, "kind": "quickfix", "diagnostics": [item.diagnostic], "edit": edit }))
}
