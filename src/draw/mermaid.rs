//! `--format mermaid`: a flowchart, which code hosts draw in Markdown.

use std::fmt::{self, Write};

use super::block::{Block, Drawing, Kind, codes};
use super::edges::{END, EdgeStyle, START, delay_id, edges, empty_id};
use crate::diagnostic::Severity;
use crate::text::{truncate, wrap};

/// Mermaid does not break words, so lines are broken here. In columns.
const LINE_WIDTH: usize = 44;

/// The brackets around the label of a node.
type Brackets = (&'static str, &'static str);

const RECTANGLE: Brackets = ("[", "]");
const ROUNDED: Brackets = ("(", ")");
const STADIUM: Brackets = ("([", "])");
const SUBROUTINE: Brackets = ("[[", "]]");
const HEXAGON: Brackets = ("{{", "}}");
const PARALLELOGRAM: Brackets = ("[/", "/]");
const INVERTED_TRAPEZOID: Brackets = ("[\\", "/]");
const FLAG: Brackets = (">", "]");
const DOUBLE_CIRCLE: Brackets = ("(((", ")))");

impl Drawing {
    pub fn mermaid(&self) -> String {
        let mut out = String::new();
        // Writing to a string does not fail.
        let _ = self.write_mermaid(&mut out);
        out
    }

    fn write_mermaid(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "flowchart TB")?;
        writeln!(out, "    accTitle: {}", escape(&self.title))?;
        writeln!(out, "    accDescr: {}", escape(&self.summary))?;
        let (first, last) = if self.is_part { ("…", "…") } else { ("Start", "End") };
        let mut lines = vec![first.to_owned()];
        lines.extend(codes(&self.marks).into_iter().map(|(_, code)| code));
        write_node(out, START, STADIUM, &lines, 1)?;
        write_blocks(out, &self.body, 1)?;
        write_node(out, END, STADIUM, &[last.to_owned()], 1)?;
        for edge in edges(self) {
            let (from, to) = (node_id(&edge.from), node_id(&edge.to));
            match (edge.style, edge.label) {
                (EdgeStyle::Hidden, _) => writeln!(out, "    {from} ~~~ {to}")?,
                (EdgeStyle::Back, "") => writeln!(out, "    {from} -->|\"again\"| {to}")?,
                (_, "") => writeln!(out, "    {from} --> {to}")?,
                (_, label) => writeln!(out, "    {from} -->|\"{label}\"| {to}")?,
            }
        }
        self.write_classes(out)
    }

    /// Findings as the color of a node's border.
    fn write_classes(&self, out: &mut String) -> fmt::Result {
        let mut marked: Vec<(Severity, String)> = Vec::new();
        marked.extend(self.marks.iter().map(|mark| mark.severity).max().map(|severity| (severity, START.to_owned())));
        self.body.iter().for_each(|block| collect_marked(block, &mut marked));
        for (severity, color) in
            [(Severity::Error, "#cf222e"), (Severity::Warning, "#bf8700"), (Severity::Info, "#0969da")]
        {
            let nodes: Vec<&str> =
                marked.iter().filter(|(found, _)| *found == severity).map(|(_, id)| id.as_str()).collect();
            if !nodes.is_empty() {
                writeln!(out, "    classDef {} stroke:{color},stroke-width:3px", severity.word())?;
                writeln!(out, "    class {} {}", nodes.join(","), severity.word())?;
            }
        }
        Ok(())
    }
}

fn collect_marked(block: &Block, marked: &mut Vec<(Severity, String)>) {
    let id = if block.is_group() { frame_id(block) } else { node_id(&block.id) };
    marked.extend(block.severity().map(|severity| (severity, id)));
    block.children.iter().for_each(|child| collect_marked(child, marked));
}

fn write_blocks(out: &mut String, blocks: &[Block], depth: usize) -> fmt::Result {
    blocks.iter().try_for_each(|block| write_block(out, block, depth))
}

/// Writes a node, in a frame if it has children.
fn write_block(out: &mut String, block: &Block, depth: usize) -> fmt::Result {
    let lines = block.lines();
    let is_loop = matches!(block.kind, Kind::While { .. });
    let has_frame = is_loop || !matches!(block.kind, Kind::If | Kind::Approval) && !block.children.is_empty();
    if block.is_group() {
        open_frame(out, block, depth)?;
        if block.children.is_empty() {
            write_node(out, &empty_id(block), ROUNDED, &["(empty)".to_owned()], depth + 1)?;
        }
        write_blocks(out, &block.children, depth + 1)?;
        return close_frame(out, depth);
    }
    let inside = depth + usize::from(has_frame);
    if has_frame {
        open_frame(out, block, depth)?;
    }
    write_node(out, &block.id, brackets(block), &lines, inside)?;
    if let Kind::While { delay: Some(delay) } = &block.kind {
        write_node(out, &delay_id(block), ROUNDED, std::slice::from_ref(delay), inside)?;
    }
    write_blocks(out, &block.children, inside)?;
    if has_frame { close_frame(out, depth) } else { Ok(()) }
}

/// Mermaid leaves room for one line above a frame.
fn open_frame(out: &mut String, block: &Block, depth: usize) -> fmt::Result {
    let mut title = vec![truncate(&block.label(), LINE_WIDTH).into_owned()];
    if block.is_group() {
        title.extend(codes(&block.marks).into_iter().map(|(_, code)| code));
    }
    writeln!(out, "{:1$}subgraph {2}[\"{3}\"]", "", depth * 4, frame_id(block), escape(&title.join(", ")))
}

fn close_frame(out: &mut String, depth: usize) -> fmt::Result {
    writeln!(out, "{:1$}end", "", depth * 4)
}

fn write_node(out: &mut String, id: &str, (open, close): Brackets, lines: &[String], depth: usize) -> fmt::Result {
    writeln!(out, "{:1$}{2}{open}\"{3}\"{close}", "", depth * 4, node_id(id), label(lines))
}

const fn brackets(block: &Block) -> Brackets {
    match block.kind {
        Kind::Provider => SUBROUTINE,
        Kind::Status => PARALLELOGRAM,
        Kind::Code => FLAG,
        Kind::If | Kind::While { .. } => HEXAGON,
        Kind::Approval => INVERTED_TRAPEZOID,
        Kind::Terminate => DOUBLE_CIRCLE,
        Kind::Declared => ROUNDED,
        Kind::Assign | Kind::Unknown | Kind::Event | Kind::Sequence => RECTANGLE,
    }
}

fn node_id(id: &str) -> String {
    id.replace('-', "_")
}

fn frame_id(block: &Block) -> String {
    format!("{}_frame", node_id(&block.id))
}

fn label(lines: &[String]) -> String {
    let wrapped = lines.iter().map(|line| wrap(line, LINE_WIDTH, ""));
    let lines: Vec<String> = wrapped.flat_map(|line| line.split('\n').map(escape).collect::<Vec<_>>()).collect();
    lines.join("<br/>")
}

/// A string with an entity for every character that Mermaid could interpret: it searches its whole source for
/// directives, comments and styles, also inside of quotes.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        let is_plain = !character.is_ascii() || character.is_ascii_alphanumeric() || " .,-_()+/!?'".contains(character);
        if is_plain {
            escaped.push(character);
        } else {
            let _ = write!(escaped, "#{};", u32::from(character));
        }
    }
    escaped
}
