use crate::facts::{Context, ProviderSite};
use crate::model::Member;
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::quote;

pub const RULE: Rule = rule!("WF218-errors-swallowed", Warning, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        let Some((node, false)) = site.provider.stop_on_error.known().map(|(node, flag)| (node, *flag)) else {
            continue;
        };
        let reason = match receiver(&site) {
            ResultReceiver::NotKnown => continue,
            ResultReceiver::Nothing => "`providerResult` is not bound".to_owned(),
            ResultReceiver::Variable(name) if cx.usage.is_read(name) => continue,
            ResultReceiver::Variable(name) => format!("{} is never read", quote(name)),
        };
        let name = site.activity.display_name();
        out.report(&site.at(node), format!("unhandled failure of {name}: `stopOnError` is `false` and {reason}"))
            .help("test `providerResult` after the call if the order can go on")
            .fix_value(Applicability::Unsafe, "set `stopOnError` to `true`", node, "true");
    }
}

/// The receiver of the result of the call.
enum ResultReceiver<'a> {
    Variable(&'a str),
    Nothing,
    /// It cannot be read.
    NotKnown,
}

fn receiver<'a>(site: &ProviderSite<'_, 'a>) -> ResultReceiver<'a> {
    match &site.provider.result {
        Member::Absent => ResultReceiver::Nothing,
        Member::Unknown(_) => ResultReceiver::NotKnown,
        Member::Known(_, binding) => match binding.target() {
            Some((_, name)) => ResultReceiver::Variable(name),
            None if binding.is_opaque() => ResultReceiver::NotKnown,
            None => ResultReceiver::Nothing,
        },
    }
}
