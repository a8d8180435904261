//! Work that a change makes stale is canceled.

use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use serde_json::json;

use super::client::{Client, PATIENCE, uri_in};
use crate::support::folder::Folder;

/// Scripts may take a day.
const SLOW: &str = "[limits]\nscript-seconds = 86400\n";

/// A workflow of 1 MiB with a script.
fn workflow(script: &str) -> String {
    let mut activities = String::new();
    for at in 0..10_000 {
        let name = format!("Say that the order has reached step {at}");
        let _ = writeln!(
            activities,
            r#"{{ "name": "{name}", "type": "Status", "statusTranslations": {{ "en-US": "{at}" }} }},"#
        );
    }
    format!(
        r#"{{ "activities": [{activities} {{ "name": "Run", "type": "Code", "script": "{script}" }}], "variables": [] }}"#
    )
}

/// Waits until the server runs a script.
#[track_caller]
fn wait_for_child(server: u32) {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        let threads = std::fs::read_dir(Path::new("/proc").join(server.to_string()).join("task")).unwrap();
        let children = threads.map(|thread| std::fs::read_to_string(thread.unwrap().path().join("children")));
        if children.into_iter().any(|children| children.is_ok_and(|children| !children.is_empty())) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    panic!("no script is run");
}

#[test]
fn typing_cancels_scripts_that_would_run_for_a_day() {
    let folder = Folder::with(&[("wflint.toml", SLOW)]);
    let uri = uri_in(&folder, "a.json");
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    client.open(&uri, &workflow("for(;;);"));
    for version in (2..8).step_by(2) {
        wait_for_child(client.process_id());
        let hover = json!({ "textDocument": { "uri": uri }, "position": { "line": 5, "character": 5 } });
        client.request("textDocument/hover", hover);
        client.change(&uri, version, json!([{ "text": workflow("1;") }]));
        assert!(client.published(&uri, version).iter().all(|finding| finding["code"] != "WF806"));
        client.change(&uri, version + 1, json!([{ "text": workflow("for(;;);") }]));
    }
    wait_for_child(client.process_id());
    client.close(&uri);
    client.shut_down();
}
