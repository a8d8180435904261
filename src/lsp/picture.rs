//! The live picture: a workflow's drawing with the places of what is on it, as `wflint/drawing` and
//! `wflint graph --serve` answer with it.

use gen_lsp_types::{Position, Range};
use serde::Serialize;

use super::convert::message;
use super::position::Encoding;
use crate::common::collections::HashSet;
use crate::document::Document;
use crate::draw::{Drawing, MAX_ACTIVITIES, SVG_PREFIX, Texts};
use crate::facts::{AnalyzedService, Context, masked_variables};
use crate::lint::Checked;
use crate::model::Activity;
use crate::project::File;
use crate::redaction::Redactions;
use crate::report::visible;
use crate::text::diagnostic::{Diagnostic, FileId};
use crate::text::source::{SourceFile, Span};

/// The drawing of a version of a workflow.
#[derive(Debug, Clone)]
pub struct Picture {
    drawing: Drawing,
    /// In the order of the text.
    activities: Vec<PicturedActivity>,
    /// The text that is drawn.
    source: SourceFile,
}

#[derive(Debug, Clone)]
struct PicturedActivity {
    pointer: String,
    name: String,
    span: Span,
}

/// A question about a picture.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    pub version: Option<i64>,
    /// The text of the version: the picture is stale if it is of another one.
    pub source: &'a SourceFile,
    /// What was found in the version.
    pub checked: &'a Checked,
    pub encoding: Encoding,
    /// Where the cursor is.
    pub position: Option<Position>,
    /// The pointers of Sequences that are folded.
    pub folded: &'a [String],
}

/// The answer of `wflint/drawing`.
#[derive(Debug, Serialize)]
pub struct PictureAnswer {
    version: Option<i64>,
    name: String,
    svg: String,
    activities: Vec<PlacedActivity>,
    findings: Vec<PlacedFinding>,
    current: Option<String>,
    stale: bool,
}

#[derive(Debug, Serialize)]
struct PlacedActivity {
    pointer: String,
    name: String,
    range: Range,
}

#[derive(Debug, Serialize)]
struct PlacedFinding {
    /// That of the innermost activity around it; empty outside of all.
    pointer: String,
    code: &'static str,
    severity: &'static str,
    message: String,
    range: Range,
}

impl Picture {
    /// Draws a workflow of a service, with what was found in it.
    ///
    /// # Errors
    /// Why it cannot be drawn.
    pub fn new(service: &AnalyzedService<'_>, file: &File, checked: &Checked) -> Result<Self, String> {
        let name = &file.source.name;
        let failed = |reason: &str| format!("cannot draw {name}: {reason}");
        let analysis = service.workflows.iter().find(|workflow| workflow.file == file.id);
        let analysis = analysis.ok_or_else(|| failed("too many schema violations"))?;
        let (document, workflow) = (analysis.document, analysis.workflow);
        let masked = masked_variables(service).into_keys().collect();
        let sources = service.files.iter().map(|file| (file.id, &file.source));
        let redactions = Redactions::new(Context::new(service).sensitive_values(), sources);
        let texts = Texts { document, file: file.id, redactions: &redactions, masked: Some(&masked), visible };
        let drawing = Drawing::new(name, workflow, None, findings_in(checked, &file.source), &texts);
        let too_large = |number| failed(&format!("{number} activities, the limit is {MAX_ACTIVITIES}"));
        let drawing = drawing.map_err(too_large)?;
        let activities = workflow.activities.iter().map(|activity| pictured(activity, document, &texts)).collect();
        Ok(Self { drawing, activities, source: file.source.clone() })
    }

    pub fn answer(&self, asked: &Asked<'_>) -> PictureAnswer {
        let Asked { version, source, checked, encoding, position, folded } = *asked;
        let stale = source.text != self.source.text;
        let moved = Moved::between(&self.source.text, &source.text);
        let activities = self.activities.iter().map(|PicturedActivity { pointer, name, span }| PlacedActivity {
            pointer: pointer.clone(),
            name: name.clone(),
            range: encoding.range(source, moved.span(*span)),
        });
        let pointers: HashSet<&str> = self.activities.iter().map(|activity| activity.pointer.as_str()).collect();
        let findings = findings_in(checked, source).map(|finding| PlacedFinding {
            pointer: around(&finding.location.pointer, &pointers).to_owned(),
            code: finding.code,
            severity: finding.severity.word(),
            message: message(finding),
            range: encoding.range(source, finding.location.span),
        });
        let omitted = checked.omitted.iter().filter(|omitted| is_of(checked, omitted.file, source));
        let omitted = omitted.map(|omitted| PlacedFinding {
            pointer: String::new(),
            code: omitted.code,
            severity: omitted.severity.word(),
            message: omitted.message(),
            range: Range::default(),
        });
        let current = position.and_then(|position| {
            let offset = encoding.offset(&source.text, position);
            self.activity_at(Moved::between(&source.text, &self.source.text).start(offset))
        });
        PictureAnswer {
            version,
            name: self.drawing.title.clone(),
            svg: self.svg(folded),
            activities: activities.collect(),
            findings: findings.chain(omitted).collect(),
            current: current.map(str::to_owned),
            stale,
        }
    }

    /// As `wflint graph --format svg` writes it, with folded Sequences.
    fn svg(&self, folded: &[String]) -> String {
        if folded.is_empty() {
            return self.drawing.svg(SVG_PREFIX);
        }
        let mut drawing = self.drawing.clone();
        drawing.fold(&folded.iter().map(String::as_str).collect::<HashSet<_>>());
        drawing.svg(SVG_PREFIX)
    }

    /// The innermost activity at an offset of the text that is drawn.
    fn activity_at(&self, offset: usize) -> Option<&str> {
        let contains = |activity: &&PicturedActivity| {
            let range = activity.span.range();
            range.start <= offset && offset <= range.end
        };
        // A parent comes before its children.
        self.activities.iter().rfind(contains).map(|activity| activity.pointer.as_str())
    }
}

/// The innermost activity around a place in the document; empty outside of all.
fn around<'p>(place: &'p str, activities: &HashSet<&str>) -> &'p str {
    let mut around = place;
    while !around.is_empty() && !activities.contains(around) {
        around = around.rsplit_once('/').map_or("", |(before, _)| before);
    }
    around
}

fn pictured(activity: &Activity<'_>, document: &Document, texts: &Texts<'_>) -> PicturedActivity {
    let name = activity.name.known().map(|(node, name)| texts.show(node, name)).filter(|name| !name.is_empty());
    PicturedActivity {
        pointer: document.pointer(activity.node),
        name: name.unwrap_or_else(|| texts.plain(&activity.display_name())),
        span: document.span(activity.node),
    }
}

/// The findings in a file. Files are compared by their paths: an older result has other ids.
fn findings_in<'c>(checked: &'c Checked, source: &SourceFile) -> impl Iterator<Item = &'c Diagnostic> {
    let is_in = |finding: &&Diagnostic| is_of(checked, finding.location.file, source);
    checked.diagnostics.iter().map(Box::as_ref).filter(is_in)
}

fn is_of(checked: &Checked, file: FileId, source: &SourceFile) -> bool {
    checked.sources.get(&file).is_some_and(|known| known.path == source.path)
}

/// Where the places of a text are in another version of it: what is equal at both ends keeps its places.
#[derive(Debug, Clone, Copy)]
struct Moved {
    /// The end of the equal beginning.
    before: usize,
    /// Where the equal end begins, in both.
    from: usize,
    to: usize,
}

impl Moved {
    fn between(old: &str, new: &str) -> Self {
        let pairs = old.bytes().zip(new.bytes());
        let before = pairs.take_while(|(old, new)| old == new).count();
        let rest = old.len().min(new.len()) - before;
        let pairs = old.bytes().rev().zip(new.bytes().rev()).take(rest);
        let after = pairs.take_while(|(old, new)| old == new).count();
        Self { before, from: old.len() - after, to: new.len() - after }
    }

    /// Where a place is; the beginning of the change for one inside of it.
    const fn start(self, offset: usize) -> usize {
        if offset >= self.from && offset > self.before {
            offset - self.from + self.to
        } else if offset > self.before {
            self.before
        } else {
            offset
        }
    }

    /// A span around the change grows and shrinks with it.
    fn span(self, span: Span) -> Span {
        let range = span.range();
        let end = if range.end > self.before { range.end.max(self.from) - self.from + self.to } else { range.end };
        Span::of_range(&(self.start(range.start)..end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_move_with_an_edit() {
        let (old, new) = ("[one, two, three]", "[one, 2\", three]");
        let moved = Moved::between(old, new);
        let text = |part: &str| {
            let start = old.find(part).unwrap();
            let span = moved.span(Span::of_range(&(start..start + part.len())));
            new.get(span.range()).unwrap()
        };
        assert_eq!(text("one"), "one");
        assert_eq!(text("two"), "2\"");
        assert_eq!(text("three"), "three");
        assert_eq!(text(old), new);
        let same = Moved::between(old, old);
        assert_eq!((0..=old.len()).map(|at| same.start(at)).collect::<Vec<_>>(), (0..=old.len()).collect::<Vec<_>>());
        let appended = Moved::between("ab", "abc");
        assert_eq!(appended.span(Span::new(0, 2)), Span::new(0, 2));
        let removed = Moved::between("aXXb", "ab");
        assert_eq!([1, 2, 3, 4].map(|at| removed.start(at)), [1, 1, 1, 2]);
    }
}
