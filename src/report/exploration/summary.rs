//! The last line: how many services and ends, and how the laws fare.

use super::verdict::{Verdict, verdict};
use crate::explore::Explored;
use crate::text::count;

/// The summary in one line, without its end.
pub fn summary_line(explored: &Explored) -> String {
    let ends: usize = explored.services.iter().map(|service| service.ends.len()).sum();
    let mut parts = vec![count(ends, "end")];
    let verdicts: Vec<Verdict> = explored.laws.iter().map(verdict).collect();
    let number = |wanted: &[Verdict]| verdicts.iter().filter(|verdict| wanted.contains(verdict)).count();
    let broken = number(&[Verdict::Broken]);
    let holding = number(&[Verdict::Holds, Verdict::Accepted]);
    if broken > 0 {
        parts.push(format!("{} broken", count(broken, "law")));
    }
    if holding > 0 {
        parts.push(format!("{} {}", count(holding, "law"), if holding == 1 { "holds" } else { "hold" }));
    }
    let unknown = number(&[Verdict::Unknown]);
    if unknown > 0 {
        parts.push(format!("{} not decided", count(unknown, "law")));
    }
    let accepted = explored.laws.iter().flat_map(|law| &law.broken).filter(|broken| broken.accepted.is_some()).count();
    if accepted > 0 {
        parts.push(format!("{} accepted", count(accepted, "violation")));
    }
    let cut_off = explored.services.iter().filter(|service| !service.is_complete()).count();
    if cut_off > 0 {
        parts.push(format!("{} not explored completely", count(cut_off, "service")));
    }
    if !explored.unexplored.is_empty() {
        parts.push(format!("{} not explored", count(explored.unexplored.len(), "service")));
    }
    format!("Explored {}: {}.", count(explored.services.len(), "service"), parts.join(", "))
}
