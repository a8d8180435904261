//! The summary in Markdown, read by a parser of GitHub's dialect.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::support::folder::{Folder, copy_of};
use crate::support::samples::{ERROR, FINE};

/// The rows of the table, each with the text of its cells.
fn rows(markdown: &str) -> Vec<Vec<String>> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::TableHead | Tag::TableRow) => rows.push(Vec::new()),
            Event::Start(Tag::TableCell) => rows.last_mut().unwrap().push(String::new()),
            Event::Text(text) => {
                rows.last_mut().and_then(|row| row.last_mut()).into_iter().for_each(|cell| cell.push_str(&text));
            }
            _ => {}
        }
    }
    rows
}

#[test]
fn table_lists_the_findings_most_severe_first() {
    let folder = copy_of("examples/broken");
    let output = folder.run(&["--format", "markdown"]).expect_code(1);
    let rows = rows(output.out());
    assert_eq!(rows[0], ["Severity", "Rule", "Place", "Finding"]);
    assert_eq!(rows.len(), 1 + folder.found(&["."]).len());
    let severities: Vec<&str> = rows[1..].iter().map(|row| row[0].as_str()).collect();
    assert!(severities.is_sorted(), "error before warning: {severities:?}");
    assert!(output.out().starts_with("## wflint\n\nFound 6 errors"), "{}", output.out());
}

#[test]
fn clean_run_has_no_table() {
    let output = Folder::with(&[("a.json", FINE)]).run(&["--format", "markdown"]).expect_code(0);
    assert_eq!(output.out(), "## wflint\n\nNo problems in 1 file.\n\n");
}

#[test]
fn strings_of_documents_stay_text_in_their_cell() {
    for hostile in
        ["a|b", "`x` | `", "<script>alert(1)</script>", "[x](https://e.com)", "](1) **b** ]]>", "@team #1 www.e.com"]
    {
        let name = serde_json::to_string(hostile).unwrap();
        let folder = Folder::with(&[("a.json", &ERROR.replace("\"Nobody\"", &name))]);
        let output = folder.run(&["--format", "markdown"]).expect_code(1);
        let rows = rows(output.out());
        assert_eq!((rows.len(), rows[1].len()), (2, 4), "{}", output.out());
        // Backticks may move: they begin and end code.
        let shown = rows[1][3].replace('`', "");
        assert!(shown.contains(&hostile.replace('`', "")), "{shown}");
        let tags = Parser::new_ext(output.out(), Options::all()).filter_map(|event| match event {
            Event::InlineHtml(tag) => Some(tag.to_string()),
            Event::Start(Tag::Strong) | Event::End(TagEnd::Strong) => None,
            Event::Html(html) => panic!("a block of HTML: {html}"),
            _ => None,
        });
        for tag in tags {
            assert!(["<code>", "</code>", "<br>", "<wbr>"].contains(&tag.as_str()), "{tag}");
        }
        let links = Parser::new_ext(output.out(), Options::all())
            .filter(|event| matches!(event, Event::Start(Tag::Link { .. })));
        assert_eq!(links.count(), 1, "the link to the rule's page alone: {}", output.out());
    }
}
