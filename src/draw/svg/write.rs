//! Writes the elements, with the shapes of the kinds of activities.

use std::fmt::Write;

use super::label::{CODE_HEIGHT, CODE_LINE, Code, DETAIL, DETAIL_LINE, HALF, Label, NAME_LINE, NODE_WIDTH, PADDING};
use super::label::{WORD_LINE, lines};
use super::layout::{BACK, Column, DELAY, EXIT, FORK, FRAME, GAP, Inside, JOIN, Laid};
use super::paper::{Paper, Part};
use crate::draw::block::{Block, Kind};

/// The size of an arrow's head.
const HEAD: i32 = 8;
/// How far sides lean, in pixels.
const SLANT: i32 = 14;
/// The inner lines of a call, and the folded corner of a script.
const INSET: i32 = 10;

pub struct Writer<'p> {
    pub out: String,
    prefix: &'p str,
    /// Whether marks show their messages when somebody points at them.
    has_tooltips: bool,
    pub paper: Paper,
    /// The height at which the block that is written begins, and the number of blocks around it.
    origin: i32,
    depth: usize,
}

impl<'p> Writer<'p> {
    pub fn new(prefix: &'p str, has_tooltips: bool) -> Self {
        Self { out: String::new(), prefix, has_tooltips, paper: Paper::default(), origin: 0, depth: 0 }
    }

    /// One element or more, on a line of their own, so that a change of a drawing is readable as a diff.
    pub fn line(&mut self, elements: &str) {
        self.out.push_str(elements);
        self.out.push('\n');
    }

    pub fn text_element(&mut self, name: &str, id: &str, text: &str) {
        self.line(&format!("<{name} id=\"{}{id}\">{}</{name}>", self.prefix, escape(text)));
    }

    fn path(&mut self, points: &str) {
        self.line(&format!("<path class=\"wf-line\" d=\"{points}\"/>"));
    }

    /// A vertical line with a head.
    pub fn arrow_down(&mut self, x: i32, from: i32, to: i32) {
        let half = HEAD / 2;
        self.line(&format!(
            "<path class=\"wf-line\" d=\"M{x} {from}V{}\"/><path class=\"wf-head\" d=\"M{} {}h{HEAD}l-{half} {HEAD}z\"/>",
            to - HEAD / 2,
            x - half,
            to - HEAD
        ));
    }

    /// Says that a page must not end between two heights.
    fn keep(&mut self, from: i32, to: i32) {
        self.paper.solid.push((self.origin + from, self.origin + to));
    }

    /// An element of its own.
    fn part(&mut self, id: &str, from: i32, to: i32) {
        self.paper.parts.push((Part::Id(format!("{}{id}", self.prefix)), from, to));
    }

    fn word(&mut self, x: i32, y: i32, word: &str) {
        self.keep(y - 12, y + 4);
        self.line(&format!("<text class=\"wf-label\" x=\"{x}\" y=\"{y}\">{word}</text>"));
    }

    /// Where lines join.
    fn join(&mut self, y: i32) {
        self.keep(y - 4, y + 4);
        self.line(&format!("<circle class=\"wf-head\" cx=\"0\" cy=\"{y}\" r=\"4\"/>"));
    }

    /// The start or the end of the workflow.
    pub fn terminal(&mut self, label: &Label, id: &str, y: i32, description: &str) {
        let title = label.name.concat();
        self.keep(y, y + label.height);
        self.part(id, y, y + label.height);
        self.open_group("wf-terminal", (id, None), 0, y, "img", (&title, description));
        self.line(&Outline::Stadium.elements(0, label.height));
        self.label(label, 0);
        self.line("</g>");
    }

    /// Opens a group with a title and a description for screen readers. Programs find an activity by its pointer.
    fn open_group(
        &mut self,
        class: &str,
        (id, pointer): (&str, Option<&str>),
        x: i32,
        y: i32,
        role: &str,
        (title, description): (&str, &str),
    ) {
        let prefix = self.prefix;
        let pointer = pointer.map_or_else(String::new, |it| format!(" data-pointer=\"{}\"", escape(it)));
        let described = if description.is_empty() { String::new() } else { format!(" {prefix}{id}-d") };
        self.line(&format!(
            "<g class=\"{class}\" id=\"{prefix}{id}\"{pointer} transform=\"translate({x} {y})\" role=\"{role}\" \
             aria-labelledby=\"{prefix}{id}-t{described}\">"
        ));
        self.text_element("title", &format!("{id}-t"), title);
        if !description.is_empty() {
            self.text_element("desc", &format!("{id}-d"), description);
        }
    }

    /// Blocks below each other; `is_reached` says whether a line leads to the first one.
    pub fn column(&mut self, column: &Column<'_>, top: i32, is_reached: bool) {
        let mut is_reached = is_reached;
        for (y, laid) in &column.items {
            self.block(laid, 0, top + y, is_reached);
            is_reached = laid.block.completes();
        }
    }

    fn block(&mut self, laid: &Laid<'_>, x: i32, y: i32, is_reached: bool) {
        let Laid { block, label, .. } = laid;
        let class = format!("wf-{}", block.kind.class());
        let role = if block.shown().is_empty() { "img" } else { "group" };
        if self.depth == 0 {
            self.part(&block.id, y - GAP, y + laid.height);
        }
        self.origin += y;
        self.depth += 1;
        self.open_group(
            &class,
            (&block.id, block.pointer.as_deref()),
            x,
            y,
            role,
            (&block.label(), &block.description()),
        );
        if is_reached {
            self.arrow_down(0, -GAP, 0);
        }
        match &laid.inside {
            Inside::Nothing => self.shape(block, label, 0),
            Inside::Column(top, column) => self.framed(laid, *top, column),
            Inside::Branch { top, column, beside } => self.branch(laid, *top, column, *beside),
            Inside::Loop { top, column, back, beside } => self.looping(laid, *top, column, (*back, *beside)),
            Inside::Lanes { top, lanes, beside } => self.lanes(laid, *top, lanes, *beside),
        }
        self.origin -= y;
        self.depth -= 1;
        self.line("</g>");
    }

    fn shape(&mut self, block: &Block, label: &Label, y: i32) {
        self.keep(y, y + label.height);
        self.line(&Outline::of(&block.kind).elements(y, label.height));
        self.label(label, y);
    }

    fn frame(&mut self, laid: &Laid<'_>, class: &str) {
        let width = laid.left + laid.right;
        self.line(&format!(
            "<rect class=\"wf-frame{class}\" x=\"{}\" y=\"0\" width=\"{width}\" height=\"{}\" rx=\"6\"/>",
            -laid.left, laid.height
        ));
    }

    fn framed(&mut self, laid: &Laid<'_>, top: i32, column: &Column<'_>) {
        let Laid { block, label, .. } = laid;
        if block.is_group() {
            self.frame(laid, "");
            let (left, width) = (-laid.left, laid.left + laid.right);
            let band = format!("x=\"{left}\" y=\"0\" width=\"{width}\" height=\"{}\" rx=\"6\"", label.height);
            self.keep(0, label.height);
            self.line(&format!("<rect class=\"wf-band\" {band}/>"));
            self.label(label, 0);
        } else {
            self.frame(laid, " wf-unsure");
            self.path(&format!("M0 0V{FRAME}"));
            self.shape(block, label, FRAME);
        }
        // After a Terminate nothing runs.
        self.column(column, top, block.kind != Kind::Terminate);
        let end = if column.items.is_empty() { top - GAP } else { top + column.height };
        if column.completes && block.kind != Kind::Terminate && !block.is_folded {
            self.path(&format!("M0 {end}V{}", laid.height));
        }
    }

    fn branch(&mut self, laid: &Laid<'_>, top: i32, column: &Column<'_>, beside: i32) {
        let Laid { block, label, .. } = laid;
        let (middle, join) = (label.height / 2, laid.height);
        self.path(&format!("M{HALF} {middle}H{beside}V{join}H0"));
        self.word(HALF + 6, middle - 6, "false");
        self.shape(block, label, 0);
        self.word(8, top - GAP + 16, "true");
        self.column(column, top, true);
        let end = if column.items.is_empty() { top - GAP } else { join - JOIN };
        if column.completes {
            self.path(&format!("M0 {end}V{join}"));
        }
        self.join(join);
    }

    fn looping(&mut self, laid: &Laid<'_>, top: i32, column: &Column<'_>, (back, beside): (i32, i32)) {
        let Laid { block, label, .. } = laid;
        let (middle, head) = (FRAME + label.height / 2, FRAME + label.height);
        self.frame(laid, "");
        self.path(&format!("M0 0V{FRAME}"));
        let end = if column.items.is_empty() { top } else { top + column.height };
        self.keep(end + BACK - 2, end + EXIT + 2);
        self.path(&format!("M{HALF} {middle}H{beside}V{}H0V{}", end + EXIT, laid.height));
        self.word(HALF + 6, middle - 6, "false");
        self.word(8, head + 16, "true");
        if column.completes {
            let start = if column.items.is_empty() { top - GAP } else { end };
            self.path(&format!("M0 {start}V{}H{}V{middle}H{}", end + BACK, -back, -HALF - HEAD / 2));
            let half = HEAD / 2;
            self.line(&format!(
                "<path class=\"wf-head\" d=\"M{} {}v{HEAD}l{HEAD} -{half}z\"/>",
                -HALF - HEAD,
                middle - half
            ));
            self.word(-back + 6, end + BACK - 5, "again");
        }
        self.shape(block, label, FRAME);
        if let Kind::While { delay: Some(delay) } = &block.kind {
            self.delay(delay, head + GAP);
        }
        self.column(column, top, true);
    }

    fn delay(&mut self, delay: &str, y: i32) {
        let text = lines(delay, DETAIL, NODE_WIDTH - 48, 1).concat();
        self.keep(y, y + DELAY);
        self.arrow_down(0, y - GAP, y);
        let half = HALF - 12;
        self.line(&format!(
            "<path class=\"wf-shape\" d=\"M{} {y}H{half}l10 {2}l-10 {2}H{}l-10 -{2}z\"/>",
            -half,
            -half,
            DELAY / 2
        ));
        self.line(&format!("<text class=\"wf-detail\" x=\"0\" y=\"{}\">{}</text>", y + 17, escape(&text)));
    }

    fn lanes(&mut self, laid: &Laid<'_>, top: i32, lanes: &[(i32, Laid<'_>)], beside: Option<i32>) {
        let Laid { block, label, .. } = laid;
        let (fork, join) = (label.height + FORK, laid.height);
        let last = lanes.last().map_or(0, |(x, _)| *x);
        self.keep(fork - 2, fork + 2);
        self.path(&format!("M0 {}V{fork}H{last}", label.height));
        if let Some(beside) = beside {
            let middle = label.height / 2;
            self.path(&format!("M{HALF} {middle}H{beside}V{join}H0"));
            self.word(HALF + 6, middle - 6, block.without_event().unwrap_or_default());
        }
        self.shape(block, label, 0);
        for (x, lane) in lanes {
            self.block(lane, *x, top, true);
            if lane.block.completes() {
                self.path(&format!("M{x} {}V{join}H0", top + lane.height));
            }
        }
        self.join(join);
    }

    /// The lines of a label in the middle.
    fn label(&mut self, label: &Label, y: i32) {
        let mut base = y + PADDING;
        let mut text = |class: &str, line: &str, height: i32, out: &mut String| {
            base += height;
            // The base line of letters is above the end of their line.
            let _ = writeln!(out, "<text class=\"{class}\" x=\"0\" y=\"{}\">{}</text>", base - 4, escape(line));
        };
        if !label.word.is_empty() {
            text("wf-word", &label.word, WORD_LINE, &mut self.out);
        }
        label.name.iter().for_each(|line| text("wf-name", line, NAME_LINE, &mut self.out));
        label.details.iter().for_each(|line| text("wf-detail", line, DETAIL_LINE, &mut self.out));
        for line in &label.codes {
            let top = base + CODE_LINE - CODE_HEIGHT;
            for code in line {
                self.code(code, top);
            }
            base += CODE_LINE;
        }
    }

    /// The code of a finding.
    fn code(&mut self, code: &Code, top: i32) {
        let Code { severity, text, title, x, width } = code;
        let (open, close) = if self.has_tooltips {
            (format!("<g><title>{}</title>", escape(title)), "</g>")
        } else {
            (String::new(), "")
        };
        self.line(&format!(
            "{open}<rect class=\"wf-{}\" x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"{CODE_HEIGHT}\" rx=\"9\"/>\
             <text class=\"wf-code-text\" x=\"{}\" y=\"{}\">{}</text>{close}",
            severity.word(),
            x + width / 2,
            top + 13,
            escape(text)
        ));
    }
}

/// Escapes a string for text and attributes of XML. XML does not allow two of the characters at all.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push(char::REPLACEMENT_CHARACTER),
            other => escaped.push(other),
        }
    }
    escaped
}

/// The shape of a kind of activities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outline {
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
    const fn of(kind: &Kind) -> Self {
        match kind {
            Kind::Provider => Self::Call,
            Kind::Status => Self::Output,
            Kind::Code => Self::Script,
            Kind::If | Kind::While { .. } => Self::Hexagon,
            Kind::Approval { .. } => Self::Manual,
            Kind::Terminate => Self::Octagon,
            Kind::Declared | Kind::Timeout => Self::Rounded,
            Kind::Assign | Kind::Unknown | Kind::Event | Kind::Sequence => Self::Rectangle,
        }
    }

    /// The elements of the shape, with its top at `y` and its middle at 0.
    fn elements(self, y: i32, height: i32) -> String {
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
