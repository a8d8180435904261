//! Edits that remove what has no effect, with what only it used, unless work would be lost.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::collections::HashSet;
use crate::document::{Document, Editor, NodeId, removal_of};
use crate::facts::context::Context;
use crate::facts::edits::bound_lists::{removals_around, unlisted_everywhere};
use crate::graph::Analysis;
use crate::model::{Activity, ActivityId};
use crate::schema::Element;
use crate::text::diagnostic::{Edit, FileId};
use crate::text::quoted_list;

/// More activities are not removed at once.
const MAX_REMOVED: usize = 100;

/// The edits of a removal.
pub struct Removal {
    pub edits: Vec<Edit>,
    /// The variables that are removed as well.
    variables: Vec<String>,
}

impl Removal {
    /// The title of the fix, after what is removed first.
    pub fn title(&self, removed: &str) -> String {
        match self.variables.as_slice() {
            [] => format!("remove {removed}"),
            [variable] => format!("remove {removed} and the variable {}", quoted_list(&[variable], "and")),
            variables => format!("remove {removed} and the variables {}", quoted_list(variables, "and")),
        }
    }
}

/// The edits that remove activities without children, and the variables that only they use. `None` if work would be
/// lost: a remark, or the only use of what people enter or decide.
pub fn without_activities<'a>(
    cx: &Context<'a>,
    analysis: &Analysis<'a>,
    activities: &[&Activity<'a>],
) -> Option<Removal> {
    let is_open = |activity: &&Activity<'_>| {
        let effects = analysis.effects(activity.id);
        !activity.children().is_empty()
            || activity.children.is_unknown()
            || effects.is_none_or(|effects| effects.may_read || effects.may_write.is_some())
            || has_remark(analysis.document, activity)
    };
    if activities.len() > MAX_REMOVED || activities.iter().any(is_open) {
        return None;
    }
    let removable = cx.removable();
    let own: HashSet<ActivityId> = activities.iter().map(|activity| activity.id).collect();
    let effects = || activities.iter().filter_map(|activity| analysis.effects(activity.id));
    let reads = effects().flat_map(|effects| &effects.reads).map(|read| read.variable);
    let mut used: BTreeSet<&str> = reads.map(|variable| analysis.names.name(variable)).collect();
    if used.iter().any(|name| removable.are_only_readers_of_people(analysis.file, &own, name)) {
        return None;
    }
    let writes = effects().flat_map(|effects| effects.writes.own());
    used.extend(writes.map(|write| analysis.names.name(write.variable)));
    let is_orphan = |name: &&str| {
        !removable.is_incomplete(analysis.file)
            && removable.are_only_users(analysis.file, &own, name)
            && removable.may_lose_variable(cx, name)
    };
    let variables: Vec<&str> = used.into_iter().filter(is_orphan).collect();
    let nodes: Vec<NodeId> = activities.iter().map(|activity| activity.node).collect();
    let mut edits = without(analysis.document, analysis.file, &nodes);
    edits.extend(removals_around(cx, analysis, activities));
    edits.extend(declarations_of(cx, &variables));
    Some(Removal { edits, variables: variables.into_iter().map(str::to_owned).collect() })
}

/// The edits that remove a variable that nothing uses from all documents, and its name where an activity lists it.
pub fn without_variable(cx: &Context<'_>, name: &str) -> Vec<Edit> {
    let mut edits = declarations_of(cx, &[name]);
    if cx.removable().is_listed(name) {
        edits.extend(unlisted_everywhere(cx, name));
    }
    edits
}

fn declarations_of(cx: &Context<'_>, names: &[&str]) -> Vec<Edit> {
    let mut nodes: BTreeMap<FileId, Vec<NodeId>> = BTreeMap::new();
    for (file, node) in names.iter().flat_map(|name| cx.removable().declarations(name)) {
        nodes.entry(file).or_default().push(node);
    }
    let edits = |(file, nodes): (FileId, Vec<NodeId>)| Some(without(cx.document(file)?, file, &nodes));
    nodes.into_iter().filter_map(edits).flatten().collect()
}

/// The edits that remove values from a document.
fn without(document: &Document, file: FileId, nodes: &[NodeId]) -> Vec<Edit> {
    if let [node] = nodes {
        return removal_of(document, file, *node).into_iter().collect();
    }
    let mut editor = Editor::new(document, file);
    for &node in nodes {
        editor.remove(node);
    }
    editor.finish()
}

/// Whether an activity has a string that the platform does not know, such as a description or a note.
fn has_remark(document: &Document, activity: &Activity<'_>) -> bool {
    let is_known = |member: NodeId| Element::Activity.known_members().contains_key_of(document, member);
    let settings = document.member(activity.node, "properties");
    let settings = settings.into_iter().flat_map(|settings| document.children(settings));
    let settings = settings.filter(|&member| !document.key_is(member, "translations"));
    let unknown = document.children(activity.node).filter(|&member| !is_known(member));
    unknown.chain(settings).any(|member| document.has_text(member))
}
