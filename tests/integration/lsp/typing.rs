//! Typing: at each pause the editor shows what the command line reports.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};
use serde_json::{Value, json};

use super::client::{Client, pulling, uri_in};
use super::findings::{comparable, reported, shown_of, wait_until_shown};
use crate::support::folder::{Folder, copy_of};

/// Pauses while a service is typed.
const PAUSES: usize = 200;
/// Parts of a document that are typed at the same time, as the editor waits at each pause.
const PARTS: usize = 5;
const NAMES: [&str; 2] = ["order.workflow.json", "order.form.json"];

/// A document that is typed as editors do it: the bracket or quote that closes one comes with it, and is typed over.
struct Typist<'t> {
    text: std::str::Chars<'t>,
    typed: String,
    /// The brackets and quotes behind the cursor, the last one first.
    closing: Vec<char>,
    is_escaped: bool,
    line: usize,
    /// Bytes before the cursor in its line, and UTF-16 code units.
    columns: [usize; 2],
}

impl<'t> Typist<'t> {
    fn new(text: &'t str) -> Self {
        let (typed, closing) = (String::new(), Vec::new());
        Self { text: text.chars(), typed, closing, is_escaped: false, line: 0, columns: [0, 0] }
    }

    fn text(&self) -> String {
        self.typed.chars().chain(self.closing.iter().rev().copied()).collect()
    }

    /// Types a character; returns the place and the text of the change, with the place in UTF-8 and UTF-16.
    fn step(&mut self) -> Option<([Value; 2], String)> {
        let letter = self.text.next().unwrap();
        let is_in_string = self.closing.last() == Some(&'"');
        let is_typed_over = self.closing.last() == Some(&letter) && !self.is_escaped;
        let closing = match letter {
            '"' if !is_in_string => Some('"'),
            '{' if !is_in_string => Some('}'),
            '[' if !is_in_string => Some(']'),
            _ => None,
        };
        self.is_escaped = is_in_string && letter == '\\' && !self.is_escaped;
        let place = self.columns.map(|character| json!({ "line": self.line, "character": character }));
        self.typed.push(letter);
        if letter == '\n' {
            (self.line, self.columns) = (self.line + 1, [0, 0]);
        } else {
            let [bytes, units] = self.columns;
            self.columns = [bytes + letter.len_utf8(), units + letter.len_utf16()];
        }
        if is_typed_over {
            self.closing.pop();
            return None;
        }
        self.closing.extend(closing);
        Some((place, [letter].into_iter().chain(closing).collect()))
    }
}

/// What was shown at a pause, in the folder of the pause.
struct Pause {
    name: String,
    is_utf8: bool,
    shown: Vec<Value>,
}

/// A part of a document that is typed: from one pause to another.
struct Part<'t> {
    index: usize,
    from: usize,
    pauses: Vec<usize>,
    /// The other document, when it was typed before.
    before: &'t str,
}

/// Types a part with two clients, which count in UTF-8 and UTF-16. Saves the documents at each pause.
fn type_part(folder: &Folder, saved: &Folder, text: &str, part: &Part<'_>) -> Vec<Pause> {
    let Part { index, from, pauses, before } = part;
    let options = json!({ "runScripts": false });
    let mut utf8 = pulling();
    utf8["general"] = json!({ "positionEncodings": ["utf-8"] });
    let mut clients = [utf8, pulling()].map(|capabilities| Client::in_folder(folder, &capabilities, &options));
    let mut typist = Typist::new(text);
    (0..*from).for_each(|_| drop(typist.step()));
    let mut now = [(*before).to_owned(), (*before).to_owned()];
    now[*index] = typist.text();
    for (name, text) in NAMES.iter().zip(&now) {
        for client in &mut clients {
            client.open(&uri_in(folder, name), text);
        }
    }
    let mut seen = Vec::new();
    let mut version = 1;
    let last = pauses.last().unwrap();
    for at in from + 1..=*last {
        if let Some((places, new)) = typist.step() {
            version += 1;
            for (client, place) in clients.iter_mut().zip(places) {
                let change = json!({ "range": { "start": place, "end": place }, "text": new });
                client.change(&uri_in(folder, NAMES[*index]), version, json!([change]));
            }
        }
        if pauses.contains(&at) {
            now[*index] = typist.text();
            for (name, text) in NAMES.iter().zip(&now) {
                let saved_as = format!("{index}-{at}/{name}");
                saved.write(&saved_as, text);
                // What differs stays different, so that UTF-16 is asked for less often.
                let asked = if seen.len() % 5 == 0 || at == *last { 2 } else { 1 };
                for (client, is_utf8) in clients.iter_mut().zip([true, false]).take(asked) {
                    let shown = client.pulled(&uri_in(folder, name));
                    seen.push(Pause { name: saved_as.clone(), is_utf8, shown });
                }
            }
        }
    }
    clients.into_iter().for_each(Client::shut_down);
    seen
}

/// The parts of documents that are typed one after the other, with pauses at random places and at the ends.
fn parts(texts: &[String; 2]) -> Vec<Part<'_>> {
    let mut rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut parts = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let length = text.chars().count();
        let mut pauses = BTreeSet::from([length]);
        while pauses.len() < PAUSES / texts.len() {
            pauses.insert(usize::try_from(rng.next_u64() % length as u64).unwrap() + 1);
        }
        let pauses: Vec<usize> = pauses.into_iter().collect();
        let mut from = 0;
        for pauses in pauses.chunks(PAUSES / texts.len() / PARTS) {
            let before = if index == 0 { "" } else { &texts[0] };
            parts.push(Part { index, from, pauses: pauses.to_vec(), before });
            from = *pauses.last().unwrap();
        }
    }
    parts
}

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn typed_service_shows_at_each_pause_what_the_command_line_reports() {
    let folder = copy_of("examples/broken");
    let texts = NAMES.map(|name| {
        let text = folder.read(name).replace(" manager\"", " 😀 e\u{301} manager\"");
        text.replace("{ \"", "{ \"😀\": 1, \"")
    });
    for name in NAMES {
        folder.write(name, "");
    }
    let saved = Folder::with(&[]);
    let seen: Vec<Pause> = std::thread::scope(|scope| {
        let typists: Vec<_> = parts(&texts)
            .into_iter()
            .map(|part| {
                let text = &texts[part.index];
                let (folder, saved) = (&folder, &saved);
                scope.spawn(move || type_part(folder, saved, text, &part))
            })
            .collect();
        typists.into_iter().flat_map(|typist| typist.join().unwrap()).collect()
    });
    assert_eq!(seen.iter().filter(|pause| pause.is_utf8).count(), PAUSES * NAMES.len());
    compare(&folder, &saved, &seen);
}

/// The command line is run once: each pause has a folder, which is a service.
fn compare(folder: &Folder, saved: &Folder, seen: &[Pause]) {
    let report = saved.run(&["--format", "json", "--no-scripts"]).json();
    let mut by_file: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for finding in report["diagnostics"].as_array().unwrap() {
        by_file.entry(finding["file"].as_str().unwrap()).or_default().push(finding.clone());
    }
    let [here, there] = [folder, saved].map(|folder| uri_in(folder, ""));
    let (mut found, mut codes) = (0, BTreeSet::new());
    for Pause { name, is_utf8, shown } in seen {
        let place = name.split_once('/').unwrap().0;
        let report = json!({ "diagnostics": by_file.get(name.as_str()).cloned().unwrap_or_default() });
        let wanted = json!(shown_of(saved, &report, name, *is_utf8)).to_string();
        let wanted = wanted.replace(&format!("{there}{place}/"), &here).replace(&format!("{place}/"), "");
        let wanted: Vec<Value> = serde_json::from_str(&wanted).unwrap();
        assert_eq!(comparable(shown), wanted, "{name}");
        found += shown.len();
        codes.extend(shown.iter().map(|it| it["code"].as_str().unwrap().to_owned()));
    }
    assert!(found > PAUSES && codes.len() > 10, "{found} findings: {codes:?}");
}

#[test]
fn findings_of_scripts_follow_when_typing_pauses() {
    let folder = copy_of("examples/sign-json");
    let name = NAMES[0];
    let uri = uri_in(&folder, name);
    let mut typed = folder.read(name);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    client.open(&uri, &typed);
    let before = reported(&folder, name, false);
    wait_until_shown(&mut client, &uri, Some(1), &before);
    let mut offset = typed.find("Json = JSON").unwrap();
    let line = typed[..offset].matches('\n').count();
    let mut character = typed[..offset].rsplit('\n').next().unwrap().encode_utf16().count();
    let mut version = 1;
    let mut shown = Vec::new();
    for part in ["Name.missing", ".member;", " "] {
        for letter in part.chars() {
            version += 1;
            let position = json!({ "line": line, "character": character });
            let change = json!({ "range": { "start": position, "end": position }, "text": letter.to_string() });
            client.change(&uri, version, json!([change]));
            typed.insert(offset, letter);
            (offset, character) = (offset + 1, character + 1);
        }
        folder.write(name, &typed);
        shown = reported(&folder, name, false);
        wait_until_shown(&mut client, &uri, Some(version), &shown);
    }
    assert!(shown.len() > before.len(), "{shown:?}");
    client.shut_down();
}
