//! Values as reports show them, without sensitive parts.

use std::cell::OnceCell;
use std::ops::Range;

use super::canonical::{Source, sorted_members, source};
use super::side::SideService;
use crate::common::collections::HashMap;
use crate::document::{Document, NodeId, NodeKind};
use crate::facts::{AnalyzedService, Context};
use crate::project::{File, ServiceModel};
use crate::redaction::{REPLACEMENT, Redactions};
use crate::text::diagnostic::FileId;
use crate::text::suggest::Suggester;

pub(super) const NOT_SET: &str = "not set";

/// The files of a service on one side.
pub(super) struct ReadService<'s> {
    pub at: SideService<'s>,
    pub files: Vec<File>,
    /// Computed when the first value is shown, because it needs an analysis of the service.
    redactor: OnceCell<Redactor>,
}

/// The sensitive values of a service.
#[derive(Debug, Default)]
struct Redactor {
    /// The sensitive parts of strings; `None` for a whole string.
    parts: HashMap<(FileId, NodeId), Vec<Option<Range<usize>>>>,
    redactions: Redactions,
}

impl<'s> ReadService<'s> {
    pub fn new(at: SideService<'s>, files: Vec<File>) -> Self {
        Self { at, files, redactor: OnceCell::new() }
    }

    fn redactor(&self) -> &Redactor {
        self.redactor.get_or_init(|| self.find_sensitive().unwrap_or_default())
    }

    fn find_sensitive(&self) -> Option<Redactor> {
        let config = self.at.project.configs.get(self.at.service.config)?;
        let files: Vec<&File> = self.files.iter().collect();
        let suggester = Suggester::default();
        let model = ServiceModel::new(&files, config);
        let analyzed = AnalyzedService::new(files, config, &model, &suggester, None);
        let context = Context::new(&analyzed);
        let mut parts: HashMap<(FileId, NodeId), Vec<Option<Range<usize>>>> = HashMap::default();
        for value in context.sensitive_values() {
            parts.entry((value.file, value.node)).or_default().push(value.part);
        }
        let secrets = context.secret_values().filter_map(|secret| secret.text().map(str::to_owned)).collect();
        let redactions = Redactions::new(context.sensitive_values(), []).and(secrets);
        Some(Redactor { parts, redactions })
    }

    /// A string of a document without its sensitive parts. It keeps its lines.
    fn string(&self, file: FileId, document: &Document, node: NodeId) -> String {
        let text = document.string(node).unwrap_or_default();
        let Some(parts) = self.redactor().parts.get(&(file, node)) else { return text.to_owned() };
        let mut parts: Vec<Range<usize>> = parts.iter().map(|part| part.clone().unwrap_or(0..text.len())).collect();
        parts.sort_by_key(|part| (part.start, part.end));
        let (mut shown, mut end) = (String::new(), 0);
        for part in parts {
            shown += text.get(end..part.start).unwrap_or_default();
            let hidden = text.get(part.start.max(end)..part.end).unwrap_or_default();
            if !hidden.is_empty() {
                shown.push_str(REPLACEMENT);
                shown.extend(hidden.chars().filter(|character| *character == '\n'));
            }
            end = end.max(part.end);
        }
        shown + text.get(end..).unwrap_or_default()
    }

    /// Whether all of a string is hidden, such as the value of a masked variable.
    fn hides(&self, file: FileId, node: NodeId) -> bool {
        self.redactor().parts.get(&(file, node)).is_some_and(|parts| parts.contains(&None))
    }

    fn redact(&self, text: &mut String) {
        self.redactor().redactions.redact_text(text);
    }
}

/// What is shown in place of a value that is masked on the other side.
pub(super) const MASKED: &str = "\"•••\"";

/// Both sides of a service.
#[derive(Clone, Copy)]
pub(super) struct Texts<'t> {
    pub old: &'t ReadService<'t>,
    pub new: &'t ReadService<'t>,
}

/// A value of one side.
#[derive(Clone, Copy)]
pub(super) struct Value<'t> {
    pub service: &'t ReadService<'t>,
    pub file: FileId,
    pub document: &'t Document,
    pub node: NodeId,
}

impl Value<'_> {
    /// Whether it is the value of a masked variable.
    pub fn is_masked(&self) -> bool {
        self.service.hides(self.file, self.node)
    }
}

impl Texts<'_> {
    /// A value as it is shown: a variable in backticks, a string in quotes.
    pub fn value(&self, value: Value<'_>) -> Box<str> {
        self.hide(shown(value, value.node))
    }

    /// A string that is the name of a variable.
    pub fn variable(&self, value: Value<'_>) -> Box<str> {
        match value.document.string(value.node) {
            Some("") => NOT_SET.into(),
            Some(name) => self.hide(format!("`{name}`")),
            None => self.value(value),
        }
    }

    /// A string with its lines, without quotes.
    pub fn string(&self, value: Value<'_>) -> Box<str> {
        self.hide(value.service.string(value.file, value.document, value.node))
    }

    /// A name.
    pub fn name(&self, name: &str) -> Box<str> {
        self.hide(name.to_owned())
    }

    /// Hides values that are sensitive on either side.
    fn hide(&self, mut text: String) -> Box<str> {
        self.old.redact(&mut text);
        self.new.redact(&mut text);
        text.into_boxed_str()
    }
}

/// Recurses with the depth of the document, which its limit bounds.
fn shown(value: Value<'_>, node: NodeId) -> String {
    let document = value.document;
    match document.kind(node) {
        NodeKind::String => format!("\"{}\"", value.service.string(value.file, document, node)),
        NodeKind::Array => {
            let elements: Vec<String> = document.children(node).map(|element| shown(value, element)).collect();
            format!("[{}]", elements.join(", "))
        }
        NodeKind::Object => match source(document, node) {
            Some(Source::Variable(name)) => format!("`{name}`"),
            Some(Source::Static(node)) => shown(value, node),
            Some(Source::NotSet) => NOT_SET.to_owned(),
            None => {
                let members = sorted_members(document, node).into_iter();
                let members: Vec<String> =
                    members.map(|(key, member)| format!("{key}: {}", shown(value, member))).collect();
                if members.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", members.join(", ")) }
            }
        },
        _ => document.slice(document.span(node)).to_owned(),
    }
}
