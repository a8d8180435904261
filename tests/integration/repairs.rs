//! What repairs promise, tried on every service with a single defect (`tests/defects`): the finding is gone, the documents
//! parse, no finding of its rule is new, and others only where the title says so.

use std::collections::HashMap;
use std::sync::Mutex;

use wflint::lint::Outcome;
use wflint::text::diagnostic::{Diagnostic, Fix, Severity};

use crate::defects::broken_services;
use crate::support::fixing::{Texts, findings, fix, identities, lint, parsed, with_fix};

fn errors(outcome: &Outcome) -> usize {
    outcome.diagnostics.iter().filter(|finding| finding.severity == Severity::Error).count()
}

/// Which promises a repair breaks.
fn broken_promises(texts: &Texts, before: &Outcome, finding: &Diagnostic, repair: &Fix) -> Vec<String> {
    let repaired = with_fix(texts, before, repair);
    let mut broken = Vec::new();
    for (name, text) in &repaired {
        if parsed(&texts[name]).is_some() && parsed(text).is_none() {
            return vec![format!("{name} parses no more: {text}")];
        }
    }
    let after = findings(&repaired);
    if errors(&after) > errors(before) {
        broken.push("there are more errors".to_owned());
    }
    let revealed = repair.title.split_once("; reveals ").map_or("", |(_, codes)| codes);
    let of = |counts: &HashMap<String, usize>, path: &String| counts.get(path).copied().unwrap_or_default();
    let (known, left) = (identities(before), identities(&after));
    let new = left.iter().filter(|(path, number)| of(&known, path) < **number).map(|(path, _)| path);
    for path in new {
        let code = path.split(' ').next().unwrap();
        if code == finding.code || !revealed.contains(code) {
            broken.push(format!("new: {path}"));
        }
    }
    let count = |counts: &HashMap<String, usize>| -> usize {
        counts.iter().filter(|(path, _)| path.starts_with(finding.code)).map(|(_, number)| number).sum()
    };
    if count(&left) >= count(&known) {
        broken.push("the finding is still there".to_owned());
    }
    broken
}

/// Everything that is wrong with the repairs of a service, and whether its defect, which a rule reports, has a fix.
fn check(texts: &Texts, code: &str) -> (Vec<String>, bool) {
    let before = lint(texts);
    let mut wrong = Vec::new();
    for finding in &before.diagnostics {
        for repair in finding.repairs() {
            let broken = broken_promises(texts, &before, finding, repair);
            wrong.extend(broken.iter().map(|broken| format!("{} `{}`: {broken}", finding.code, repair.title)));
        }
    }
    let fixed = fix(texts, true);
    if fix(&fixed.texts, true).fixed > 0 {
        wrong.push("a second run fixes more".to_owned());
    }
    (wrong, before.diagnostics.iter().any(|finding| finding.code == code && finding.fix.is_some()))
}

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn repairs_of_single_defects_keep_their_promises() {
    let services = broken_services();
    let results = Mutex::new((Vec::new(), 0));
    let half = services.len().div_ceil(2);
    std::thread::scope(|scope| {
        for part in services.chunks(half) {
            let results = &results;
            scope.spawn(move || {
                for service in part {
                    let (wrong, has_fix) = check(&service.texts, &service.code);
                    let mut results = results.lock().unwrap();
                    results.0.extend(wrong.iter().map(|wrong| format!("{}\n  {wrong}", service.heading)));
                    results.1 += usize::from(has_fix);
                }
            });
        }
    });
    let (mut wrong, with_fix) = results.into_inner().unwrap();
    wrong.sort();
    assert!(wrong.is_empty(), "{} promises are broken:\n{}", wrong.len(), wrong.join("\n"));
    assert!(with_fix * 5 > services.len() * 2, "{with_fix} of {} defects have a fix", services.len());
}
