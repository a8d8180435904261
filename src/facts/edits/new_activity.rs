//! Templates of the activities that fixes insert: with the members and the layout of their neighbors, the id 0, and a name
//! that is free in the document.

use std::collections::BTreeSet;

use crate::document::{Document, NewValue, NodeId};
use crate::facts::edits::bound_lists::no_literal;
use crate::graph::Analysis;
use crate::model::{Activity, ActivityKind, Binding};
use crate::text::locale::is_tag;

/// Published where a workflow has no translations.
const DEFAULT_LOCALE: &str = "en-US";

/// Makes activities that are to be inserted near another one.
pub struct NewActivities<'c, 'a> {
    analysis: &'c Analysis<'a>,
    near: &'c Activity<'a>,
    names: BTreeSet<String>,
}

/// A member that not all types of activities have.
struct Special {
    key: &'static str,
    value: NewValue,
    /// Whether it is left out where the neighbor of that type has none.
    is_optional: bool,
}

impl Special {
    const fn new(key: &'static str, value: NewValue) -> Self {
        Self { key, value, is_optional: false }
    }
}

/// What a new binding contains.
enum Bound<'n> {
    Variable(&'n str),
    Literal(NewValue),
}

impl<'c, 'a> NewActivities<'c, 'a> {
    pub fn new(analysis: &'c Analysis<'a>, near: &'c Activity<'a>) -> Self {
        let names = analysis.workflow.activities.iter().filter_map(|activity| activity.name.value());
        Self { analysis, near, names: names.map(str::to_owned).collect() }
    }

    /// An If whose condition compares a variable with a string.
    pub fn condition(&mut self, name: &str, variable: &str, text: &str, inside: Vec<NewValue>) -> NewValue {
        let is_if = |activity: &Activity<'_>| matches!(activity.kind, ActivityKind::If { .. });
        let model = self.nearest(|activity| is_if(activity) && activity.expression().is_some());
        let expression = self.expression(variable, text);
        let special = vec![
            Special::new("expression", expression),
            Special::new("activities", self.laid_out(NewValue::Array(inside))),
        ];
        self.activity(model, "If", name, &[variable], special)
    }

    /// A Status with the same text for some locales.
    pub fn status(&mut self, name: &str, locales: &[&str], text: &str) -> NewValue {
        let translations = |activity: &Activity<'a>| match &activity.kind {
            ActivityKind::Status { translations, .. } => Some(translations.get().is_some_and(|them| !them.is_empty())),
            _ => None,
        };
        let model = self.nearest(|activity| translations(activity) == Some(true));
        let model = model.or_else(|| self.nearest(|activity| translations(activity).is_some()));
        let document = self.analysis.document;
        let member = |key| model.and_then(|model| document.member(model.node, key));
        let texts = locales.iter().map(|&locale| (locale.to_owned(), text.into())).collect();
        let texts = like(member("statusTranslations"), NewValue::Object(texts));
        let mut special = vec![Special::new("statusTranslations", texts)];
        // Exported ones have both, others have one of the two.
        if model.is_none() || member("statusTranslations").is_some() {
            let unbound = self.binding(member("status").or_else(|| self.operand(false)), &Bound::Literal("".into()));
            special.insert(0, Special { is_optional: true, ..Special::new("status", unbound) });
        }
        special.push(Special { is_optional: true, ..Special::new("activities", NewValue::Array(Vec::new())) });
        self.activity(model, "Status", name, &[], special)
    }

    pub fn terminate(&mut self) -> NewValue {
        let model = self.nearest(|activity| matches!(activity.kind, ActivityKind::Terminate));
        let inside = Special { is_optional: true, ..Special::new("activities", NewValue::Array(Vec::new())) };
        self.activity(model, "Terminate", "Terminate", &[], vec![inside])
    }

    /// An Assign of a string without placeholders.
    pub fn assign(&mut self, name: &str, variable: &str, text: &str) -> NewValue {
        let model = self.nearest(|activity| matches!(activity.kind, ActivityKind::Assign(_)));
        let document = self.analysis.document;
        let result = model.and_then(|model| document.member(model.node, "result"));
        let empty = |key| Special { is_optional: true, ..Special::new(key, NewValue::Array(Vec::new())) };
        let special = vec![
            Special::new("result", self.binding(result, &Bound::Variable(variable))),
            Special::new("body", text.into()),
            empty("assignedVariables"),
            empty("activities"),
        ];
        self.activity(model, "Assign", name, &[variable], special)
    }

    /// The delay of a While.
    pub fn delay(&self, seconds: f64) -> NewValue {
        let of_loop = |activity: &Activity<'a>| match &activity.kind {
            ActivityKind::While { delay, .. } => delay.unboxed().filter(|it| it.literal().is_some()).map(|it| it.node),
            _ => None,
        };
        let model = self.nearest(|activity| of_loop(activity).is_some()).and_then(of_loop);
        self.binding(model.or_else(|| self.operand(false)), &Bound::Literal(NewValue::Scalar(seconds.to_string())))
    }

    /// A copy of an activity.
    pub fn copy(&mut self, activity: &Activity<'_>, name: &str) -> NewValue {
        let document = self.analysis.document;
        let name = self.free_name(name);
        let members = document.children(activity.node).filter_map(|child| {
            let value = match document.key(child)? {
                "id" => 0.into(),
                "name" => name.as_str().into(),
                _ => NewValue::Copy(child),
            };
            Some((document.key(child)?.to_owned(), value))
        });
        like(Some(activity.node), NewValue::Object(members.collect()))
    }

    /// A name that no activity has, which then is taken.
    fn free_name(&mut self, wanted: &str) -> String {
        let numbered = (2..).map(|number| format!("{wanted} {number}"));
        let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
        let name = names.find(|name| !self.names.contains(name)).unwrap_or_default();
        self.names.insert(name.clone());
        name
    }

    fn nearest(&self, is_like: impl Fn(&Activity<'a>) -> bool) -> Option<&'c Activity<'a>> {
        let activities = self.analysis.workflow.activities.iter();
        activities.filter(|it| is_like(it)).min_by_key(|it| it.id.0.abs_diff(self.near.id.0))
    }

    /// An activity with the members of a neighbor of its type, or else with those that all types have.
    fn activity(
        &mut self,
        model: Option<&Activity<'_>>,
        type_name: &str,
        name: &str,
        used: &[&str],
        mut special: Vec<Special>,
    ) -> NewValue {
        let document = self.analysis.document;
        let name = self.free_name(name);
        let is_leaf = |it: &Activity<'_>| it.kind.runs_no_children();
        let is_container = type_name == "If";
        let other = || self.nearest(|it| !is_container && is_leaf(it)).unwrap_or(self.near);
        let (model_node, is_other) = model.map_or_else(|| (other().node, true), |model| (model.node, false));
        // Editor-state members, as exported activities have.
        let is_exported = document.member(model_node, "boundValues").is_some();
        let mut members: Vec<(String, NewValue)> = Vec::new();
        let mut add_special = |members: &mut Vec<(String, NewValue)>, is_meant: &dyn Fn(&Special) -> bool| {
            for special in special.extract_if(.., |special| is_meant(special)) {
                members.push((special.key.to_owned(), special.value));
            }
        };
        let is_needed = |special: &Special| !special.is_optional || is_other && is_exported;
        for child in document.children(model_node) {
            let Some(key) = document.key(child).filter(|key| members.iter().all(|(known, _)| known != key)) else {
                continue;
            };
            match common(document, child, (type_name, &name), used) {
                Some(value) => members.push((key.to_owned(), value)),
                None => add_special(&mut members, &|special| special.key == key),
            }
            if is_other && key != "activities" && !COMMON.contains(&key) {
                add_special(&mut members, &|special| special.key != "activities" && is_needed(special));
            }
        }
        add_special(&mut members, &is_needed);
        like(Some(model_node), NewValue::Object(members))
    }

    /// A list of activities, laid out as that of the neighbor.
    fn laid_out(&self, list: NewValue) -> NewValue {
        let document = self.analysis.document;
        let around = std::iter::successors(Some(self.near.node), |&node| document.parent(node));
        let own = document.member(self.near.node, "activities");
        let mut lists = own.into_iter().chain(around.filter(|&node| document.key(node) == Some("activities")));
        like(lists.find(|&list| document.elements(list).next().is_some()), list)
    }

    /// Conditions with their operands and their distances.
    fn conditions(&self) -> impl Iterator<Item = (u32, NodeId, [&'c Binding<'a>; 2])> {
        let near = self.near.id.0;
        self.analysis.workflow.conditions().filter_map(move |(activity, expression)| {
            let operands = [expression.left.get()?, expression.right.get()?];
            Some((activity.id.0.abs_diff(near), expression.node, operands))
        })
    }

    /// The nearest operand of a condition that is a variable, or a literal.
    fn operand(&self, is_bound: bool) -> Option<NodeId> {
        let operands =
            self.conditions().flat_map(|(distance, _, operands)| operands.map(|operand| (distance, operand)));
        let found = operands.filter(|(_, it)| it.is_bound() == is_bound && (is_bound || it.literal().is_some()));
        found.min_by_key(|(distance, _)| *distance).map(|(_, operand)| operand.node)
    }

    fn expression(&self, variable: &str, text: &str) -> NewValue {
        let document = self.analysis.document;
        let model = self.conditions().min_by_key(|(distance, ..)| *distance).map(|(_, node, _)| node);
        let has_type = model.is_some_and(|model| document.member(model, "type").is_some());
        let kind = has_type.then(|| ("type", "EqualityExpression".into()));
        let members = kind.into_iter().chain([
            ("operand", "equal".into()),
            ("left", self.binding(self.operand(true), &Bound::Variable(variable))),
            ("right", self.binding(self.operand(false), &Bound::Literal(text.into()))),
        ]);
        like(model, NewValue::Object(members.map(|(key, value)| (key.to_owned(), value)).collect()))
    }

    /// A binding with the members of another one.
    fn binding(&self, model: Option<NodeId>, bound: &Bound<'_>) -> NewValue {
        let (document, scope) = (self.analysis.document, &self.analysis.scope);
        // Exported ones have all members, whatever they are bound to.
        let has = |key| model.is_some_and(|model| document.member(model, key).is_some());
        let is_exported = has("value") && has("boundTo");
        let id = |name| scope.declarations.variable(name).and_then(|declared| declared.variable.id.value());
        let value = |key: &str| match (bound, key) {
            (Bound::Variable(_), "isBound") => Some(true.into()),
            (Bound::Variable(_), "value") => Some(NewValue::Scalar("null".to_owned())),
            (Bound::Variable(name), "isBoundToSystemVariable") => Some(scope.is_system(name).into()),
            (Bound::Variable(name), "boundToId") => Some(id(name)?.into()),
            (Bound::Variable(name), "boundTo") => Some((*name).into()),
            (Bound::Literal(_), "isBound" | "isBoundToSystemVariable") | (_, "hasWarning") => Some(false.into()),
            (Bound::Literal(literal), "value") => Some(literal.clone()),
            (Bound::Literal(_), "boundToId") => Some(0.into()),
            (Bound::Literal(_), "boundTo") | (_, "warningText") => Some("".into()),
            _ => None,
        };
        let needed: &[&str] = match bound {
            Bound::Variable(_) if has("boundToId") || model.is_none() => &["isBound", "boundTo", "boundToId"],
            Bound::Variable(_) => &["isBound", "boundTo"],
            Bound::Literal(_) => &["isBound", "value"],
        };
        let own = model.into_iter().flat_map(|model| document.children(model)).filter_map(|it| document.key(it));
        let mut keys: Vec<&str> = own.filter(|key| is_exported || needed.contains(key)).collect();
        keys.extend(needed.iter().filter(|key| !has(key)));
        let is_without = !matches!(bound, Bound::Literal(literal) if *literal != "".into());
        let unset = |key: &str| model.filter(|_| is_without).and_then(|model| no_literal(document, model, key));
        let members = keys.into_iter().filter_map(|key| Some((key.to_owned(), unset(key).or_else(|| value(key))?)));
        like(model, NewValue::Object(members.collect()))
    }
}

/// The members that activities of all types have.
const COMMON: [&str; 9] = [
    "id", "name", "type", "properties", "boundValues", "displayWarning", "warningText", "hasNewerVersion",
    "ownBoundVariables",
];

/// The value of a member of [`COMMON`] in a new activity, as an activity of the document has it.
fn common(document: &Document, member: NodeId, (kind, name): (&str, &str), used: &[&str]) -> Option<NewValue> {
    let empty = || like(Some(member), NewValue::Object(Vec::new()));
    Some(match document.key(member)? {
        "id" => 0.into(),
        "name" => name.into(),
        "type" => kind.into(),
        "properties" if document.member(member, "translations").is_some() => {
            like(Some(member), NewValue::object([("translations", empty())]))
        }
        "properties" => empty(),
        "boundValues" => NewValue::Array(Vec::new()),
        "displayWarning" | "hasNewerVersion" => false.into(),
        "warningText" => document.string(member).map_or(NewValue::Copy(member), |_| "".into()),
        "ownBoundVariables" => like(Some(member), NewValue::Array(used.iter().map(|&name| name.into()).collect())),
        _ => return None,
    })
}

fn like(model: Option<NodeId>, value: NewValue) -> NewValue {
    match model {
        Some(model) => NewValue::Like(model, Box::new(value)),
        None => value,
    }
}

/// The locales that a workflow publishes in, in the order of the document; `en-US` if it has no translations.
pub fn published_locales<'a>(analysis: &Analysis<'a>) -> Vec<&'a str> {
    let mut locales: Vec<&str> = Vec::new();
    for activity in &analysis.workflow.activities {
        let ActivityKind::Status { translations, .. } = &activity.kind else { continue };
        for locale in translations.get().into_iter().flatten().map(|entry| entry.locale) {
            if is_tag(locale) && !locales.contains(&locale) {
                locales.push(locale);
            }
        }
    }
    if locales.is_empty() {
        locales.push(DEFAULT_LOCALE);
    }
    locales
}
