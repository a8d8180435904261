//! The shapes of the kinds of activities.

use super::node::{HALF, NODE_WIDTH};
use crate::draw::block::Kind;

/// How far sides lean, in pixels.
const SLANT: i32 = 14;
/// The inner lines of a call, and the folded corner of a script.
const INSET: i32 = 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outline {
    Rectangle,
    Rounded,
    /// A rectangle with a second line on both sides: a call of a plug-in.
    Call,
    /// A parallelogram: what leaves the workflow.
    Output,
    /// A rectangle with a folded corner.
    Script,
    Hexagon,
    /// A trapezoid: what people do.
    Manual,
    Octagon,
    Stadium,
}

impl Outline {
    pub const fn of(kind: &Kind) -> Self {
        match kind {
            Kind::Provider => Self::Call,
            Kind::Status => Self::Output,
            Kind::Code => Self::Script,
            Kind::If | Kind::While { .. } => Self::Hexagon,
            Kind::Approval => Self::Manual,
            Kind::Terminate => Self::Octagon,
            Kind::Declared => Self::Rounded,
            Kind::Assign | Kind::Unknown | Kind::Event | Kind::Sequence => Self::Rectangle,
        }
    }

    /// The elements of the shape, with its top at `y` and its middle at 0.
    pub fn elements(self, y: i32, height: i32) -> String {
        let (left, right, bottom, middle) = (-HALF, HALF, y + height, y + height / 2);
        let path = |points: &str| format!("<path class=\"wf-shape\" d=\"{points}z\"/>");
        let rectangle = |radius: i32| {
            format!(
                "<rect class=\"wf-shape\" x=\"{left}\" y=\"{y}\" width=\"{NODE_WIDTH}\" height=\"{height}\" rx=\"{radius}\"/>"
            )
        };
        match self {
            Self::Rectangle => rectangle(3),
            Self::Rounded => rectangle(12),
            Self::Stadium => rectangle(height / 2),
            Self::Call => {
                let inner = format!("M{} {y}V{bottom}M{} {y}V{bottom}", left + INSET, right - INSET);
                format!("{}<path class=\"wf-inner\" d=\"{inner}\"/>", rectangle(3))
            }
            Self::Output => path(&format!("M{} {y}H{right}L{} {bottom}H{left}", left + SLANT, right - SLANT)),
            Self::Script => {
                let (corner, fold) = (right - INSET, y + INSET);
                let sheet = path(&format!("M{left} {y}H{corner}L{right} {fold}V{bottom}H{left}"));
                format!("{sheet}<path class=\"wf-inner\" d=\"M{corner} {y}V{fold}H{right}\"/>")
            }
            Self::Hexagon => path(&format!(
                "M{} {y}H{}L{right} {middle}L{} {bottom}H{}L{left} {middle}",
                left + SLANT,
                right - SLANT,
                right - SLANT,
                left + SLANT
            )),
            Self::Manual => path(&format!("M{left} {y}H{right}L{} {bottom}H{}", right - SLANT, left + SLANT)),
            Self::Octagon => path(&format!(
                "M{} {y}H{}L{right} {}V{}L{} {bottom}H{}L{left} {}V{}",
                left + INSET,
                right - INSET,
                y + INSET,
                bottom - INSET,
                right - INSET,
                left + INSET,
                bottom - INSET,
                y + INSET
            )),
        }
    }
}
