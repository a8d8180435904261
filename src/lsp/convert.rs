//! Findings as diagnostics of the protocol.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gen_lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location, TextEdit,
};

use super::document_uri::DocumentUri;
use super::position::Encoding;
use crate::lint::Omitted;
use crate::report::visible;
use crate::rules::{Rule, find, page_address, page_file};
use crate::text::diagnostic::{self, Applicability, FileId, Label, Severity};
use crate::text::source::SourceFile;

/// The name of the server beside each finding.
pub const SOURCE: &str = "wflint";

/// A finding as a diagnostic, with its fix.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    pub diagnostic: Diagnostic,
    pub fix: Option<Fix>,
    /// Other repairs.
    pub alternatives: Vec<Fix>,
    /// Identifies the finding for a suppression; `None` for a problem that no rule reports.
    pub finding: Option<Finding>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    pub code: &'static str,
    pub activity: Option<String>,
    pub pointer: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Fix {
    pub title: String,
    pub is_safe: bool,
    pub edits: BTreeMap<DocumentUri, Vec<TextEdit>>,
}

/// The findings of documents.
pub type Items = BTreeMap<DocumentUri, Vec<Item>>;

/// The context of a conversion.
#[derive(Debug, Clone)]
pub struct Converter {
    pub encoding: Encoding,
    /// The URIs of open files, as the client writes them.
    pub uris: Arc<BTreeMap<PathBuf, String>>,
    /// The URI of the document that is linted, if it is not a file.
    pub unnamed: Option<String>,
}

impl Converter {
    pub fn document_uri(&self, path: &Path) -> DocumentUri {
        match &self.unnamed {
            Some(uri) if !path.is_absolute() => DocumentUri::Other(uri.clone()),
            _ => DocumentUri::File(path.to_path_buf()),
        }
    }

    fn uri(&self, path: &Path) -> String {
        let open = self.uris.get(path).cloned();
        open.unwrap_or_else(|| self.document_uri(path).to_string())
    }

    /// The findings of files, by document, in their order.
    pub fn items<'f>(
        &self,
        findings: impl IntoIterator<Item = &'f diagnostic::Diagnostic>,
        omitted: &[Omitted],
        sources: &BTreeMap<FileId, SourceFile>,
    ) -> Items {
        let mut items = Items::new();
        for finding in findings {
            let Some(source) = sources.get(&finding.location.file) else { continue };
            items.entry(self.document_uri(&source.path)).or_default().push(self.item(finding, source, sources));
        }
        for omitted in omitted {
            let Some(source) = sources.get(&omitted.file) else { continue };
            let diagnostic = Diagnostic {
                severity: Some(severity(omitted.severity)),
                message: omitted.message().into(),
                ..of_rule(omitted.code, omitted.name)
            };
            let item = Item { diagnostic, fix: None, alternatives: Vec::new(), finding: None };
            items.entry(self.document_uri(&source.path)).or_default().push(item);
        }
        items
    }

    fn item(
        &self,
        finding: &diagnostic::Diagnostic,
        source: &SourceFile,
        sources: &BTreeMap<FileId, SourceFile>,
    ) -> Item {
        // Without related places, the flow shows the relevant ones.
        let labels = if finding.related.is_empty() { &finding.flow } else { &finding.related };
        let related: Vec<_> = labels.iter().filter_map(|label| self.related(label, sources)).collect();
        let rule = find(finding.code, finding.name);
        let diagnostic = Diagnostic {
            range: self.encoding.range(source, finding.location.span),
            severity: Some(severity(finding.severity)),
            message: message(finding).into(),
            tags: rule.filter(|rule| rule.marks_unnecessary).map(|_| vec![DiagnosticTag::Unnecessary]),
            related_information: (!related.is_empty()).then_some(related),
            ..of_rule(finding.code, finding.name)
        };
        let suppressible = rule.map(|rule| Finding {
            code: rule.code,
            activity: finding.activity.clone(),
            pointer: finding.location.pointer.clone(),
        });
        let fix = finding.fix.as_ref().and_then(|fix| self.fix(fix, sources));
        let alternatives = finding.alternatives.iter().filter_map(|fix| self.fix(fix, sources)).collect();
        Item { diagnostic, fix, alternatives, finding: suppressible }
    }

    fn related(&self, label: &Label, sources: &BTreeMap<FileId, SourceFile>) -> Option<DiagnosticRelatedInformation> {
        let source = sources.get(&label.location.file)?;
        let range = self.encoding.range(source, label.location.span);
        let location = Location { uri: self.uri(&source.path).into(), range };
        Some(DiagnosticRelatedInformation { location, message: visible(&label.message).into_owned() })
    }

    fn fix(&self, fix: &diagnostic::Fix, sources: &BTreeMap<FileId, SourceFile>) -> Option<Fix> {
        let mut edits: BTreeMap<DocumentUri, Vec<TextEdit>> = BTreeMap::new();
        for edit in &fix.edits {
            let source = sources.get(&edit.file)?;
            let range = self.encoding.range(source, edit.span);
            let edit = TextEdit { range, new_text: edit.new_text.clone() };
            edits.entry(self.document_uri(&source.path)).or_default().push(edit);
        }
        let is_safe = fix.applicability == Applicability::Safe;
        Some(Fix { title: visible(&fix.title).into_owned(), is_safe, edits })
    }
}

/// The URI of the page of a rule: its address, or the file beside a rule of the user's own, if there is one.
pub fn page_uri(rule: &Rule) -> Option<String> {
    let of_own = || page_file(rule.code, rule.name).map(|file| DocumentUri::File(file).to_string());
    page_address(rule.code, rule.name).or_else(of_own)
}

/// The parts that all findings of a rule share.
fn of_rule(code: &str, name: &str) -> Diagnostic {
    let href = find(code, name).and_then(page_uri);
    Diagnostic {
        code: Some(code.to_owned().into()),
        code_description: href.map(|href| CodeDescription { href: href.into() }),
        source: Some(SOURCE.to_owned()),
        ..Diagnostic::default()
    }
}

/// The message, with the help on a line of its own.
pub fn message(finding: &diagnostic::Diagnostic) -> String {
    let message = visible(&finding.message);
    finding.help.as_deref().map_or_else(|| message.to_string(), |help| format!("{message}\n{}", visible(help)))
}

const fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::Error,
        Severity::Warning => DiagnosticSeverity::Warning,
        Severity::Info => DiagnosticSeverity::Information,
    }
}
