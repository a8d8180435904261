//! Values that people fill into forms.

use super::place::Place;
use super::service::AnalyzedService;
use super::sinks::{Reached, Sink, reached};
use crate::collections::{HashMap, HashSet};
use crate::diagnostic::FileId;
use crate::document::NodeId;
use crate::graph::{Analysis, Followed, Given, Source, Write, Writer};
use crate::model::{Activity, Field, FieldType, Form};

/// Words that a script has which makes a value fit for where it goes, or checks it. What a script
/// does with them is not followed: one that has any counts as careful.
const CHECKS: [&str; 7] = ["test", "match", "exec", "includes", "indexOf", "startsWith", "switch"];
/// Parts of such words.
const CLEANS: [&str; 4] = ["replace", "escape", "encode", "saniti"];

/// The variables that people fill.
pub struct FormValues<'a> {
    /// By variable: the field of an order form that fills it.
    ordered: HashMap<&'a str, (FileId, NodeId)>,
    /// By an approval's form: the fields that approvers fill, by the node of `boundTo`.
    approved: HashMap<&'a str, (FileId, HashSet<NodeId>)>,
}

impl<'a> FormValues<'a> {
    /// What the forms of a service fill.
    pub fn of(service: &AnalyzedService<'a>) -> Self {
        let mut values = Self { ordered: HashMap::default(), approved: HashMap::default() };
        for form in &service.model.forms {
            let targets = typed_in(&form.form).into_iter().filter_map(|field| field.target());
            if form.is_order_form {
                for (node, name) in targets {
                    values.ordered.entry(name).or_insert((form.file, node));
                }
            } else {
                values.approved.insert(form.name, (form.file, targets.map(|(node, _)| node).collect()));
            }
        }
        values
    }

    /// The sinks of all workflows that such values reach.
    pub fn reaching<'c, I: Iterator<Item = Sink<'c, 'a>>>(
        &self,
        service: &'c AnalyzedService<'a>,
        sinks: impl Fn(&'c Analysis<'a>) -> I,
    ) -> Vec<Reached<'c, 'a>> {
        if self.ordered.is_empty() && self.approved.is_empty() {
            return Vec::new();
        }
        reached(service, self, sinks)
    }

    /// The field that a value comes from.
    pub fn field(&self, found: &Reached<'_, '_>) -> Option<Place> {
        let (file, node) = match found.way.as_ref()?.start {
            Source::Beginning(variable) => self.ordered.get(found.analysis.names.name(variable)).copied()?,
            Source::Written(activity, write) => {
                let form = found.analysis.workflow.activity(activity)?.approval()?.form.value()?;
                let (file, _) = self.approved.get(form)?;
                (*file, found.analysis.effects(activity)?.writes.get(write)?.node)
            }
        };
        Some(Place::value(file, node))
    }
}

/// The fields into which a person can type any text: shown, not readonly, and of a type that the
/// reference shows. A restricted `DropDown` gives only what its author put there.
fn typed_in<'f, 'a>(form: &'f Form<'a>) -> Vec<&'f Field<'a>> {
    let mut closed = vec![false; form.fields.len()];
    let mut open = Vec::new();
    for (index, field) in form.fields.iter().enumerate() {
        // A section comes before its fields.
        let is_closed =
            field.hidden.is_true() || field.readonly.is_true() || closed.get(index).copied().unwrap_or(false);
        for &child in field.children.get().into_iter().flatten().filter(|_| is_closed) {
            if let Some(child) = closed.get_mut(child) {
                *child = true;
            }
        }
        let is_free = match field.field_type {
            FieldType::InputText => true,
            FieldType::DropDown => !field.properties.is_restricted.is_true(),
            _ => false,
        };
        if is_free && !is_closed {
            open.push(field);
        }
    }
    open
}

impl Followed for FormValues<'_> {
    fn at_start(&self, variable: &str) -> bool {
        self.ordered.contains_key(variable)
    }

    fn given(&self, activity: &Activity<'_>, _: &str, write: &Write<'_>) -> Option<Given> {
        if write.by != Writer::Form {
            return None;
        }
        let (_, fields) = self.approved.get(activity.approval()?.form.value()?)?;
        fields.contains(&write.node).then_some(Given::Source)
    }

    fn is_cleaned_by(&self, words: &HashSet<&str>) -> bool {
        words.iter().any(|word| {
            let lower = word.to_ascii_lowercase();
            CHECKS.contains(word) || CLEANS.iter().any(|part| lower.contains(part))
        })
    }
}
