//! What redaction hides: secrets, and the values of masked variables in the documents.

use super::masked::masked_values;
use super::secrets::Secret;
use super::service::AnalyzedService;
use crate::redaction::SensitiveValue;

pub fn sensitive_values<'a>(
    service: &AnalyzedService<'a>,
    secrets: &[Secret],
) -> impl Iterator<Item = SensitiveValue<'a>> {
    let secrets = secrets.iter().map(|secret| (secret.file, secret.node, Some(secret.part.clone())));
    let masked = masked_values(service).into_iter().map(|(file, node)| (file, node, None));
    secrets
        .chain(masked)
        .filter_map(|(file, node, part)| Some(SensitiveValue { file, document: service.document(file)?, node, part }))
}
