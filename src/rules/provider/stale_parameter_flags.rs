use crate::catalog;
use crate::common::collections::HashSet;
use crate::document::NodeId;
use crate::facts::{Context, member_edits, repeated_parameters};
use crate::model::{Member, Parameter, State};
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::quote;

pub const RULE: Rule = rule!("WF219-stale-parameter-flags", Info, check, fixes: Fixes::Safe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        let repeated = repeated_parameters(site.provider).filter_map(|[first, _]| first.name.value());
        let repeated: HashSet<&str> = repeated.collect();
        let names_are_known = site.provider.lists_are_known();
        for parameter in site.provider.parameters() {
            let Some(name) = parameter.name.value() else { continue };
            let facts = Facts {
                has_value: has_value(parameter),
                known: site.outputs.method.and_then(|method| method.parameter(name)),
                is_repeated: names_are_known.then(|| repeated.contains(name)),
            };
            for stale in stale_flags(parameter, &facts) {
                let right = !stale.is;
                let json = right.to_string();
                let edits = member_edits(&site, parameter, |parameter| stale.flag.member(parameter), &json);
                let value = parameter.value.node().unwrap_or(parameter.node);
                let (flag, name) = (stale.flag.name(), quote(name));
                out.report(&site.at(stale.node), format!("`{flag}` is `{}` for {name}, but {}", stale.is, stale.why))
                    .cause(Cause::Node(site.analysis.file, value))
                    .fix(Applicability::Safe, format!("set `{flag}` to `{right}`"), edits);
            }
        }
    }
}

/// The flags that the editor saves with a parameter.
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

struct Facts<'a> {
    /// None where it is not known.
    has_value: Option<bool>,
    known: Option<&'a catalog::Parameter>,
    /// None where it is not known.
    is_repeated: Option<bool>,
}

/// A flag that does not agree with its parameter.
struct Stale {
    flag: Flag,
    node: NodeId,
    is: bool,
    why: &'static str,
}

fn stale_flags(parameter: &Parameter<'_>, facts: &Facts<'_>) -> Vec<Stale> {
    let required = facts.known.map(|known| known.required).or(parameter.required.value());
    let why = |flag, is| match (flag, is, facts.has_value) {
        (Flag::HasValue, false, Some(true)) => Some("it has a value"),
        (Flag::HasValue, true, Some(false)) => Some("it has no value"),
        (Flag::NeedsValue, true, Some(true)) => Some("it has a value"),
        (Flag::NeedsValue, true, Some(false)) if required == Some(false) => Some("it is optional"),
        (Flag::IsDuplicate, true, _) if facts.is_repeated == Some(false) => Some("it occurs once"),
        (Flag::IsDuplicate, false, _) if facts.is_repeated == Some(true) => Some("it occurs more than once"),
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

/// Whether it has a value; not known where `state` excludes a value that is there.
fn has_value(parameter: &Parameter<'_>) -> Option<bool> {
    let Some(binding) = parameter.value.get() else { return parameter.value.is_absent().then_some(false) };
    let holds_a_value = binding.value.value().is_some_and(|value| !value.is_empty());
    let is_excluded = binding.state.value() == Some(State::NotSet) && holds_a_value;
    (!binding.is_opaque() && !is_excluded).then(|| !parameter.is_empty())
}
