//! `--format mermaid`: a flowchart, which code hosts draw in Markdown.

use std::fmt::Write;

use super::block::{Block, Drawing, Kind, codes};
use super::graph::{EdgeStyle, Item, LINE_WIDTH, START, Shape, edges, items, label};
use crate::text::diagnostic::Severity;
use crate::text::truncate;

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
        let mut lines = vec![
            "flowchart TB".to_owned(),
            format!("    accTitle: {}", escape(&self.title)),
            format!("    accDescr: {}", escape(&self.summary)),
        ];
        lines.extend(items(self).iter().map(|(depth, item)| {
            let line = match item {
                Item::Node(node) => {
                    let ((open, close), label) = (brackets(node.shape), label(&node.lines, escape, "<br/>"));
                    format!("{}{open}\"{label}\"{close}", node_id(&node.id))
                }
                Item::Open(block) => open_frame(block),
                Item::Close => "end".to_owned(),
            };
            format!("{:1$}{line}", "", depth * 4)
        }));
        lines.extend(edges(self).iter().map(|edge| {
            let (from, to) = (node_id(&edge.from), node_id(&edge.to));
            match (edge.style, edge.label) {
                (EdgeStyle::Hidden, _) => format!("    {from} ~~~ {to}"),
                (EdgeStyle::Back, "") => format!("    {from} -->|\"again\"| {to}"),
                (_, "") => format!("    {from} --> {to}"),
                (_, label) => format!("    {from} -->|\"{label}\"| {to}"),
            }
        }));
        lines.extend(self.classes());
        lines.join("\n") + "\n"
    }

    /// Findings as the color of a node's border.
    fn classes(&self) -> Vec<String> {
        let mut marked: Vec<(Severity, String)> = Vec::new();
        marked.extend(self.marks.iter().map(|mark| mark.severity).max().map(|severity| (severity, START.to_owned())));
        self.body.iter().for_each(|block| collect_marked(block, &mut marked));
        let mut lines = Vec::new();
        for (severity, color) in
            [(Severity::Error, "#cf222e"), (Severity::Warning, "#bf8700"), (Severity::Info, "#0969da")]
        {
            let nodes = marked.iter().filter(|(found, _)| *found == severity).map(|(_, id)| id.as_str());
            let (nodes, class) = (nodes.collect::<Vec<_>>().join(","), severity.word());
            if !nodes.is_empty() {
                lines.push(format!("    classDef {class} stroke:{color},stroke-width:3px"));
                lines.push(format!("    class {nodes} {class}"));
            }
        }
        lines
    }
}

/// Mermaid leaves room for one line above a frame.
fn open_frame(block: &Block) -> String {
    let mut title = vec![truncate(&block.label(), LINE_WIDTH).into_owned()];
    if block.is_group() {
        title.extend(codes(&block.marks).into_iter().map(|(_, code)| code));
    }
    format!("subgraph {}[\"{}\"]", frame_id(block), escape(&title.join(", ")))
}

fn collect_marked(block: &Block, marked: &mut Vec<(Severity, String)>) {
    let id = if block.is_group() { frame_id(block) } else { node_id(&block.id) };
    marked.extend(block.severity().map(|severity| (severity, id)));
    block.children.iter().for_each(|child| collect_marked(child, marked));
}

const fn brackets(shape: Shape<'_>) -> Brackets {
    let kind = match shape {
        Shape::Terminal => return STADIUM,
        Shape::Delay | Shape::Empty => return ROUNDED,
        Shape::Activity(kind) => kind,
    };
    match kind {
        Kind::Provider => SUBROUTINE,
        Kind::Status => PARALLELOGRAM,
        Kind::Code => FLAG,
        Kind::If | Kind::While { .. } => HEXAGON,
        Kind::Approval { .. } => INVERTED_TRAPEZOID,
        Kind::Terminate => DOUBLE_CIRCLE,
        Kind::Declared | Kind::Timeout => ROUNDED,
        Kind::Assign | Kind::Unknown | Kind::Event | Kind::Sequence => RECTANGLE,
    }
}

fn node_id(id: &str) -> String {
    id.replace('-', "_")
}

fn frame_id(block: &Block) -> String {
    format!("{}_frame", node_id(&block.id))
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
