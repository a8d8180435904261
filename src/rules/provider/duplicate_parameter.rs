use crate::facts::{Context, repeated_parameters};
use crate::rules::{Cause, Reporter, Rule};
use crate::text::quote;

pub const RULE: Rule = rule!("WF206-duplicate-parameter", Error, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        for [earlier, parameter] in repeated_parameters(site.provider) {
            let Some(name) = parameter.name.value() else { continue };
            out.report(&site.at(parameter.node), format!("duplicate parameter {}", quote(name)))
                .help("remove one of the two")
                .related(&site.at(earlier.node), "first set here")
                // Which value counts is unknown, so an empty one is part of the same fault.
                .cause(Cause::Name(site.analysis.file, site.activity.node, name.to_owned()));
        }
    }
}
