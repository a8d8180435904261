use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place, ProviderSite};
use crate::graph::{Prefix, Receiver};
use crate::rules::output::is_worth_telling;
use crate::rules::{Cause, Reporter, Rule, YieldsTo};

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

/// Reads of one variable that are shown beside a mistyped output.
const MOST_READS: usize = 5;

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        tell_lost(&site, out);
        tell_other_case(&site, out);
    }
}

fn tell_lost(site: &ProviderSite<'_, '_>, out: &mut Reporter<'_>) {
    let lost: Vec<&str> = site
        .outputs
        .outputs
        .iter()
        .filter(|output| output.receiver == Receiver::Nobody && is_worth_telling(output.origin))
        .map(|output| output.name.as_str())
        .collect();
    let Some(first) = lost.first() else { return };
    let names: Vec<String> = lost.iter().map(|name| quote(name)).collect();
    let (are, values) = if lost.len() == 1 {
        ("no variable is named", "the value is")
    } else {
        ("no variables are named", "the values are")
    };
    let message = format!("{are} {}, so {values} lost", names.join(", "));

    let analysis = site.analysis;
    let meant: Vec<_> = analysis.mistyped.iter().filter(|mistyped| mistyped.activity == site.activity.id).collect();
    let declared = || analysis.scope.suggester.nearest(first, analysis.scope.declarations.names());
    let received = site.outputs.outputs.iter().any(|output| output.receiver == Receiver::Variable);
    let help = match (meant.first(), declared()) {
        (Some(mistyped), _) => {
            let name = quote(analysis.names.name(mistyped.variable));
            format!("{name}, which nothing else writes, is most likely meant: correct `Prefix` or the property")
        }
        (None, Some(near)) => {
            format!("did you mean {}? Correct `Prefix` or the property, or add the variable", quote(near))
        }
        (None, None) if received => "add a variable for it, or ask for fewer properties".to_owned(),
        (None, None) if site.outputs.prefix == Prefix::Static("") => {
            "add a variable of this name, or give the activity a `Prefix`".to_owned()
        }
        (None, None) => "add a variable of this name, or correct `Prefix`".to_owned(),
    };
    let mut draft = out.report(&site.prefix_place(), message);
    draft.help(help);
    let call = Cause::Node(analysis.file, site.activity.node);
    draft.about(call.clone()).explains(call);
    for mistyped in meant {
        let reads = analysis.effects.iter().flat_map(|effects| &effects.reads);
        for read in reads.filter(|read| read.variable == mistyped.variable).take(MOST_READS) {
            let name = quote(analysis.names.name(mistyped.variable));
            draft.related(&Place::of_read(analysis.file, read), format!("{name} is read here, and nothing writes it"));
        }
    }
}

fn tell_other_case(site: &ProviderSite<'_, '_>, out: &mut Reporter<'_>) {
    let pairs: Vec<String> = site
        .outputs
        .outputs
        .iter()
        .filter_map(|output| match output.receiver {
            Receiver::OtherCase(variable) => Some(format!("{} but {}", quote(&output.name), quote(variable))),
            _ => None,
        })
        .collect();
    if !pairs.is_empty() {
        out.report(&site.prefix_place(), format!("output and variable differ in case: {}", pairs.join(", ")))
            .help("whether the platform minds the case is not documented: write both alike")
            .severity(Severity::Info);
    }
}
