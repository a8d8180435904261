//! The files that a configuration names: while one is missing or invalid, the last valid configuration holds.

use serde_json::json;

use super::client::{Client, pulling, uri_in};
use crate::support::folder::Folder;
use crate::support::samples::WARNING;

/// Catalogs: a valid one, and one with an error.
const CATALOG: &str = "plugin = 'own'\n";
const BROKEN: &str = "plugin = 3\n";

/// A client with the document open.
fn client(folder: &Folder) -> Client {
    let mut client = Client::in_folder(folder, &pulling(), &json!({}));
    client.open(&uri_in(folder, "a.json"), WARNING);
    client
}

/// The severities of the findings in the document.
fn severities(client: &mut Client, folder: &Folder) -> Vec<u64> {
    let found = client.pulled(&uri_in(folder, "a.json"));
    found.iter().map(|finding| finding["severity"].as_u64().unwrap()).collect()
}

/// Writes a file, or removes it, and notifies the server.
fn set(client: &mut Client, folder: &Folder, name: &str, text: Option<&str>) {
    let kind = match text {
        Some(_) if folder.file(name).exists() => 2,
        Some(_) => 1,
        None => 3,
    };
    match text {
        Some(text) => folder.write(name, text),
        None => std::fs::remove_file(folder.file(name)).unwrap(),
    }
    let change = json!({ "uri": uri_in(folder, name), "type": kind });
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [change] }));
}

#[test]
fn missing_file_is_seen_when_it_is_created() {
    for (config, name, text) in [
        ("extend = 'base.toml'", "base.toml", "ignore = ['WF414']"),
        ("ignore = ['WF414']\ncatalogs = ['own.toml']", "own.toml", CATALOG),
        ("ignore = ['WF414']\ncatalogs = ['shared/../own/*.toml']", "own/a.toml", CATALOG),
    ] {
        let folder = Folder::with(&[("a.json", WARNING), ("wflint.toml", config)]);
        let mut client = client(&folder);
        assert_eq!(severities(&mut client, &folder), [2], "{config}");
        set(&mut client, &folder, name, Some(text));
        assert_eq!(severities(&mut client, &folder), [0; 0], "{config}");
        client.shut_down();
    }
}

#[test]
fn last_valid_configuration_holds_while_a_file_is_invalid_or_missing() {
    let by_pattern = "ignore = ['WF414']\ncatalogs = ['own/*.toml']";
    for (config, name, valid, broken) in [
        ("extend = 'own/a.toml'", "own/a.toml", "ignore = ['WF414']", "ignore = ["),
        ("ignore = ['WF414']\ncatalogs = ['own/a.toml']", "own/a.toml", CATALOG, BROKEN),
        (by_pattern, "own/a.toml", CATALOG, BROKEN),
    ] {
        let folder = Folder::with(&[("a.json", WARNING), ("wflint.toml", config), (name, valid)]);
        let mut client = client(&folder);
        for text in [Some(valid), Some(broken), Some(valid), None, Some(valid)] {
            set(&mut client, &folder, name, text);
            assert_eq!(severities(&mut client, &folder), [0; 0], "{config}: {text:?}");
            let errors =
                client.pulled(&uri_in(&folder, "wflint.toml")).len() + client.pulled(&uri_in(&folder, name)).len();
            assert_eq!(errors > 0, text != Some(valid), "{config}: {text:?}");
        }
        // What is valid again counts again.
        set(&mut client, &folder, "wflint.toml", Some("[severity]\nWF414 = 'info'"));
        assert_eq!(severities(&mut client, &folder), [3], "{config}");
        client.shut_down();
    }
    let files = [("a.json", WARNING), ("wflint.toml", by_pattern), ("own/a.toml", CATALOG)];
    let folder = Folder::with(&files);
    let mut client = client(&folder);
    assert_eq!(severities(&mut client, &folder), [0; 0]);
    set(&mut client, &folder, "own/new.toml", Some(BROKEN));
    assert_eq!(severities(&mut client, &folder), [0; 0]);
    assert!(!client.pulled(&uri_in(&folder, "wflint.toml")).is_empty());
    client.shut_down();
}
