//! Which variables reach a parameter of a kind, as far as plain reading shows: bound to it, or copied by an
//! Assign to one that is. Of scripts, what they make of made-up values shows where a value goes.

use super::place::Place;
use super::provider_site::known_parameters;
use super::service::AnalyzedService;
use std::ops::Range;

use crate::catalog::ParameterKind;
use crate::collections::HashMap;
use crate::document::{Document, Limits};
use crate::graph::{Analysis, Placeholder, Written, placeholders};
use crate::model::Kind;

/// Where a variable's value goes.
#[derive(Debug, Clone)]
pub struct Goal<'c> {
    /// The place that names the variable there, or the last one it is copied to.
    pub place: Place,
    /// The parameter, or the member of a case.
    pub name: &'c str,
}

/// The variables that reach a parameter of a kind, each with one place that it reaches.
pub type Reaching<'c> = HashMap<&'c str, Goal<'c>>;

/// The variables that reach a parameter of a kind.
pub fn reaching<'c>(service: &'c AnalyzedService<'_>, kind: ParameterKind) -> Reaching<'c> {
    let bound = service.providers().flat_map(|site| {
        let parameters = known_parameters(&site).filter(|(_, known)| known.kind == Some(kind));
        let goals = parameters.filter_map(|(parameter, known)| {
            let (node, name) = parameter.value.get()?.target()?;
            Some((name, Goal { place: site.at(node), name: known.name.as_str() }))
        });
        goals.collect::<Vec<_>>()
    });
    let bound = bound.collect();
    with_copies(service, bound)
}

/// The variables that reach a personal id.
pub fn personal_ids<'c>(service: &'c AnalyzedService<'_>) -> Reaching<'c> {
    let mut goals = reaching_personal_ids_of_cases(service);
    goals.extend(reaching(service, ParameterKind::PersonalId));
    goals
}

/// The variables that a case's personal ids are made of, where an Assign or a script writes the text of
/// the case.
fn reaching_personal_ids_of_cases<'c>(service: &'c AnalyzedService<'_>) -> Reaching<'c> {
    let cases = reaching(service, ParameterKind::CaseJson);
    let mut found = Vec::new();
    for (analysis, activity) in service.activities() {
        let Kind::Assign(assign) = &activity.kind else { continue };
        let target = assign.result.get().and_then(|result| result.target());
        let (Some((_, target)), Some((node, &body))) = (target, assign.body.known()) else { continue };
        if !cases.contains_key(target) {
            continue;
        }
        for placeholder in personal_ids_of_case(body) {
            let place = Place::inside(analysis.file, node, placeholder.range);
            found.push((placeholder.name, Goal { place, name: PERSONAL_ID }));
        }
    }
    found.extend(personal_ids_of_scripts(service));
    with_copies(service, found)
}

/// The variables whose values scripts put into the personal ids of the cases that they build: where the
/// value that was made up for a parameter turns up.
fn personal_ids_of_scripts<'c>(service: &'c AnalyzedService<'_>) -> Vec<(&'c str, Goal<'c>)> {
    let mut found = Vec::new();
    for case in service.evaluated() {
        let Ok(built) = Document::parse(case.text, Limits::default()) else { continue };
        let parties = built.member(built.root(), PARTIES).into_iter().flat_map(|list| built.elements(list));
        let ids: Vec<&str> =
            parties.filter_map(|party| built.member(party, PERSONAL_ID)).filter_map(|id| built.string(id)).collect();
        if ids.is_empty() {
            continue;
        }
        for (parameter, value) in service.made_up(&case) {
            let target = parameter.value.get().and_then(|binding| binding.target());
            if let Some((node, name)) = target.filter(|_| !value.is_empty() && ids.iter().any(|id| id.contains(&value)))
            {
                found.push((name, Goal { place: Place::value(case.file, node), name: PERSONAL_ID }));
            }
        }
    }
    found
}

/// The list of parties of a case (reference, Signing case description).
const PARTIES: &str = crate::model::case_key::PARTIES;

/// The member of a party (reference, Party).
const PERSONAL_ID: &str = crate::model::case_key::SOCIAL_SECURITY_NUMBER;

/// The placeholders that stand in the value of that member.
fn personal_ids_of_case(body: &str) -> impl Iterator<Item = Placeholder<'_>> {
    let values: Vec<Range<usize>> = body
        .match_indices(PERSONAL_ID)
        .filter_map(|(at, name)| {
            let rest = body.get(at + name.len()..)?;
            let rest = rest.strip_prefix('"')?.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
            let start = body.len() - rest.len();
            Some(start..start + rest.find('"')?)
        })
        .collect();
    placeholders(body).filter(move |placeholder| {
        let value = values.partition_point(|value| value.end < placeholder.range.end);
        values.get(value).is_some_and(|value| value.start <= placeholder.range.start)
    })
}

/// Adds the variables that Assigns copy to those that are known to reach something.
fn with_copies<'c>(service: &'c AnalyzedService<'_>, known: Vec<(&'c str, Goal<'c>)>) -> Reaching<'c> {
    let mut sources: HashMap<&str, Vec<&str>> = HashMap::default();
    for analysis in &service.workflows {
        for (target, source) in copies(analysis) {
            sources.entry(target).or_default().push(source);
        }
    }
    let mut reaching = Reaching::default();
    let mut open: Vec<(&str, Goal<'_>)> = known.into_iter().rev().collect();
    while let Some((name, goal)) = open.pop() {
        if reaching.contains_key(name) {
            continue;
        }
        open.extend(sources.get(name).into_iter().flatten().map(|source| (*source, goal.clone())));
        reaching.insert(name, goal);
    }
    reaching
}

/// The variables that a workflow's Assigns copy whole: target and source.
fn copies<'c>(analysis: &'c Analysis<'_>) -> impl Iterator<Item = (&'c str, &'c str)> {
    let writes = analysis.effects.iter().flat_map(|effects| &effects.writes);
    writes.filter_map(|write| match write.value {
        Written::Copy(source) => Some((analysis.names.name(write.variable), analysis.names.name(source))),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_in_the_member_and_nowhere_else() {
        let names =
            |body: &'static str| personal_ids_of_case(body).map(|placeholder| placeholder.name).collect::<Vec<_>>();
        assert_eq!(names(r#"{"SocialSecurityNumber": "{Born}-{Number}", "Name": "{Name}"}"#), ["Born", "Number"]);
        assert_eq!(names(r#"{"SocialSecurityNumber" :"{Id}"}"#), ["Id"]);
        assert_eq!(names(r#"{"SocialSecurityNumber": null, "Name": "{Name}"}"#), [""; 0]);
        assert_eq!(names(r#"{"Name": "SocialSecurityNumber {Name}"}"#), [""; 0]);
    }
}
