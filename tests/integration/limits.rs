//! The limits that docs/limits.md promises: the numbers are those of the code, and each has a test at the limit and just
//! beyond it. Those of documents, scenarios, scripts and runs are tested where these are.

mod analysis;
mod dense;
mod exploring;
mod files;
mod redaction;
mod scripts;
mod simulation;
mod suggestions;
mod taint;

use std::collections::BTreeMap;
use std::path::Path;

/// What a row is about, and where its number is in the code: the file, the text before it, and its unit there.
const NUMBERS: &[(&str, &str, &str, u64)] = &[
    ("Document", "config/file.rs", "max_file_mib: ", 1),
    ("Standard input with `--skip-unrelated`", "cli/request.rs", "const MAX_INPUT_BYTES: u64 = ", MIB),
    (
        "Part of a larger file that a walk searches for the keys of a document",
        "project/load.rs",
        "const MAX_SEARCHED_BYTES: u64 = ",
        MIB,
    ),
    ("Nesting of a document", "config/file.rs", "max_depth: ", 1),
    ("Values of any document", "limits.rs", "const MIN_VALUES: usize = ", 1),
    ("and one more value for", "limits.rs", "MIN_VALUES + document_bytes / ", 1),
    ("Keys on the path to a value, together", "limits.rs", "pub const MAX_PATH_BYTES: usize = ", 1),
    ("Objects of any document", "limits.rs", "const MIN_OBJECTS: usize = ", 1),
    ("and one more object for", "limits.rs", "MIN_OBJECTS + document_bytes / ", 1),
    (
        "Services that wait until their scripts have run, in bytes of documents and scripts",
        "lint/ahead.rs",
        "const MAX_BYTES: usize = ",
        MIB,
    ),
    ("Documents that `--watch` keeps until the next lint", "lint/last.rs", "const MAX_BYTES: usize = ", MIB),
    ("Threads for each processor", "lint/pool.rs", "const MAX_THREADS: usize = ", 1),
    ("Configuration, catalog, baseline, directory file of a scenario", "read.rs", "const MAX_BYTES: u64 = ", MIB),
    (
        "Catalog, and a configuration without its `[[suppress]]` and `[[service]]` tables",
        "toml_file.rs",
        "const MAX_PARSED: usize = ",
        MIB,
    ),
    ("Files that a configuration extends, one after the other", "config/layers.rs", "const MAX_EXTENDED: usize = ", 1),
    ("Answer of a git command of `--since`", "git/command.rs", "const MAX_ANSWER: u64 = ", MIB),
    ("Time of a git command of `--since`", "git/command.rs", "const MAX_SECONDS: u64 = ", 1),
    ("Ignore file, such as `.gitignore`", "project/ignore_files.rs", "const MAX_BYTES: u64 = ", MIB),
    ("Scenario", "simulate/scenario/syntax/budget.rs", "const MAX_BYTES: usize = ", MIB),
    ("Nesting of a scenario", "simulate/scenario/syntax/budget.rs", "const MAX_LEVELS: usize = ", 1),
    (
        "Values of a scenario, with all aliases expanded",
        "simulate/scenario/syntax/budget.rs",
        "const MAX_VALUES: usize = ",
        1,
    ),
    ("Siblings that are compared for likeness, on each side", "diff/likeness.rs", "const MAX_COMPARED: usize = ", 1),
    ("Report of `wflint diff` in Markdown, in bytes", "report/diff/markdown.rs", "const MAX_BYTES: usize = ", 1),
    (
        "Lines of a file that `wflint fmt --diff` compares, before and after together",
        "fix/replacement.rs",
        "const MAX_LINES: usize = ",
        1,
    ),
    ("PowerShell module of `wflint catalog import`", "cli/catalog/import.rs", "const MAX_BYTES: u64 = ", MIB),
    ("Script whose own lines are shown with a finding", "report/human/script.rs", "const MAX_BYTES: usize = ", 1),
    ("Nesting of a module", "powershell/syntax/cursor.rs", "const MAX_DEPTH: u32 = ", 1),
    (
        "Statements and expressions of a module, or of a manifest",
        "powershell/syntax/cursor.rs",
        "const MIN_PARTS: usize = ",
        1,
    ),
    ("and one more statement or expression for", "powershell/syntax/cursor.rs", "const BYTES_PER_PART: usize = ", 1),
    (
        "Characters compared with patterns of exported functions",
        "powershell/exports.rs",
        "const MAX_STEPS: usize = ",
        1,
    ),
    ("Notes about a module", "powershell/note.rs", "const MAX_NOTES: usize = ", 1),
    ("Syntax errors of a module", "powershell/syntax/script.rs", "const MAX_ERRORS: usize = ", 1),
    (
        "Keys and variables of one function that are followed",
        "powershell/outputs/analysis.rs",
        "const BUDGET: usize = ",
        1,
    ),
    (
        "Values of the signing cases in all parameters of any service",
        "facts/case_texts.rs",
        "const MIN_CASE_VALUES: usize = ",
        1,
    ),
    (
        "and one more value of them for so much of the documents",
        "facts/case_texts.rs",
        "const BYTES_PER_CASE_VALUE: usize = ",
        1,
    ),
    ("Listed findings of one rule in one file", "diagnostic.rs", "const MAX_LISTED: usize = ", 1),
    ("States that are kept apart at one activity", "limits.rs", "const MAX_STATES: usize = ", 1),
    ("Facts in the states of one workflow, while its paths are followed", "limits.rs", "const MAX_FACTS: usize = ", 1),
    (
        "Facts in the states of one workflow, while paths are followed again to explain what was found",
        "limits.rs",
        "const MAX_SEARCH_STEPS: usize = ",
        1,
    ),
    ("Those that are held at one time: of any document", "limits.rs", "    ", 1),
    ("and one more for so much of the document", "limits.rs", "    40_000 + document_bytes / ", 1),
    (
        "Facts in the states in which one rule of one service follows values",
        "limits.rs",
        "const MAX_SEARCH_STEPS: usize = ",
        1,
    ),
    ("Case statuses that one loop waits for", "facts/loops.rs", "const MAX_AWAITED: usize = ", 1),
    (
        "Decisions of a path that are searched for the reason why a variable may be unset",
        "rules/output/maybe_unassigned.rs",
        "const MAX_DECISIONS: usize = ",
        1,
    ),
    (
        "Constants in one script from which sample values are taken",
        "script/syntax/clues.rs",
        "const MAX_COMPARISONS: usize = ",
        1,
    ),
    ("Name of a variable that is recognized by its id alone", "graph/scope.rs", "const MAX_MEANT: usize = ", 1),
    (
        "Requested outputs of the calls of any workflow, in bytes of their names with prefixes, and 100 for each",
        "graph/outputs.rs",
        "const MIN_REQUESTED: usize = ",
        1,
    ),
    ("and one more byte for", "graph/outputs.rs", "const BYTES_PER_REQUESTED: usize = ", 1),
    ("Regular expression of a field", "script/pattern.rs", "const MAX_PATTERN_BYTES: usize = ", 1),
    ("LDAP filter", "ldap/filter.rs", "const MAX_BYTES: usize = ", MIB),
    ("Nesting of an LDAP filter", "ldap/filter.rs", "const MAX_DEPTH: usize = ", 1),
    ("Tokens of a script of more than 64 KiB", "script/syntax/parse.rs", "const MAX_TOKENS: usize = ", 1),
    ("and those that may be open at one place", "script/syntax/parse.rs", "const MAX_FREE_BYTES: usize = ", 2),
    ("Scripts of a service that differ", "script/syntax/scripts.rs", "const MAX_SCRIPTS: usize = ", 1),
    ("Assignments to `Json` in one script", "script/syntax/json.rs", "const MAX_ASSIGNMENTS: usize = ", 1),
    (
        "Findings of one rule in the runs of all scripts of one service",
        "rules/reporter.rs",
        "const MAX_SHOWN_BY_RUNS: usize = ",
        1,
    ),
    (
        "Secrets that are also redacted outside of their values",
        "redaction/finder.rs",
        "const MAX_TOTAL_LEN: usize = ",
        MIB,
    ),
    ("One of them", "redaction/finder.rs", "const MAX_VALUE_LEN: usize = ", 1),
    ("Comparisons for suggestions in one service", "suggest.rs", "const BUDGET: u64 = ", 1),
    ("and of keys in one document", "suggest.rs", "const BUDGET: u64 = ", 1),
    ("Documents that are linted again to try fixes", "fix/offer.rs", "const MAX_TRIED_BYTES: usize = ", MIB),
    ("Script that is read and run", "script/sandbox/limits.rs", "const MAX_SCRIPT_BYTES: usize = ", MIB),
    ("Variables of a script", "script/sandbox/limits.rs", "const MAX_VARIABLE_BYTES: usize = ", MIB),
    ("Memory of a script", "script/sandbox/limits.rs", "const MAX_MEMORY: usize = ", MIB),
    ("Stack of a script", "script/sandbox/limits.rs", "const MAX_STACK: usize = ", MIB),
    ("String in `Json`", "script/sandbox/limits.rs", "const MAX_JSON_UNITS: u32 = ", 1),
    (
        "Steps of a script for each second of its limit, in units of 10,000",
        "script/sandbox/limits.rs",
        "const POLLS_PER_SECOND: f64 = ",
        1,
    ),
    ("Name of an activity in a finding", "diagnostic.rs", "const MAX_ACTIVITY: usize = ", 1),
    (
        "Long pointers and fixes in the findings of one rule in one service, without the first 256 bytes of each",
        "rules/reporter.rs",
        "const MIN_LONG_BYTES: usize = ",
        1024,
    ),
    ("or, of large documents, one byte for", "rules/reporter.rs", "const BYTES_PER_LONG_BYTE: usize = ", 1),
    ("Results of a SARIF report", "report/sarif/mod.rs", "const MAX_RESULTS: usize = ", 1),
    ("Places, and steps of a flow, of a result in SARIF", "report/sarif/result.rs", "const MAX_PLACES: usize = ", 1),
    ("Related places that a message in SARIF links to", "report/sarif/message.rs", "const MAX_LINKS: usize = ", 1),
    ("Listed findings of one rule in any service", "rules/reporter.rs", "const MIN_LISTED: usize = ", 1),
    (
        "or, if that is more, one for so much of its documents",
        "rules/reporter.rs",
        "const BYTES_PER_LISTED: usize = ",
        1,
    ),
    (
        "Parameters of a script that is run during linting",
        "script/evaluation/request.rs",
        "const MAX_PARAMETERS: usize = ",
        1,
    ),
    (
        "Values in all sets that a script is run on during linting",
        "script/evaluation/request.rs",
        "const MAX_BYTES_OF_SETS: usize = ",
        MIB,
    ),
    (
        "Related places and steps of flows in the findings of one rule, in any service",
        "rules/reporter.rs",
        "const MIN_LABELS: usize = ",
        1,
    ),
    ("or, if that is more, one place for", "rules/reporter.rs", "const BYTES_PER_LABEL: usize = ", 1),
    ("Steps of a flow", "rules/reporter.rs", "const MAX_STEPS_OF_FLOW: usize = ", 1),
    ("Suggestion in rdjson", "report/rdjson.rs", "const MAX_SUGGESTION: usize = ", 1),
    ("Rows of a table in Markdown", "report/markup.rs", "const MAX_ROWS: usize = ", 1),
    ("Size of a table in Markdown", "report/markup.rs", "const MAX_BYTES: usize = ", 1024),
    ("Address space of the process of scripts", "script/sandbox/limits.rs", "const MAX_ADDRESS_SPACE: u64 = ", MIB),
    ("Steps of a run", "simulate/scenario/model/scenario.rs", "steps: ", 1),
    ("Strings that a run builds", "simulate/run.rs", "const MAX_TEXT: usize = ", MIB),
    (
        "LDAP filters of lookups, times the entries that they are compared with",
        "simulate/run.rs",
        "const MAX_FILTERED: u64 = ",
        MIB,
    ),
    (
        "Members and managers that lookups go through, and once more for each property",
        "simulate/run.rs",
        "const MAX_LOOKED_UP: usize = ",
        1,
    ),
    ("Events of a run, without those of repeated rounds", "simulate/run.rs", "const MAX_EVENTS: usize = ", 1),
    (
        "Steps of the patterns of all fields of a service on made-up values, in units of 10,000",
        "made_up/patterns.rs",
        "const MAX_POLLS: u32 = ",
        1,
    ),
    ("States of a service", "config/explore.rs", "const MAX_STATES: usize = ", 1),
    ("Strings that the runs of a search build", "explore/search/explorer.rs", "const MAX_TEXT: usize = ", MIB),
    ("People who can act at once in a search", "explore/search/explorer.rs", "const MAX_PEOPLE: usize = ", 1),
    ("Ends of a service", "explore/search/found.rs", "const MAX_ENDS: usize = ", 1),
    (
        "Listed faults of any workflow that break the law `no-fault`",
        "explore/breaks.rs",
        "const MAX_FAULTS: usize = ",
        1,
    ),
    ("Activities of a drawing", "draw/build.rs", "const MAX_ACTIVITIES: usize = ", 1),
];

const MIB: u64 = 1 << 20;

/// The number of each row of the page.
fn rows() -> BTreeMap<&'static str, u64> {
    let page = include_str!("../../docs/limits.md");
    let rows = page.lines().filter(|line| line.starts_with("| ")).filter_map(|line| {
        let mut cells = line.split('|').skip(1).map(str::trim);
        let (what, limit) = (cells.next()?, cells.next()?);
        Some((what, limit.split_once(' ')?.0.parse().ok()?))
    });
    rows.collect()
}

/// The number that follows a text in a source file: digits, a product, or a shift.
fn number(file: &str, before: &str) -> u64 {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(file)).unwrap();
    let mut after = text.lines().filter_map(|line| line.split_once(before).map(|(_, after)| after));
    let after = after.find(|after| after.starts_with(|letter: char| letter.is_ascii_digit()));
    let written = after.unwrap_or_else(|| panic!("{file} has no `{before}`")).replace('_', "");
    let digits = |text: &str| {
        let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
        text[..end].parse::<u64>().unwrap()
    };
    if let Some((factor, shift)) = written.split_once(" << ") {
        return digits(factor) << digits(shift);
    }
    written.split(" * ").map(digits).product()
}

#[test]
fn numbers_of_the_page_are_those_of_the_code() {
    let mut rows = rows();
    for &(what, file, before, unit) in NUMBERS {
        let promised = rows.remove(what).unwrap_or_else(|| panic!("no row {what:?}"));
        assert_eq!(promised * unit, number(file, before), "{what}");
    }
    // 3650 * 24 hours.
    assert_eq!(rows.remove("Virtual time of a run"), Some(3650));
    assert_eq!(rows.into_keys().collect::<Vec<_>>(), [""; 0], "rows without a test");
}
