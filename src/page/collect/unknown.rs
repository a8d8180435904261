//! The activities whose effects are not known: they may send mails, and ask people.

use super::activities::word;
use super::subject::Subject;
use crate::catalog::Effect;
use crate::facts::ProviderSite;
use crate::model::{Activity, ActivityKind};
use crate::page::UnknownView;
use crate::report::visible;

/// In the order of the text.
pub fn unknown(subject: &Subject<'_, '_>) -> Vec<UnknownView> {
    let unknown = subject.activities().iter().filter_map(|activity| {
        let word = unknown_word(subject, activity)?;
        let mut given = Vec::new();
        activity.bindings(|binding, role| {
            let Some((_, name)) = binding.target().filter(|_| !role.writes()) else { return };
            let name = subject.label_of(name);
            if !given.contains(&name) {
                given.push(name);
            }
        });
        Some(UnknownView { activity: subject.place(activity), word, given })
    });
    unknown.collect()
}

/// The type or the method of an activity whose effect is not known.
pub fn unknown_word(subject: &Subject<'_, '_>, activity: &Activity<'_>) -> Option<String> {
    match &activity.kind {
        ActivityKind::Declared { .. } | ActivityKind::Unknown { .. } => Some(word(activity)),
        ActivityKind::Provider(provider) => {
            let method = ProviderSite::of_activity(subject.analysis, activity.id).and_then(|site| site.outputs.method);
            let is_known = method.is_some_and(|it| it.simulation.is_some() || it.effect == Some(Effect::Read));
            (!is_known).then(|| visible(provider.method.value().unwrap_or("unknown method")).into_owned())
        }
        _ => None,
    }
}
