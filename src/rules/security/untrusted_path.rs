use crate::catalog::{AdditionalKind, Use};
use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, FormValues, Place, ProviderSite, parameters};
use crate::model::Parameter;
use crate::rules::security::{form_value, show_path_from_form};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF907",
    name: "untrusted-path",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF907-untrusted-path.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let values = FormValues::of(cx);
    for found in values.reaching(cx, |analysis| parameters(analysis, paths)) {
        let Some(parameter) = found.sink.parameter else { continue };
        let mut draft = out.report(
            &Place::value(found.analysis.file, parameter.node),
            format!(
                "{} becomes the path {}: the person decides which file of the server is sent for signing",
                form_value(&found),
                quote(found.parameter_name())
            ),
        );
        draft.help("give the path as a fixed text, take the document from an InputFile (`ZPMediaGuid`), or let people choose from a restricted DropDown");
        show_path_from_form(&values, &found, &mut draft);
    }
    for site in cx.providers() {
        for parameter in paths(&site) {
            let Some((_, path)) = parameter.value.get().and_then(|binding| binding.literal_text()) else { continue };
            if path.split(['/', '\\']).any(|part| part.trim() == "..") {
                out.report(&site.at(parameter.node), format!(
                        "the path {} leaves its folder by `..`: which file it names depends on where the plug-in starts from",
                        quote(parameter.name.value().unwrap_or_default())
                    )).help("write the whole path, without `..`");
            }
        }
    }
}

/// The parameters that name a local file, which the method reads.
fn paths<'c, 'a>(site: &ProviderSite<'c, 'a>) -> Vec<&'c Parameter<'a>> {
    let Some(method) = site.outputs.method else { return Vec::new() };
    let is_path = |name: &str| {
        let mut known = method.additional.iter().filter(|known| known.matches(name));
        known.any(|known| known.usage == Use::Used && known.kind == Some(AdditionalKind::Path))
    };
    let provider = site.provider;
    provider.additional().filter(|parameter| parameter.name.value().is_some_and(is_path)).collect()
}
