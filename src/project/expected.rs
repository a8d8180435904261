//! Files that are meant as documents, so that one which lost its content is reported, and not skipped: their names say so,
//! or a scenario or a `[[service]]` names them.

use std::path::{Path, PathBuf};

use super::configs::Configs;
use super::discover::{Discovered, is_json, is_scenario};
use super::file::{Content, File};
use crate::common::collections::HashMap;
use crate::files::paths::clean;
use crate::files::read::read_regular;
use crate::schema::DocumentKind;

/// The ends of such names, before `.json`.
const ENDS: [(&str, DocumentKind); 3] =
    [("workflow", DocumentKind::Workflow), ("form", DocumentKind::Form), ("case", DocumentKind::SigningCase)];
/// The keys of a scenario that name documents.
const KEYS: [(&str, DocumentKind); 2] = [("workflow", DocumentKind::Workflow), ("form", DocumentKind::Form)];

/// Whether the name of a file says that it is a document, in any case.
pub fn is_named_as_document(path: &Path) -> bool {
    kind_by_name(path).is_some()
}

/// The kind of document that a file is by its name.
fn kind_by_name(path: &Path) -> Option<DocumentKind> {
    let end = path.file_stem().and_then(|stem| Path::new(stem).extension()).filter(|_| is_json(path))?;
    ENDS.iter().find(|(kind, _)| end.eq_ignore_ascii_case(kind)).map(|(_, kind)| *kind)
}

/// Why a file that is meant as a document holds none; other JSON of a folder is not meant so.
pub fn lost_document(file: &File) -> Option<&'static str> {
    match file.content {
        Content::Unrelated(_) => Some("neither a workflow, a form nor a signing case"),
        Content::Resembling(..) if file.meant.is_some() => {
            Some("neither a workflow, a form nor a signing case, but similar to one (WF003)")
        }
        _ => None,
    }
}

/// Marks the files that are meant as documents.
pub(super) fn mark(found: &mut Discovered, configs: &Configs) {
    let named = NamedDocuments::of(&found.scenarios);
    for (path, candidate) in &mut found.candidates {
        candidate.meant = named.kind(path, candidate.config, configs);
    }
}

/// The documents that scenarios name, with their kinds.
#[derive(Debug, Default)]
pub(super) struct NamedDocuments(HashMap<PathBuf, DocumentKind>);

impl NamedDocuments {
    pub fn of(scenarios: &[PathBuf]) -> Self {
        Self(scenarios.iter().flat_map(|scenario| named_documents(scenario)).collect())
    }

    /// What a file is meant as, by its name, by a scenario, or by a `[[service]]` of its configuration.
    pub fn kind(&self, path: &Path, config: usize, configs: &Configs) -> Option<DocumentKind> {
        if is_scenario(path) {
            return None;
        }
        let by_scenario = || self.0.get(path).copied();
        kind_by_name(path).or_else(by_scenario).or_else(|| configs.kind_by_service(config, path))
    }
}

/// The paths of the documents that a scenario names. Reading all scenarios as such would cost more than linting.
fn named_documents(scenario: &Path) -> Vec<(PathBuf, DocumentKind)> {
    let (Ok(text), Some(folder)) = (read_regular(scenario), scenario.parent()) else { return Vec::new() };
    let values = KEYS.iter().flat_map(|&(key, kind)| values(&text, key).map(move |value| (value, kind)));
    // Those whose names say it are meant so anyway.
    let paths = values.map(|(value, kind)| (clean(&folder.join(value)), kind));
    paths.filter(|(path, _)| is_json(path) && !is_named_as_document(path)).collect()
}

/// What a key is followed by, in YAML, JSON and TOML.
fn values<'t>(text: &'t str, key: &'t str) -> impl Iterator<Item = &'t str> {
    text.match_indices(key).filter_map(move |(at, _)| {
        let (before, after) = (text.get(..at)?, text.get(at + key.len()..)?);
        let is_key = before.chars().next_back().is_none_or(|last| "\n{,\"' \t".contains(last));
        let value = after.trim_start_matches(['"', '\'']).trim_start_matches([' ', '\t']);
        let value = value.strip_prefix([':', '=']).filter(|_| is_key)?.trim_start();
        match value.chars().next()? {
            quote @ ('"' | '\'') => value.get(1..)?.split(quote).next(),
            _ => value.split(['\n', '\r', ',', '}', '#']).next().map(str::trim_end),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_named_in_each_syntax() {
        for (text, wanted) in [
            ("name: The workflow: x\nworkflow: flows/a b.json # old\nform: b.json\n", vec!["flows/a b.json"]),
            ("workflow: 'a, b.json'\r\n", vec!["a, b.json"]),
            ("{\"workflow\": \"a.json\", \"form\":\"b.json\"}", vec!["a.json"]),
            ("{ workflow: a.json, form: b.json }", vec!["a.json"]),
            ("workflow = \"a.json\"\nform = 'b.json'", vec!["a.json"]),
            ("myworkflow: a.json", vec![]),
        ] {
            let found: Vec<&str> = values(text, "workflow").filter(|value| value.ends_with(".json")).collect();
            assert_eq!(found, wanted, "{text}");
        }
    }

    #[test]
    fn names_say_what_a_file_is() {
        for name in ["a.workflow.json", "b/a.b.Form.JSON", "x.case.json"] {
            assert!(is_named_as_document(Path::new(name)), "{name}");
        }
        for name in ["workflow.json", "a.workflow.yaml", "a.workflows.json", "a.workflow.json.bak"] {
            assert!(!is_named_as_document(Path::new(name)), "{name}");
        }
    }
}
