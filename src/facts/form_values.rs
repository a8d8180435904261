//! Values that users type into forms: a source of the taint analysis.

use super::place::Place;
use super::service::AnalyzedService;
use super::sinks::{Sink, TaintedSink, TaintedSinks, tainted_sinks};
use crate::collections::{HashMap, HashSet};
use crate::diagnostic::FileId;
use crate::document::NodeId;
use crate::graph::{Analysis, TaintPolicy, TaintSource, Transfer, Write, Writer};
use crate::model::{Activity, Code, Field, FieldType, Form};
use crate::script::syntax::Leaked;

/// Words of a script that checks its parameters.
const CHECKS: [&str; 7] = ["test", "match", "exec", "includes", "indexOf", "startsWith", "switch"];
/// Parts of words of a script that sanitizes its parameters, in lower case.
const SANITIZERS: [&str; 4] = ["replace", "escape", "encode", "saniti"];

/// The fields that accept any text.
pub struct FormValues<'c, 'a> {
    service: &'c AnalyzedService<'a>,
    /// Variables with the first field of an order form that fills them, sorted by name: there may be very many.
    order_fields: Vec<(&'a str, FileId, NodeId)>,
    /// By name of an approval's form: the form, and the `boundTo` of the fields that approvers fill.
    approval_fields: HashMap<&'a str, (FileId, HashSet<NodeId>)>,
}

impl<'c, 'a> FormValues<'c, 'a> {
    pub fn of(service: &'c AnalyzedService<'a>) -> Self {
        let mut values = Self { service, order_fields: Vec::new(), approval_fields: HashMap::default() };
        for form in &service.model.forms {
            let targets = free_text_fields(form.form).into_iter().filter_map(|field| field.target());
            if form.is_order_form {
                values.order_fields.extend(targets.map(|(node, name)| (name, form.file, node)));
            } else {
                values.approval_fields.insert(form.name, (form.file, targets.map(|(node, _)| node).collect()));
            }
        }
        // The sort is stable.
        values.order_fields.sort_by_key(|&(name, ..)| name);
        values.order_fields.dedup_by_key(|&mut (name, ..)| name);
        values
    }

    fn order_field(&self, variable: &str) -> Option<(FileId, NodeId)> {
        let index = self.order_fields.binary_search_by_key(&variable, |&(name, ..)| name).ok()?;
        self.order_fields.get(index).map(|&(_, file, node)| (file, node))
    }

    /// The sinks of all workflows that such values reach.
    pub fn tainted_sinks<I: Iterator<Item = Sink<'c, 'a>>>(
        &self,
        sinks: impl Fn(&'c Analysis<'a>) -> I,
    ) -> TaintedSinks<'c, 'a> {
        if self.order_fields.is_empty() && self.approval_fields.is_empty() {
            return TaintedSinks::default();
        }
        tainted_sinks(self.service, self, sinks)
    }

    /// The field that the value in a sink comes from.
    pub fn field(&self, found: &TaintedSink<'_, '_>) -> Option<Place> {
        let (file, node) = match found.path.source {
            TaintSource::Start(variable) => self.order_field(found.analysis.names.name(variable))?,
            TaintSource::Write(activity, write) => {
                let form = found.analysis.workflow.activity(activity)?.approval()?.form.value()?;
                let (file, _) = self.approval_fields.get(form)?;
                (*file, found.analysis.effects(activity)?.writes.get(write)?.node)
            }
        };
        Some(Place::value(file, node))
    }
}

/// The fields into which a person can type any text: visible, not readonly, and of a documented type. A
/// restricted `DropDown` gives only values that its author chose.
fn free_text_fields<'f, 'a>(form: &'f Form<'a>) -> Vec<&'f Field<'a>> {
    let mut closed = vec![false; form.fields.len()];
    let mut found = Vec::new();
    for (index, field) in form.fields.iter().enumerate() {
        // A section comes before the fields inside it, so one pass suffices.
        let is_closed =
            field.hidden.is_true() || field.readonly.is_true() || closed.get(index).copied().unwrap_or(false);
        for &child in field.children.get().into_iter().flatten().filter(|_| is_closed) {
            if let Some(child) = closed.get_mut(child) {
                *child = true;
            }
        }
        let is_free_text = match field.field_type {
            FieldType::InputText => true,
            FieldType::DropDown => !field.properties().is_restricted.is_true(),
            _ => false,
        };
        if is_free_text && !is_closed {
            found.push(field);
        }
    }
    found
}

impl TaintPolicy for FormValues<'_, '_> {
    fn is_tainted_at_start(&self, variable: &str) -> bool {
        self.order_field(variable).is_some()
    }

    fn transfer(&self, activity: &Activity<'_>, _: &str, write: &Write<'_>) -> Option<Transfer> {
        if write.by != Writer::Form {
            return None;
        }
        let (_, fields) = self.approval_fields.get(activity.approval()?.form.value()?)?;
        fields.contains(&write.node).then_some(Transfer::Taint)
    }

    /// What a script does with these words is not analyzed: one that contains any of them counts.
    fn is_sanitized_by(&self, words: &HashSet<&str>) -> bool {
        words.iter().any(|word| {
            let lower = word.to_ascii_lowercase();
            CHECKS.contains(word) || SANITIZERS.iter().any(|part| lower.contains(part))
        })
    }

    /// A number ends no expression, path or address.
    fn is_harmless(&self, code: &Code<'_>, parameter: &str) -> bool {
        self.service.leaked(code, parameter) != Leaked::Value
    }
}
