//! A service in one line.

use crate::diff::{ChangeKind, ServiceChange, ServiceDiff};
use crate::text::count;

/// The numbers of changes of a service. Not escaped.
pub(super) fn stat(service: &ServiceDiff) -> String {
    let name = &service.service;
    let mut line = match &service.change {
        ServiceChange::Added => return format!("+ service {name}"),
        ServiceChange::Removed => return format!("- service {name}"),
        ServiceChange::Moved(from) => format!("» service {name}, moved from {from}: "),
        ServiceChange::Changed => format!("{name}: "),
    };
    let kinds = [ChangeKind::Added, ChangeKind::Removed, ChangeKind::Changed, ChangeKind::Renamed, ChangeKind::Moved];
    let numbers = kinds.map(|kind| (kind, service.changes.iter().filter(|change| change.kind == kind).count()));
    let numbers = numbers.iter().filter(|(_, number)| *number > 0);
    let mut parts: Vec<String> = numbers.map(|(kind, number)| format!("{number} {}", kind.word())).collect();
    if let Some(orders) = &service.orders {
        for (ends, word) in [(&orders.ends.gone, "gone"), (&orders.ends.new, "new")] {
            if !ends.is_empty() {
                parts.push(format!("{} {word}", count(ends.len(), "end")));
            }
        }
        if !orders.is_complete {
            parts.push("not explored completely".to_owned());
        }
    }
    line += &if parts.is_empty() { "no change".to_owned() } else { parts.join(", ") };
    line
}
