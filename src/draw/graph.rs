//! A drawing as nodes, frames around them, and edges, for formats whose programs do the layout.

use super::block::{Block, Drawing, Kind, codes, completes};
use crate::text::diagnostic::Severity;
use crate::text::wrap;

/// These programs do not break lines well, so lines are broken here. In columns.
pub const LINE_WIDTH: usize = 44;

/// The node before the first activity.
pub const START: &str = "start";
/// The node after the last activity.
const END: &str = "stop";

/// A part of a drawing; frames nest.
pub enum Item<'d> {
    Node(Node<'d>),
    /// Begins the frame of a block.
    Open(&'d Block),
    Close,
}

pub struct Node<'d> {
    pub id: String,
    pub shape: Shape<'d>,
    pub lines: Vec<String>,
    /// In words, for readers that do not see the drawing; may be empty.
    pub description: String,
    /// Of the worst finding.
    pub severity: Option<Severity>,
}

#[derive(Debug, Clone, Copy)]
pub enum Shape<'d> {
    /// The start or the end.
    Terminal,
    Activity(&'d Kind),
    /// The delay of a loop.
    Delay,
    /// Stands in a frame that has no activity.
    Empty,
}

impl Node<'_> {
    fn plain(id: impl Into<String>, shape: Shape<'static>, line: &str) -> Self {
        Self { id: id.into(), shape, lines: vec![line.to_owned()], description: String::new(), severity: None }
    }
}

/// All nodes and frames, from the start to the end, with the number of frames around each and 1 for the drawing.
pub fn items(drawing: &Drawing) -> Vec<(usize, Item<'_>)> {
    let (first, last) = if drawing.is_part { ("…", "…") } else { ("Start", "End") };
    let mut start = Node::plain(START, Shape::Terminal, first);
    start.lines.extend(codes(&drawing.marks).into_iter().map(|(_, code)| code));
    start.description.clone_from(&drawing.summary);
    start.severity = drawing.marks.iter().map(|mark| mark.severity).max();
    let mut items = vec![(1, Item::Node(start))];
    drawing.body.iter().for_each(|block| push_block(block, 1, &mut items));
    items.push((1, Item::Node(Node::plain(END, Shape::Terminal, last))));
    items
}

/// Adds a node, in a frame if it has children.
fn push_block<'d>(block: &'d Block, depth: usize, items: &mut Vec<(usize, Item<'d>)>) {
    let is_loop = matches!(block.kind, Kind::While { .. });
    let has_children = !matches!(block.kind, Kind::If | Kind::Approval { .. }) && !block.children.is_empty();
    let has_frame = block.is_group() || is_loop || has_children;
    let inside = depth + usize::from(has_frame);
    items.extend(has_frame.then_some((depth, Item::Open(block))));
    if !block.is_group() {
        let (id, shape) = (block.id.clone(), Shape::Activity(&block.kind));
        let (lines, description, severity) = (block.lines(), block.description(), block.severity());
        items.push((inside, Item::Node(Node { id, shape, lines, description, severity })));
    } else if block.children.is_empty() {
        items.push((inside, Item::Node(Node::plain(empty_id(block), Shape::Empty, "(empty)"))));
    }
    if let Kind::While { delay: Some(delay) } = &block.kind {
        items.push((inside, Item::Node(Node::plain(delay_id(block), Shape::Delay, delay))));
    }
    block.children.iter().for_each(|child| push_block(child, inside, items));
    items.extend(has_frame.then_some((depth, Item::Close)));
}

/// The lines of a node, broken to the width, each escaped.
pub fn label(lines: &[String], escape: fn(&str) -> String, separator: &str) -> String {
    let wrapped = lines.iter().map(|line| wrap(line, LINE_WIDTH, ""));
    let lines: Vec<String> = wrapped.flat_map(|line| line.split('\n').map(escape).collect::<Vec<_>>()).collect();
    lines.join(separator)
}

/// A line between two nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    pub from: String,
    pub to: String,
    pub label: &'static str,
    pub style: EdgeStyle,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeStyle {
    Plain,
    /// The way back of a loop.
    Back,
    /// Invisible: keeps an unreachable node below the one before it.
    Hidden,
}

impl Edge {
    /// A line that is not connected yet.
    fn open(from: &str, label: &'static str) -> Self {
        Self { from: from.to_owned(), to: String::new(), label, style: EdgeStyle::Plain }
    }
}

/// The node in a frame that has no activity.
fn empty_id(block: &Block) -> String {
    format!("{}-empty", block.id)
}

/// The node of a loop's delay.
fn delay_id(block: &Block) -> String {
    format!("{}-wait", block.id)
}

/// All lines, in the order of the workflow.
pub fn edges(drawing: &Drawing) -> Vec<Edge> {
    let mut lines = Lines::default();
    let ends = lines.sequence(&drawing.body, vec![Edge::open(START, "")]);
    lines.connect(ends, END, EdgeStyle::Plain);
    lines.0
}

fn hide(exits: &mut [Edge]) {
    for exit in exits {
        exit.style = EdgeStyle::Hidden;
    }
}

#[derive(Default)]
struct Lines(Vec<Edge>);

impl Lines {
    /// Connects open lines to a node.
    fn connect(&mut self, exits: Vec<Edge>, to: &str, style: EdgeStyle) {
        for exit in exits {
            let style = if exit.style == EdgeStyle::Hidden { EdgeStyle::Hidden } else { style };
            self.0.push(Edge { to: to.to_owned(), style, ..exit });
        }
    }

    fn sequence(&mut self, blocks: &[Block], from: Vec<Edge>) -> Vec<Edge> {
        let mut ends = blocks.iter().fold(from, |from, block| self.block(block, from));
        if !completes(blocks) {
            // Nothing after a Terminate runs, so no line leads on from it.
            hide(&mut ends);
        }
        ends
    }

    /// Draws a block, and returns the lines that leave it.
    fn block(&mut self, block: &Block, from: Vec<Edge>) -> Vec<Edge> {
        let own = block.id.as_str();
        if block.is_group() {
            if block.children.is_empty() {
                let empty = empty_id(block);
                self.connect(from, &empty, EdgeStyle::Plain);
                return vec![Edge::open(&empty, "")];
            }
            return self.sequence(&block.children, from);
        }
        self.connect(from, own, EdgeStyle::Plain);
        match &block.kind {
            Kind::Terminate => {
                let hidden = Edge { style: EdgeStyle::Hidden, ..Edge::open(own, "") };
                let mut ends = self.sequence(&block.children, vec![hidden]);
                hide(&mut ends);
                ends
            }
            Kind::If => {
                let mut ends = self.sequence(&block.children, vec![Edge::open(own, "true")]);
                ends.retain(|end| end.style != EdgeStyle::Hidden);
                ends.push(Edge::open(own, "false"));
                ends
            }
            Kind::While { delay } => {
                let mut first = vec![Edge::open(own, "true")];
                if delay.is_some() {
                    let wait = delay_id(block);
                    self.connect(first, &wait, EdgeStyle::Plain);
                    first = vec![Edge::open(&wait, "")];
                }
                let mut ends = self.sequence(&block.children, first);
                ends.retain(|end| end.style != EdgeStyle::Hidden);
                self.connect(ends, own, EdgeStyle::Back);
                vec![Edge::open(own, "false")]
            }
            Kind::Approval { .. } => {
                let mut ends: Vec<Edge> = Vec::new();
                for lane in block.events() {
                    ends.extend(self.block(lane, vec![Edge::open(own, "")]));
                }
                ends.retain(|end| end.style != EdgeStyle::Hidden);
                ends.extend(block.without_event().map(|word| Edge::open(own, word)));
                for lane in block.children.iter().filter(|lane| lane.kind == Kind::Timeout) {
                    ends.extend(self.block(lane, vec![Edge::open(own, "")]));
                }
                ends
            }
            _ => {
                let mut ends = self.sequence(&block.children, vec![Edge::open(own, "")]);
                if ends.iter().all(|end| end.style == EdgeStyle::Hidden) {
                    ends = vec![Edge::open(own, "")];
                }
                ends
            }
        }
    }
}
