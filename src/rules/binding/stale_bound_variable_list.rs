use smallvec::SmallVec;

use crate::document::separate_removal;
use crate::facts::{Context, Place, uses_itself};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::quote;

pub const RULE: Rule = rule!("WF111-stale-bound-variable-list", Info, check, fixes: Fixes::Safe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        let Some((list, entries)) = activity.own_bound_variables.known() else { continue };
        let is_stale = |name: &str| {
            let may_use = || cx.used_variables(analysis).is_none_or(|used| used.uses(activity, name, &[]));
            !uses_itself(analysis, activity, name) && !may_use()
        };
        let stale: SmallVec<[bool; 16]> = entries.iter().map(|(_, name)| name.is_some_and(is_stale)).collect();
        let last_kept = stale.iter().rposition(|is_stale| !is_stale);
        let is_all_stale = stale.len() > 1 && last_kept.is_none();
        for (index, (node, name)) in entries.iter().enumerate().filter(|(index, _)| stale.get(*index) == Some(&true)) {
            let entry = quote(name.unwrap_or_default());
            let mut draft = out.report(
                &Place::value(analysis.file, node),
                format!("stale entry {entry} in `ownBoundVariables` of {}", activity.display_name()),
            );
            let cure = if is_all_stale {
                "clear `ownBoundVariables`".to_owned()
            } else {
                format!("remove {entry} from `ownBoundVariables`")
            };
            match separate_removal(analysis.document, analysis.file, list, last_kept, index) {
                Some(edit) => draft.fix(Applicability::Safe, cure, vec![edit]),
                None => draft.help(cure),
            };
        }
    }
}
