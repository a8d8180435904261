//! `--statistics`: how many findings each rule has, and whether fixes are offered for them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::diagnostic::{Applicability, Diagnostic};
use crate::lint::Outcome;
use crate::text::wrap;

/// Indents continuation lines to the column of the fix marks.
const INDENT: &str = "               ";

#[derive(Default)]
struct Counted {
    findings: usize,
    /// Whether any finding has a safe fix, or an unsafe one.
    has_safe: bool,
    has_unsafe: bool,
}

impl Counted {
    fn add(&mut self, diagnostic: &Diagnostic) {
        self.findings += 1;
        match diagnostic.fix.as_ref().map(|fix| fix.applicability) {
            Some(Applicability::Safe) => self.has_safe = true,
            Some(Applicability::Unsafe) => self.has_unsafe = true,
            None => {}
        }
    }

    fn mark(&self) -> &'static str {
        match (self.has_safe, self.has_unsafe) {
            (true, _) => "[*]",
            (false, true) => "[-]",
            (false, false) => "[ ]",
        }
    }
}

/// A line for each rule with findings: their number, the code, a mark of fixes, and the name; the most frequent first.
pub(super) fn statistics(outcome: &Outcome, width: usize) -> String {
    let mut rules: BTreeMap<(&str, &str), Counted> = BTreeMap::new();
    for diagnostic in &outcome.diagnostics {
        rules.entry((diagnostic.code, diagnostic.name)).or_default().add(diagnostic);
    }
    for omitted in &outcome.omitted {
        rules.entry((omitted.code, omitted.name)).or_default().findings += omitted.count;
    }
    let mut rules: Vec<_> = rules.into_iter().collect();
    rules.sort_by_key(|(rule, counted)| (Reverse(counted.findings), *rule));
    let has_fixes = rules.iter().any(|(_, counted)| counted.has_safe || counted.has_unsafe);
    let line = |((code, name), counted): &((&str, &str), Counted)| {
        let mark = if has_fixes { format!("{} ", counted.mark()) } else { String::new() };
        format!("{:>6}  {code}  {mark}{name}", counted.findings)
    };
    let mut text: String = rules.iter().map(|rule| wrap(&line(rule), width, INDENT) + "\n").collect();
    let with = |mark: &str| rules.iter().any(|(_, counted)| counted.mark() == mark);
    let legend = [("[*]", "`--fix`"), ("[-]", "`--fix --unsafe-fixes`")].into_iter().filter(|(mark, _)| with(mark));
    let legend: Vec<String> = legend.map(|(mark, option)| format!("{mark} fixable with {option}")).collect();
    if !legend.is_empty() {
        text += &wrap(&legend.join(", "), width, "");
        text.push('\n');
    }
    text
}
