use std::collections::BTreeMap;

use crate::diagnostic::{Applicability, Edit, Severity};
use crate::facts::{Context, ProviderSite};
use crate::model::{Literal, Parameter, State};
use crate::rules::{Cause, Fixes, Reporter, Rule, YieldsTo};
use crate::text::quote;

pub const RULE: Rule = Rule {
    code: "WF207",
    name: "parameter-lists-disagree",
    severity: Severity::Warning,
    fixes: Fixes::Unsafe,
    yields_to: YieldsTo::AllOthers,
    page: include_str!("../../../rules/WF207-parameter-lists-disagree.md"),
    check,
    ..Rule::DEFAULT
};

/// What makes two entries of the arrays the same.
#[derive(Debug, PartialEq, Eq)]
struct ListEntry<'a> {
    name: Option<&'a str>,
    value: Option<ListEntryValue<'a>>,
    variable_id: Option<i64>,
}

/// What an entry passes to the method, whichever form its binding has.
#[derive(Debug, PartialEq, Eq)]
enum ListEntryValue<'a> {
    Nothing,
    Literal(Literal<'a>),
    Variable(&'a str),
}

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        let Some((list, all)) = site.provider.all.known() else { continue };
        let lists_are_there = site.provider.declared.get().is_some() || site.provider.additional.get().is_some();
        if !lists_are_there || !site.provider.lists_are_known() {
            continue;
        }
        let own: Vec<&Parameter<'_>> = site.provider.parameters().collect();
        let copies: Vec<&Parameter<'_>> = all.iter().collect();
        let Some(name) = first_difference(&own, &copies) else { continue };
        let named = |list: &[&Parameter<'_>]| list.iter().any(|parameter| parameter.name.value() == name);
        let quoted = quote(name.unwrap_or_default());
        let difference = match (named(&own), named(&copies)) {
            (true, false) => format!("missing copy of {quoted} in `allProviderParameters`"),
            (false, true) => format!("{quoted} is only in `allProviderParameters`, not in the other arrays"),
            _ => format!("{quoted} in `allProviderParameters` differs from the other arrays"),
        };
        let mut draft = out.report(&site.at(list), difference);
        draft.about(Cause::Node(site.analysis.file, site.activity.node));
        let lists = [site.provider.declared.node(), site.provider.additional.node(), site.provider.all.node()];
        for list in lists.into_iter().flatten() {
            draft.area(list);
        }
        if let Some(edit) = rebuilt(&site, &own, &copies) {
            draft.fix(Applicability::Unsafe, "rebuild `allProviderParameters` from the other arrays", vec![edit]);
        } else {
            draft.help("make the arrays equal, or save the activity in the editor");
        }
    }
}

fn entry<'a>(parameter: &Parameter<'a>) -> ListEntry<'a> {
    let name = parameter.name.value();
    let Some(binding) = parameter.value.get() else { return ListEntry { name, value: None, variable_id: None } };
    let variable = binding.bound_to.value().filter(|variable| !variable.is_empty());
    let literal = binding.value.value();
    let value = match (binding.state.value(), variable, literal) {
        (Some(State::Bound), Some(variable), _) => ListEntryValue::Variable(variable),
        (Some(State::Static), _, literal) => ListEntryValue::Literal(literal.unwrap_or(Literal::Null)),
        (Some(State::Unbound), _, Some(literal)) if !literal.is_empty() => ListEntryValue::Literal(literal),
        _ => ListEntryValue::Nothing,
    };
    ListEntry { name, value: Some(value), variable_id: binding.bound_to_id.value().filter(|&id| id != 0) }
}

/// The name of the first parameter in which the arrays differ as multisets.
fn first_difference<'a>(own: &[&Parameter<'a>], copies: &[&Parameter<'a>]) -> Option<Option<&'a str>> {
    if own.iter().map(|parameter| entry(parameter)).eq(copies.iter().map(|parameter| entry(parameter))) {
        return None;
    }
    let mut counts: BTreeMap<String, (i32, Option<&str>)> = BTreeMap::new();
    for (parameters, step) in [(own, 1), (copies, -1)] {
        for parameter in parameters {
            let entry = entry(parameter);
            counts.entry(format!("{entry:?}")).or_insert((0, entry.name)).0 += step;
        }
    }
    let differing: Vec<Option<&str>> =
        counts.into_values().filter(|(count, _)| *count != 0).map(|(_, name)| name).collect();
    let order = own.iter().chain(copies).map(|parameter| parameter.name.value());
    order.into_iter().find(|name| differing.contains(name)).or_else(|| differing.first().copied())
}

/// The copy, rebuilt; none where it has an entry that the other arrays do not have.
fn rebuilt(site: &ProviderSite<'_, '_>, own: &[&Parameter<'_>], copies: &[&Parameter<'_>]) -> Option<Edit> {
    let count =
        |list: &[&Parameter<'_>], name: Option<&str>| list.iter().filter(|entry| entry.name.value() == name).count();
    let would_drop = copies.iter().any(|copy| {
        let name = copy.name.value();
        count(copies, name) > count(own, name)
    });
    let list = site.provider.all.node()?;
    let document = site.analysis.document;
    let texts: Vec<&str> = own.iter().map(|parameter| document.slice(document.span(parameter.node))).collect();
    (!would_drop).then(|| Edit {
        file: site.analysis.file,
        span: document.span(list),
        new_text: format!("[{}]", texts.join(", ")),
    })
}
