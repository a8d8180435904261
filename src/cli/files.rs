//! `--show-files`: lists each file with its kind and service, or why it is skipped.

use serde::Serialize;

use super::lint_options::LintOptions;
use super::request;
use super::show;
use super::targets::Targets;
use super::world::{Exit, Failure, World, print_error};
use crate::lint::Baselines;
use crate::project::{self, ListedFile, Listing, Purpose, Request};
use crate::report::{visible, wrap_guarded, write_json};
use crate::simulate::is_scenario;
use crate::text::count;

#[derive(Serialize)]
struct JsonListing<'l> {
    files: Vec<JsonFile<'l>>,
}

#[derive(Serialize)]
struct JsonFile<'l> {
    file: &'l str,
    kind: Option<&'static str>,
    service: Option<&'l str>,
    skipped: Option<&'l str>,
}

impl<'l> From<&'l ListedFile> for JsonFile<'l> {
    fn from(listed: &'l ListedFile) -> Self {
        let (kind, service, skipped) = match &listed.purpose {
            Purpose::Document { kind, service } => (Some(kind.word()), Some(service.as_str()), None),
            Purpose::Scenario => (Some("scenario"), None, None),
            Purpose::Skipped(reason) => (None, None, Some(reason.as_str())),
        };
        Self { file: &listed.name, kind, service, skipped }
    }
}

pub(super) fn run(options: &LintOptions, world: &mut World<'_>) -> Result<Exit, Failure> {
    let is_json = show::human_or_json(&options.run, "--show-files")?;
    show::check_output(&options.run, world)?;
    let request = request::request(options, world)?;
    let listing = listing(&request)?;
    check_output(options, &request, &listing, world)?;
    if listing.files.is_empty() && listing.unreadable.is_empty() && !options.skip_unrelated {
        return Err(Failure::Message("nothing to lint: no JSON file and no scenario found".to_owned()));
    }
    let text = if is_json {
        let files = listing.files.iter().map(JsonFile::from).collect();
        let mut bytes = Vec::new();
        write_json(&JsonListing { files }, &mut bytes)?;
        bytes
    } else {
        let mut text = String::new();
        let width = show::width(&options.run, world);
        for file in &listing.files {
            text += &wrap_guarded(&line(file), width, "  ");
            text.push('\n');
        }
        if !options.run.quiet {
            text += &wrap_guarded(&summary(&listing), width, "");
            text.push('\n');
        }
        text.into_bytes()
    };
    show::write_text(&options.run, &text, world)?;
    listing.unreadable.iter().for_each(|reason| print_error(world, reason));
    Ok(if listing.unreadable.is_empty() { Exit::Clean } else { Exit::Failure })
}

/// Refuses to write the list over a file that it lists as a document or a scenario.
fn check_output(options: &LintOptions, request: &Request, listing: &Listing, world: &World<'_>) -> Result<(), Failure> {
    if options.run.output.is_empty() {
        return Ok(());
    }
    let project = project::find(request).map_err(|error| Failure::Message(error.0))?;
    let scenarios = || listing.files.iter().filter(|listed| listed.purpose == Purpose::Scenario);
    let targets = Targets::new(&options.run, &Baselines::default(), &world.current);
    let done = targets.check(|file| {
        project.reads(file) || scenarios().any(|scenario| file.is_of(&request.current.join(&scenario.name)))
    });
    done.map_err(Failure::Message)
}

/// Lists the files of a request.
pub(super) fn listing(request: &Request) -> Result<Listing, Failure> {
    project::list(request, &is_scenario).map_err(|error| Failure::Message(error.0))
}

/// One line of the list, for people.
pub(super) fn line(listed: &ListedFile) -> String {
    let name = visible(&listed.name);
    match &listed.purpose {
        Purpose::Document { kind, service } => {
            format!("{name}: {} of service `{}`", kind.word().replace('-', " "), visible(service))
        }
        Purpose::Scenario => format!("{name}: scenario"),
        Purpose::Skipped(reason) => format!("{name}: skipped, {}", visible(reason)),
    }
}

fn summary(listing: &Listing) -> String {
    let [mut documents, mut scenarios, mut skipped] = [0_usize; 3];
    for file in &listing.files {
        match file.purpose {
            Purpose::Document { .. } => documents += 1,
            Purpose::Scenario => scenarios += 1,
            Purpose::Skipped(_) => skipped += 1,
        }
    }
    format!("{}, {}, {skipped} skipped.", count(documents, "document"), count(scenarios, "scenario"))
}
