//! Files that the client watches for the server.

use gen_lsp_types::{Registration, RegistrationParams, RegistrationRequest};
use serde_json::json;

use super::state::Server;

/// Documents, configurations, catalogs, baselines, scenarios and their directories, ignore files.
const PATTERNS: [&str; 4] = ["**/*.{json,toml}", "**/*.scenario.{yaml,yml}", "**/*.ldif", "**/{.gitignore,.ignore}"];

pub fn register(server: &mut Server) {
    if !server.client.watches {
        return;
    }
    let watchers: Vec<_> = PATTERNS.iter().map(|pattern| json!({ "globPattern": pattern })).collect();
    let registration = Registration {
        id: "wflint-files".to_owned(),
        method: "workspace/didChangeWatchedFiles".to_owned(),
        register_options: Some(json!({ "watchers": watchers })),
    };
    server.outbox.request::<RegistrationRequest>(&RegistrationParams { registrations: vec![registration] });
}
