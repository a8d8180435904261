//! Invariants of every JSON report: it conforms to its schema, is sorted, and its ranges are
//! consistent, recomputed here independently of the linter.

use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::Value;

/// The schema of JSON reports.
pub static REPORT_SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
    let schema = serde_json::from_str(include_str!("../../../schemas/report.schema.json")).unwrap();
    jsonschema::options().should_validate_formats(true).build(&schema).unwrap()
});

/// Why a report breaks its contract; `text` returns the text of a file by its name in the report.
pub fn check_report<'t>(bytes: &[u8], text: &dyn Fn(&str) -> &'t str) -> Result<(), String> {
    let report: Value = serde_json::from_slice(bytes).map_err(|error| format!("no JSON: {error}"))?;
    if let Some(error) = REPORT_SCHEMA.iter_errors(&report).next() {
        return Err(format!("not valid by its schema: {error} at {}", error.instance_path()));
    }
    let findings = report["diagnostics"].as_array().ok_or("no list of diagnostics")?;
    let order: Vec<_> = findings.iter().map(sort_key).collect();
    if let Some(pair) = order.windows(2).find(|pair| pair[0] > pair[1]) {
        return Err(format!("not sorted by file, offset, code: {pair:?}"));
    }
    findings.iter().try_for_each(|finding| check_finding(finding, text))?;
    check_summary(&report["summary"], findings)
}

/// What findings are sorted by, most significant first.
#[derive(Debug, PartialEq, PartialOrd)]
struct SortKey<'f> {
    file: &'f str,
    offset: u64,
    code: &'f str,
}

fn sort_key(finding: &Value) -> SortKey<'_> {
    let word = |member: &str| finding[member].as_str().unwrap_or_default();
    let offset = finding["range"]["start"]["offset"].as_u64().unwrap_or_default();
    SortKey { file: word("file"), offset, code: word("code") }
}

fn check_finding<'t>(finding: &Value, text: &dyn Fn(&str) -> &'t str) -> Result<(), String> {
    let none = Vec::new();
    let own = text(finding["file"].as_str().unwrap_or_default());
    check_range(&finding["range"], own).map_err(|reason| format!("{reason} in {finding:#}"))?;
    for related in finding["related"].as_array().unwrap_or(&none) {
        let text = text(related["file"].as_str().unwrap_or_default());
        check_range(&related["range"], text).map_err(|reason| format!("{reason} in {related:#}"))?;
    }
    let edits = finding["fix"]["edits"].as_array().unwrap_or(&none);
    for edit in edits {
        let text = edit["file"].as_str().map_or(own, text);
        check_range(&edit["range"], text).map_err(|reason| format!("{reason} in {edit:#}"))?;
    }
    let overlap = edits.windows(2).any(|pair| {
        let offset = |edit: &Value, end: &str| edit["range"][end]["offset"].as_u64();
        pair[0]["file"] == pair[1]["file"] && offset(&pair[0], "end") > offset(&pair[1], "start")
    });
    if overlap { Err(format!("edits overlap in {finding:#}")) } else { Ok(()) }
}

/// Line and column match the offset, and the end is not before the start.
fn check_range(range: &Value, text: &str) -> Result<(), String> {
    let number = |end: &str, member: &str| range[end][member].as_u64().and_then(|n| usize::try_from(n).ok());
    let mut offsets = Vec::new();
    for end in ["start", "end"] {
        let offset = number(end, "offset").ok_or("no offset")?;
        let before = text.get(..offset).ok_or_else(|| format!("offset {offset} is in no character of the file"))?;
        let given = (number(end, "line"), number(end, "column"));
        let (line, column) = line_and_column(before, text.get(offset..).unwrap_or_default());
        if given != (Some(line), Some(column)) {
            return Err(format!("{end} is {line}:{column}, the report says {given:?}"));
        }
        offsets.push(offset);
    }
    if offsets[0] > offsets[1] { Err("the end comes before the start".to_owned()) } else { Ok(()) }
}

/// Counts lines and columns from the start of the text.
pub fn line_and_column(before: &str, after: &str) -> (usize, usize) {
    let (mut line, mut column) = (1, 1);
    let mut characters = before.chars().chain(after.chars().take(1)).peekable();
    let mut left = before.chars().count();
    let mut is_first = true;
    while left > 0 {
        let character = characters.next();
        left -= 1;
        let ends_line = character == Some('\n') || character == Some('\r') && characters.peek() != Some(&'\n');
        if ends_line {
            (line, column) = (line + 1, 1);
        } else if !(is_first && character == Some('\u{feff}')) {
            column += 1;
        }
        is_first = false;
    }
    (line, column)
}

fn check_summary(summary: &Value, findings: &[Value]) -> Result<(), String> {
    let counted = |severity: &str| findings.iter().filter(|finding| finding["severity"] == severity).count() as u64;
    for (member, severity) in [("errors", "error"), ("warnings", "warning"), ("infos", "info")] {
        if summary[member].as_u64() != Some(counted(severity)) {
            return Err(format!("the summary counts other {member} than there are: {summary}"));
        }
    }
    let fixable = findings.iter().filter(|finding| finding["fix"]["applicability"] == "safe").count() as u64;
    if summary["fixable"].as_u64() != Some(fixable) {
        return Err(format!("the summary counts other safe fixes than there are: {summary}"));
    }
    Ok(())
}
