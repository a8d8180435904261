//! Masked variables: those whose value the platform hides (docs/platform.md, Masking).

use super::service::AnalyzedService;
use crate::collections::HashMap;
use crate::diagnostic::FileId;
use crate::document::NodeId;
use crate::model::{ActivityKind, Variable};

/// The masked variables by name, each with its first declaration that masks it. What one document of a
/// service masks is masked in all of them.
pub fn masked_variables<'a>(service: &AnalyzedService<'a>) -> HashMap<&'a str, (FileId, NodeId)> {
    declared_with(service, |variable| variable.details().should_hide.is_true() || variable.details().hide_all.is_true())
}

/// Of the masked variables, those whose mask has an effect. Where `shouldHide` is `false`, WF115 reports that the rest of
/// the mask has none.
pub fn hidden_variables<'a>(service: &AnalyzedService<'a>) -> HashMap<&'a str, (FileId, NodeId)> {
    declared_with(service, |variable| {
        let hides = &variable.details().should_hide;
        hides.is_true() || variable.details().hide_all.is_true() && hides.value() != Some(false)
    })
}

fn declared_with<'a>(
    service: &AnalyzedService<'a>,
    is_masked: impl Fn(&Variable<'a>) -> bool,
) -> HashMap<&'a str, (FileId, NodeId)> {
    let mut masked = HashMap::default();
    for (file, variables) in service.variable_lists() {
        for variable in variables.iter().filter(|variable| is_masked(variable)) {
            if let Some(name) = variable.name.value() {
                masked.entry(name).or_insert((file, variable.node));
            }
        }
    }
    masked
}

/// The strings in the documents that masked variables can hold: their values at the start, the bodies of Assigns,
/// and the default values of their fields.
pub fn masked_values(service: &AnalyzedService<'_>) -> Vec<(FileId, NodeId)> {
    let masked = masked_variables(service);
    if masked.is_empty() {
        return Vec::new();
    }
    let is_masked = |name: Option<&str>| name.is_some_and(|name| masked.contains_key(name));
    let mut values = Vec::new();
    for (file, variables) in service.variable_lists() {
        let variables = variables.iter().filter(|variable| is_masked(variable.name.value()));
        values.extend(variables.filter_map(|variable| Some((file, variable.value().known()?.0))));
    }
    for (analysis, activity) in service.activities() {
        let ActivityKind::Assign(assign) = &activity.kind else { continue };
        let target = assign.result.get().and_then(|result| result.target()).map(|(_, name)| name);
        if let Some((body, _)) = assign.body.known().filter(|_| is_masked(target)) {
            values.push((analysis.file, body));
        }
    }
    for form in &service.model.forms {
        for field in form.form.fields.iter().filter(|field| is_masked(field.target().map(|(_, name)| name))) {
            let texts = field.properties().default_value.get().into_iter().flatten();
            values.extend(texts.map(|entry| (form.file, entry.node)));
        }
    }
    values
}
