use crate::common::collections::HashMap;
use crate::facts::{Context, Place, ProviderSite};
use crate::graph::{Analysis, Origin, Prefix, Read, Receiver, VarId};
use crate::model::{ActivityId, Assumption};
use crate::rules::{Cause, Reporter, Rule};
use crate::text::diagnostic::Severity;
use crate::text::{first_of_list, quote};

pub const RULE: Rule = rule!("WF301-undeclared-output", Warning | Info, check, recommends_infos: true);

/// Reads of one variable that are shown with a mistyped output.
const MAX_READS: usize = 5;

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for analysis in &cx.workflows {
        let mistyped = Mistyped::of(analysis);
        for site in ProviderSite::of(analysis) {
            report_lost(&site, &mistyped, out);
            report_other_case(&site, out);
        }
    }
}

/// The variables for which lost outputs of a workflow were most likely meant.
struct Mistyped<'c> {
    by_activity: HashMap<ActivityId, Vec<VarId>>,
    /// At most `MAX_READS` of each.
    reads: HashMap<VarId, Vec<&'c Read>>,
}

impl<'c> Mistyped<'c> {
    fn of(analysis: &'c Analysis<'_>) -> Self {
        let (mut by_activity, mut reads) = (HashMap::<_, Vec<_>>::default(), HashMap::<_, Vec<_>>::default());
        for mistyped in &analysis.mistyped {
            by_activity.entry(mistyped.activity).or_default().push(mistyped.variable);
            reads.entry(mistyped.variable).or_default();
        }
        for read in analysis.effects.iter().flat_map(|effects| &effects.reads) {
            if let Some(reads) = reads.get_mut(&read.variable).filter(|reads| reads.len() < MAX_READS) {
                reads.push(read);
            }
        }
        Self { by_activity, reads }
    }
}

fn report_lost(site: &ProviderSite<'_, '_>, mistyped: &Mistyped<'_>, out: &mut Reporter<'_>) {
    let outputs = site.outputs.outputs.iter();
    let lost = outputs.filter(|output| output.receiver == Receiver::Missing && output.origin != Origin::Default);
    let lost = lost.map(|output| output.name.as_str());
    let (Some(first), count) = (lost.clone().next(), lost.clone().count()) else { return };
    let (outputs, values) = if count == 1 { ("output", "its value is") } else { ("outputs", "their values are") };
    let (names, activity) = (first_of_list(lost.map(quote), "and"), site.activity.display_name());
    let message = format!("undeclared {outputs} {names} of {activity}, {values} lost");

    let analysis = site.analysis;
    let variables = mistyped.by_activity.get(&site.activity.id).map_or(&[][..], Vec::as_slice);
    let near = variables.first().map(|&variable| analysis.names.name(variable));
    let mut draft = out.report(&site.prefix_place(), message);
    draft.help(help(site, first, count, near));
    // A loop that waits for this lookup (WF407) explains it.
    draft.cause(Cause::Node(analysis.file, site.activity.node));
    for variable in variables {
        let name = analysis.names.name(*variable);
        draft.cause(Cause::Variable(name.to_owned()));
        for read in mistyped.reads.get(variable).into_iter().flatten() {
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
    let is_own = |name: &str| !is_output_of_another_call(site, name);
    match scope.suggester.nearest_where(first, scope.declarations.names(), is_own) {
        Some(near) => format!("did you mean {}? Correct `Prefix` or the property, or {declare}", quote(near)),
        // The prefix has no part in its name.
        None if site.outputs.method.is_some_and(|method| !method.prefixes(first)) => declare.to_owned(),
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
            .assumes(Assumption::Names)
            .help("spell both the same")
            .severity(Severity::Info);
    }
}
