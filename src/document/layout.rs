//! A document as text again, laid out as `JSON.stringify(document, null, indent)` does.

use super::arena::Document;
use super::escape;
use super::node::{NodeId, NodeKind};
use crate::text::json_escape;

/// How a document is written.
pub(crate) struct Layout<'l> {
    /// Spaces per level; 0 writes one line.
    pub indent: usize,
    /// The members of an object that are written, in their order.
    pub members: &'l dyn Fn(NodeId) -> Vec<NodeId>,
    /// The JSON text that replaces a value.
    pub replaced: &'l dyn Fn(NodeId) -> Option<String>,
    /// Characters that stay escaped where they are.
    pub keeps_escape: &'l dyn Fn(char) -> bool,
}

impl Document {
    /// The text in a layout, without a line end after it. The text of numbers stays; of escapes only those stay that
    /// JSON or the layout requires.
    pub(crate) fn laid_out(&self, layout: &Layout<'_>) -> String {
        self.laid_out_value(self.outermost(), layout)
    }

    /// As [`Self::laid_out`], of one value.
    pub(crate) fn laid_out_value(&self, value: NodeId, layout: &Layout<'_>) -> String {
        let mut writer =
            Writer { document: self, layout, text: String::with_capacity(self.slice(self.span(value)).len()) };
        writer.value(value, 0);
        writer.text
    }
}

struct Writer<'w> {
    document: &'w Document,
    layout: &'w Layout<'w>,
    text: String,
}

impl Writer<'_> {
    /// Documents are nested 256 levels at most, by the parser.
    fn value(&mut self, node: NodeId, level: usize) {
        if let Some(text) = (self.layout.replaced)(node) {
            self.text.push_str(&text);
            return;
        }
        let document = self.document;
        match document.kind(node) {
            NodeKind::Object => self.container(['{', '}'], &(self.layout.members)(node), level),
            NodeKind::Array => self.container(['[', ']'], &document.children(node).collect::<Vec<_>>(), level),
            NodeKind::String => self.string(document.slice(document.span(node))),
            NodeKind::Null | NodeKind::False | NodeKind::True | NodeKind::Number => {
                self.text.push_str(document.slice(document.span(node)));
            }
        }
    }

    fn container(&mut self, [open, close]: [char; 2], children: &[NodeId], level: usize) {
        self.text.push(open);
        for (index, &child) in children.iter().enumerate() {
            if index > 0 {
                self.text.push(',');
            }
            self.new_line(level + 1);
            if let Some(key) = self.document.key_span(child) {
                self.string(self.document.slice(key));
                self.text.push_str(if self.layout.indent == 0 { ":" } else { ": " });
            }
            self.value(child, level + 1);
        }
        if !children.is_empty() {
            self.new_line(level);
        }
        self.text.push(close);
    }

    fn new_line(&mut self, level: usize) {
        if self.layout.indent > 0 {
            self.text.push('\n');
            self.text.extend(std::iter::repeat_n(' ', self.layout.indent * level));
        }
    }

    /// Writes a string as it is in the file, quotes included, but for escapes that are not required.
    fn string(&mut self, raw: &str) {
        let mut rest = raw;
        while let Some(at) = rest.find('\\') {
            let (before, escape) = rest.split_at(at);
            self.text.push_str(before);
            // The parser has refused invalid escapes.
            let Some((length, character)) = escape::next(escape) else { break };
            self.character(character);
            rest = escape.get(length..).unwrap_or_default();
        }
        self.text.push_str(rest);
    }

    /// Writes a character that was escaped.
    fn character(&mut self, character: char) {
        let short = match character {
            '"' | '\\' => Some(character),
            '\n' => Some('n'),
            '\r' => Some('r'),
            '\t' => Some('t'),
            '\u{8}' => Some('b'),
            '\u{c}' => Some('f'),
            _ => None,
        };
        if let Some(short) = short {
            self.text.extend(['\\', short]);
        } else if character < ' ' || (self.layout.keeps_escape)(character) {
            self.text.push_str(&json_escape(character));
        } else {
            self.text.push(character);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Limits;

    fn laid_out(json: &str, indent: usize) -> String {
        let document = Document::parse(json, Limits::default()).unwrap();
        let layout = Layout {
            indent,
            members: &|node| document.children(node).collect(),
            replaced: &|_| None,
            keeps_escape: &|character| character == '\u{200b}',
        };
        document.laid_out(&layout)
    }

    #[test]
    fn layout_is_that_of_json_stringify() {
        let json = "\u{feff} {\"a\" :[ ],\r\n\t\"b\":{},\"c\":[1,{\"d\":null}]} ";
        assert_eq!(
            laid_out(json, 2),
            "{\n  \"a\": [],\n  \"b\": {},\n  \"c\": [\n    1,\n    {\n      \"d\": null\n    }\n  ]\n}"
        );
        assert_eq!(laid_out(json, 0), r#"{"a":[],"b":{},"c":[1,{"d":null}]}"#);
    }

    #[test]
    fn escapes_stay_only_where_they_are_required() {
        assert_eq!(laid_out(r#""\u0041\/\u00e9\"\\\u000A\u001F""#, 2), r#""A/é\"\\\n\u001f""#);
        assert_eq!(laid_out(r#""\u200B\ud83d\ude00""#, 2), r#""\u200b😀""#);
        assert_eq!(laid_out("\"\u{200b}\"", 2), "\"\u{200b}\"", "it was not escaped");
        assert_eq!(laid_out(r#"{"\u0061":"\u0062"}"#, 0), r#"{"a":"b"}"#);
    }

    #[test]
    fn numbers_are_written_as_they_are() {
        assert_eq!(laid_out("[1.0, 1e3, -0, 12345678901234567890]", 0), "[1.0,1e3,-0,12345678901234567890]");
    }
}
