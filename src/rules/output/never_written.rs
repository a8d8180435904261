use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place};
use crate::rules::output::{never_written, other_reads, unasked_property};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF302",
    name: "never-written",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF302-never-written.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for found in never_written(cx) {
        let file = found.analysis.file;
        let Some(first) = found.reads.first().filter(|_| unasked_property(cx, file, found.name()).is_none()) else {
            continue;
        };
        let name = quote(found.name());
        let mut draft = out.report(
            &Place::of_read(file, first),
            format!("{name} is read here, but no form and no activity of the service ever writes it"),
        );
        draft.help(if cx.config.catalog.is_common_output(found.name()) {
            "a provider activity writes it when it succeeds: put one before this".to_owned()
        } else {
            format!("bind a form field to {name}, assign it, or let an activity's output have this name")
        });
        for read in other_reads(&found.reads, first.node) {
            draft.related(&Place::of_read(file, read), "read here too");
        }
    }
}
