//! The hard-coded secrets of an order's documents and its scenario, which no text of a run shows.

use super::load::LoadedDocument;
use super::scenario::{Input, NamedInput, ProviderResult, Scenario};
use crate::config::Config;
use crate::facts::{AnalyzedService, Context, secrets_in};
use crate::project::{File, ServiceModel};
use crate::redaction::Redactions;
use crate::text::suggest::Suggester;

/// The secrets in a workflow and its form.
pub fn secrets(documents: &[&LoadedDocument], config: &Config) -> Redactions {
    let mut files: Vec<&File> = documents.iter().map(|document| &document.read).collect();
    files.sort_by_key(|file| file.id);
    let (model, suggester) = (ServiceModel::new(&files, config), Suggester::default());
    let service = AnalyzedService::new(files, config, &model, &suggester, None);
    Redactions::of_runs(Context::new(&service).secret_values())
}

/// The secrets in the texts of a scenario.
pub fn secrets_of(scenario: &Scenario) -> Vec<String> {
    fn given(input: &NamedInput) -> Option<(Option<&str>, &str)> {
        let Input::Text(text) = &input.input.value else { return None };
        Some((Some(&input.name.value), text))
    }
    let mut texts: Vec<(Option<&str>, &str)> = scenario.name.iter().map(|name| (None, name.as_str())).collect();
    texts.extend(scenario.submit.iter().flatten().chain(&scenario.variables).filter_map(given));
    texts.extend(scenario.faults.iter().map(|fault| (None, fault.error.as_str())));
    for result in scenario.providers.iter().flat_map(|method| &method.results) {
        match &result.value {
            ProviderResult::Outputs(outputs) => {
                texts.extend(outputs.iter().map(|(name, text)| (Some(name.as_str()), text.as_ref())));
            }
            ProviderResult::Error(error) => texts.push((None, error)),
        }
    }
    if let Some(expect) = &scenario.expect {
        texts.extend(expect.variables.iter().map(|(name, text)| (Some(name.value.as_str()), text.as_ref())));
        let statuses = expect.statuses.iter().flat_map(|statuses| &statuses.texts);
        texts.extend(statuses.chain(&expect.failure).map(|text| (None, text.as_str())));
    }
    texts.into_iter().flat_map(|(name, text)| secrets_in(name, text)).collect()
}
