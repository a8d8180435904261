//! `--format dot`: a graph for Graphviz.

use std::fmt::{self, Write};

use super::block::{Block, Drawing, Kind, codes};
use super::edges::{END, EdgeStyle, START, delay_id, edges, empty_id};
use crate::diagnostic::Severity;
use crate::text::wrap;

/// Graphviz does not break lines, so they are broken here. In columns.
const LINE_WIDTH: usize = 44;

impl Drawing {
    pub fn dot(&self) -> String {
        let mut out = String::new();
        // Writing to a string does not fail.
        let _ = self.write_dot(&mut out);
        out
    }

    fn write_dot(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "digraph workflow {{")?;
        writeln!(out, "  graph [charset=\"UTF-8\", tooltip=\"{}\", fontname=\"sans-serif\"]", escape(&self.title))?;
        writeln!(out, "  node [shape=box, fontname=\"sans-serif\"]")?;
        writeln!(out, "  edge [fontname=\"sans-serif\"]")?;
        let (first, last) = if self.is_part { ("…", "…") } else { ("Start", "End") };
        let mut lines = vec![first.to_owned()];
        lines.extend(codes(&self.marks).into_iter().map(|(_, code)| code));
        let severity = self.marks.iter().map(|mark| mark.severity).max();
        Node { id: START, shape: "oval", lines: &lines, tooltip: &self.summary, severity }.write(out, 1)?;
        write_blocks(out, &self.body, 1)?;
        Node { id: END, shape: "oval", lines: &[last.to_owned()], tooltip: "", severity: None }.write(out, 1)?;
        for edge in edges(self) {
            write!(out, "  \"{}\" -> \"{}\"", edge.from, edge.to)?;
            let attributes = match (edge.style, edge.label) {
                (EdgeStyle::Hidden, _) => " [style=invis]".to_owned(),
                (EdgeStyle::Back, "") => " [label=\"again\"]".to_owned(),
                (_, "") => String::new(),
                (_, label) => format!(" [label=\"{label}\"]"),
            };
            writeln!(out, "{attributes}")?;
        }
        writeln!(out, "}}")
    }
}

/// A node that is drawn.
struct Node<'n> {
    id: &'n str,
    shape: &'n str,
    lines: &'n [String],
    tooltip: &'n str,
    severity: Option<Severity>,
}

impl Node<'_> {
    fn write(&self, out: &mut String, depth: usize) -> fmt::Result {
        let Self { id, shape, lines, tooltip, .. } = self;
        let color = self.severity.map_or_else(String::new, |severity| format!(", {}", color(severity)));
        let tooltip = if tooltip.is_empty() { String::new() } else { format!(", tooltip=\"{}\"", escape(tooltip)) };
        let label = label(lines);
        writeln!(out, "{:1$}\"{id}\" [shape={shape}, label=\"{label}\"{tooltip}{color}]", "", depth * 2)
    }
}

fn write_blocks(out: &mut String, blocks: &[Block], depth: usize) -> fmt::Result {
    blocks.iter().try_for_each(|block| write_block(out, block, depth))
}

/// Writes a node, in a frame if it has children.
fn write_block(out: &mut String, block: &Block, depth: usize) -> fmt::Result {
    let lines = block.lines();
    let description = block.description();
    let node =
        Node { id: &block.id, shape: shape(block), lines: &lines, tooltip: &description, severity: block.severity() };
    let is_loop = matches!(block.kind, Kind::While { .. });
    let has_frame = is_loop || !matches!(block.kind, Kind::If | Kind::Approval) && !block.children.is_empty();
    if block.is_group() {
        let color = block.severity().map_or_else(String::new, |severity| format!(" {}", color(severity)));
        open_frame(out, block, &lines, &color, depth)?;
        if block.children.is_empty() {
            let lines = ["(empty)".to_owned()];
            let empty = empty_id(block);
            Node { id: &empty, shape: "plaintext", lines: &lines, tooltip: "", severity: None }
                .write(out, depth + 1)?;
        }
        write_blocks(out, &block.children, depth + 1)?;
        return close_frame(out, depth);
    }
    let inside = depth + usize::from(has_frame);
    if has_frame {
        open_frame(out, block, &[block.label()], " style=dashed", depth)?;
    }
    node.write(out, inside)?;
    if let Kind::While { delay: Some(delay) } = &block.kind {
        let (id, lines) = (delay_id(block), std::slice::from_ref(delay));
        Node { id: &id, shape: "cds", lines, tooltip: "", severity: None }.write(out, inside)?;
    }
    write_blocks(out, &block.children, inside)?;
    if has_frame { close_frame(out, depth) } else { Ok(()) }
}

fn open_frame(out: &mut String, block: &Block, lines: &[String], style: &str, depth: usize) -> fmt::Result {
    let label = label(lines);
    writeln!(out, "{:1$}subgraph \"cluster_{2}\" {{ graph [label=\"{label}\"{3}]", "", depth * 2, block.id, style)
}

fn close_frame(out: &mut String, depth: usize) -> fmt::Result {
    writeln!(out, "{:1$}}}", "", depth * 2)
}

const fn shape(block: &Block) -> &'static str {
    match block.kind {
        Kind::Provider => "component",
        Kind::Assign => "box",
        Kind::Status => "parallelogram",
        Kind::Code => "note",
        Kind::If | Kind::While { .. } => "hexagon",
        Kind::Approval => "invtrapezium",
        Kind::Terminate => "doubleoctagon",
        Kind::Declared => "box, style=rounded",
        Kind::Unknown | Kind::Event | Kind::Sequence => "box, style=dashed",
    }
}

const fn color(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "color=\"#cf222e\", penwidth=3",
        Severity::Warning => "color=\"#bf8700\", penwidth=3",
        Severity::Info => "color=\"#0969da\", penwidth=3",
    }
}

fn label(lines: &[String]) -> String {
    let wrapped = lines.iter().map(|line| wrap(line, LINE_WIDTH, ""));
    let lines: Vec<String> = wrapped.flat_map(|line| line.split('\n').map(escape).collect::<Vec<_>>()).collect();
    lines.join("\\n")
}

/// A string between quotes: Graphviz knows escapes with a backslash, and the entities of HTML.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' => escaped.push_str("&quot;"),
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\\' => escaped.push_str("\\\\"),
            other => escaped.push(other),
        }
    }
    escaped
}
