//! A run of a scenario that is not written yet, and what it shows.

use std::io;
use std::path::Path;
use std::sync::Arc;

use rayon::ThreadPool;

use crate::collections::HashMap;
use crate::config::Config;
use crate::model::ActivityId;
use crate::simulate::scenario::OutcomeKind;
use crate::simulate::{Call, Event, FinishedScenario, Request, ScenarioSink, Session, SessionSummary, load_unsaved};
use crate::suggest::Suggester;

/// What a run needs beside the scenario.
pub struct Trial<'t> {
    /// Where the scenario is going to be.
    pub path: &'t Path,
    pub request: &'t Request,
    pub pool: &'t ThreadPool,
    pub program: &'t Path,
}

/// What a run showed.
#[derive(Debug, Default)]
pub struct Seen {
    /// `None` when the scenario has errors, which `problems` lists.
    pub outcome: Option<OutcomeKind>,
    pub problems: Vec<Problem>,
    /// Each Approval with the people who were asked.
    pub asked: Vec<(ActivityId, Vec<String>)>,
    /// Those who were asked to sign.
    pub signers: Vec<String>,
    /// In the order of the run.
    pub calls: Vec<Call>,
    /// The variables at the end.
    pub values: HashMap<String, String>,
    pub failure: Option<String>,
    pub passed: bool,
}

/// An error in the scenario.
#[derive(Debug)]
pub struct Problem {
    /// In the scenario.
    pub pointer: String,
    pub message: String,
}

impl Trial<'_> {
    /// Runs a scenario.
    ///
    /// # Errors
    /// A configuration that cannot be used.
    pub fn run(&self, yaml: &str) -> Result<Seen, String> {
        let loaded = load_unsaved(self.path, yaml, self.request).map_err(|error| error.0)?;
        let (suggester, fallback) = (Suggester::default(), Config::default());
        let session = Session::new(&loaded, &suggester, &fallback);
        let problems = loaded.problems.iter().chain(session.problems());
        let mut seen = Seen {
            problems: problems
                .map(|it| Problem { pointer: it.location.pointer.clone(), message: it.message.clone() })
                .collect(),
            ..Seen::default()
        };
        session.run(self.pool, self.program, &mut Observer(&mut seen)).map_err(|error| error.to_string())?;
        Ok(seen)
    }
}

struct Observer<'s>(&'s mut Seen);

impl ScenarioSink for Observer<'_> {
    fn scenario(&mut self, finished: &FinishedScenario<'_>) -> io::Result<()> {
        let (plan, ended, seen) = (finished.plan, &finished.ended, &mut *self.0);
        seen.outcome = Some(ended.outcome());
        seen.passed = finished.passed();
        for entry in &ended.record.entries {
            if let (Event::Asked(people), Some(activity)) = (&entry.event, entry.activity) {
                seen.asked.push((activity, people.split(", ").map(str::to_owned).collect()));
            }
        }
        seen.signers = ended.record.asked_to_sign.iter().map(|mail| mail.to_string()).collect();
        seen.calls.clone_from(&ended.record.calls);
        let value = |(slot, value): (_, &Arc<str>)| (plan.names.name(slot).to_owned(), value.to_string());
        seen.values = ended.values.iter().map(value).collect();
        seen.failure = ended.failure().map(|failure| finished.masker.apply(&failure.message).into_owned());
        Ok(())
    }

    fn end(&mut self, _: &SessionSummary<'_>) -> io::Result<()> {
        Ok(())
    }
}
