//! What programs and readers rely on, and that no text becomes markup.

mod sample;
mod tags;

use std::collections::{BTreeMap, BTreeSet};

use data_encoding::BASE64;
use sha2::{Digest, Sha256};

use super::page;
use crate::page::model::{EndView, Looked, StatusView};
use sample::{every_text, sample};
use tags::{Tag, tags};

const HOSTILE: [&str; 6] = [
    "</script><img src=x onerror=alert(1)>",
    "\" onmouseover=\"alert(1)",
    "--><style>*{display:none}</style><!--",
    "&lt;b&gt; &amp; ' \u{202e}\u{2066}\0",
    "javascript:alert(1) {{x}} \\u003c ]]>",
    "\u{627}\u{644}\u{639}\u{631}\u{628}\u{64a}\u{629}",
];

fn of<'t>(tags: &'t [Tag], attribute: &str) -> Vec<&'t Tag> {
    tags.iter().filter(|tag| tag.attributes.contains_key(attribute)).collect()
}

#[test]
fn texts_of_documents_never_become_markup() {
    let shape = |text: &str| {
        let html = page(&every_text(text), "{}");
        tags(&html)
            .into_iter()
            .map(|tag| (tag.name, tag.attributes.into_keys().collect()))
            .collect::<Vec<(String, Vec<String>)>>()
    };
    let plain = shape("x");
    let long = "x".repeat(10_000);
    for text in HOSTILE.into_iter().chain([long.as_str()]) {
        assert_eq!(shape(text), plain, "{text}");
    }
}

#[test]
fn data_cannot_end_its_element() {
    let html = page(&sample(), r#"{"a":"</script><script>alert(1)</script><!--"}"#);
    let (_, data) = html.split_once("id=\"wflint-data\">").unwrap();
    let (data, _) = data.split_once("</script>").unwrap();
    assert_eq!(data, r#"{"a":"\u003c/script>\u003cscript>alert(1)\u003c/script>\u003c!--"}"#);
}

#[test]
fn everything_has_its_attributes_once() {
    let html = page(&sample(), "{}");
    let tags = tags(&html);
    let sections = of(&tags, "data-service");
    assert!(sections.iter().all(|section| section.attributes["id"] == section.attributes["data-service"]));
    assert_eq!(sections.len(), 2);
    let wanted: [(&str, usize, &[&str]); 7] = [
        ("data-finding", 2, &["data-code", "data-severity", "data-pointer"]),
        ("data-end", 4, &["data-outcome", "data-id"]),
        ("data-status", 2, &[]),
        ("data-scenario", 3, &["data-passed"]),
        ("data-law", 3, &["data-holds"]),
        ("data-variable", 2, &[]),
        ("data-panel", 2, &[]),
    ];
    for (attribute, number, others) in wanted {
        let found = of(&tags, attribute);
        assert_eq!(found.len(), number, "{attribute}");
        for other in others {
            assert!(found.iter().all(|tag| tag.attributes.contains_key(*other)), "{attribute} without {other}");
        }
    }
    let searches: BTreeSet<&str> =
        of(&tags, "data-search").iter().map(|tag| tag.attributes["data-search"].as_str()).collect();
    assert_eq!(searches, BTreeSet::from(["service", "status"]));
}

#[test]
fn ids_are_unique_and_links_lead_somewhere() {
    for text in ["sign-upload", "a b", "\u{202e}x"] {
        let mut page_data = every_text("x");
        for (service, number) in page_data.services.iter_mut().zip(0..) {
            service.name = format!("{text}{number}");
        }
        let tags = tags(&page(&page_data, "{}"));
        let mut ids: BTreeMap<&str, usize> = BTreeMap::new();
        tags.iter().filter_map(|tag| tag.attributes.get("id")).for_each(|id| *ids.entry(id).or_default() += 1);
        let repeated: Vec<_> = ids.iter().filter(|(_, number)| **number > 1).collect();
        assert!(repeated.is_empty(), "{repeated:?}");
        for tag in &tags {
            let listed = ["aria-labelledby", "for"].into_iter().filter_map(|it| tag.attributes.get(it));
            let targets = listed.flat_map(|ids| ids.split(' ')).chain(
                tag.attributes
                    .get("href")
                    .map(|href| href.strip_prefix('#').unwrap_or_else(|| panic!("{href} leads out of the page"))),
            );
            targets.for_each(|target| assert!(ids.contains_key(target), "{target} of {tag:?}"));
        }
    }
}

#[test]
fn nothing_but_the_style_and_the_script_of_the_page_is_allowed() {
    let html = page(&sample(), "{}");
    let tags = tags(&html);
    let policy =
        tags.iter().find_map(|tag| tag.attributes.get("content").filter(|it| it.starts_with("default-src"))).unwrap();
    for element in ["style", "script"] {
        let (_, text) = html.rsplit_once(&format!("<{element}>")).unwrap();
        let (text, _) = text.split_once(&format!("</{element}>")).unwrap();
        let hash = BASE64.encode(&Sha256::digest(text.as_bytes()));
        assert!(policy.contains(&format!("{element}-src 'sha256-{hash}'")), "{element}");
    }
    assert!(policy.starts_with("default-src 'none';") && !policy.contains("unsafe"));
    for tag in &tags {
        let is_forbidden =
            |name: &&String| name.starts_with("on") || ["style", "src", "action", "srcdoc"].contains(&name.as_str());
        assert_eq!(tag.attributes.keys().find(is_forbidden), None, "{tag:?}");
    }
}

#[test]
fn ends_of_a_search_that_was_cut_off_are_a_part_and_the_further_ones_are_folded() {
    let mut sample = sample();
    let orders = &mut sample.services[0].orders;
    let first = orders.ends[0].clone();
    orders.looked = Looked::Partly("more ends than a report may show".to_owned());
    orders.ends = (1..=60).map(|number| EndView { id: format!("end-{number}"), ..first.clone() }).collect();
    let html = page(&sample, "{}");
    assert_eq!(html.matches("60 ways").count(), html.matches("at least 60 ways").count());
    sample.services[0].orders.has_more_ends = true;
    let html = page(&sample, "{}");
    assert!(html.contains("more than 60 ways") && html.contains("10 further ends"));
    assert_eq!(html.matches("60 ways").count(), html.matches("more than 60 ways").count());
    assert_eq!(of(&tags(&html), "data-end").len(), 60);
}

#[test]
fn orders_that_never_end_do_not_hide_those_that_wait() {
    let mut sample = sample();
    let ends = &mut sample.services[0].orders.ends;
    let endless = EndView { id: "end-9".to_owned(), outcome: "endless", waits_for: Vec::new(), ..ends[1].clone() };
    ends.push(endless);
    let html = page(&sample, "{}");
    let (_, answer) = html.split_once("Can it hang?</a>").unwrap();
    let (answer, _) = answer.split_once("</dd>").unwrap();
    assert!(answer.contains("an order never ends after this: "), "{answer}");
    assert!(answer.contains("; and it waits forever without an answer from "), "{answer}");
    let (_, row) = html.split_once("data-label=\"Can it hang?\"").unwrap();
    let (row, _) = row.split_once("</td>").unwrap();
    assert!(row.contains("yes, in some cases") && row.contains("waits for people"), "{row}");
}

#[test]
fn what_is_the_same_at_many_statuses_is_said_once() {
    let mut sample = sample();
    let orders = &mut sample.services[0].orders;
    let (end, status) = (orders.ends[0].clone(), orders.statuses[1].clone());
    orders.ends = (1..=100).map(|number| EndView { id: format!("end-{number}"), ..end.clone() }).collect();
    orders.ends[99].outcome = "failed";
    let by: Vec<_> = (0..100).map(|_| ("/activities/0".to_owned(), "Say".to_owned())).collect();
    let status = StatusView { published_by: by, ends: (0..100).filter(|end| *end != 5).collect(), ..status };
    orders.statuses = vec![status; 100];
    let html = page(&sample, "{}");
    assert!(html.contains("in 99 ways") && html.contains("</a> end 7 to 99") && html.contains("</a> end 100"));
    assert!(html.contains("the same 100 steps as"));
    let (_, statuses) = html.split_once("data-part=\"statuses\"").unwrap();
    let statuses = statuses.split("</section>").next().unwrap();
    assert!(tags(statuses).len() < 100 * 12 + 200, "{}", tags(statuses).len());
}

#[test]
fn headings_are_in_order() {
    let mut level = 0;
    let mut first = 0;
    for tag in tags(&page(&sample(), "{}")) {
        let Some(number) = tag.name.strip_prefix('h').and_then(|number| number.parse::<u32>().ok()) else { continue };
        assert!(number <= level + 1, "h{number} after h{level}");
        first += u32::from(number == 1);
        level = number;
    }
    assert_eq!(first, 1);
}

#[test]
fn a_small_service_as_html() {
    let mut sample = sample();
    // Drawings have snapshots of their own.
    sample.services[0].drawing = Err("too large".to_owned());
    let html = page(&sample, "{}");
    let (_, body) = html.split_once("<body>").unwrap();
    let (body, _) = body.split_once("<script").unwrap();
    // A line for each element, so that a change is readable.
    let lines = body.replace("><", ">\n<");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| insta::assert_snapshot!("page", lines));
}
