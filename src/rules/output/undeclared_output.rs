use crate::diagnostic::Severity;
use crate::facts::{Context, Place, ProviderSite};
use crate::graph::{Origin, Prefix, Receiver};
use crate::rules::{Cause, Reporter, Rule, YieldsTo};
use crate::text::{first_of_list, quote};

pub const RULE: Rule = Rule {
    code: "WF301",
    name: "undeclared-output",
    severity: Severity::Warning,
    other_severities: &[Severity::Info],
    yields_to: YieldsTo::Rules(&["WF407"]),
    page: include_str!("../../../rules/WF301-undeclared-output.md"),
    check,
    ..Rule::DEFAULT
};

/// Reads of one variable that are shown with a mistyped output.
const MAX_READS: usize = 5;

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        report_lost(&site, out);
        report_other_case(&site, out);
    }
}

fn report_lost(site: &ProviderSite<'_, '_>, out: &mut Reporter<'_>) {
    let outputs = site.outputs.outputs.iter();
    let lost = outputs.filter(|output| output.receiver == Receiver::Missing && output.origin != Origin::Default);
    let lost = lost.map(|output| output.name.as_str());
    let (Some(first), count) = (lost.clone().next(), lost.clone().count()) else { return };
    let (outputs, values) = if count == 1 { ("output", "its value is") } else { ("outputs", "their values are") };
    let (names, activity) = (first_of_list(lost.map(quote), "and"), site.activity.display_name());
    let message = format!("undeclared {outputs} {names} of {activity}, {values} lost");

    let analysis = site.analysis;
    let mistyped_variables: Vec<&str> = analysis
        .mistyped
        .iter()
        .filter(|mistyped| mistyped.activity == site.activity.id)
        .map(|mistyped| analysis.names.name(mistyped.variable))
        .collect();
    let mut draft = out.report(&site.prefix_place(), message);
    draft.help(help(site, first, count, mistyped_variables.first().copied()));
    // A loop that waits for this lookup (WF407) explains it; and it explains that such a loop never ends (WF403).
    let call = Cause::Node(analysis.file, site.activity.node);
    draft.about(call.clone()).explains(call);
    for name in mistyped_variables {
        draft.explains(Cause::Variable(name.to_owned()));
        let reads = analysis.effects.iter().flat_map(|effects| &effects.reads);
        for read in reads.filter(|read| analysis.names.name(read.variable) == name).take(MAX_READS) {
            draft.related(&Place::of_read(analysis.file, read), format!("{} is read here", quote(name)));
        }
    }
}

fn help(site: &ProviderSite<'_, '_>, first: &str, count: usize, mistyped: Option<&str>) -> String {
    let scope = &site.analysis.scope;
    let is_received = || site.outputs.outputs.iter().any(|output| output.receiver == Receiver::Variable);
    let declare = if count == 1 { "declare the variable" } else { "declare the variables" };
    if let Some(mistyped) = mistyped {
        return format!("correct `Prefix` or the property: {} is read, but nothing writes it", quote(mistyped));
    }
    let own = scope.declarations.names().filter(|name| !is_output_of_another_call(site, name));
    match scope.suggester.nearest(first, own) {
        Some(near) => format!("did you mean {}? Correct `Prefix` or the property, or {declare}", quote(near)),
        None if is_received() => format!("{declare}, or request fewer properties"),
        None if site.outputs.prefix == Prefix::Static("") => format!("{declare}, or set `Prefix`"),
        None => format!("{declare}, or correct `Prefix`"),
    }
}

/// Whether a variable is the output of another call, such as that of another case: it was not meant for this one.
fn is_output_of_another_call(site: &ProviderSite<'_, '_>, name: &str) -> bool {
    let analysis = site.analysis;
    analysis.names.id(name).is_some_and(|variable| analysis.is_output_of_another_call(site.activity.id, variable))
}

fn report_other_case(site: &ProviderSite<'_, '_>, out: &mut Reporter<'_>) {
    let pairs = site.outputs.outputs.iter().filter_map(|output| match output.receiver {
        Receiver::OtherCase(variable) => Some(format!("{} is declared as {}", quote(&output.name), quote(variable))),
        _ => None,
    });
    let mut pairs = pairs.peekable();
    if pairs.peek().is_some() {
        out.report(&site.prefix_place(), format!("case mismatch: output {}", first_of_list(pairs, "and")))
            .help("spell both the same; whether the platform ignores case is not documented")
            .severity(Severity::Info);
    }
}
