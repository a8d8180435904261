//! `--format json`: one object, written scenario by scenario, since all traces together may be larger
//! than memory.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::Formatter;

use super::mutants;
use super::run_json::RunJson;
use super::run_text::{MAX_VALUE_LEN, RunText};
use super::sink::SimulationSink;
use crate::model::Activity;
use crate::mutants::Mutants;
use crate::report::escape::Printable;
use crate::report::findings::Report;
use crate::report::tool::TOOL;
use crate::simulate::{Coverage, FinishedScenario, ScenarioSink, SessionSummary};

pub(super) struct JsonSink<'w> {
    report: Report<'w>,
    out: &'w mut dyn Write,
    is_first: bool,
    /// What is written about changes of the workflows.
    mutants: Option<Vec<u8>>,
}

impl<'w> JsonSink<'w> {
    pub fn new(report: Report<'w>, out: &'w mut dyn Write) -> Self {
        Self { report, out, is_first: true, mutants: None }
    }
}

#[derive(Serialize)]
struct JsonCoverage<'r> {
    file: &'r str,
    activities: usize,
    reached: usize,
    unreached: Vec<String>,
    branches: usize,
    #[serde(rename = "branchesReached")]
    branches_reached: usize,
    #[serde(rename = "unreachedBranches")]
    unreached_branches: Vec<JsonBranch>,
}

#[derive(Serialize)]
struct JsonBranch {
    pointer: String,
    branch: &'static str,
}

impl<'r> JsonCoverage<'r> {
    fn new(report: &'r Report<'_>, coverage: &Coverage<'_>) -> Self {
        let (activities, branches) = (coverage.activity_count(), coverage.branch_count());
        let pointer = |activity: &Activity<'_>| coverage.pointer(activity);
        let unreached_branches = coverage.unreached_branches();
        Self {
            file: report.file_name(coverage.file),
            activities: activities.all,
            reached: activities.covered,
            unreached: coverage.unreached().map(pointer).collect(),
            branches: branches.all,
            branches_reached: branches.covered,
            unreached_branches: unreached_branches
                .map(|(activity, branch)| JsonBranch { pointer: pointer(activity), branch: branch.word() })
                .collect(),
        }
    }
}

impl ScenarioSink for JsonSink<'_> {
    fn begin(&mut self) -> io::Result<()> {
        write!(self.out, "{{\n  \"schemaVersion\": 1,\n  \"tool\": ")?;
        write_indented(self.out, 1, &TOOL)?;
        write!(self.out, ",\n  \"scenarios\": [")
    }

    fn scenario(&mut self, finished: &FinishedScenario<'_>) -> io::Result<()> {
        let separator = if self.is_first { "" } else { "," };
        self.is_first = false;
        write!(self.out, "{separator}\n    ")?;
        let text = RunText::new(finished, MAX_VALUE_LEN);
        write_indented(self.out, 2, &RunJson { report: &self.report, text: &text })
    }

    fn end(&mut self, summary: &SessionSummary<'_>) -> io::Result<()> {
        let coverage = summary.coverage.iter().map(|coverage| JsonCoverage::new(&self.report, coverage));
        let coverage: Vec<JsonCoverage<'_>> = coverage.collect();
        let totals: BTreeMap<&str, usize> =
            [("scenarios", summary.scenarios), ("passed", summary.passed), ("failed", summary.failed)].into();
        write!(self.out, "{}],\n  \"coverage\": ", if self.is_first { "" } else { "\n  " })?;
        write_indented(self.out, 1, &coverage)?;
        if let Some(mutants) = self.mutants.take() {
            write!(self.out, ",\n  \"mutants\": ")?;
            self.out.write_all(&mutants)?;
        }
        write!(self.out, ",\n  \"summary\": ")?;
        write_indented(self.out, 1, &totals)?;
        writeln!(self.out, "\n}}")
    }
}

impl SimulationSink for JsonSink<'_> {
    fn mutants(&mut self, mutants: Option<&Mutants>) -> io::Result<()> {
        let mut written = Vec::new();
        write_indented(&mut written, 1, &mutants.map(|mutants| mutants::json(&self.report, mutants)))?;
        self.mutants = Some(written);
        Ok(())
    }
}

/// Writes a value as JSON, indented for a depth of `levels`.
fn write_indented(out: &mut dyn Write, levels: usize, value: &impl Serialize) -> io::Result<()> {
    // The formatter counts the levels by the objects that it has begun.
    let mut formatter = Printable::default();
    for _ in 0..levels {
        formatter.begin_object(&mut io::sink())?;
    }
    value.serialize(&mut serde_json::Serializer::with_formatter(out, formatter))?;
    Ok(())
}
