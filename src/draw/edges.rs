//! The edges of a drawing, for formats whose programs do the layout.

use super::block::{Block, Drawing, Kind, completes};

/// The node before the first activity.
pub const START: &str = "start";
/// The node after the last activity.
pub const END: &str = "stop";

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

/// The end of a line that is not connected yet.
#[derive(Debug, Clone)]
struct Exit {
    from: String,
    label: &'static str,
    style: EdgeStyle,
}

impl Exit {
    fn plain(from: &str, label: &'static str) -> Self {
        Self { from: from.to_owned(), label, style: EdgeStyle::Plain }
    }
}

/// The node in a frame that has no activity.
pub fn empty_id(block: &Block) -> String {
    format!("{}-empty", block.id)
}

/// The node of a loop's delay.
pub fn delay_id(block: &Block) -> String {
    format!("{}-wait", block.id)
}

/// All lines, in the order of the workflow.
pub fn edges(drawing: &Drawing) -> Vec<Edge> {
    let mut lines = Lines::default();
    let ends = lines.sequence(&drawing.body, vec![Exit::plain(START, "")]);
    lines.connect(ends, END, EdgeStyle::Plain);
    lines.0
}

fn hide(exits: &mut [Exit]) {
    for exit in exits {
        exit.style = EdgeStyle::Hidden;
    }
}

#[derive(Default)]
struct Lines(Vec<Edge>);

impl Lines {
    /// Connects open lines to a node.
    fn connect(&mut self, exits: Vec<Exit>, to: &str, style: EdgeStyle) {
        for exit in exits {
            let style = if exit.style == EdgeStyle::Hidden { EdgeStyle::Hidden } else { style };
            self.0.push(Edge { from: exit.from, to: to.to_owned(), label: exit.label, style });
        }
    }

    fn sequence(&mut self, blocks: &[Block], from: Vec<Exit>) -> Vec<Exit> {
        let mut ends = blocks.iter().fold(from, |from, block| self.block(block, from));
        if !completes(blocks) {
            // Nothing after a Terminate runs, so no line leads on from it.
            hide(&mut ends);
        }
        ends
    }

    /// Draws a block, and returns the lines that leave it.
    fn block(&mut self, block: &Block, from: Vec<Exit>) -> Vec<Exit> {
        let own = block.id.as_str();
        if block.is_group() {
            if block.children.is_empty() {
                let empty = empty_id(block);
                self.connect(from, &empty, EdgeStyle::Plain);
                return vec![Exit::plain(&empty, "")];
            }
            return self.sequence(&block.children, from);
        }
        self.connect(from, own, EdgeStyle::Plain);
        match &block.kind {
            Kind::Terminate => {
                let hidden = Exit { style: EdgeStyle::Hidden, ..Exit::plain(own, "") };
                let mut ends = self.sequence(&block.children, vec![hidden]);
                hide(&mut ends);
                ends
            }
            Kind::If => {
                let mut ends = self.sequence(&block.children, vec![Exit::plain(own, "true")]);
                ends.retain(|end| end.style != EdgeStyle::Hidden);
                ends.push(Exit::plain(own, "false"));
                ends
            }
            Kind::While { delay } => {
                let mut first = vec![Exit::plain(own, "true")];
                if delay.is_some() {
                    let wait = delay_id(block);
                    self.connect(first, &wait, EdgeStyle::Plain);
                    first = vec![Exit::plain(&wait, "")];
                }
                let mut ends = self.sequence(&block.children, first);
                ends.retain(|end| end.style != EdgeStyle::Hidden);
                self.connect(ends, own, EdgeStyle::Back);
                vec![Exit::plain(own, "false")]
            }
            Kind::Approval => {
                let lanes = block.children.iter().flat_map(|lane| self.block(lane, vec![Exit::plain(own, "")]));
                let mut ends: Vec<Exit> = lanes.collect();
                ends.retain(|end| end.style != EdgeStyle::Hidden);
                if ends.is_empty() {
                    ends.push(Exit::plain(own, if block.children.is_empty() { "" } else { "no event" }));
                }
                ends
            }
            _ => {
                let mut ends = self.sequence(&block.children, vec![Exit::plain(own, "")]);
                if ends.iter().all(|end| end.style == EdgeStyle::Hidden) {
                    ends = vec![Exit::plain(own, "")];
                }
                ends
            }
        }
    }
}
