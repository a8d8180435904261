use crate::facts::{Context, Place};
use crate::rules::script::{parsed, read_names};
use crate::rules::{Reporter, Rule};
use crate::text::quote;

pub const RULE: Rule = rule!("WF804-unused-script-parameter", Warning, check, marks_unnecessary: true);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (site, script) in parsed(cx) {
        if script.may_read_any || site.parameter_names().is_none() {
            continue;
        }
        let read = read_names(script);
        for parameter in site.code.parameters.get().into_iter().flatten() {
            let Some(name) = parameter.name.value().filter(|name| !name.is_empty() && !read.contains(name)) else {
                continue;
            };
            let place = Place::value(site.analysis.file, parameter.node);
            let activity = site.activity.display_name();
            out.report(&place, format!("unused script parameter {} in {activity}", quote(name)))
                .help("use it in the script, or remove it");
        }
    }
}
