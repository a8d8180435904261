//! What a sink is given, whatever the number of threads.

use std::io;
use std::path::{Path, PathBuf};

use wflint::config::Config;
use wflint::files::boundary::Boundary;
use wflint::files::read::Unsaved;
use wflint::lint::pool;
use wflint::project::ConfigSource;
use wflint::simulate::{FinishedScenario, Request, RunEventKind, ScenarioSink, Session, SessionSummary, load};
use wflint::text::diagnostic::FileId;
use wflint::text::suggest::Suggester;

#[derive(Default)]
struct Recorder {
    files: Vec<FileId>,
    /// Refuses the scenario after so many.
    capacity: usize,
    begins: usize,
    ends: usize,
}

impl ScenarioSink for Recorder {
    fn begin(&mut self) -> io::Result<()> {
        self.begins += 1;
        Ok(())
    }

    fn scenario(&mut self, finished: &FinishedScenario<'_>) -> io::Result<()> {
        if self.files.len() == self.capacity {
            return Err(io::Error::other("full"));
        }
        self.files.push(finished.plan.scenario_file);
        Ok(())
    }

    fn end(&mut self, summary: &SessionSummary<'_>) -> io::Result<()> {
        assert_eq!((summary.scenarios, summary.passed, summary.failed), (self.files.len(), self.files.len(), 0));
        self.ends += 1;
        Ok(())
    }
}

/// Runs the scenarios of an example that has no scripts; how many there are.
fn run(recorder: &mut dyn ScenarioSink, threads: usize) -> io::Result<usize> {
    let current = Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf();
    let paths = vec![current.join("examples/sign-upload")];
    let (config, boundary, unsaved) = (ConfigSource::Isolated, Boundary::default(), Unsaved::default());
    let loaded = load(&Request { current, paths, config, boundary, unsaved }).unwrap();
    let (suggester, fallback) = (Suggester::default(), Config::default());
    let session = Session::new(&loaded, &suggester, &fallback);
    session.run(&pool(Some(threads)).unwrap(), &PathBuf::from("none"), recorder)?;
    Ok(session.scenarios().len())
}

#[test]
fn a_sink_receives_every_scenario_in_the_order_of_the_files() {
    for threads in [1, 2, 8] {
        let mut recorder = Recorder { capacity: usize::MAX, ..Recorder::default() };
        let scenarios = run(&mut recorder, threads).unwrap();
        assert!(scenarios > 4 && recorder.files.len() == scenarios, "{:?}", recorder.files);
        assert!(recorder.files.is_sorted(), "{:?}", recorder.files);
        assert_eq!((recorder.begins, recorder.ends), (1, 1));
    }
}

#[test]
fn an_error_of_the_sink_ends_the_session() {
    let mut recorder = Recorder { capacity: 2, ..Recorder::default() };
    assert_eq!(run(&mut recorder, 2).unwrap_err().to_string(), "full");
    assert_eq!((recorder.files.len(), recorder.begins, recorder.ends), (2, 1, 0));
}

/// Checks the events of each scenario.
#[derive(Default)]
struct Player {
    played: usize,
    repeated: usize,
}

impl ScenarioSink for Player {
    fn scenario(&mut self, finished: &FinishedScenario<'_>) -> io::Result<()> {
        let (events, ended) = (finished.events(), &finished.ended);
        assert!(events.is_sorted_by_key(|event| event.at), "{events:?}");
        let number = |kind| events.iter().filter(|event| event.kind == kind).count();
        assert_eq!(number(RunEventKind::Ended), 1);
        let last = events.last().unwrap();
        assert_eq!((last.kind, last.value.as_deref()), (RunEventKind::Ended, Some(ended.outcome().word())));
        assert_eq!(number(RunEventKind::Repeated), ended.record.repeats.len());
        // Rounds that repeat publish nothing in this example.
        assert_eq!(number(RunEventKind::Published), ended.record.statuses.len());
        let all = format!("{events:?}");
        // One that the form refuses fills nothing.
        let is_refused = events.len() == 1;
        assert!(all.contains("19900101*****") || is_refused, "{all}");
        assert!(!all.contains("19900101-") && !finished.masker.finds(&all), "{all}");
        self.played += 1;
        self.repeated += number(RunEventKind::Repeated);
        Ok(())
    }

    fn end(&mut self, _: &SessionSummary<'_>) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_finished_scenario_is_played_by_its_events() {
    let mut player = Player::default();
    let scenarios = run(&mut player, 2).unwrap();
    assert_eq!(player.played, scenarios);
    assert!(player.repeated > 0);
}
