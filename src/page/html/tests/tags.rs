//! The tags of a page that was written by templates: attributes are in double quotes or have no value.

use std::collections::BTreeMap;

#[derive(Debug)]
pub struct Tag {
    pub name: String,
    pub attributes: BTreeMap<String, String>,
}

const VOID: [&str; 4] = ["meta", "input", "br", "!DOCTYPE"];

/// The start tags; each element is closed in order. The text of `<style>` and `<script>` is no markup.
pub fn tags(html: &str) -> Vec<Tag> {
    let mut tags = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut rest = html;
    while let Some((_, after)) = rest.split_once('<') {
        let (inside, after) = after.split_at(end_of_tag(after));
        rest = after.strip_prefix('>').unwrap();
        if let Some(name) = inside.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
            continue;
        }
        let tag = tag(inside.trim_end_matches('/'));
        if ["style", "script"].contains(&tag.name.as_str()) {
            rest = rest.split_once(&format!("</{}>", tag.name)).unwrap().1;
        } else if !VOID.contains(&tag.name.as_str()) && !inside.ends_with('/') {
            open.push(tag.name.clone());
        }
        tags.push(tag);
    }
    assert!(open.is_empty(), "{open:?}");
    tags
}

fn end_of_tag(text: &str) -> usize {
    let mut is_quoted = false;
    let end = text.find(|character: char| {
        is_quoted ^= character == '"';
        character == '>' && !is_quoted
    });
    end.expect("a tag that is closed")
}

fn tag(inside: &str) -> Tag {
    let (name, mut rest) = inside.split_once([' ', '\n']).unwrap_or((inside, ""));
    let mut attributes = BTreeMap::new();
    while !rest.trim_start().is_empty() {
        rest = rest.trim_start();
        let end = rest.find(['=', ' ']).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        rest = after;
        let mut value = String::new();
        if let Some(quoted) = rest.strip_prefix("=\"") {
            let (inside, after) = quoted.split_once('"').unwrap();
            value = inside.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
            rest = after;
        }
        assert!(attributes.insert(name.to_owned(), value).is_none(), "an attribute twice in {inside}");
    }
    Tag { name: name.to_owned(), attributes }
}
