use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, ProviderSite};
use crate::graph::Resolution;
use crate::model::Member;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF218",
    name: "errors-swallowed",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF218-errors-swallowed.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        let Some((node, false)) = site.provider.stop_on_error.known().map(|(node, flag)| (node, *flag)) else {
            continue;
        };
        let why = match receiver(&site) {
            Receiver::NotKnown => continue,
            Receiver::Nothing => "`providerResult`, which would tell, is bound to nothing".to_owned(),
            Receiver::Variable(name) if cx.usage.is_read(name) => continue,
            Receiver::Variable(name) => format!("nothing reads {}, which would tell", quote(name)),
        };
        out.report(
            &site.at(node),
            format!("when this call fails the workflow goes on, and nobody learns of it: {why}"),
        )
        .help("set `stopOnError` to true, or bind `providerResult` to a variable and test that after the call");
    }
}

/// The variable that learns whether the call succeeded.
enum Receiver<'a> {
    Variable(&'a str),
    Nothing,
    /// It cannot be read, or names no variable; told elsewhere.
    NotKnown,
}

fn receiver<'a>(site: &ProviderSite<'_, 'a>) -> Receiver<'a> {
    match &site.provider.result {
        Member::Absent => Receiver::Nothing,
        Member::Unknown(_) => Receiver::NotKnown,
        Member::Known(_, binding) => match binding.target() {
            Some((_, name)) if matches!(site.analysis.scope.resolve(name), Resolution::Unknown(_)) => {
                Receiver::NotKnown
            }
            Some((_, name)) => Receiver::Variable(name),
            None if binding.is_opaque() => Receiver::NotKnown,
            None => Receiver::Nothing,
        },
    }
}
