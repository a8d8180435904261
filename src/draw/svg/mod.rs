//! `--format svg`: laid out from the tree of blocks alone, so that a change of the workflow moves only what is below
//! it, or right of it in an approval.

mod layout;
mod node;
mod outline;
mod style;
mod text;
mod write;

use super::block::{Drawing, describe_marks};
use layout::{Column, GAP};
use node::Label;
use write::Writer;

/// Around the drawing, in pixels.
const MARGIN: i32 = 24;

impl Drawing {
    /// The ids of elements begin with `prefix`: they must be unique in a page that holds several drawings.
    pub fn svg(&self, prefix: &str) -> String {
        let words = if self.is_part { ("…", "…") } else { ("Start", "End") };
        let (first, last) = (Label::terminal(words.0, &self.marks), Label::terminal(words.1, &[]));
        let column = Column::new(&self.body);
        let top = first.height + GAP;
        let bottom = if self.body.is_empty() { first.height } else { top + column.height };
        let end = bottom + GAP;
        let (left, right) = (column.left + MARGIN, column.right + MARGIN);
        let (width, height) = (left + right, end + last.height + 2 * MARGIN);

        let mut out = Writer::new(prefix);
        out.open(&format!(
            "svg xmlns=\"http://www.w3.org/2000/svg\" class=\"wf\" viewBox=\"{} {} {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"graphics-document document\" xml:lang=\"en\" \
             aria-labelledby=\"{prefix}title {prefix}summary\"",
            -left, -MARGIN
        ));
        out.text_element("title", "title", &self.title);
        out.text_element("desc", "summary", &self.summary);
        out.line(&format!("<style>{}</style>", style::STYLE));
        let background = format!("x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\"", -left, -MARGIN);
        out.line(&format!("<rect class=\"wf-paper\" {background}/>"));
        out.terminal(&first, "start", 0, &describe_marks(&self.marks).join("; "));
        out.column(&column, top, true);
        let is_reached = column.completes;
        out.terminal(&last, "end", end, "");
        if is_reached {
            out.arrow_down(0, bottom, end);
        }
        out.close("svg");
        out.finish()
    }
}
