use crate::catalog::{AdditionalKind, Usage};
use crate::facts::{Context, FormValues, Place, ProviderSite, parameter_sinks};
use crate::model::Parameter;
use crate::rules::security::{form_input_in_parameter, report_unchecked, show_path_from_form};
use crate::rules::{Reporter, Rule};
use crate::text::quote;

pub const RULE: Rule = rule!("WF907-untrusted-path", Warning | Info, check, recommends_infos: true);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    report_form_input(cx, out);
    for site in cx.providers() {
        for parameter in paths(&site) {
            let Some((_, path)) = parameter.value.get().and_then(|binding| binding.literal_text()) else { continue };
            if path.split(['/', '\\']).any(|part| part.trim() == "..") {
                let name = quote(parameter.name.value().unwrap_or_default());
                let activity = site.activity.display_name();
                let (message, help) = if is_absolute(path) {
                    let message = format!("path {name} of {activity} leads through `..` to another folder");
                    (message, "write the folder that is meant, without `..`")
                } else {
                    let message = format!("relative path {name} of {activity} leaves its folder with `..`");
                    (message, "write the complete path, without `..`")
                };
                out.report(&site.at(parameter.node), message).help(help);
            }
        }
    }
}

/// Whether a path begins at a root: `/…`, `\\server\…` or `C:\…`.
fn is_absolute(path: &str) -> bool {
    let path = path.trim_start();
    let is_separator = |letter| matches!(letter, Some('/' | '\\'));
    let mut letters = path.chars();
    match letters.next() {
        Some('/' | '\\') => true,
        Some(drive) if drive.is_ascii_alphabetic() => letters.next() == Some(':') && is_separator(letters.next()),
        _ => false,
    }
}

fn report_form_input(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let values = FormValues::of(cx);
    let sinks = values.tainted_sinks(|analysis| parameter_sinks(analysis, paths));
    report_unchecked(&sinks, out);
    for found in sinks.found {
        let Some(parameter) = found.sink.parameter else { continue };
        let place = Place::value(found.analysis.file, parameter.node);
        let mut draft = out.report(&place, format!("untrusted {}", form_input_in_parameter(&found)));
        draft.help("set a static path, take the document from an InputFile, or use a restricted DropDown");
        show_path_from_form(&values, &found, &mut draft);
    }
}

/// The parameters that name a local file, where the method reads it.
fn paths<'c, 'a>(site: &ProviderSite<'c, 'a>) -> Vec<&'c Parameter<'a>> {
    let Some(method) = site.outputs.method else { return Vec::new() };
    let is_path = |name: &str| {
        let mut known = method.additional.iter().filter(|known| known.matches(name));
        known.any(|known| known.usage == Usage::Used && known.kind == Some(AdditionalKind::Path))
    };
    let provider = site.provider;
    provider.additional().filter(|parameter| parameter.name.value().is_some_and(is_path)).collect()
}
