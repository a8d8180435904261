//! The hover of a variable: type, writers, readers and known values.

use super::markdown::{code, list};
use crate::diagnostic::FileId;
use crate::facts::{AnalyzedService, KnownValue, VariableUses, declaration, known_values, masked_variables};
use crate::lsp::features::cursor::activity_at;
use crate::model::Operand;

pub fn markdown(service: &AnalyzedService<'_>, name: &str, file: FileId, offset: u32) -> String {
    let declared = declaration(service, name);
    let is_masked = masked_variables(service).contains_key(name);
    let mut parts = vec![match declared {
        Some(variable) => variable
            .variable_type
            .value()
            .map_or_else(|| "variable".to_owned(), |kind| format!("variable of type {}", code(kind))),
        None if service.is_system(name) => "system variable".to_owned(),
        None => "undeclared variable".to_owned(),
    }];
    if is_masked {
        parts.push("masked".to_owned());
    }
    if let Some(id) = declared.and_then(|variable| variable.id.value()) {
        parts.push(format!("id {id}"));
    }
    let mut text = format!("{}: {}", code(name), parts.join(", "));
    let uses = VariableUses::of(service, name, code);
    text.push_str(&list("Written by", &uses.writers));
    text.push_str(&list("Read by", &uses.readers));
    if uses.writers.is_empty() && service.usage.is_filled_by_order(name) {
        text.push_str("\n\nWritten by the order form, which the service does not have");
    }
    text.push_str(&list("Known here", &known(service, name, file, offset, is_masked)));
    text
}

fn known(service: &AnalyzedService<'_>, name: &str, file: FileId, offset: u32, is_masked: bool) -> Vec<String> {
    let Some((analysis, activity)) = activity_at(service, file, offset) else { return Vec::new() };
    let known = known_values(analysis, activity, name, code).into_iter();
    let describe = |known: KnownValue| match known {
        KnownValue::MayBeUnset => "may be unset: not assigned on every path".to_owned(),
        KnownValue::Compared { condition, .. } if is_masked => format!("compared by {condition}"),
        KnownValue::Compared { condition, operand, value } => {
            let operand = if operand == Operand::Equal { "equal to" } else { "not equal to" };
            format!("{operand} {}, by {condition}", code(&value))
        }
    };
    known.map(describe).collect()
}
