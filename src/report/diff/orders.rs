//! What a change means for orders, as lines of a list.

use super::lines::{Line, Piece, Sign, words};
use crate::diff::{OrderEnd, Orders, Sides};
use crate::explore::Ending;
use crate::report::exploration::end_causes;
use crate::text::{count, quote};

pub(super) const TITLE: &str = "what orders can do";

pub(super) fn lines(orders: &Orders) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let ends = &orders.ends;
    for (sign, side) in [(Sign::Removed, &ends.gone), (Sign::Added, &ends.new)] {
        // Ends that would read the same differ in their status.
        let reads_alike = |end: &OrderEnd| {
            let all = ends.gone.iter().chain(&ends.new);
            all.filter(|other| (other.ending, &other.activity) == (end.ending, &end.activity)).count() > 1
        };
        lines.extend(side.iter().map(|end| line(sign, end_pieces(end, reads_alike(end)))));
    }
    lines.extend(of_sides(&orders.approvals, |approval| {
        let (name, decision) = approval.rsplit_once(": ").unwrap_or((approval, ""));
        vec![words("approval "), Piece::Name(name), words(format!(" {decision}"))]
    }));
    lines.extend(of_sides(&orders.calls, |method| vec![words("calls "), Piece::Name(method)]));
    lines.extend(of_sides(&orders.mails, |kind| vec![words("sends "), Piece::Name(kind), words(" mails")]));
    if orders.same > 0 {
        let more = if ends.is_empty() { "" } else { " more" };
        let ends = count(orders.same, "end").replacen(' ', &format!("{more} "), 1);
        lines.push(line(Sign::Same, vec![words(format!("{ends} as before"))]));
    }
    lines.extend(
        orders
            .reasons
            .iter()
            .map(|reason| line(Sign::Unknown, vec![words("not explored completely: "), Piece::Value(reason.clone())])),
    );
    lines
}

const fn line(sign: Sign, pieces: Vec<Piece<'_>>) -> Line<'_> {
    Line { sign, pieces, script: None }
}

fn of_sides<'r>(sides: &'r Sides<String>, pieces: impl Fn(&'r str) -> Vec<Piece<'r>>) -> Vec<Line<'r>> {
    let lines = |sign, side: &'r [String]| side.iter().map(move |text| (sign, text.as_str()));
    let all = lines(Sign::Removed, &sides.gone).chain(lines(Sign::Added, &sides.new));
    all.map(|(sign, text)| line(sign, pieces(text))).collect()
}

/// An end in words: `terminated, "Document was rejected", when the signer rejects`.
fn end_pieces(end: &OrderEnd, shows_status: bool) -> Vec<Piece<'_>> {
    let verb = match end.ending {
        Ending::Completed => "completed",
        Ending::Terminated => "terminated",
        Ending::Failed => "failed",
        Ending::Endless => "never ends",
        Ending::Waits => "waits forever",
    };
    let mut pieces = vec![words(verb)];
    // A Terminate only ends the order; its meaning is in the status.
    let has_place = !matches!(end.ending, Ending::Completed | Ending::Terminated) || shows_status;
    if let Some(activity) = end.activity.as_deref().filter(|_| has_place) {
        pieces.extend([words(" at "), Piece::Name(activity)]);
    }
    if let Some(status) = end.status.as_deref().filter(|_| !end.ending.is_cycle() || shows_status) {
        pieces.extend([words(", "), Piece::Value(format!("\"{status}\""))]);
    }
    let cause = end_causes(&end.service).into_iter().nth(end.number).flatten();
    // The place of the failure is shown already.
    let failure = end.activity.as_deref().map(|activity| format!("{} fails", quote(activity)));
    if let Some(cause) = cause.filter(|cause| end.ending != Ending::Failed || Some(cause) != failure.as_ref()) {
        pieces.extend([words(", when "), Piece::Cause(cause)]);
    }
    pieces
}
