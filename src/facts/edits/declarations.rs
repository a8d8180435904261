//! Edits of the declarations of a variable: the documents of a service have copies of them.

use crate::document::NodeId;
use crate::facts::context::Context;
use crate::model::{Member, Variable, VariableDetails};
use crate::text::diagnostic::{Edit, FileId};

/// The edits that replace, in every declaration of a variable, the value that `select` finds there by another JSON text.
pub fn declaration_edits(
    cx: &Context<'_>,
    name: &str,
    select: impl Fn(&Variable<'_>) -> Option<(NodeId, &'static str)>,
) -> Vec<Edit> {
    let edit = |&(file, variable): &(FileId, &Variable<'_>)| {
        let (node, json) = select(variable)?;
        Some(Edit { file, span: cx.document(file)?.span(node), new_text: json.to_owned() })
    };
    cx.declarations(name).iter().filter_map(edit).collect()
}

/// The edits that turn a flag over in every declaration of a variable that has it as `is`.
pub fn flag_edits(
    cx: &Context<'_>,
    name: &str,
    flag: impl for<'m, 'd> Fn(&'m VariableDetails<'d>) -> &'m Member<bool>,
    is: bool,
) -> Vec<Edit> {
    let json = if is { "false" } else { "true" };
    declaration_edits(cx, name, |variable| {
        let (node, _) = flag(variable.details()).known().filter(|(_, written)| **written == is)?;
        Some((node, json))
    })
}
