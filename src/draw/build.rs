//! From a workflow to the tree that is drawn.

use super::block::{Block, Drawing, Kind};
use super::details;
use super::marks::Marks;
use super::texts::Texts;
use crate::model::{Activity, ActivityId, ActivityKind, Workflow};
use crate::text::count;

/// A workflow with more activities is not drawn as a whole: no reader would find anything in it.
pub const MAX_ACTIVITIES: usize = 20_000;

impl Drawing {
    /// Draws a workflow, or the part of it below an activity.
    ///
    /// # Errors
    /// The number of activities, if it is over [`MAX_ACTIVITIES`].
    pub fn new(
        name: &str,
        workflow: &Workflow<'_>,
        part: Option<ActivityId>,
        marks: &Marks,
        texts: &Texts<'_>,
    ) -> Result<Self, usize> {
        let part = part.and_then(|id| workflow.activity(id));
        let number = part.map_or(workflow.activities.len(), |part| workflow.inside(part).count() + 1);
        if number > MAX_ACTIVITIES {
            return Err(number);
        }
        let builder = Builder { workflow, marks, texts };
        let name = texts.plain(name);
        let (title, body, elsewhere) = match part {
            Some(part) => {
                let block = builder.block(part, path_of(workflow, part));
                (format!("{} in {name}", block.label()), vec![block], Vec::new())
            }
            None => {
                let roots = workflow.roots.get().map_or(&[][..], Vec::as_slice);
                (name, builder.blocks(roots, "a"), marks.elsewhere().to_vec())
            }
        };
        let activities = if number == 1 { "1 activity".to_owned() } else { format!("{number} activities") };
        let found = elsewhere.len() + body.iter().map(findings).sum::<usize>();
        let summary = format!("Workflow with {activities}, {}", count(found, "finding"));
        Ok(Self { title, summary, body, marks: elsewhere, is_part: part.is_some() })
    }
}

fn findings(block: &Block) -> usize {
    block.marks.len() + block.children.iter().map(findings).sum::<usize>()
}

/// The id of an activity, from the indices of it and its ancestors.
fn path_of(workflow: &Workflow<'_>, activity: &Activity<'_>) -> String {
    let mut way: Vec<&Activity<'_>> = std::iter::once(activity).chain(workflow.ancestors(activity)).collect();
    way.reverse();
    let mut siblings = workflow.roots.get().map_or(&[][..], Vec::as_slice);
    let mut id = "a".to_owned();
    for (depth, step) in way.into_iter().enumerate() {
        let index = siblings.iter().position(|&sibling| sibling == step.id).unwrap_or_default();
        id = child_id(&id, depth, index);
        siblings = step.children();
    }
    id
}

fn child_id(parent: &str, depth: usize, index: usize) -> String {
    if depth == 0 { format!("{parent}{index}") } else { format!("{parent}-{index}") }
}

struct Builder<'a, 'd> {
    workflow: &'a Workflow<'d>,
    marks: &'a Marks,
    texts: &'a Texts<'a>,
}

impl Builder<'_, '_> {
    /// Recurses with the nesting of activities, which the depth limit of the document bounds.
    fn blocks(&self, ids: &[ActivityId], parent: &str) -> Vec<Block> {
        let depth = usize::from(parent != "a");
        let activities = ids.iter().enumerate().filter_map(|(index, &id)| Some((index, self.workflow.activity(id)?)));
        activities.map(|(index, activity)| self.block(activity, child_id(parent, depth, index))).collect()
    }

    fn block(&self, activity: &Activity<'_>, id: String) -> Block {
        let type_name = activity.type_name.known().map(|(node, name)| self.texts.show(node, name));
        let name = activity.name.known().map(|(node, name)| self.texts.show(node, name));
        Block {
            kind: self.kind(&activity.kind),
            word: type_name.filter(|name| !name.is_empty()).unwrap_or_else(|| "no type".to_owned()),
            name: name.filter(|name| !name.is_empty()).unwrap_or_else(|| "(no name)".to_owned()),
            details: details::details(activity, self.texts),
            marks: self.marks.of(activity.id),
            children: self.blocks(activity.children(), &id),
            id,
        }
    }

    fn kind(&self, kind: &ActivityKind<'_>) -> Kind {
        match kind {
            ActivityKind::Provider(_) => Kind::Provider,
            ActivityKind::Approval(_) => Kind::Approval,
            ActivityKind::Event { .. } => Kind::Event,
            ActivityKind::Assign(_) => Kind::Assign,
            ActivityKind::Status { .. } => Kind::Status,
            ActivityKind::Sequence => Kind::Sequence,
            ActivityKind::While { delay, .. } => Kind::While { delay: details::delay(delay, self.texts) },
            ActivityKind::If { .. } => Kind::If,
            ActivityKind::Terminate => Kind::Terminate,
            ActivityKind::Code(_) => Kind::Code,
            ActivityKind::Declared { .. } => Kind::Declared,
            ActivityKind::Unknown { .. } => Kind::Unknown,
        }
    }
}
