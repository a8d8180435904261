use crate::common::collections::HashMap;
use crate::facts::{Context, Place};
use crate::graph::Analysis;
use crate::model::{ActivityKind, Field};
use crate::rules::form::describe;
use crate::rules::output::other_reads;
use crate::rules::{Cause, Reporter, Rule};
use crate::text::quote;

pub const RULE: Rule = rule!("WF302-never-written", Error, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let unwritten = cx.unwritten_variables();
    let fields = if unwritten.is_empty() { HashMap::default() } else { fields_by_name(cx) };
    for found in unwritten {
        let file = found.analysis.file;
        let Some(first) = found.reads.first() else { continue };
        let name = quote(found.name());
        let mut draft = out.report(
            &Place::of_read(file, first),
            format!("{name} is never written: no form and no activity of the service assigns it"),
        );
        draft.cause(Cause::Variable(found.name().to_owned()));
        let misbound = fields.get(&found.name().to_lowercase());
        draft.help(if let Some((_, field)) = misbound {
            format!("bind {} to {name}", describe(field))
        } else if cx.config.catalog.is_common_output(found.name()) {
            "put a provider activity before this read: each one that succeeds writes it".to_owned()
        } else if let Some(block) = declared_block(found.analysis) {
            format!("bind a form field to {name}, assign it, or add it to `writes` of `{block}` in wflint.toml")
        } else {
            format!("bind a form field to {name}, assign it, or correct the `Prefix` of the activity that fills it")
        });
        if let Some((place, field)) = misbound {
            draft.cause(Cause::from(place)).related(place, format!("{} is bound here", describe(field)));
        }
        for read in other_reads(&found.reads, first.node) {
            draft.related(&Place::of_read(file, read), "also read here");
        }
    }
}

/// The fields that are bound to a variable, by their names in lower case, with the place of `boundTo`.
fn fields_by_name<'a>(cx: &Context<'a>) -> HashMap<String, (Place, &'a Field<'a>)> {
    let fields = cx.forms().flat_map(|(form, _)| form.form.fields.iter().map(move |field| (form.file, field)));
    let named = fields.filter_map(|(file, field)| {
        let (node, _) = field.target()?;
        Some((field.name.value()?.to_lowercase(), (Place::value(file, node), field)))
    });
    named.collect()
}

/// The first type that the configuration declares among the activities: it writes the variables in its `writes`.
fn declared_block<'a>(analysis: &'a Analysis<'_>) -> Option<&'a str> {
    let mut declared =
        analysis.workflow.activities.iter().filter(|activity| matches!(activity.kind, ActivityKind::Declared { .. }));
    declared.next()?.type_name.value()
}
