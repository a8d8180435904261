//! From a workflow, or the part of it that is wanted, and its findings to the tree that is drawn.

use super::block::{Block, Drawing, Kind, Mark};
use super::details::{self, Texts};
use crate::common::collections::HashMap;
use crate::document::Document;
use crate::model::{Activity, ActivityId, ActivityKind, ON_APPROVE, ON_REJECT, Workflow};
use crate::text::count;
use crate::text::diagnostic::Diagnostic;
use crate::text::source::Span;

/// A workflow with more activities is not drawn as a whole: no reader would find anything in it.
pub const MAX_ACTIVITIES: usize = 20_000;

impl Drawing {
    /// Draws a workflow, or the part of it below an activity, with the findings of its file.
    ///
    /// # Errors
    /// The number of activities, if it is over [`MAX_ACTIVITIES`].
    pub fn new<'f>(
        name: &str,
        workflow: &Workflow<'_>,
        part: Option<ActivityId>,
        findings: impl Iterator<Item = &'f Diagnostic>,
        texts: &Texts<'_>,
    ) -> Result<Self, usize> {
        let part = part.and_then(|id| workflow.activity(id));
        let number = part.map_or(workflow.activities.len(), |part| workflow.inside(part).count() + 1);
        if number > MAX_ACTIVITIES {
            return Err(number);
        }
        let marks = marks(workflow, findings, texts);
        let builder = Builder { workflow, marks: &marks, texts };
        let name = texts.plain(name);
        let (title, body, elsewhere) = match part {
            Some(part) => {
                let block = builder.block(part, path_of(workflow, part));
                (format!("{} in {name}", block.label()), vec![block], Vec::new())
            }
            None => {
                let roots = workflow.roots.get().map_or(&[][..], Vec::as_slice);
                (name, builder.blocks(roots, "a"), marks.get(&None).cloned().unwrap_or_default())
            }
        };
        let activities = if number == 1 { "1 activity".to_owned() } else { format!("{number} activities") };
        let found = elsewhere.len() + body.iter().map(count_marks).sum::<usize>();
        let summary = format!("Workflow with {activities}, {}", count(found, "finding"));
        Ok(Self { title, summary, body, marks: elsewhere, is_part: part.is_some() })
    }
}

fn count_marks(block: &Block) -> usize {
    block.marks.len() + block.children.iter().map(count_marks).sum::<usize>()
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
            pointer: Some(self.texts.document.pointer(activity.node)),
            kind: self.kind(&activity.kind, activity.children()),
            word: type_name.filter(|name| !name.is_empty()).unwrap_or_else(|| "no type".to_owned()),
            name: name.filter(|name| !name.is_empty()).unwrap_or_else(|| "(no name)".to_owned()),
            details: details::details(activity, self.texts),
            marks: self.marks.get(&Some(activity.id)).cloned().unwrap_or_default(),
            children: self.blocks(activity.children(), &id).into_iter().chain(self.timeout(activity, &id)).collect(),
            is_folded: false,
            id,
        }
    }

    /// The way out of an Approval that nobody decides in time, after its events.
    fn timeout(&self, activity: &Activity<'_>, parent: &str) -> Option<Block> {
        let (name, details) = details::timeout(activity.approval()?, self.texts)?;
        let (id, word) = (format!("{parent}-timeout"), "Timeout".to_owned());
        let (marks, children) = (Vec::new(), Vec::new());
        let (pointer, kind, is_folded) = (None, Kind::Timeout, false);
        Some(Block { id, pointer, kind, word, name, details, marks, children, is_folded })
    }

    /// The decision of an Approval that no Event is for, while one is for the other.
    fn other_decision(&self, children: &[ActivityId]) -> Option<&'static str> {
        let children = children.iter().map(|&id| match &self.workflow.activity(id)?.kind {
            ActivityKind::Event { event } => event.value(),
            _ => None,
        });
        // What cannot be read, or has another name, may be the one that is missing.
        let events: Vec<&str> = children.collect::<Option<_>>()?;
        match (events.contains(&ON_APPROVE), events.contains(&ON_REJECT)) {
            _ if events.iter().any(|event| ![ON_APPROVE, ON_REJECT].contains(event)) => None,
            (true, false) => Some("rejected"),
            (false, true) => Some("approved"),
            _ => None,
        }
    }

    fn kind(&self, kind: &ActivityKind<'_>, children: &[ActivityId]) -> Kind {
        match kind {
            ActivityKind::Provider(_) => Kind::Provider,
            ActivityKind::Approval(_) => Kind::Approval { other: self.other_decision(children) },
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

/// The findings of the workflow's file by activity, `None` for those outside of all.
pub(super) type Marks = HashMap<Option<ActivityId>, Vec<Mark>>;

/// The messages of the findings are redacted already.
pub(super) fn marks<'f>(
    workflow: &Workflow<'_>,
    findings: impl Iterator<Item = &'f Diagnostic>,
    texts: &Texts<'_>,
) -> Marks {
    let mut marks = Marks::default();
    for finding in findings {
        let message = texts.plain(&finding.message);
        let mark = Mark { code: finding.code, severity: finding.severity, message };
        let activity = activity_around(workflow, texts.document, finding.location.span);
        marks.entry(activity).or_default().push(mark);
    }
    marks
}

/// The innermost activity that contains a place.
fn activity_around(workflow: &Workflow<'_>, document: &Document, place: Span) -> Option<ActivityId> {
    let activities = &workflow.activities;
    // Activities are in the order of the text: the last one that begins before the place is the innermost one around
    // it, or a descendant or earlier sibling of that one.
    let after = activities.partition_point(|activity| document.span(activity.node).start <= place.start);
    let nearest = activities.get(after.checked_sub(1)?)?;
    let contains =
        |id: &ActivityId| workflow.activity(*id).is_some_and(|activity| document.span(activity.node).end >= place.end);
    let outwards = workflow.ancestors(nearest).map(|activity| activity.id);
    std::iter::once(nearest.id).chain(outwards).find(contains)
}

/// Finds an activity by its exact name, or by its JSON Pointer.
///
/// # Errors
/// None has this name or pointer; or several have the name: the pointers of all of them.
pub fn find_part(workflow: &Workflow<'_>, document: &Document, wanted: &str) -> Result<ActivityId, Vec<String>> {
    let is_named = |activity: &&Activity<'_>| activity.name.value() == Some(wanted);
    let named: Vec<&Activity<'_>> = workflow.activities.iter().filter(is_named).collect();
    match named.as_slice() {
        [] => {
            let node = document.resolve(wanted).ok_or_else(Vec::new)?;
            let activity = workflow.activities.iter().find(|activity| activity.node == node);
            activity.map(|activity| activity.id).ok_or_else(Vec::new)
        }
        [activity] => Ok(activity.id),
        several => Err(several.iter().map(|activity| document.pointer(activity.node)).collect()),
    }
}
