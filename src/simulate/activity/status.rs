//! Status: publishes the bound variable, else the literal, else the translation.

use crate::model::{Activity, Binding, Locales, Member};
use crate::simulate::run::Run;
use crate::simulate::stop::Stop;
use crate::simulate::text::{Text, translation};

pub(super) fn run<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    status: &'p Member<Box<Binding<'p>>>,
    translations: &'p Member<Locales<'p>>,
) -> Result<(), Stop> {
    let is_bound = status.unboxed().is_some_and(Binding::is_bound);
    let own = run.read_member(activity, "status", status)?;
    let has_translations = translations.get().is_some_and(|texts| !texts.is_empty());
    let text = match own {
        Some(text) if is_bound || !text.as_str().is_empty() || !has_translations => text,
        None if is_bound => Text::Document(""),
        _ => match translations {
            Member::Unknown(_) => return Err(run.unreadable(activity, "statusTranslations")),
            Member::Known(_, texts) => Text::Document(translation(texts, &run.plan.scenario.culture)),
            Member::Absent => Text::Document(""),
        },
    };
    run.publish(text)
}
