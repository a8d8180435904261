//! `--format json`: one object, described by `schemas/diff.schema.json`.

use std::io::{self, Write};

use serde::{Serialize, Serializer};

use crate::diff::{Change, Diff, OrderEnd, Orders, ServiceChange, ServiceDiff, Sides, Spot};
use crate::report::json::{JsonRange, write_json};
use crate::report::tool::{TOOL, Tool};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonDiff<'r> {
    schema_version: u32,
    tool: Tool,
    services: Vec<JsonService<'r>>,
    summary: JsonSummary,
}

#[derive(Serialize)]
struct JsonService<'r> {
    service: &'r str,
    change: &'static str,
    /// Only of a service that was moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'r str>,
    #[serde(serialize_with = "changes")]
    changes: &'r [Change],
    orders: Option<JsonOrders<'r>>,
}

#[derive(Serialize)]
struct JsonOrders<'r> {
    complete: bool,
    same: usize,
    gone: Vec<JsonEnd<'r>>,
    new: Vec<JsonEnd<'r>>,
    approvals: JsonSides<'r>,
    calls: JsonSides<'r>,
    mails: JsonSides<'r>,
}

#[derive(Serialize)]
struct JsonEnd<'r> {
    outcome: &'static str,
    activity: Option<&'r str>,
    status: Option<&'r str>,
}

#[derive(Serialize)]
struct JsonSides<'r> {
    gone: &'r [String],
    new: &'r [String],
}

#[derive(Serialize)]
struct JsonChange<'r> {
    change: &'static str,
    what: &'static str,
    #[serde(rename = "type")]
    type_name: Option<&'r str>,
    name: Option<&'r str>,
    member: Option<&'r str>,
    before: Option<&'r str>,
    after: Option<&'r str>,
    old: Option<JsonSpot<'r>>,
    new: Option<JsonSpot<'r>>,
}

#[derive(Serialize)]
struct JsonSpot<'r> {
    file: &'r str,
    pointer: &'r str,
    range: JsonRange,
}

#[derive(Serialize)]
struct JsonSummary {
    services: usize,
    changes: usize,
    noise: usize,
}

pub(super) fn write(diff: &Diff, out: &mut dyn Write) -> io::Result<()> {
    let json = JsonDiff {
        schema_version: 1,
        tool: TOOL,
        services: diff.services.iter().map(service).collect(),
        summary: JsonSummary {
            services: diff.services.len(),
            changes: diff.services.iter().map(|service| service.changes.len()).sum(),
            noise: diff.noise,
        },
    };
    write_json(&json, out)
}

fn service(service: &ServiceDiff) -> JsonService<'_> {
    JsonService {
        service: &service.service,
        change: service.change.word(),
        from: match &service.change {
            ServiceChange::Moved(from) => Some(from),
            _ => None,
        },
        changes: &service.changes,
        orders: service.orders.as_ref().map(orders),
    }
}

fn orders(orders: &Orders) -> JsonOrders<'_> {
    JsonOrders {
        complete: orders.is_complete,
        same: orders.same,
        gone: orders.ends.gone.iter().map(end).collect(),
        new: orders.ends.new.iter().map(end).collect(),
        approvals: sides(&orders.approvals),
        calls: sides(&orders.calls),
        mails: sides(&orders.mails),
    }
}

fn end(end: &OrderEnd) -> JsonEnd<'_> {
    JsonEnd { outcome: end.ending.word(), activity: end.activity.as_deref(), status: end.status.as_deref() }
}

fn sides(sides: &Sides<String>) -> JsonSides<'_> {
    JsonSides { gone: &sides.gone, new: &sides.new }
}

/// Converts one at a time, because there may be very many.
fn changes<S: Serializer>(changes: &[Change], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(changes.iter().map(change))
}

fn change(change: &Change) -> JsonChange<'_> {
    JsonChange {
        change: change.kind.word(),
        what: change.what.word(),
        type_name: change.type_name.as_deref(),
        name: change.name.as_deref(),
        member: change.member.as_deref(),
        before: change.before.as_deref(),
        after: change.after.as_deref(),
        old: spot(change.files.old.as_deref(), change.old.as_deref()),
        new: spot(change.files.new.as_deref(), change.new.as_deref()),
    }
}

fn spot<'r>(file: Option<&'r str>, spot: Option<&'r Spot>) -> Option<JsonSpot<'r>> {
    let spot = spot?;
    Some(JsonSpot { file: file?, pointer: &spot.pointer, range: JsonRange::new(spot.start, spot.end) })
}
