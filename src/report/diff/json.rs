//! `--format json`: one object, described by `schemas/diff.schema.json`.

use std::io::{self, Write};

use serde::Serialize;

use crate::diff::{Change, Diff, OrderEnd, Orders, ServiceChange, ServiceDiff, Sides, Spot};
use crate::report::object::{Array, object, range_between, tool, write_json};

pub(super) fn write(diff: &Diff, out: &mut dyn Write) -> io::Result<()> {
    let summary = object()
        .with("services", diff.services.len())
        .with("changes", diff.services.iter().map(|service| service.changes.len()).sum::<usize>())
        .with("noise", diff.noise);
    let json = object()
        .with("schemaVersion", 1)
        .with("tool", tool())
        .with("services", Array(|| diff.services.iter().map(of_service)))
        .with("summary", summary);
    write_json(&json, out)
}

fn of_service(service: &ServiceDiff) -> impl Serialize {
    let from = match &service.change {
        ServiceChange::Moved(from) => Some(from),
        _ => None,
    };
    object()
        .with("service", &service.service)
        .with("change", service.change.word())
        .with_some("from", from)
        .with("changes", Array(|| service.changes.iter().map(of_change)))
        .with("orders", service.orders.as_ref().map(of_orders))
}

fn of_orders(orders: &Orders) -> impl Serialize {
    let end = |end: &OrderEnd| {
        let (activity, status) = (end.activity.clone(), end.status.clone());
        object().with("outcome", end.ending.word()).with("activity", activity).with("status", status)
    };
    let sides = |sides: &'_ Sides<String>| object().with("gone", sides.gone.clone()).with("new", sides.new.clone());
    object()
        .with("complete", orders.is_complete)
        .with("same", orders.same)
        .with("gone", orders.ends.gone.iter().map(end).collect::<Vec<_>>())
        .with("new", orders.ends.new.iter().map(end).collect::<Vec<_>>())
        .with("approvals", sides(&orders.approvals))
        .with("calls", sides(&orders.calls))
        .with("mails", sides(&orders.mails))
}

fn of_change(change: &Change) -> impl Serialize {
    object()
        .with("change", change.kind.word())
        .with("what", change.what.word())
        .with("type", change.type_name.as_deref())
        .with("name", change.name.as_deref())
        .with("member", change.member.as_deref())
        .with("before", change.before.as_deref())
        .with("after", change.after.as_deref())
        .with("old", spot(change.files.old.as_deref(), change.old.as_deref()))
        .with("new", spot(change.files.new.as_deref(), change.new.as_deref()))
}

fn spot<'r>(file: Option<&'r str>, spot: Option<&'r Spot>) -> Option<impl Serialize + use<'r>> {
    let spot = spot?;
    let range = range_between(spot.start, spot.end);
    Some(object().with("file", file?).with("pointer", &spot.pointer).with("range", range))
}
