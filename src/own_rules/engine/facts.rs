//! What wflint knows of a service, for rules that ask for it.

use serde_json::{Map, Value, json};

use super::interface::{Facts, OwnDocument, visiting_order};
use crate::common::collections::HashMap;
use crate::document::{Document, NodeId};
use crate::facts::{Access, Context, masked_variables, variable_names};
use crate::graph::{Analysis, Write, Writer};
use crate::model::{Activity, ActivityId, ActivityKind, Variable};
use crate::text::diagnostic::FileId;

/// The facts about a service. The documents are those of the context.
pub fn facts_of(cx: &Context<'_>, documents: &[OwnDocument<'_>]) -> Facts {
    let order = visiting_order(documents);
    let position = |index: usize| order.iter().position(|&other| other == index);
    let mut places = Places(HashMap::default());
    for &file in &cx.files {
        let document = file.document().map(|(_, document)| document);
        let index = document.and_then(|it| documents.iter().position(|own| std::ptr::eq(own.document, it)));
        let place = index.and_then(position).zip(document);
        places.0.extend(place.map(|place| (file.id, place)));
    }
    let named = Named::of(cx);
    let mut uses: HashMap<String, Uses> = HashMap::default();
    let mut activities = Map::new();
    for (analysis, activity) in cx.activities() {
        if let Some((key, facts)) = activity_facts((cx, &named, &places), &mut uses, (analysis, activity)) {
            activities.insert(key, facts);
        }
    }
    add_fields(cx, &places, &mut uses);
    let masked = masked_variables(cx);
    let mut variables = Map::new();
    for (file, variable) in cx.variable_lists().flat_map(|(file, list)| list.iter().map(move |it| (file, it))) {
        let name = variable.name.value().unwrap_or_default();
        let Uses { readers, writers } = uses.get(name).cloned().unwrap_or_default();
        let facts = json!({ "readers": readers, "writers": writers, "masked": masked.contains_key(name) });
        variables.extend(places.key(file, variable.node).map(|key| (key, facts)));
    }
    Facts(json!({ "activities": activities, "variables": variables }))
}

/// The activities and fields that use a variable, as references.
#[derive(Debug, Clone, Default)]
struct Uses {
    readers: Vec<Value>,
    writers: Vec<Value>,
}

/// The documents with their numbers in the child.
struct Places<'d>(HashMap<FileId, (usize, &'d Document)>);

impl Places<'_> {
    fn key(&self, file: FileId, node: NodeId) -> Option<String> {
        let (index, document) = self.0.get(&file)?;
        Some(format!("{index}{}", document.pointer(node)))
    }

    fn reference(&self, file: FileId, node: NodeId) -> Option<Value> {
        let (index, document) = self.0.get(&file)?;
        Some(json!({ "document": index, "pointer": document.pointer(node) }))
    }

    /// The declaration of a variable: that of the workflow, else another one of the service; `{ name }` without one.
    fn variable(&self, cx: &Context<'_>, workflow: FileId, name: &str) -> Value {
        let declared = cx.declarations(name);
        let own = declared.iter().find(|(file, _)| *file == workflow).or_else(|| declared.first());
        let found = own.and_then(|(file, variable): &(FileId, &Variable<'_>)| self.reference(*file, variable.node));
        found.unwrap_or_else(|| json!({ "name": name }))
    }
}

/// The names that activities read and write, as they are written.
struct Named<'a>(HashMap<(FileId, ActivityId), Vec<(&'a str, Access)>>);

impl<'a> Named<'a> {
    fn of(cx: &Context<'a>) -> Self {
        let mut found: HashMap<_, Vec<_>> = HashMap::default();
        for name in variable_names(cx) {
            if let Some(activity) = name.activity {
                found.entry((name.file, activity)).or_default().push((name.name, name.access));
            }
        }
        Self(found)
    }

    /// The variables that an activity reads, and those that it writes, without those in its form.
    fn of_activity(&self, cx: &Context<'_>, analysis: &Analysis<'_>, activity: &Activity<'_>) -> [Vec<String>; 2] {
        let is_declared = matches!(activity.kind, ActivityKind::Declared { .. });
        let both = if is_declared { Access::Read } else { Access::Both };
        let named = self.0.get(&(analysis.file, activity.id)).map_or(&[][..], Vec::as_slice);
        let with = |wanted: Access| {
            let access = |access: Access| if access == Access::Both { both } else { access };
            let is_wanted = move |found: Access| access(found) == wanted || access(found) == Access::Both;
            named.iter().filter(move |(_, access)| is_wanted(*access)).map(|(name, _)| (*name).to_owned())
        };
        let writes = analysis.effects(activity.id).into_iter().flat_map(|effects| effects.writes.own());
        // What names in bindings write is in `named`, as it is written.
        let is_other = |write: &&Write<'_>| {
            !write.guessed && matches!(write.by, Writer::Output { .. } | Writer::Script | Writer::Declared)
        };
        let names = writes.filter(is_other).map(|write| analysis.names.name(write.variable));
        // Every call may write the common outputs, whether somebody reads them or not.
        let is_known = |name: &&str| !cx.config.catalog.is_common_output(name) || !cx.declarations(name).is_empty();
        let written = with(Access::Write).chain(names.filter(is_known).map(str::to_owned));
        [distinct(with(Access::Read)), distinct(written)]
    }
}

fn activity_facts<'a>(
    (cx, named, places): (&Context<'a>, &Named<'a>, &Places<'_>),
    uses: &mut HashMap<String, Uses>,
    (analysis, activity): (&'a Analysis<'a>, &'a Activity<'a>),
) -> Option<(String, Value)> {
    let reference = places.reference(analysis.file, activity.node)?;
    let [reads, writes] = named.of_activity(cx, analysis, activity);
    for name in &reads {
        uses.entry(name.clone()).or_default().readers.push(reference.clone());
    }
    for name in &writes {
        uses.entry(name.clone()).or_default().writers.push(reference.clone());
    }
    let variables = |names: Vec<String>| -> Vec<Value> {
        names.iter().map(|name| places.variable(cx, analysis.file, name)).collect()
    };
    let facts = json!({
        "reads": variables(reads),
        "writes": variables(writes),
        // What is in an activity of an unknown type may run whenever it does.
        "reachable": analysis.control.point(activity.id).is_none() || analysis.reaches(activity.id),
        "method": method(cx, activity),
    });
    Some((places.key(analysis.file, activity.node)?, facts))
}

/// Each once, in order.
fn distinct(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for name in names {
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

/// The catalog entry of the method that an activity calls, without the keys that it does not set.
fn method(cx: &Context<'_>, activity: &Activity<'_>) -> Value {
    let name = activity.provider().and_then(|provider| provider.method.value());
    let method = name.and_then(|name| cx.config.catalog.method(name));
    let mut entry = method.and_then(|method| serde_json::to_value(method).ok()).unwrap_or_default();
    remove_nulls(&mut entry);
    entry
}

fn remove_nulls(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            members.values_mut().for_each(remove_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_nulls),
        _ => {}
    }
}

/// A field reads the variable that it shows, and writes it unless it is read-only.
fn add_fields(cx: &Context<'_>, places: &Places<'_>, uses: &mut HashMap<String, Uses>) {
    let fields = cx.model.forms.iter().flat_map(|form| form.form.fields.iter().map(move |field| (form.file, field)));
    for (file, field) in fields {
        let (Some((_, name)), Some(reference)) = (field.target(), places.reference(file, field.node)) else { continue };
        let uses = uses.entry(name.to_owned()).or_default();
        uses.readers.push(reference.clone());
        if field.readonly.value() != Some(true) {
            uses.writers.push(reference);
        }
    }
}
