//! Reports in Markdown, and in one line for each service.

use pulldown_cmark::{Event, Options, Parser, Tag};
use serde_json::{Value, json};

use crate::support::folder::Folder;
use crate::support::run::Output;

const HOSTILE: &str = "@team <img src=x> [a](https://example.com) **b** `c` #1 :100: |x|\n## d https://example.com";

fn documents(change: impl Fn(usize) -> Value, number: usize) -> Folder {
    let document = |is_new: bool| {
        let activities: Vec<Value> = (0..number)
            .map(|index| {
                let text = if is_new { change(index) } else { json!("before") };
                json!({ "id": index + 1, "name": format!("A{index}"), "type": "Code", "script": text, HOSTILE: text })
            })
            .collect();
        json!({ "activities": activities, "variables": [] }).to_string()
    };
    Folder::with(&[("old/w.json", &document(false)), ("new/w.json", &document(true))])
}

fn run(folder: &Folder, args: &[&str]) -> Output {
    folder.run(&[&["diff", "old", "new", "--no-explore"], args].concat()).expect_code(1)
}

#[test]
fn strings_of_documents_are_never_markup() {
    let folder = documents(|_| json!(format!("{HOSTILE}\n{HOSTILE}")), 20);
    let output = run(&folder, &["--format", "markdown"]);
    for line in output.out().lines() {
        for event in Parser::new_ext(line, Options::all()) {
            let is_forged = match &event {
                Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::Table(_)) => true,
                Event::InlineHtml(html) => !["<code>", "</code>", "<wbr>"].contains(&&**html),
                Event::Html(html) => {
                    !html.trim_start_matches("</").trim_start_matches('<').starts_with(['d', 's', 'c'])
                }
                _ => false,
            };
            assert!(!is_forged, "{event:?}: {line}");
        }
        assert!(!line.contains('@') && !line.contains("https://"), "{line}");
    }
    assert!(output.out().contains("<details><summary>activities: 40 lines</summary>"), "{}", output.out());
    assert!(output.out().contains("<code>+ <wbr>&#64;team"), "{}", output.out());
}

#[test]
fn services_are_lists_below_headings() {
    let folder = documents(|_| json!("after"), 1);
    let mut workflow: Value = serde_json::from_str(&folder.read("new/w.json")).unwrap();
    workflow["activities"][0].as_object_mut().unwrap().remove(HOSTILE);
    workflow["activities"][0]["name"] = json!("B");
    folder.write("new/w.json", workflow.to_string());
    folder.write("new/n/w.json", r#"{ "activities": [{ "name": "Other", "type": "Status" }] }"#);
    assert_eq!(
        run(&folder, &["--format", "markdown"]).out().replace(HOSTILE, ""),
        "## wflint diff\n\n\
         ### <code>.</code> (<code>w.json</code>)\n\n\
         **activities**\n\n\
         - <code>&#126;</code> renamed <code>A0</code> → <code>B</code>\n\
         - <code>&#126;</code> <code>B</code>: HIDDEN <code>\"before\"</code> → <code>absent</code>\n\
         - <code>&#126;</code> <code>B</code>: <code>script</code>\n  - <code>- before</code>\n  - <code>+ after</code>\n\n\
         ### <code>n</code> (<code>w.json</code>): new\n\n"
            .replace("\"before\"", "&#34;before&#34;")
            .replace("HIDDEN", &format!("<code>{}</code>", escaped(HOSTILE)))
    );
    assert_eq!(run(&folder, &["--stat"]).out(), ".: 2 changed, 1 renamed\n+ service n\n");
    assert_eq!(
        run(&folder, &["--stat", "--format", "markdown"]).out(),
        "## wflint diff\n\n- .: 2 changed, 1 renamed\n- &#43; service n\n\n"
    );
    folder.run(&["diff", "old", "new", "--stat", "--format", "json"]).expect_code(2);
    assert_eq!(
        folder.run(&["diff", "old", "old", "--format", "markdown"]).expect_code(0).out(),
        "## wflint diff\n\nThe meaning is the same.\n\n"
    );
}

fn escaped(text: &str) -> String {
    let special = "\\`*_{}[]<>&|~!@$^\"#";
    let visible = text.replace('\n', "\\n");
    let mut shown = String::new();
    let mut characters = visible.chars().peekable();
    while let Some(character) = characters.next() {
        let is_link = character == ':' && characters.peek() == Some(&'/');
        if special.contains(character) || is_link {
            let before = if character == '@' { "<wbr>" } else { "" };
            shown.extend([before, "&#", &u32::from(character).to_string(), ";"]);
        } else {
            shown.push(character);
        }
    }
    shown
}

#[test]
fn long_report_fits_into_a_comment() {
    let folder = documents(|index| json!(format!("{index}{}", "x".repeat(200))), 600);
    let output = run(&folder, &["--format", "markdown"]);
    assert!(output.out().chars().count() < 65_536, "{}", output.out().len());
    assert!(output.out().contains("more lines not listed here."));
}
