use crate::common::collections::HashMap;
use crate::facts::{Context, Place, ProviderSite, declaring, renamed_declaration, with_copy};
use crate::graph::{Analysis, Origin, Prefix, ProviderOutput, Read, Receiver, VarId};
use crate::model::{ActivityId, Assumption};
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Edit, Severity};
use crate::text::{first_of_list, quote, quoted_list};

pub const RULE: Rule =
    rule!("WF301-undeclared-output", Warning | Info, check, fixes: Fixes::Unsafe, recommends_infos: true);

/// Reads of one variable that are shown with a mistyped output.
const MAX_READS: usize = 5;

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for analysis in &cx.workflows {
        let mistyped = Mistyped::of(analysis);
        for site in ProviderSite::of(analysis) {
            report_lost(cx, &site, &mistyped, out);
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

fn report_lost(cx: &Context<'_>, site: &ProviderSite<'_, '_>, mistyped: &Mistyped<'_>, out: &mut Reporter<'_>) {
    let outputs = site.outputs.outputs.iter();
    let lost = outputs.filter(|output| output.receiver == Receiver::Missing && output.origin != Origin::Default);
    let lost: Vec<&str> = lost.map(|output| output.name.as_str()).collect();
    let (Some(&first), count) = (lost.first(), lost.len()) else { return };
    let (outputs, values) = if count == 1 { ("output", "its value is") } else { ("outputs", "their values are") };
    let (names, activity) = (quoted_list(&lost, "and"), site.activity.display_name());
    let message = format!("undeclared {outputs} {names} of {activity}, {values} lost");

    let analysis = site.analysis;
    let variables = mistyped.by_activity.get(&site.activity.id).map_or(&[][..], Vec::as_slice);
    let near = variables.first().map(|&variable| analysis.names.name(variable));
    let mut draft = out.report(&site.prefix_place(), message);
    let repair = match near {
        Some(near) if count == 1 && cx.name_uses().is_consistent(first) && !cx.name_uses().is_used(near) => {
            renamed_declaration(cx, near, first)
                .map(|edits| (format!("rename {} to {}", quote(near), quote(first)), edits))
        }
        Some(_) => correction(site, &mistyped_pairs(site)),
        None => declaration(cx, &lost),
    };
    match repair {
        Some((title, edits)) if variables.is_empty() => {
            draft.help(alternative(site)).fix(Applicability::Unsafe, title, edits)
        }
        // It says why.
        Some((title, edits)) => draft.help(help(site, first, count, near)).fix(Applicability::Unsafe, title, edits),
        None => draft.help(help(site, first, count, near)),
    };
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
    let declare = if count == 1 { "declare the variable" } else { "declare the variables" };
    if let Some(mistyped) = mistyped {
        return format!("correct `Prefix` or the property: {} is read, but nothing writes it", quote(mistyped));
    }
    let is_own = |name: &str| !is_output_of_another_call(site, name);
    match scope.suggester.nearest_where(first, scope.declarations.names(), is_own) {
        Some(near) => format!("did you mean {}? Correct `Prefix` or the property, or {declare}", quote(near)),
        // The prefix has no part in its name.
        None if site.outputs.method.is_some_and(|method| !method.prefixes(first)) => declare.to_owned(),
        None => format!("{declare}, or {}", alternative(site)),
    }
}

/// What may be done instead of a declaration.
fn alternative(site: &ProviderSite<'_, '_>) -> &'static str {
    let is_received = || site.outputs.outputs.iter().any(|output| output.receiver == Receiver::Variable);
    match site.outputs.prefix {
        _ if is_received() => "request fewer properties",
        Prefix::Static("") => "set `Prefix`",
        _ => "correct `Prefix`",
    }
}

/// Title and edits that declare the lost outputs.
fn declaration(cx: &Context<'_>, lost: &[&str]) -> Option<(String, Vec<Edit>)> {
    Some((format!("declare {}", quoted_list(lost, "and")), declaring(cx, lost)?))
}

/// The lost outputs, each with the variable that was most likely meant; none where others may be meant.
fn mistyped_pairs<'s>(site: &ProviderSite<'s, '_>) -> Vec<(&'s ProviderOutput<'s>, &'s str)> {
    let analysis = site.analysis;
    let known: Vec<&str> = analysis.scope.known_names().collect();
    let of_site = analysis.mistyped.iter().filter(|mistyped| mistyped.activity == site.activity.id);
    let pairs = of_site.map(|mistyped| {
        let variable = analysis.names.name(mistyped.variable);
        let nearest = analysis.scope.suggester.only_nearest(&mistyped.output, known.iter().copied())?;
        let output = site.outputs.outputs.iter().find(|output| output.name == mistyped.output)?;
        (nearest == variable).then_some((output, nearest))
    });
    pairs.collect::<Option<_>>().unwrap_or_default()
}

/// Title and edits that give outputs the names of variables, by another prefix or by another property.
fn correction(site: &ProviderSite<'_, '_>, pairs: &[(&ProviderOutput<'_>, &str)]) -> Option<(String, Vec<Edit>)> {
    let Prefix::Static(prefix) = site.outputs.prefix else { return None };
    let mut prefixes = pairs.iter().map(|(output, variable)| variable.strip_suffix(output.property));
    let new = prefixes.next()?.filter(|new| *new != prefix && prefixes.all(|other| other == Some(new)));
    // Another prefix would take it from the outputs that have their variable.
    let is_right = site.outputs.outputs.iter().any(|output| output.receiver == Receiver::Variable);
    let node = site.outputs.prefix_node.filter(|&node| !is_right && site.analysis.document.string(node).is_some());
    if let (Some(new), Some(node)) = (new, node) {
        let edits = with_copy(site.analysis, site.activity, node, &serde_json::Value::from(new).to_string());
        return Some((format!("set `Prefix` to {}", quote(new)), edits));
    }
    let [(output, variable)] = pairs else { return None };
    request_instead(site, output, variable.strip_prefix(prefix)?)
}

/// Title and edits that request another property than that of an output.
fn request_instead(
    site: &ProviderSite<'_, '_>,
    output: &ProviderOutput<'_>,
    property: &str,
) -> Option<(String, Vec<Edit>)> {
    let list = site.outputs.method?.outputs.iter().find_map(|output| output.per_entry_of.as_deref())?;
    let (node, text) = site.provider.parameter(list)?.value.get()?.literal_text()?;
    let is_requested = text.split(',').any(|entry| entry.trim() == property);
    if output.origin != Origin::Requested || is_requested || property.is_empty() {
        return None;
    }
    let replaced = |entry: &str| {
        if entry.trim() == output.property { entry.replace(output.property, property) } else { entry.to_owned() }
    };
    let text: Vec<String> = text.split(',').map(replaced).collect();
    let edits = with_copy(site.analysis, site.activity, node, &serde_json::Value::from(text.join(",")).to_string());
    Some((format!("request {} instead of {}", quote(property), quote(output.property)), edits))
}

/// Whether a variable is the output of another call, such as that of another case: it was not meant for this one.
fn is_output_of_another_call(site: &ProviderSite<'_, '_>, name: &str) -> bool {
    let analysis = site.analysis;
    analysis.names.id(name).is_some_and(|variable| analysis.is_output_of_another_call(site.activity.id, variable))
}

fn report_other_case(site: &ProviderSite<'_, '_>, out: &mut Reporter<'_>) {
    let pairs = site.outputs.outputs.iter().filter_map(|output| match output.receiver {
        Receiver::OtherCase(variable) => Some((output, variable)),
        _ => None,
    });
    let pairs: Vec<(&ProviderOutput<'_>, &str)> = pairs.collect();
    if pairs.is_empty() {
        return;
    }
    let shown = pairs.iter().map(|(output, name)| format!("{} is declared as {}", quote(&output.name), quote(name)));
    let mut draft = out.report(&site.prefix_place(), format!("case mismatch: output {}", first_of_list(shown, "and")));
    draft.assumes(Assumption::Names).severity(Severity::Info);
    match correction(site, &pairs) {
        Some((title, edits)) => draft.fix(Applicability::Unsafe, title, edits),
        None => draft.help("spell both the same"),
    };
}
