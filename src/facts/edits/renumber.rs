//! Giving a variable another id.

use crate::facts::context::Context;
use crate::text::diagnostic::Edit;

/// The edits that replace the id of a variable: in every declaration of it that has the id, and beside its name in
/// bindings. It is also the `realId` where both were equal.
pub fn renumbering(cx: &Context<'_>, name: &str, old: i64, new: i64) -> Vec<Edit> {
    let mut places = Vec::new();
    for (file, variables) in cx.variable_lists() {
        let named = variables.iter().filter(|variable| variable.name.value() == Some(name));
        for variable in named.filter(|variable| variable.id.value() == Some(old)) {
            let real_id = variable.details().real_id.known().filter(|(_, real_id)| **real_id == old);
            let nodes = variable.id.node().into_iter().chain(real_id.map(|(node, _)| node));
            places.extend(nodes.map(|node| (file, node)));
        }
    }
    let bound = cx.name_uses().get(name).map_or(&[][..], |known| &known.ids);
    places.extend(bound.iter().filter(|(_, _, id)| *id == old).map(|&(file, node, _)| (file, node)));
    let edit = |(file, node)| Some(Edit { file, span: cx.document(file)?.span(node), new_text: new.to_string() });
    places.into_iter().filter_map(edit).collect()
}
