//! Edits that bind a value to a variable, as its neighbors are bound: with the members that they have, in the copy of a
//! parameter too, and listed in `ownBoundVariables`.

use crate::catalog;
use crate::document::{Document, Editor, NewValue, NodeId};
use crate::facts::context::Context;
use crate::facts::edits::bound_lists::{bound_member, exchange, no_literal};
use crate::facts::provider_site::ProviderSite;
use crate::graph::Analysis;
use crate::model::{Activity, Binding, Parameter, Role};
use crate::text::diagnostic::Edit;

/// The edits that bind a value of an activity, other than a parameter.
pub fn bind_value(
    cx: &Context<'_>,
    analysis: &Analysis<'_>,
    activity: &Activity<'_>,
    value: NodeId,
    variable: &str,
) -> Vec<Edit> {
    edited(cx, analysis, activity, variable, |binder, editor| binder.bind(editor, value, GENERAL))
}

/// The edits that bind a parameter, which may be missing. `None` if the call has no array of parameters.
pub fn bind_parameter(cx: &Context<'_>, site: &ProviderSite<'_, '_>, name: &str, variable: &str) -> Option<Vec<Edit>> {
    let binder = Binder::new(cx, site.analysis, site.activity, variable);
    let mut editor = Editor::new(site.analysis.document, site.analysis.file);
    match site.provider.parameter(name) {
        Some(parameter) => {
            let copy = site.provider.copy(parameter);
            std::iter::once(parameter).chain(copy).for_each(|it| binder.bind_parameter(&mut editor, it));
        }
        None => binder.insert_parameter(&mut editor, site, name)?,
    }
    Some(binder.listed(cx, editor))
}

/// The edits that add an assignee to an empty array.
pub fn insert_assignee(
    cx: &Context<'_>,
    analysis: &Analysis<'_>,
    activity: &Activity<'_>,
    assignees: NodeId,
    variable: &str,
) -> Vec<Edit> {
    edited(cx, analysis, activity, variable, |binder, editor| {
        editor.insert_item(assignees, None, binder.assignee());
    })
}

/// The edits that add the array of assignees to an Approval that has none.
pub fn insert_assignees(
    cx: &Context<'_>,
    analysis: &Analysis<'_>,
    activity: &Activity<'_>,
    variable: &str,
) -> Vec<Edit> {
    edited(cx, analysis, activity, variable, |binder, editor| {
        binder.insert_member(editor, "assignees", NewValue::Array(vec![binder.assignee()]));
    })
}

/// The edits that add the value to a Status that has none.
pub fn insert_status(cx: &Context<'_>, analysis: &Analysis<'_>, activity: &Activity<'_>, variable: &str) -> Vec<Edit> {
    edited(cx, analysis, activity, variable, |binder, editor| {
        binder.insert_member(editor, "status", binder.value(None, GENERAL));
    })
}

/// The edits of an activity that then uses a variable.
fn edited(
    cx: &Context<'_>,
    analysis: &Analysis<'_>,
    activity: &Activity<'_>,
    variable: &str,
    change: impl FnOnce(&Binder<'_, '_>, &mut Editor<'_>),
) -> Vec<Edit> {
    let binder = Binder::new(cx, analysis, activity, variable);
    let mut editor = Editor::new(analysis.document, analysis.file);
    change(&binder, &mut editor);
    binder.listed(cx, editor)
}

/// The key that says whether a value is bound: of a parameter or an operand.
const OF_PARAMETER: &str = "state";
/// The same of other values.
const GENERAL: &str = "isBound";

/// What an activity gets that uses a variable.
struct Binder<'s, 'a> {
    analysis: &'s Analysis<'a>,
    activity: &'s Activity<'a>,
    variable: &'s str,
    id: i64,
    is_system: bool,
}

impl<'s, 'a> Binder<'s, 'a> {
    fn new(cx: &Context<'_>, analysis: &'s Analysis<'a>, activity: &'s Activity<'a>, variable: &'s str) -> Self {
        let declared = analysis.scope.declarations.variable(variable).map(|declared| declared.variable);
        let id = declared.and_then(|declared| declared.id.value()).unwrap_or_default();
        let is_system = match declared {
            Some(declared) => declared.details().is_system.is_true(),
            None => cx.is_system(variable),
        };
        Self { analysis, activity, variable, id, is_system }
    }

    /// The edits, with those of the arrays that list the variables.
    fn listed(&self, cx: &Context<'_>, editor: Editor<'_>) -> Vec<Edit> {
        let mut edits = exchange(cx, self.analysis, self.activity, &[], &[], &[self.variable]);
        edits.extend(editor.finish());
        edits
    }

    const fn document(&self) -> &'a Document {
        self.analysis.document
    }

    /// What a bound value has under a key; `None` of a key that says nothing about that.
    fn member(&self, key: &str) -> Option<NewValue> {
        match key {
            OF_PARAMETER => Some("bound".into()),
            _ => bound_member(key, self.variable, self.id, self.is_system),
        }
    }

    /// The bound value, in place of `own`, with the members of one that is bound already.
    fn value(&self, own: Option<NodeId>, usual_form: &'static str) -> NewValue {
        let keys = self.keys(own, usual_form);
        let document = self.document();
        let neighbor = self.neighbor(usual_form);
        let unset = |key: &str| own.or(neighbor).and_then(|binding| no_literal(document, binding, key));
        let member = |key: &str| {
            let value = unset(key).or_else(|| self.member(key));
            Some((key.to_owned(), value.or_else(|| Some(NewValue::Copy(document.member(own?, key)?)))?))
        };
        let value = NewValue::Object(keys.into_iter().filter_map(member).collect());
        match neighbor.filter(|_| own.is_none()) {
            Some(neighbor) => NewValue::Like(neighbor, Box::new(value)),
            None => value,
        }
    }

    /// The keys of the bound value: its own, and those of its neighbors. A literal goes where they have none.
    fn keys(&self, own: Option<NodeId>, usual_form: &'static str) -> Vec<&'a str> {
        let document = self.document();
        let keys = |object: NodeId| document.children(object).filter_map(|member| document.key(member));
        let of_own = |key: &&str| own.is_some_and(|own| document.member(own, key).is_some());
        let form = [OF_PARAMETER, GENERAL].into_iter().find(of_own).unwrap_or(usual_form);
        let like: Vec<&str> = match self.neighbor(form) {
            Some(neighbor) => keys(neighbor).filter(|key| self.member(key).is_some()).collect(),
            None => [form, "boundTo"]
                .into_iter()
                .chain(own.into_iter().flat_map(keys).filter(|key| *key == "value"))
                .collect(),
        };
        let own: Vec<&str> =
            own.into_iter().flat_map(keys).filter(|key| *key != "value" || like.contains(key)).collect();
        let added: Vec<&str> = like.into_iter().filter(|key| !own.contains(key)).collect();
        own.into_iter().chain(added).collect()
    }

    /// A value of this form that is bound to a variable: of the same activity, otherwise of the first that has one. Or else
    /// one that is not bound, but has the members for a variable as exported ones do.
    fn neighbor(&self, form: &str) -> Option<NodeId> {
        let find = |activity: &Activity<'a>, is_like: &dyn Fn(&Binding<'a>) -> bool| {
            let mut found = None;
            activity.bindings(|binding, role| {
                let is_it = is_like(binding) && !matches!(role, Role::Assigned);
                if found.is_none() && is_it && self.document().member(binding.node, form).is_some() {
                    found = Some(binding.node);
                }
            });
            found
        };
        let anywhere = |is_like: &dyn Fn(&Binding<'a>) -> bool| {
            let mut activities = self.analysis.workflow.activities.iter();
            find(self.activity, is_like).or_else(|| activities.find_map(|activity| find(activity, is_like)))
        };
        let is_exported =
            |binding: &Binding<'a>| binding.bound_to.node().is_some() && binding.bound_to_id.node().is_some();
        anywhere(&|binding| binding.target().is_some()).or_else(|| anywhere(&is_exported))
    }

    fn assignee(&self) -> NewValue {
        let assignee = NewValue::object([("type", "Parameter".into()), ("parameter", self.value(None, GENERAL))]);
        match self.neighbor(GENERAL) {
            Some(neighbor) => NewValue::Like(neighbor, Box::new(assignee)),
            None => assignee,
        }
    }

    /// Adds a member to the activity, where the first one of its type with that member has it.
    fn insert_member(&self, editor: &mut Editor<'_>, key: &str, value: NewValue) {
        let (document, own) = (self.document(), self.activity);
        let of_type = |other: &&Activity<'a>| std::mem::discriminant(&other.kind) == std::mem::discriminant(&own.kind);
        let mut neighbors = self.analysis.workflow.activities.iter().filter(of_type);
        let neighbor = neighbors.find_map(|other| Some((other.node, document.member(other.node, key)?)));
        let before = neighbor.and_then(|(neighbor, member)| {
            let keys = document.children(neighbor).take_while(|&it| it != member).filter_map(|it| document.key(it));
            keys.filter_map(|key| document.member(own.node, key)).last()
        });
        let value = match neighbor {
            Some((_, member)) => NewValue::Like(member, Box::new(value)),
            None => value,
        };
        let last = || document.children(own.node).next_back();
        editor.insert_member(own.node, before.or_else(|| document.member(own.node, "type")).or_else(last), key, value);
    }

    /// Binds a value that is there: only what differs changes, unless a member is missing.
    fn bind(&self, editor: &mut Editor<'_>, own: NodeId, usual_form: &'static str) {
        let document = self.document();
        let keys = self.keys(Some(own), usual_form);
        let members: Option<Vec<NodeId>> = keys.iter().map(|key| document.member(own, key)).collect();
        let Some(members) = members.filter(|members| members.len() == document.children(own).len()) else {
            return editor.replace(own, self.value(Some(own), usual_form));
        };
        for (key, node) in keys.into_iter().zip(members) {
            if let Some(value) = self.member(key).filter(|_| no_literal(document, own, key).is_none()) {
                self.replace(editor, node, value);
            }
        }
    }

    /// Replaces a scalar, if it differs.
    fn replace(&self, editor: &mut Editor<'_>, node: NodeId, value: NewValue) {
        let document = self.document();
        if value != NewValue::Scalar(document.slice(document.span(node)).to_owned()) {
            editor.replace(node, value);
        }
    }

    fn bind_parameter(&self, editor: &mut Editor<'_>, parameter: &Parameter<'_>) {
        let document = self.document();
        let Some(value) = parameter.value.node() else {
            let own = document.children(parameter.node).filter_map(|member| Some((document.key(member)?, member)));
            let own = own.map(|(key, member)| (key.to_owned(), flag(key).unwrap_or(NewValue::Copy(member))));
            let value = ("value".to_owned(), self.value(None, OF_PARAMETER));
            return editor.replace(parameter.node, NewValue::Object(own.chain([value]).collect()));
        };
        self.bind(editor, value, OF_PARAMETER);
        for flag_member in [&parameter.has_value, &parameter.needs_value, &parameter.is_valid] {
            let node = flag_member.node().filter(|_| !flag_member.is_unknown());
            if let Some((node, value)) = node.and_then(|node| Some((node, flag(document.key(node)?)?))) {
                self.replace(editor, node, value);
            }
        }
    }

    /// Inserts a parameter that no array has, after those that the method takes before it.
    fn insert_parameter(&self, editor: &mut Editor<'_>, site: &ProviderSite<'_, '_>, name: &str) -> Option<()> {
        let (provider, method) = (site.provider, site.outputs.method?);
        let place = |name: &str| method.parameters.iter().position(|known| known.name == name);
        let new = self.parameter(site, name);
        // The only array may be the one with the copies.
        provider.declared.get().or(provider.all.get())?;
        for (list, entries) in [&provider.declared, &provider.all].into_iter().filter_map(|list| list.known()) {
            if let Some(known) = entries.iter().find(|known| known.name.value() == Some(name)) {
                self.bind_parameter(editor, known);
                continue;
            }
            let is_before = |entry: &&Parameter<'_>| {
                entry.name.value().and_then(place).is_some_and(|at| place(name).is_some_and(|own| at < own))
            };
            let before = entries.iter().rfind(is_before).map(|entry| entry.node);
            editor.insert_item(list, before, new.clone());
        }
        Some(())
    }

    /// A new parameter, with the members of one of its name in another call, otherwise of one beside it.
    fn parameter(&self, site: &ProviderSite<'_, '_>, name: &str) -> NewValue {
        let document = self.document();
        let known = site.outputs.method.and_then(|method| method.parameter(name));
        let of_method = |other: &ProviderSite<'_, '_>| other.provider.method.value() == site.provider.method.value();
        let same = ProviderSite::of(self.analysis)
            .filter(of_method)
            .find_map(|other| Some(other.provider.parameter(name)?.node));
        let beside = || site.provider.declared().next().map(|parameter| parameter.node);
        let anywhere =
            || ProviderSite::of(self.analysis).find_map(|other| Some(other.provider.declared().next()?.node));
        let model = same.or_else(beside).or_else(anywhere);
        let keys = model.into_iter().flat_map(|model| document.children(model)).filter_map(|it| document.key(it));
        let mut members = Vec::new();
        for key in keys {
            let copied = || Some(NewValue::Copy(document.member(same?, key)?));
            let value = match key {
                "name" => Some(name.into()),
                "value" => Some(self.value(None, OF_PARAMETER)),
                _ => flag(key).or_else(copied).or_else(|| new_member(key, known)),
            };
            members.extend(value.map(|value| (key.to_owned(), value)));
        }
        for (key, value) in [("name", name.into()), ("value", self.value(None, OF_PARAMETER))] {
            if !members.iter().any(|(known, _)| known == key) {
                members.push((key.to_owned(), value));
            }
        }
        NewValue::Object(members)
    }
}

/// What the editor saves about a parameter that has a value.
fn flag(key: &str) -> Option<NewValue> {
    match key {
        "hasValue" | "isValid" => Some(true.into()),
        "needsValue" | "isDuplicate" => Some(false.into()),
        _ => None,
    }
}

/// A member of a new parameter as a catalog has it.
fn new_member(key: &str, known: Option<&catalog::Parameter>) -> Option<NewValue> {
    let value_type = known.and_then(|known| known.value_type).map_or("string", |value_type| value_type.word());
    Some(match key {
        "id" => 0.into(),
        "description" => known.and_then(|known| known.description.as_deref()).unwrap_or_default().into(),
        "providerParameterType" => value_type.into(),
        "required" => known.is_some_and(|known| known.required).into(),
        "inputDisabled" | "isAdditional" => false.into(),
        _ => return None,
    })
}
