//! Invariants of linting any documents.

use std::collections::HashMap;
use std::fmt;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use wflint::report::Format;

use super::linted::{Finding, lint_texts};
use super::report_check::check_report;

/// No small document may take this long. Far above what any takes, for slow machines.
const MAX_DURATION: Duration = Duration::from_secs(30);

/// Lints some files and checks every output.
pub fn check(files: &[(&str, &[u8])]) -> Result<(), String> {
    let start = Instant::now();
    let linted = lint_texts(files, 1);
    let findings = linted.findings();
    findings.iter().try_for_each(check_finding)?;
    let places = findings.iter().flat_map(Finding::places);
    let texts: HashMap<&str, &str> = places.map(|place| (place.file, place.text)).collect();
    let json = linted.report(Format::Json);
    check_report(&json, &|name| texts.get(name).copied().unwrap_or_default())?;
    if json != lint_texts(files, 4).report(Format::Json) {
        return Err("four threads find something else than one".to_owned());
    }
    for format in Format::value_variants() {
        check_output(format, &linted.report(*format))?;
    }
    check_output(&"terminal", &without_colors(&linted.on_a_terminal()))?;
    if start.elapsed() > MAX_DURATION { Err(format!("it took {:?}", start.elapsed())) } else { Ok(()) }
}

fn check_finding(finding: &Finding<'_>) -> Result<(), String> {
    match finding.places().find(|place| place.text.get(place.bytes.clone()).is_none()) {
        Some(place) => {
            Err(format!("{} has a place outside of its file or inside of a character: {place:?}", finding.code))
        }
        None => Ok(()),
    }
}

/// A report has no control characters.
fn check_output(format: &dyn fmt::Debug, bytes: &[u8]) -> Result<(), String> {
    let text = std::str::from_utf8(bytes).map_err(|error| format!("{format:?} is no UTF-8: {error}"))?;
    match text.chars().find(|&character| character.is_control() && character != '\n') {
        Some(character) => Err(format!("{format:?} has the control character {character:?}")),
        None => Ok(()),
    }
}

/// A text without the escape sequences for color, the only ones that a terminal may get.
fn without_colors(bytes: &[u8]) -> Vec<u8> {
    let mut parts = bytes.split(|&byte| byte == b'\x1b');
    let mut left = parts.next().unwrap_or_default().to_vec();
    for part in parts {
        let numbers = part.iter().skip(1).take_while(|byte| byte.is_ascii_digit() || **byte == b';').count();
        if part.first() == Some(&b'[') && part.get(numbers + 1) == Some(&b'm') {
            left.extend(&part[numbers + 2..]);
        } else {
            left.push(b'\x1b');
            left.extend(part);
        }
    }
    left
}
