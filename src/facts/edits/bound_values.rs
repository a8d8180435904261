//! Edits that bind a value to a variable, as its neighbors are bound: with the members that they have, in the copy of a
//! parameter too, and listed in `ownBoundVariables`.

use crate::catalog;
use crate::document::{Document, Editor, NewValue, NodeId};
use crate::facts::context::Context;
use crate::facts::edits::bound_lists::exchange;
use crate::facts::provider_site::ProviderSite;
use crate::graph::Analysis;
use crate::model::{Activity, Parameter, Role};
use crate::text::diagnostic::Edit;

/// The edits that bind a value of an activity, other than a parameter.
pub fn bind_value(
    cx: &Context<'_>,
    analysis: &Analysis<'_>,
    activity: &Activity<'_>,
    value: NodeId,
    variable: &str,
) -> Vec<Edit> {
    let binder = Binder::new(cx, analysis, activity, variable);
    let mut editor = Editor::new(analysis.document, analysis.file);
    binder.bind(&mut editor, value, GENERAL);
    binder.listed(cx, editor)
}

/// The edits that bind a parameter, which may be missing. `None` where there is no array for it.
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
    let binder = Binder::new(cx, analysis, activity, variable);
    let mut editor = Editor::new(analysis.document, analysis.file);
    let value = binder.value(None, GENERAL);
    editor.insert_item(assignees, None, NewValue::object([("type", "Parameter".into()), ("parameter", value)]));
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
        Some(match key {
            OF_PARAMETER => "bound".into(),
            GENERAL => true.into(),
            "value" => NewValue::Scalar("null".to_owned()),
            "hasWarning" => false.into(),
            "warningText" => "".into(),
            "isBoundToSystemVariable" => self.is_system.into(),
            "boundToId" => self.id.into(),
            "boundTo" => self.variable.into(),
            _ => return None,
        })
    }

    /// The bound value, in place of `own`, with the members of one that is bound already.
    fn value(&self, own: Option<NodeId>, usual_form: &'static str) -> NewValue {
        let keys = self.keys(own, usual_form);
        let document = self.document();
        let member = |key: &str| {
            let value = self.member(key).or_else(|| Some(NewValue::Copy(document.member(own?, key)?)))?;
            Some((key.to_owned(), value))
        };
        NewValue::Object(keys.into_iter().filter_map(member).collect())
    }

    /// The keys of the bound value: its own, and those of its neighbors. A literal goes where they have none.
    fn keys(&self, own: Option<NodeId>, usual_form: &'static str) -> Vec<&'a str> {
        let document = self.document();
        let keys = |object: NodeId| document.children(object).filter_map(|member| document.key(member));
        let of_own = |key: &&str| own.is_some_and(|own| document.member(own, key).is_some());
        let form = [OF_PARAMETER, GENERAL].into_iter().find(of_own).unwrap_or(usual_form);
        let like: Vec<&str> = match self.bound_neighbor(form) {
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

    /// A value of this form that is bound to a variable: of the same activity, otherwise of the first that has one.
    fn bound_neighbor(&self, form: &str) -> Option<NodeId> {
        let find = |activity: &Activity<'a>| {
            let mut found = None;
            activity.bindings(|binding, role| {
                let is_bound = binding.target().is_some() && !matches!(role, Role::Assigned);
                if found.is_none() && is_bound && self.document().member(binding.node, form).is_some() {
                    found = Some(binding.node);
                }
            });
            found
        };
        find(self.activity).or_else(|| self.analysis.workflow.activities.iter().find_map(find))
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
            if let Some(value) = self.member(key) {
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
