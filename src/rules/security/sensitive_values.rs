//! What redaction hides of a service: its secrets, and the values that its documents give masked
//! variables.

use super::masked::masked_values;
use crate::redaction::SensitiveValue;
use crate::rules::Context;

pub fn sensitive_values<'a>(cx: &Context<'a>) -> Vec<SensitiveValue<'a>> {
    let secrets = cx.secrets.iter().map(|secret| (secret.file, secret.node, Some(secret.part.clone())));
    let masked = masked_values(cx).into_iter().map(|(file, node)| (file, node, None));
    let values = secrets.chain(masked);
    values
        .filter_map(|(file, node, part)| Some(SensitiveValue { file, document: cx.document(file)?, node, part }))
        .collect()
}
