//! The hard-coded secrets of an order's documents, which no text of a run shows.

use super::load::LoadedDocument;
use crate::config::Config;
use crate::facts::{AnalyzedService, Context};
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
