use crate::facts::{Context, Place};
use crate::graph::Analysis;
use crate::model::ActivityKind;
use crate::rules::output::{other_reads, unwritten_variables};
use crate::rules::{Cause, Reporter, Rule};
use crate::text::diagnostic::Severity;
use crate::text::quote;

pub const RULE: Rule = Rule {
    code: "WF302",
    name: "never-written",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF302-never-written.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for found in unwritten_variables(cx) {
        let file = found.analysis.file;
        let Some(first) = found.reads.first() else { continue };
        let name = quote(found.name());
        let mut draft = out.report(
            &Place::of_read(file, first),
            format!("{name} is never written: no form and no activity of the service assigns it"),
        );
        draft.cause(Cause::Variable(found.name().to_owned()));
        draft.help(if cx.config.catalog.is_common_output(found.name()) {
            "put a provider activity before this read: each one that succeeds writes it".to_owned()
        } else if let Some(block) = declared_block(found.analysis) {
            format!("bind a form field to {name}, assign it, or add it to `writes` of `{block}` in wflint.toml")
        } else {
            format!("bind a form field to {name}, assign it, or correct the `Prefix` of the activity that fills it")
        });
        for read in other_reads(&found.reads, first.node) {
            draft.related(&Place::of_read(file, read), "also read here");
        }
    }
}

/// The first type that the configuration declares among the activities: it writes the variables in its `writes`.
fn declared_block<'a>(analysis: &'a Analysis<'_>) -> Option<&'a str> {
    let mut declared =
        analysis.workflow.activities.iter().filter(|activity| matches!(activity.kind, ActivityKind::Declared { .. }));
    declared.next()?.type_name.value()
}
