//! Signing cases whose JSON an Assign writes: placeholders in the values of their keys.

use std::ops::Range;

use crate::catalog::ParameterKind;
use crate::document::NodeId;
use crate::facts::security::sinks::sinks_of_kind;
use crate::facts::service::AnalyzedService;
use crate::graph::Placeholder;
use crate::model::{ActivityId, ActivityKind};
use crate::text::diagnostic::FileId;

/// A placeholder in the body of an Assign.
pub struct AssignedPlaceholder<'c> {
    pub file: FileId,
    pub activity: ActivityId,
    /// The body.
    pub node: NodeId,
    pub placeholder: Placeholder<'c>,
}

/// The placeholders in the values of a key of all cases that Assigns write.
pub fn placeholders_in_assigned_cases<'c>(service: &'c AnalyzedService<'_>, key: &str) -> Vec<AssignedPlaceholder<'c>> {
    let cases = sinks_of_kind(service, ParameterKind::CaseJson);
    let mut found = Vec::new();
    for (analysis, activity) in service.activities() {
        let ActivityKind::Assign(assign) = &activity.kind else { continue };
        let target = assign.result.get().and_then(|result| result.target());
        let (Some((_, target)), Some((node, &body))) = (target, assign.body.known()) else { continue };
        if !cases.contains_key(target) {
            continue;
        }
        let (file, activity) = (analysis.file, activity.id);
        let placeholders = placeholders_of_key(body, key, analysis.scope.placeholders_of(assign));
        found.extend(placeholders.map(|placeholder| AssignedPlaceholder { file, activity, node, placeholder }));
    }
    found
}

/// Those of the placeholders that are in the values of a key of a case whose JSON may not parse before they are replaced.
fn placeholders_of_key<'b, I: Iterator<Item = Placeholder<'b>>>(
    body: &'b str,
    key: &str,
    all: I,
) -> impl Iterator<Item = Placeholder<'b>> + use<'b, I> {
    // Keys are compared without case.
    let values: Vec<Range<usize>> = body
        .to_ascii_lowercase()
        .match_indices(&key.to_ascii_lowercase())
        .filter_map(|(at, key)| {
            let rest = body.get(at + key.len()..)?;
            let rest = rest.strip_prefix('"')?.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
            let start = body.len() - rest.len();
            Some(start..start + rest.find('"')?)
        })
        .collect();
    all.filter(move |placeholder| {
        let value = values.partition_point(|value| value.end < placeholder.range.end);
        values.get(value).is_some_and(|value| value.start <= placeholder.range.start)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::placeholders;
    use crate::model::case_key::SOCIAL_SECURITY_NUMBER;

    #[test]
    fn only_placeholders_in_the_personal_id_count() {
        let names = |body: &'static str| {
            let all = placeholders(body, |_| false);
            let found = placeholders_of_key(body, SOCIAL_SECURITY_NUMBER, all);
            found.map(|placeholder| placeholder.name).collect::<Vec<_>>()
        };
        assert_eq!(names(r#"{"SocialSecurityNumber": "{Born}-{Number}", "Name": "{Name}"}"#), ["Born", "Number"]);
        assert_eq!(names(r#"{"socialSecurityNumber" :"{Id}"}"#), ["Id"]);
        assert_eq!(names(r#"{"SocialSecurityNumber": null, "Name": "{Name}"}"#), [""; 0]);
        assert_eq!(names(r#"{"Name": "SocialSecurityNumber {Name}"}"#), [""; 0]);
    }
}
