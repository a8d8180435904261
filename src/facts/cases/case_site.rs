//! The signing cases of a service: in their own files, in the `Json` of requests, and in what each run of a script
//! builds.

use crate::common::collections::HashMap;
use crate::common::limits::MAX_FINDINGS;
use crate::document::{Document, NodeId, removal_of};
use crate::facts::cases::case_text::{CaseSource, CaseText};
use crate::facts::cases::script_run::{Aspect, ScriptRun};
use crate::facts::edits::parts::part_edit;
use crate::facts::place::{CaseValue, Part, Place};
use crate::facts::service::AnalyzedService;
use crate::model::{Lowering, SigningCase};
use crate::schema::{self, DocumentKind, Violations};
use crate::text::diagnostic::{Edit, FileId};
use crate::text::source::Span;

/// Where a case is described.
#[derive(Debug, Clone, Copy)]
enum CaseLocation<'a> {
    /// In its own file.
    File(FileId),
    /// In a string of a workflow, or in one that a script builds.
    Text(&'a CaseText),
}

impl CaseLocation<'_> {
    const fn file(self) -> FileId {
        match self {
            Self::File(file) => file,
            Self::Text(text) => text.file,
        }
    }

    const fn is_built(self) -> bool {
        matches!(self, Self::Text(text) if text.run().is_some())
    }
}

/// A signing case that a service describes.
#[derive(Debug)]
pub struct CaseSite<'a> {
    /// Index among the service's cases.
    number: usize,
    location: CaseLocation<'a>,
    /// The case as JSON: its file's document, or one of its own.
    pub document: &'a Document,
    /// Empty if there are too many violations.
    pub case: SigningCase<'a>,
    /// The violations of the schema. If there are too many, `further` are only counted.
    pub violations: Violations,
    pub not_listed: usize,
}

impl<'a> CaseSite<'a> {
    /// The cases of files, and those in strings of workflows.
    pub fn all(service: &'a AnalyzedService<'a>) -> Vec<Self> {
        let in_files = service.files.iter().filter_map(|file| match file.document()? {
            (DocumentKind::SigningCase, document) => Some((CaseLocation::File(file.id), document)),
            _ => None,
        });
        let in_texts = service.case_texts().iter().filter_map(|text| Some((CaseLocation::Text(text), text.object()?)));
        // Those in one file share its limit of listed findings. Runs of scripts are compared, so most of theirs are dropped.
        let mut left: HashMap<FileId, usize> = HashMap::default();
        let site = |(number, (location, document)): (usize, (CaseLocation<'a>, &'a Document))| {
            let mut own = MAX_FINDINGS;
            let left = if location.is_built() { &mut own } else { left.entry(location.file()).or_insert(MAX_FINDINGS) };
            let mut violations = schema::validate_listing(document, DocumentKind::SigningCase, *left);
            *left -= violations.listed.len().min(*left);
            let lowering = Lowering { document, types: &service.config.types, suggester: service.suggester };
            let (case, not_listed) = if violations.are_too_many() {
                (SigningCase::default(), std::mem::take(&mut violations.further).len())
            } else {
                (SigningCase::lower(lowering), 0)
            };
            Self { number, location, document, case, violations, not_listed }
        };
        in_files.chain(in_texts).enumerate().map(site).collect()
    }

    /// The file that describes it.
    pub const fn file(&self) -> FileId {
        self.location.file()
    }

    /// Identifies a value of the case, which findings at several places may share.
    pub const fn case_value(&self, node: NodeId) -> CaseValue {
        CaseValue { case: self.number, node }
    }

    /// The place of a value, for what is wrong with the value itself.
    pub fn place_of_value(&self, node: NodeId) -> Place {
        self.place(node, Aspect::Value)
    }

    /// The place of a value where something else is expected. In a script that is where the value is used.
    pub fn place_of_use(&self, node: NodeId) -> Place {
        self.place(node, Aspect::Use)
    }

    /// The place of a key, by its value.
    pub fn place_of_key(&self, node: NodeId) -> Place {
        self.place(node, Aspect::Key)
    }

    fn place(&self, node: NodeId, aspect: Aspect) -> Place {
        let place = match self.location {
            CaseLocation::File(file) if aspect == Aspect::Key => Place::key(file, node),
            CaseLocation::File(file) => Place::value(file, node),
            CaseLocation::Text(text) => text.place_of(self.document, node, aspect),
        };
        place.of_case_value(self.case_value(node))
    }

    /// Whether a message may show a value. It may not if a script built the case, and a made-up value is a part of it.
    pub fn may_show(&self, node: NodeId) -> bool {
        self.run().is_none_or(|run| run.is_of_document(self.document, node))
    }

    /// Whether the document names a key, rather than a made-up value that a script copied.
    pub fn names_key(&self, object: NodeId, key: &str) -> bool {
        self.run().is_none_or(|run| run.names_key(self.document, object, key))
    }

    /// The script that builds it, by its index.
    pub fn script(&self) -> Option<usize> {
        self.run().map(|run| run.script.number)
    }

    /// Whether a script builds it.
    pub const fn is_built(&self) -> bool {
        self.run().is_some()
    }

    const fn run(&self) -> Option<&ScriptRun> {
        match self.location {
            CaseLocation::File(_) => None,
            CaseLocation::Text(text) => text.run(),
        }
    }

    /// The edits that give a value another key, which needs no escapes; none where that may not be all that is to be
    /// changed.
    pub fn key_edits(&self, service: &AnalyzedService<'_>, node: NodeId, key: &str) -> Vec<Edit> {
        let span = self.document.key_span(node);
        span.map_or_else(Vec::new, |span| self.name_edits(service, node, Aspect::Key, span, key))
    }

    /// The edits that write another string, as of [`Self::key_edits`].
    pub fn text_edits(&self, service: &AnalyzedService<'_>, node: NodeId, text: &str) -> Vec<Edit> {
        self.name_edits(service, node, Aspect::Value, self.document.span(node), text)
    }

    fn name_edits(
        &self,
        service: &AnalyzedService<'_>,
        node: NodeId,
        aspect: Aspect,
        quoted: Span,
        name: &str,
    ) -> Vec<Edit> {
        let inside = Span::new(quoted.start + 1, quoted.end - 1);
        let CaseLocation::Text(CaseText { source: CaseSource::Script { node: script, run }, file, .. }) = self.location
        else {
            return self.replaced(service, inside, name);
        };
        let (Some(workflow), Some(written)) = (service.document(*file), run.written(self.document, node, aspect))
        else {
            return Vec::new();
        };
        let new_text = written.shorthand.map_or_else(|| name.to_owned(), |own| format!("{name}: {own}"));
        vec![Edit { file: *file, span: workflow.span_inside(*script, written.range), new_text }]
    }

    /// The edits that replace a value of the case by the JSON of a scalar. In a script that builds the case, of the only
    /// literal that makes the value; none without it.
    pub fn edits(&self, service: &AnalyzedService<'_>, node: NodeId, json: &str) -> Vec<Edit> {
        match self.location {
            CaseLocation::Text(text @ CaseText { source: CaseSource::Script { node: script, .. }, .. }) => {
                let workflow = service.document(text.file);
                workflow.and_then(|it| self.script_edit(it, text, *script, node, json)).into_iter().collect()
            }
            _ => self.replaced(service, self.document.span(node), json),
        }
    }

    /// The edits that remove an item of an array of the case; none where a script builds the case.
    pub fn removal(&self, service: &AnalyzedService<'_>, node: NodeId) -> Vec<Edit> {
        let edit = removal_of(self.document, self.file(), node);
        edit.map(|edit| self.replaced(service, edit.span, &edit.new_text)).unwrap_or_default()
    }

    fn replaced(&self, service: &AnalyzedService<'_>, span: Span, json: &str) -> Vec<Edit> {
        match self.location {
            CaseLocation::File(file) => vec![Edit { file, span, new_text: json.to_owned() }],
            CaseLocation::Text(text) => {
                let Some(workflow) = service.document(text.file) else { return Vec::new() };
                let CaseSource::Literal { node: literal, copy } = text.source else { return Vec::new() };
                let literals = std::iter::once(literal).chain(copy);
                literals.map(|literal| part_edit(workflow, text.file, literal, span.range(), json)).collect()
            }
        }
    }

    /// The edit of the literal in a script that makes a value of the case.
    fn script_edit(
        &self,
        workflow: &Document,
        text: &CaseText,
        script: NodeId,
        node: NodeId,
        json: &str,
    ) -> Option<Edit> {
        let Part::Inside(range) = text.place_of(self.document, node, Aspect::Value).part else { return None };
        let written = workflow.string(script)?.get(range.clone()).filter(|_| self.may_show(node))?;
        let Some(value) = self.document.string(node) else {
            let is_same = written == self.document.slice(self.document.span(node));
            return is_same.then(|| part_edit(workflow, text.file, script, range, json));
        };
        let quote = written.chars().next().filter(|quote| ['\'', '"', '`'].contains(quote))?;
        let new = json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let new = new.map_or_else(|| json.to_owned(), |inside| format!("{quote}{inside}{quote}"));
        let is_plain = |text: &str| !text.contains(['\\', '\n', '\'', '`', '$']);
        let is_same = written == format!("{quote}{value}{quote}") && is_plain(value) && is_plain(json);
        is_same.then(|| part_edit(workflow, text.file, script, range, &new))
    }
}
