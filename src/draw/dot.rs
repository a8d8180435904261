//! `--format dot`: a graph for Graphviz.

use super::block::{Block, Drawing, Kind};
use super::graph::{EdgeStyle, Item, Node, Shape, edges, items, label};
use crate::text::diagnostic::Severity;

impl Drawing {
    pub fn dot(&self) -> String {
        let title = escape(&self.title);
        let mut lines = vec![
            "digraph workflow {".to_owned(),
            format!("  graph [charset=\"UTF-8\", tooltip=\"{title}\", fontname=\"sans-serif\"]"),
            "  node [shape=box, fontname=\"sans-serif\"]".to_owned(),
            "  edge [fontname=\"sans-serif\"]".to_owned(),
        ];
        lines.extend(items(self).iter().map(|(depth, item)| {
            let line = match item {
                Item::Node(node) => node_line(node),
                Item::Open(block) => open_frame(block),
                Item::Close => "}".to_owned(),
            };
            format!("{:1$}{line}", "", depth * 2)
        }));
        lines.extend(edges(self).iter().map(|edge| {
            let attributes = match (edge.style, edge.label) {
                (EdgeStyle::Hidden, _) => " [style=invis]".to_owned(),
                (EdgeStyle::Back, "") => " [label=\"again\"]".to_owned(),
                (_, "") => String::new(),
                (_, label) => format!(" [label=\"{label}\"]"),
            };
            format!("  \"{}\" -> \"{}\"{attributes}", edge.from, edge.to)
        }));
        lines.join("\n") + "\n}\n"
    }
}

fn node_line(node: &Node<'_>) -> String {
    let (shape, label) = (shape(node.shape), label(&node.lines, escape, "\\n"));
    let color = node.severity.map_or_else(String::new, |severity| format!(", {}", color(severity)));
    let description = escape(&node.description);
    let tooltip = if description.is_empty() { String::new() } else { format!(", tooltip=\"{description}\"") };
    format!("\"{}\" [shape={shape}, label=\"{label}\"{tooltip}{color}]", node.id)
}

fn open_frame(block: &Block) -> String {
    let (lines, style) = if block.is_group() {
        (block.lines(), block.severity().map_or_else(String::new, |severity| format!(" {}", color(severity))))
    } else {
        (vec![block.label()], " style=dashed".to_owned())
    };
    format!("subgraph \"cluster_{}\" {{ graph [label=\"{}\"{style}]", block.id, label(&lines, escape, "\\n"))
}

const fn shape(shape: Shape<'_>) -> &'static str {
    let kind = match shape {
        Shape::Terminal => return "oval",
        Shape::Delay => return "cds",
        Shape::Empty => return "plaintext",
        Shape::Activity(kind) => kind,
    };
    match kind {
        Kind::Provider => "component",
        Kind::Assign => "box",
        Kind::Status => "parallelogram",
        Kind::Code => "note",
        Kind::If | Kind::While { .. } => "hexagon",
        Kind::Approval { .. } => "invtrapezium",
        Kind::Terminate => "doubleoctagon",
        Kind::Declared | Kind::Timeout => "box, style=rounded",
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
