use crate::catalog;
use crate::collections::{HashMap, HashSet};
use crate::diagnostic::{Applicability, Edit, Severity, quote};
use crate::document::NodeId;
use crate::facts::{Context, named_parameters};
use crate::model::{Member, Parameter, Provider, State};
use crate::rules::provider::missing_required_parameter::missing_values;
use crate::rules::{Fixes, Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF219",
    name: "stale-parameter-flags",
    severity: Severity::Info,
    fixes: Fixes::Safe,
    page: include_str!("../../../rules/WF219-stale-parameter-flags.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let missing = missing_values(cx);
    for site in cx.providers() {
        let (repeated, copies) = (repeated(site.provider), copies(site.provider));
        let names_are_known = site.provider.lists_are_known();
        for parameter in site.provider.parameters() {
            let Some(name) = parameter.name.value() else { continue };
            let value = parameter.value.node().unwrap_or(parameter.node);
            let facts = Facts {
                // One that should have a value and has none is told by WF201.
                given: is_given(parameter).filter(|_| !missing.contains(&(site.analysis.file, value))),
                known: site.outputs.method.and_then(|method| method.parameter(name)),
                may_repeat: !names_are_known || repeated.contains(name),
            };
            for stale in stale_flags(parameter, &facts) {
                let right = !stale.is;
                let copy = copies.get(name).filter(|copy| copy.node != parameter.node);
                let copy = copy.and_then(|copy| stale.flag.member(copy).known());
                let copy = copy.filter(|(_, flag)| **flag == stale.is).map(|(node, _)| node);
                let edit = |node| Edit { span: site.analysis.document.span(node), new_text: right.to_string() };
                out.report(
                    &site.at(stale.node),
                    format!(
                        "the editor saved `{}` as {} for {}, but {}",
                        stale.flag.name(),
                        stale.is,
                        quote(name),
                        stale.why
                    ),
                )
                .help(format!("set `{}` to {right}, or save the activity in the editor again", stale.flag.name()))
                .fix(
                    Applicability::Safe,
                    format!("set {} to {right}", stale.flag.name()),
                    std::iter::once(stale.node).chain(copy).map(edit).collect(),
                );
            }
        }
    }
}

/// The names that are given twice.
fn repeated<'a>(provider: &Provider<'a>) -> HashSet<&'a str> {
    let mut seen = HashSet::default();
    named_parameters(provider).filter(|(name, _)| !seen.insert(*name)).map(|(name, _)| name).collect()
}

/// The copies of the parameters in `allProviderParameters`, by name.
fn copies<'p, 'a>(provider: &'p Provider<'a>) -> HashMap<&'a str, &'p Parameter<'a>> {
    let all = provider.all.get().into_iter().flatten();
    all.filter_map(|copy| Some((copy.name.value()?, copy))).collect()
}

/// The notes that the editor saves with a parameter.
#[derive(Debug, Clone, Copy)]
enum Flag {
    HasValue,
    NeedsValue,
    IsDuplicate,
}

impl Flag {
    const fn name(self) -> &'static str {
        match self {
            Self::HasValue => "hasValue",
            Self::NeedsValue => "needsValue",
            Self::IsDuplicate => "isDuplicate",
        }
    }

    const fn member<'p>(self, parameter: &'p Parameter<'_>) -> &'p Member<bool> {
        match self {
            Self::HasValue => &parameter.has_value,
            Self::NeedsValue => &parameter.needs_value,
            Self::IsDuplicate => &parameter.is_duplicate,
        }
    }
}

/// What is known of a parameter.
struct Facts<'a> {
    given: Option<bool>,
    known: Option<&'a catalog::Parameter>,
    may_repeat: bool,
}

/// A note that does not agree with its parameter.
struct Stale {
    flag: Flag,
    node: NodeId,
    is: bool,
    why: &'static str,
}

fn stale_flags(parameter: &Parameter<'_>, facts: &Facts<'_>) -> Vec<Stale> {
    let required = facts.known.map(|known| known.required).or(parameter.required.value());
    let why = |flag, is| match (flag, is, facts.given) {
        (Flag::HasValue, false, Some(true)) => Some("it has a value"),
        (Flag::HasValue, true, Some(false)) => Some("it has none"),
        (Flag::NeedsValue, true, Some(true)) => Some("it has one"),
        (Flag::NeedsValue, true, Some(false)) if required == Some(false) => Some("the method needs none"),
        // That one is given twice is told by WF206.
        (Flag::IsDuplicate, true, _) if !facts.may_repeat => Some("it is given once"),
        _ => None,
    };
    let flags = [Flag::HasValue, Flag::NeedsValue, Flag::IsDuplicate].into_iter();
    flags
        .filter_map(|flag| {
            let (node, &is) = flag.member(parameter).known()?;
            Some(Stale { flag, node, is, why: why(flag, is)? })
        })
        .collect()
}

/// Whether it is given a value; not known where the binding says so in two ways, which is told by others.
fn is_given(parameter: &Parameter<'_>) -> Option<bool> {
    let Some(binding) = parameter.value.get() else { return parameter.value.is_absent().then_some(false) };
    let holds_a_value = binding.value.value().is_some_and(|value| !value.is_empty());
    let says_so_in_two_ways = binding.state.value() == Some(State::NotSet) && holds_a_value;
    (!binding.is_opaque() && !says_so_in_two_ways).then(|| !parameter.is_empty())
}
