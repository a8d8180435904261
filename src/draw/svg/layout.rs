//! The layout. Vertical lines run at x = 0; what does not fit there extends to the right.

use super::label::{HALF, Label};
use crate::draw::block::{Block, Kind};

/// The length of a line between two shapes, in pixels.
pub const GAP: i32 = 30;
/// Between a frame and its content.
pub const FRAME: i32 = 16;
/// Between the shapes of a loop and the line beside them, and between that line and the frame.
pub const BESIDE: i32 = 18;
/// The least length of a line to the right that has a word on it.
const WORD_ROOM: i32 = 50;
/// The same for the words of a decision.
const DECISION_ROOM: i32 = 72;
/// The height of a loop's delay.
pub const DELAY: i32 = 26;
/// Between the last activity of a branch and where it joins again.
pub const JOIN: i32 = 18;
/// Between the lowest activity of a loop and the ends of its lines.
pub const BACK: i32 = 24;
pub const EXIT: i32 = 44;
/// Between an approval and the line that leads to its lanes.
pub const FORK: i32 = 14;
/// Between two lanes.
const LANE_GAP: i32 = 28;

/// Blocks below each other.
pub struct Column<'b> {
    /// With the distance from the top.
    pub items: Vec<(i32, Laid<'b>)>,
    /// How far it reaches from the line to the left and to the right.
    pub left: i32,
    pub right: i32,
    pub height: i32,
    /// Whether a line leaves it at the bottom.
    pub completes: bool,
}

/// A block with its size.
pub struct Laid<'b> {
    pub block: &'b Block,
    pub label: Label,
    pub left: i32,
    pub right: i32,
    pub height: i32,
    pub inside: Inside<'b>,
}

/// What belongs to a block besides its own shape.
pub enum Inside<'b> {
    Nothing,
    /// The children below it; with the distance from the top of the block.
    Column(i32, Column<'b>),
    Branch {
        top: i32,
        column: Column<'b>,
        /// Where the line past the children runs.
        beside: i32,
    },
    Loop {
        top: i32,
        column: Column<'b>,
        back: i32,
        beside: i32,
    },
    Lanes {
        top: i32,
        /// With the distance from the first lane.
        lanes: Vec<(i32, Laid<'b>)>,
        /// Where the line past all lanes runs, if a decision takes none that leads on.
        beside: Option<i32>,
    },
}

impl<'b> Column<'b> {
    pub fn new(blocks: &'b [Block]) -> Self {
        let mut column = Self { items: Vec::new(), left: HALF, right: HALF, height: 0, completes: true };
        for block in blocks {
            let laid = Laid::new(block);
            let y = if column.items.is_empty() { 0 } else { column.height + GAP };
            column.left = column.left.max(laid.left);
            column.right = column.right.max(laid.right);
            column.height = y + laid.height;
            column.completes &= block.completes();
            column.items.push((y, laid));
        }
        column
    }

    /// The height, with the line above; an empty column is a short line.
    fn below(&self) -> i32 {
        if self.items.is_empty() { GAP } else { GAP + self.height }
    }
}

impl<'b> Laid<'b> {
    /// Recurses with the nesting of activities, which the depth limit of the document bounds.
    fn new(block: &'b Block) -> Self {
        let label = Label::new(block);
        match &block.kind {
            Kind::If => Self::branch(block, label),
            Kind::While { delay } => Self::looping(block, label, delay.is_some()),
            Kind::Approval { .. } if !block.children.is_empty() => Self::lanes(block, label),
            Kind::Sequence | Kind::Event => Self::framed(block, label, 0),
            _ if !block.children.is_empty() => Self::framed(block, label, FRAME),
            _ => {
                let height = label.height;
                Self { block, label, left: HALF, right: HALF, height, inside: Inside::Nothing }
            }
        }
    }

    /// A frame around the children, with the label or a shape at its top.
    fn framed(block: &'b Block, label: Label, above: i32) -> Self {
        let column = Column::new(block.shown());
        let head = above + label.height;
        let (left, right) = (column.left + FRAME, column.right + FRAME);
        let below = if block.is_folded { 0 } else { column.below() };
        let height = head + below + if column.items.is_empty() { 0 } else { FRAME };
        Self { block, label, left, right, height, inside: Inside::Column(head + GAP, column) }
    }

    fn branch(block: &'b Block, label: Label) -> Self {
        let column = Column::new(&block.children);
        let beside = (column.right + BESIDE).max(HALF + WORD_ROOM);
        let height = label.height + column.below() + JOIN;
        let (left, top) = (column.left, label.height + GAP);
        Self { block, label, left, right: beside, height, inside: Inside::Branch { top, column, beside } }
    }

    fn looping(block: &'b Block, label: Label, has_delay: bool) -> Self {
        let column = Column::new(&block.children);
        let beside = (column.right + BESIDE).max(HALF + WORD_ROOM);
        let back = column.left + BESIDE;
        let above = FRAME + label.height + if has_delay { GAP + DELAY } else { 0 };
        let height = above + column.below() + EXIT + FRAME;
        let (left, right, top) = (back + BESIDE, beside + BESIDE, above + GAP);
        Self { block, label, left, right, height, inside: Inside::Loop { top, column, back, beside } }
    }

    fn lanes(block: &'b Block, label: Label) -> Self {
        let mut lanes: Vec<(i32, Self)> = Vec::new();
        let (mut left, mut right, mut height) = (HALF, HALF, 0);
        for child in &block.children {
            let lane = Self::new(child);
            let x = lanes.last().map_or(0, |(x, before)| x + before.right + LANE_GAP + lane.left);
            if lanes.is_empty() {
                left = left.max(lane.left);
            }
            right = right.max(x + lane.right);
            height = height.max(lane.height);
            lanes.push((x, lane));
        }
        let beside = block.without_event().map(|_| (right + BESIDE).max(HALF + DECISION_ROOM));
        let right = beside.unwrap_or(right);
        let top = label.height + FORK + GAP;
        let height = top + height + JOIN;
        Self { block, label, left, right, height, inside: Inside::Lanes { top, lanes, beside } }
    }
}
