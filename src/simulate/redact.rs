//! Redacts the errors of scenarios: values of masked variables (docs/platform.md, Masking).

use std::collections::{BTreeMap, BTreeSet};

use super::load::Loaded;
use super::scenario::{ScenarioSyntax, escaped_scalars_of, values_of};
use crate::config::Config;
use crate::model::{Form, Lowering, Member, Variable, Workflow};
use crate::redaction::{Mask, REPLACEMENT, merge_overlapping};
use crate::schema::DocumentKind;
use crate::text::diagnostic::{Diagnostic, FileId};
use crate::text::source::{SourceFile, Span};
use crate::text::suggest::Suggester;
use crate::text::{MAX_NAME, truncate};

/// Characters from which on a value is searched for; a shorter one, which may be part of any word, is hidden only where
/// it is the value of a masked variable.
const MIN_LENGTH: usize = 4;

/// The names of masked variables and of the fields that set them, and the values that documents give them.
#[derive(Default)]
struct Masked {
    names: BTreeSet<String>,
    values: BTreeSet<String>,
}

/// Hides the values of masked variables in the errors of scenarios, and in the lines that these show. What any document
/// of a run masks is masked in all scenarios: of one with errors it may not be known which documents it is for.
pub fn redact_errors<'d>(
    loaded: &Loaded,
    sources: &mut BTreeMap<FileId, SourceFile>,
    errors: impl IntoIterator<Item = &'d mut Diagnostic>,
) {
    let mut errors = errors.into_iter().peekable();
    if errors.peek().is_none() {
        return;
    }
    let masked = Masked::of(loaded);
    let documents: BTreeSet<FileId> = loaded.documents.iter().map(|document| document.file).collect();
    let mut values = masked.values.clone();
    let scenarios = sources.iter_mut().filter(|(file, source)| source.is_quoted && !documents.contains(file));
    for (_, source) in scenarios {
        values.extend(masked.hide_in(source));
    }
    let forms = values.iter().filter(|value| value.chars().count() >= MIN_LENGTH);
    // A message may quote only the beginning of a long value.
    let forms: Vec<&str> =
        forms.flat_map(|value| [value.as_str(), truncate_plain(value)]).filter(|form| !form.is_empty()).collect();
    for error in errors {
        redact(&mut error.message, &forms);
        error.help.iter_mut().for_each(|help| redact(help.to_mut(), &forms));
    }
}

/// The part of a long value that [`truncate`] leaves.
fn truncate_plain(value: &str) -> &str {
    let length = truncate(value, MAX_NAME).strip_suffix('…').map_or(0, str::len);
    value.get(..length).unwrap_or_default()
}

fn redact(text: &mut String, forms: &[&str]) {
    for form in forms.iter().filter(|form| text.contains(**form)).collect::<Vec<_>>() {
        *text = text.replace(form, REPLACEMENT);
    }
}

impl Masked {
    fn of(loaded: &Loaded) -> Self {
        let (suggester, fallback) = (Suggester::default(), Config::default());
        let mut masked = Self::default();
        let mut forms = Vec::new();
        for document in loaded.documents.iter().chain(&loaded.documents_of_broken) {
            let config = loaded.configs.get(document.config).unwrap_or(&fallback);
            let lowering = Lowering { document: &document.document, types: &config.types, suggester: &suggester };
            match document.kind {
                DocumentKind::Workflow => masked.add_variables(&Workflow::lower(lowering).variables),
                DocumentKind::Form => {
                    let form = Form::lower(lowering);
                    masked.add_variables(&form.variables);
                    forms.push(form);
                }
                DocumentKind::SigningCase => {}
            }
        }
        // Also of variables that only the workflow masks.
        let fields = forms.iter().flat_map(|form| &form.fields);
        let fields = fields.filter(|field| field.target().is_some_and(|(_, name)| masked.names.contains(name)));
        let fields: Vec<String> = fields.filter_map(|field| field.name.value()).map(str::to_owned).collect();
        masked.names.extend(fields);
        masked
    }

    fn add_variables(&mut self, variables: &Member<Vec<Variable<'_>>>) {
        for variable in variables.get().into_iter().flatten().filter(|variable| Mask::of(variable).is_some()) {
            self.names.extend(variable.name.value().map(str::to_owned));
            self.values.extend(variable.value().value().map(str::to_owned));
        }
    }

    /// Hides the values in the lines of a scenario. Returns those that it gives masked variables.
    fn hide_in(&self, source: &mut SourceFile) -> Vec<String> {
        let Some(syntax) = ScenarioSyntax::of(&source.path).filter(|_| !self.names.is_empty()) else {
            return Vec::new();
        };
        let is_masked = |key: &str, is_output: bool| {
            // The prefix of an output is known only in a run.
            self.names.contains(key)
                || is_output && !key.is_empty() && self.names.iter().any(|name| name.ends_with(key))
        };
        let Some(found) = values_of(&source.text, syntax, &is_masked) else {
            // Without its structure, a value is known only by the name before it.
            source.is_quoted = !self.names.iter().any(|name| source.text.contains(name.as_str()));
            return Vec::new();
        };
        let mut spans: Vec<Span> = found.iter().map(|(_, span)| *span).collect();
        let values: Vec<String> = found.into_iter().map(|(value, _)| value.to_string()).collect();
        let copies = values.iter().chain(&self.values).filter(|value| value.chars().count() >= MIN_LENGTH);
        let copies: BTreeSet<&String> = copies.collect();
        for value in &copies {
            let places = source.text.match_indices(value.as_str());
            spans.extend(places.map(|(at, found)| Span::of_range(&(at..at + found.len()))));
        }
        let escaped = escaped_scalars_of(&source.text, syntax).into_iter();
        let escaped = escaped.filter(|(read, _)| copies.iter().any(|value| read.contains(value.as_str())));
        spans.extend(escaped.map(|(_, span)| span));
        spans.retain(|span| span.start < span.end);
        merge_overlapping(&mut spans);
        source.hidden = spans;
        values
    }
}
