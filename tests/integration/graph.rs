//! `wflint graph`: any workflow is drawn, in each format.

mod command;
mod folders;
mod hostile;
mod outline;
mod serve;
mod shown;

use std::collections::BTreeSet;
use std::path::Path;

use proptest::prelude::*;

use crate::support::cases;
use crate::support::deep::documents;
use crate::support::folder::{Folder, copy_of};
use crate::support::run::Output;
use crate::support::safe_output::assert_safe;
use crate::support::snapshot::settings;
use crate::support::strategies::{any_json, workflow};
use crate::support::tree::{Layout, Tree};

const FORMATS: [&str; 4] = ["mermaid", "dot", "svg", "text"];

/// Draws `a.json` in a format.
fn draw(folder: &Folder, format: &str) -> Output {
    folder.run(&["graph", "a.json", "--format", format])
}

/// A drawing as XML, whose ids are unique and lead to something, and which leads nowhere else.
#[track_caller]
fn checked_svg(svg: &str) -> roxmltree::Document<'_> {
    let document = roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
    let mut ids = BTreeSet::new();
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        assert!(node.attribute("id").is_none_or(|id| ids.insert(id)), "the id of {node:?} is not unique");
        let is_known = ["svg", "g", "title", "desc", "style", "rect", "path", "circle", "text"];
        assert!(is_known.contains(&node.tag_name().name()), "{node:?}");
        let is_safe = |name: &str| !name.starts_with("on") && name != "href" && name != "style";
        assert!(node.attributes().all(|attribute| is_safe(attribute.name())), "{node:?}");
    }
    let named = document.descendants().filter_map(|node| node.attribute("aria-labelledby"));
    for id in named.flat_map(str::split_whitespace) {
        assert!(ids.contains(id), "{id} names nothing");
    }
    let style = document.descendants().find(|node| node.has_tag_name("style")).and_then(|style| style.text()).unwrap();
    assert!(!style.contains("url") && !style.contains("@import"));
    document
}

/// Draws a document in each format. Returns how many were drawn: all, or none.
#[track_caller]
fn draw_all(text: &[u8]) -> usize {
    let folder = Folder::with(&[]);
    folder.write("a.json", text);
    let mut drawn = 0;
    for format in FORMATS {
        let output = draw(&folder, format);
        assert_safe(&output, format);
        match output.code {
            0 => drawn += 1,
            2 => assert!(output.out().is_empty() && output.err().lines().count() == 1, "{output:?}"),
            other => panic!("exit code {other}: {output:?}"),
        }
        if output.code == 0 && format == "svg" {
            checked_svg(output.out());
        }
    }
    assert!(drawn == 0 || drawn == FORMATS.len());
    drawn
}

#[test]
fn drawings_of_the_examples_match_their_snapshots() {
    for service in ["approval", "broken", "mailbox", "sign-directory", "sign-json", "sign-local-file", "sign-upload"] {
        let folder = copy_of(&format!("examples/{service}"));
        for format in FORMATS {
            let output = folder.run(&["graph", "order.workflow.json", "--format", format]).expect_code(0);
            assert_eq!(output.err(), "");
            if format == "svg" {
                checked_svg(output.out());
            }
            let name = format!("graph_{}_{format}", service.replace('-', "_"));
            settings().bind(|| insta::assert_snapshot!(name, output.out()));
        }
    }
}

#[test]
fn every_document_of_the_corpus_of_fuzzing_is_drawn_or_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/documents");
    let texts: Vec<Vec<u8>> =
        std::fs::read_dir(folder).unwrap().map(|entry| std::fs::read(entry.unwrap().path()).unwrap()).collect();
    let drawn = texts.iter().filter(|text| draw_all(text) > 0).count();
    assert!(drawn > texts.len() / 2, "{drawn} of {} are workflows", texts.len());
}

#[test]
fn deepest_documents_are_drawn() {
    for deep in documents(128) {
        assert!(draw_all(deep.text.as_bytes()) > 0 || !deep.text.contains("\"activities\""), "{}", deep.name);
    }
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn any_workflow_is_drawn(workflow in workflow()) {
        draw_all(workflow.write(Layout::PLAIN).as_bytes());
    }

    #[test]
    fn any_list_of_activities_is_drawn(activities in any_json(), more in any_json()) {
        let list = Tree::List(vec![activities.clone(), Tree::object([("type", Tree::text("If")), ("activities", activities)]), more]);
        let document = Tree::object([("activities", list), ("variables", Tree::List(Vec::new()))]);
        draw_all(document.write(Layout::PLAIN).as_bytes());
    }
}
