//! Typing: at each pause the editor shows what the command line reports.

use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};
use serde_json::json;

use super::client::{Client, uri_in};
use super::findings::{comparable, reported};
use crate::support::folder::copy_of;

/// Pauses while a service is typed.
const PAUSES: usize = 40;

#[test]
fn typed_service_shows_at_each_pause_what_the_command_line_reports() {
    let folder = copy_of("examples/broken");
    let names = ["order.workflow.json", "order.form.json"];
    let texts = names.map(|name| folder.read(name));
    let mut rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    for (name, text) in names.iter().zip(&texts) {
        folder.write(name, "");
        let uri = uri_in(&folder, name);
        client.open(&uri, "");
        client.published(&uri, 1);
        let length = text.chars().count();
        let mut stops: Vec<usize> =
            (1..PAUSES / names.len()).map(|_| usize::try_from(rng.next_u64() % length as u64).unwrap()).collect();
        stops.push(length);
        stops.sort_unstable();
        stops.dedup();
        let (mut line, mut character, mut version) = (0, 0, 1);
        let mut typed = String::new();
        for (at, letter) in text.chars().enumerate() {
            let position = json!({ "line": line, "character": character });
            version += 1;
            let change = json!({ "range": { "start": position, "end": position }, "text": letter.to_string() });
            client.change(&uri, version, json!([change]));
            typed.push(letter);
            (line, character) = if letter == '\n' { (line + 1, 0) } else { (line, character + letter.len_utf16()) };
            if stops.contains(&(at + 1)) {
                let shown = client.published(&uri, version);
                folder.write(name, &typed);
                assert_eq!(comparable(&shown), reported(&folder, name, false), "after {} characters of {name}", at + 1);
            }
        }
    }
    client.shut_down();
}
