//! `--format svg`: laid out from the tree of blocks alone, so that a change of the workflow moves only what is below
//! it, or right of it in an approval.

mod label;
mod layout;
mod paper;
mod write;

use super::block::{Drawing, describe_marks};
use label::Label;
use layout::{Column, GAP};
use paper::Part;
use write::Writer;

/// In a drawing of its own, the ids of elements begin with it.
pub const SVG_PREFIX: &str = "wf-";
/// Around the drawing, in pixels.
const MARGIN: i32 = 24;

impl Drawing {
    /// A file of its own. The ids of elements begin with `prefix`.
    pub fn svg(&self, prefix: &str) -> String {
        self.write_svg(prefix, &format!("<style>{DRAWING_STYLE}</style>")).0
    }

    /// A part of a page that has [`DRAWING_STYLE`], and the strips of it for paper. Its marks show their messages when
    /// somebody points at them. The ids of elements begin with `prefix`, which is unique in the page.
    pub fn svg_in_page(&self, prefix: &str) -> (String, String) {
        self.write_svg(prefix, "")
    }

    /// The drawing, and its strips.
    fn write_svg(&self, prefix: &str, style: &str) -> (String, String) {
        let words = if self.is_part { ("…", "…") } else { ("Start", "End") };
        let (first, last) = (Label::terminal(words.0, &self.marks), Label::terminal(words.1, &[]));
        let column = Column::new(&self.body);
        let top = first.height + GAP;
        let bottom = if self.body.is_empty() { first.height } else { top + column.height };
        let end = bottom + GAP;
        let (left, right) = (column.left + MARGIN, column.right + MARGIN);
        let (width, height) = (left + right, end + last.height + 2 * MARGIN);

        let mut out = Writer::new(prefix, style.is_empty());
        out.line(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"wf\" viewBox=\"{} {} {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"graphics-document document\" xml:lang=\"en\" \
             aria-labelledby=\"{prefix}title {prefix}summary\">",
            -left, -MARGIN
        ));
        out.text_element("title", "title", &self.title);
        out.text_element("desc", "summary", &self.summary);
        if !style.is_empty() {
            out.line(style);
        }
        let background = format!("x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\"", -left, -MARGIN);
        out.line(&format!("<rect class=\"wf-paper\" {background}/>"));
        out.terminal(&first, "start", 0, &describe_marks(&self.marks).join("; "));
        out.column(&column, top, true);
        let is_reached = column.completes;
        out.terminal(&last, "end", end, "");
        if is_reached {
            let before = out.out.len();
            out.arrow_down(0, bottom, end);
            let arrow = out.out.get(before..).unwrap_or_default().to_owned();
            out.paper.parts.push((Part::Written(arrow), bottom, end));
        }
        out.line("</svg>");
        let strips = out.paper.strips((-left, width), (-MARGIN, height - MARGIN));
        (out.out, strips)
    }
}

/// The stylesheet, light and dark. Every pair of text and ground has a contrast of at least 4.5 (WCAG 2, AA). No selector
/// names what is around a block: in strips for paper, nothing is.
pub const DRAWING_STYLE: &str = "
.wf{font-family:system-ui,sans-serif;text-anchor:middle;fill:#1f2328}
.wf-paper{fill:#fff}
.wf-word,.wf-label{font-size:11px;fill:#59636e}
.wf-name{font-size:14px;font-weight:600}
.wf-detail{font-size:12px}
.wf-code-text{font-size:11px;font-weight:600;fill:#fff}
.wf-label{text-anchor:start;font-size:12px}
.wf-shape{fill:#f6f8fa;stroke:#59636e;stroke-width:1.5}
.wf-inner{fill:none;stroke:#59636e}
.wf-frame{fill:#818b981a;stroke:#818b98}
.wf-band{fill:#818b9833}
.wf-unsure{stroke-dasharray:5 4}
.wf-line{fill:none;stroke:#59636e;stroke-width:1.5}
.wf-head{fill:#59636e}
.wf-provider>.wf-shape{fill:#ddf4ff;stroke:#0969da}
.wf-status>.wf-shape{fill:#dafbe1;stroke:#1a7f37}
.wf-code>.wf-shape{fill:#fff8c5;stroke:#9a6700}
.wf-if>.wf-shape,.wf-while>.wf-shape{fill:#fff1e5;stroke:#bc4c00}
.wf-approval>.wf-shape{fill:#fbefff;stroke:#8250df}
.wf-terminate>.wf-shape{fill:#ffebe9;stroke:#cf222e}
.wf-error{fill:#cf222e}
.wf-warning{fill:#7d4e00}
.wf-info{fill:#0969da}
@media screen and (prefers-color-scheme:dark){
.wf-paper{fill:#0d1117}
.wf{fill:#e6edf3}
.wf-word,.wf-label{fill:#9198a1}
.wf-code-text{fill:#0d1117}
.wf-shape{fill:#161b22;stroke:#9198a1}
.wf-inner,.wf-line{stroke:#9198a1}
.wf-head{fill:#9198a1}
.wf-provider>.wf-shape{fill:#121d2f;stroke:#4493f8}
.wf-status>.wf-shape{fill:#12261e;stroke:#3fb950}
.wf-code>.wf-shape{fill:#272115;stroke:#d29922}
.wf-if>.wf-shape,.wf-while>.wf-shape{fill:#2b1d13;stroke:#db6d28}
.wf-approval>.wf-shape{fill:#211a34;stroke:#ab7df8}
.wf-terminate>.wf-shape{fill:#25171c;stroke:#f85149}
.wf-error{fill:#ff7b72}
.wf-warning{fill:#d29922}
.wf-info{fill:#58a6ff}
}
";
