use std::collections::BTreeMap;

use crate::common::collections::{HashMap, HashSet, IndexSet};
use crate::document::{Editor, NewValue, NodeId};
use crate::facts::{Context, ProviderSite};
use crate::model::{Literal, Parameter, State};
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Edit};
use crate::text::quote;

// What is not compared, such as what the editor has saved about a parameter, hides no difference.
pub const RULE: Rule = rule!("WF207-parameter-lists-disagree", Warning, check, fixes: Fixes::Unsafe);

/// The parts by which entries of the arrays are compared, whichever form their bindings have.
#[derive(Debug, PartialEq, Eq)]
struct ListEntry<'a> {
    name: Option<&'a str>,
    value: Option<ListEntryValue<'a>>,
}

#[derive(Debug, PartialEq, Eq)]
struct ListEntryValue<'a> {
    state: Option<State>,
    literal: Option<ListLiteral<'a>>,
    variable: Option<&'a str>,
    variable_id: Option<i64>,
}

#[derive(Debug, PartialEq, Eq)]
enum ListLiteral<'a> {
    /// The bits of a JSON number: 2 and 2.0 are the same.
    Number(u64),
    Other(Literal<'a>),
}

impl<'a> ListLiteral<'a> {
    fn of(literal: Literal<'a>) -> Self {
        let number = literal.as_number().filter(|_| matches!(literal, Literal::Number(_)));
        // Adding 0 turns -0 into 0.
        number.map_or(Self::Other(literal), |number| Self::Number((number + 0.0).to_bits()))
    }
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
        let differing = differences(&own, &copies);
        let Some(&name) = differing.first() else { continue };
        let named = |list: &[&Parameter<'_>]| list.iter().any(|parameter| parameter.name.value() == name);
        let quoted = name.map_or_else(|| "an entry without `name`".to_owned(), quote);
        let difference = match (named(&own), named(&copies)) {
            (true, false) => format!("missing copy of {quoted} in `allProviderParameters`"),
            (false, true) => format!("{quoted} is only in `allProviderParameters`, not in the other arrays"),
            _ => format!("{quoted} in `allProviderParameters` differs from the other arrays"),
        };
        let mut draft = out.report(&site.at(list), difference);
        for parameter in own.iter().filter(|parameter| differing.contains(&parameter.name.value())) {
            draft.cause(Cause::Node(site.analysis.file, parameter.value.node().unwrap_or(parameter.node)));
        }
        if let Some(edits) = edits(&site, &own, &copies) {
            draft.fix(Applicability::Unsafe, "rebuild `allProviderParameters` from the other arrays", edits);
        } else {
            draft.help("make the arrays equal, or save the activity in the editor");
        }
    }
}

fn entry<'a>(parameter: &Parameter<'a>) -> ListEntry<'a> {
    let value = parameter.value.get().map(|binding| {
        let literal = binding.value.value();
        let is_set = literal.is_some_and(|literal| !literal.is_empty());
        let state = match binding.state.value() {
            Some(State::Unbound) => Some(if is_set { State::Static } else { State::NotSet }),
            state => state,
        };
        let literal = match state {
            Some(State::Static) => Some(literal.unwrap_or(Literal::Null)),
            // The editor leaves an empty value here, of the parameter's type (docs/platform.md, Binding).
            _ => literal.filter(|literal| !literal.is_blank()),
        };
        ListEntryValue {
            state,
            literal: literal.map(ListLiteral::of),
            variable: binding.bound_to.value().filter(|variable| !variable.is_empty()),
            variable_id: binding.bound_to_id.value().filter(|&id| id != 0),
        }
    });
    ListEntry { name: parameter.name.value(), value }
}

/// The names of the parameters in which the arrays differ as multisets, in the order of the arrays.
fn differences<'a>(own: &[&Parameter<'a>], copies: &[&Parameter<'a>]) -> IndexSet<Option<&'a str>> {
    if own.iter().map(|parameter| entry(parameter)).eq(copies.iter().map(|parameter| entry(parameter))) {
        return IndexSet::default();
    }
    let mut counts: BTreeMap<String, (i32, Option<&str>)> = BTreeMap::new();
    for (parameters, step) in [(own, 1), (copies, -1)] {
        for parameter in parameters {
            let entry = entry(parameter);
            counts.entry(format!("{entry:?}")).or_insert((0, entry.name)).0 += step;
        }
    }
    let differing: HashSet<Option<&str>> =
        counts.into_values().filter(|(count, _)| *count != 0).map(|(_, name)| name).collect();
    let names = own.iter().chain(copies).map(|parameter| parameter.name.value());
    names.filter(|name| differing.contains(name)).collect()
}

/// The edits that make the copy equal; none where it has an entry that the other arrays do not have. Entries that are
/// equal stay as they are.
fn edits(site: &ProviderSite<'_, '_>, own: &[&Parameter<'_>], copies: &[&Parameter<'_>]) -> Option<Vec<Edit>> {
    let list = site.provider.all.node()?;
    let mut editor = Editor::new(site.analysis.document, site.analysis.file);
    let mut by_name: HashMap<Option<&str>, Vec<&Parameter<'_>>> = HashMap::default();
    for parameter in own.iter().rev() {
        by_name.entry(parameter.name.value()).or_default().push(parameter);
    }
    let mut places: HashMap<NodeId, NodeId> = HashMap::default();
    for copy in copies {
        let candidates = by_name.get_mut(&copy.name.value())?;
        let equal = candidates.iter().rposition(|parameter| entry(parameter) == entry(copy));
        let nearest = equal.or(candidates.len().checked_sub(1))?;
        let source = candidates.remove(nearest);
        places.insert(source.node, copy.node);
        if equal.is_none() {
            editor.replace(copy.node, NewValue::Copy(source.node));
        }
    }
    // Each missing one follows the one before it in the other arrays.
    let mut before = None;
    for parameter in own {
        match places.get(&parameter.node) {
            Some(&copy) => before = Some(copy),
            None => editor.insert_item(list, before, NewValue::Copy(parameter.node)),
        }
    }
    Some(editor.finish())
}
