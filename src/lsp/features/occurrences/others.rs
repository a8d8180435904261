//! The occurrences of names in scenarios and configurations.

use std::path::Path;

use super::occurrence::Occurrence;
use crate::config::{self, ConfigNameKind};
use crate::lsp::features::snapshot::{FileSpan, OtherFile, Snapshot};
use crate::lsp::features::symbol::{Role, Symbol};
use crate::project::clean_path;
use crate::simulate::scenario::{self, ScenarioNameKind, ScenarioSyntax};
use crate::source::Span;

/// The names in all scenarios and configurations.
pub fn names(snapshot: &Snapshot<'_>) -> Vec<Occurrence> {
    snapshot.others.iter().flat_map(|other| names_of(snapshot, other)).collect()
}

fn names_of(snapshot: &Snapshot<'_>, other: &OtherFile<'_>) -> Vec<Occurrence> {
    let occurrence = |symbol: Symbol, span: Span, role: Role| {
        let place = FileSpan { file: other.id, span };
        Occurrence { symbol, place, role }
    };
    if let Some(syntax) = other.scenario_syntax() {
        return names_of_scenario(snapshot, other, syntax, occurrence);
    }
    let names = config::names(other.text).into_iter().map(|found| {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let symbol = match found.kind {
            ConfigNameKind::Variable => Symbol::Variable(found.name),
            ConfigNameKind::Activity => Symbol::Activity(found.name),
            ConfigNameKind::Method => Symbol::Method(found.name),
            ConfigNameKind::Rule => Symbol::Rule(found.name),
        };
        occurrence(symbol, Span::new(offset(found.range.start), offset(found.range.end)), Role::Mention)
    });
    names.collect()
}

fn names_of_scenario(
    snapshot: &Snapshot<'_>,
    other: &OtherFile<'_>,
    syntax: ScenarioSyntax,
    occurrence: impl Fn(Symbol, Span, Role) -> Occurrence,
) -> Vec<Occurrence> {
    let names = scenario::names(other.text, syntax).into_iter().filter_map(|found| {
        let role = if found.kind == ScenarioNameKind::InMessage { Role::Message } else { Role::Mention };
        let symbol = match found.kind {
            // The variable depends on the prefix of each call.
            ScenarioNameKind::Output { .. } => return None,
            ScenarioNameKind::Variable | ScenarioNameKind::InMessage => Symbol::Variable(found.name),
            ScenarioNameKind::Field => Symbol::Field(found.name),
            ScenarioNameKind::Activity => Symbol::Activity(found.name),
            ScenarioNameKind::Method => Symbol::Method(found.name),
            ScenarioNameKind::Document => {
                let folder = other.path.parent().unwrap_or(other.path);
                let (path, _) = clean_path(Path::new(&found.name), folder);
                let file = snapshot.files.iter().find(|file| clean_path(&file.source.path, folder).0 == path)?;
                Symbol::Document(file.id)
            }
        };
        Some(occurrence(symbol, found.span, role))
    });
    names.collect()
}
