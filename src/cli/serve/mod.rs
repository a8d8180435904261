//! `wflint graph FILE --serve`: the live picture of a workflow in a browser on this machine. `site` says who may ask and
//! what is answered, `http` reads and writes it, `live` holds the picture, which is made again after each change.

mod http;
mod live;
mod site;

use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;

use super::graph::{GraphOptions, NOTHING};
use super::options::RunOptions;
use super::watch::{Watched, watch};
use super::watch_cache::WatchCache;
use super::world::{Exit, Failure, World, print_error, print_note};
use super::{known, lint, request};
use crate::facts::AnalyzedService;
use crate::lint::{Linter, Options, on_pool};
use crate::lsp::{Picture, PlaysOrder};
use crate::project::{self, Content, Project, Service, ServiceModel, clean_path};
use crate::text::suggest::Suggester;
use live::{Collector, Live, Look};
use site::Site;

/// Serves until the process is interrupted.
pub(super) fn run(options: &GraphOptions, world: &mut World<'_>) -> Result<Exit, Failure> {
    refuse(options, world)?;
    let mut cache = WatchCache::default();
    let first = look(options, &mut cache, world)?;
    let name = first.source.name.clone();
    if first.picture.is_none() {
        return Err(Failure::Message(format!("cannot draw {name}: invalid JSON; `wflint {name}` shows where")));
    }
    let live = Arc::new(Live::new(first, collector(options, world)));
    let failed = |reason: &dyn std::fmt::Display| Failure::Message(format!("cannot serve: {reason}"));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(|error| failed(&error))?;
    let port = listener.local_addr().map_err(|error| failed(&error))?.port();
    let site = Arc::new(Site::new(Arc::clone(&live), port, &name).map_err(|error| failed(&error))?);
    writeln!(world.stdout, "{}", site.address())?;
    world.stdout.flush()?;
    print_note(world, &format!("Serving {name}, press Ctrl-C to stop."), "")?;
    let answering = Arc::clone(&site);
    std::thread::spawn(move || http::serve(&listener, move |request| answering.answer(request)));
    if options.open
        && let Err(error) = open::that_detached(site.address_for_browser())
    {
        print_error(world, &format!("cannot open a browser: {error}"));
    }
    follow(options, &mut cache, &live, world)
}

/// Makes the picture again after each change.
fn follow(options: &GraphOptions, cache: &mut WatchCache, live: &Live, world: &mut World<'_>) -> Result<Exit, Failure> {
    let lint_options = options.lint_options();
    // The watch begins with a run, so that no change before it is missed.
    let mut is_first = true;
    watch(
        Watched {
            paths: std::slice::from_ref(&options.file),
            options: &RunOptions { quiet: true, settings: options.settings.clone(), ..RunOptions::default() },
            outputs: Vec::new(),
            files: &|world, lookups| lint::read_files(&lint_options, lookups, world).unwrap_or_default(),
            run: &mut |world| {
                let look = look(options, cache, world);
                let failure = look.as_ref().err().and_then(|failure| match failure {
                    Failure::Message(message) => Some(message.clone()),
                    Failure::BrokenPipe => None,
                });
                if !std::mem::take(&mut is_first) || !look.as_ref().is_ok_and(|look| live.is_same(look)) {
                    live.set(look.map_err(|_| failure.clone().unwrap_or_default()));
                }
                failure.map_or(Ok(Exit::Clean), |message| Err(Failure::Message(message)))
            },
        },
        world,
    )
}

/// Refuses what cannot be watched as one file, before anything is read.
fn refuse(options: &GraphOptions, world: &World<'_>) -> Result<(), Failure> {
    let refused = |reason: &str| Err(Failure::Message(format!("`--serve` {reason}")));
    if options.file.as_os_str() == "-" {
        return refused("shows a file, not standard input");
    }
    if world.current.join(&options.file).is_dir() {
        return refused("shows one workflow, not a folder");
    }
    if options.spot.is_some() {
        return refused("shows the whole workflow, not a line of it");
    }
    Ok(())
}

fn collector(options: &GraphOptions, world: &World<'_>) -> Collector {
    let absolute = |path| clean_path(path, &world.current).0;
    let order = PlaysOrder {
        workflow: absolute(&options.file),
        scenarios: Vec::new(),
        config: options.settings.config.as_deref().map(absolute),
        isolated: options.settings.isolated,
        allow_outside: options.settings.allow_outside,
    };
    Collector::new(&world.program, world.current.clone(), order, !options.no_scripts)
}

/// Reads, checks and draws the workflow.
fn look(options: &GraphOptions, cache: &mut WatchCache, world: &mut World<'_>) -> Result<Look, Failure> {
    let lint_options = options.lint_options();
    let request = request::request(&lint_options, world)?;
    let mut rules = Options {
        today: Some(world.today),
        program: (!options.no_scripts).then(|| world.program.clone()),
        ..Options::default()
    };
    let looked = on_pool(None, || {
        let project = Arc::new(project::find(&request).map_err(|error| error.0)?);
        if let Some(reason) = project.unreadable.first() {
            return Err(reason.clone());
        }
        rules.baselines = known::load_baselines(&lint_options, &project.configs, &request, &request.current)?;
        let linter = cache.with(Linter::new(&project, &rules)?, &project);
        let is_named = |service: &&Service| service.files.iter().any(|&file| project.is_reported(file));
        let service = project.services.iter().find(is_named).ok_or(NOTHING)?;
        look_at(&project, service, &linter)
    });
    looked.and_then(|looked| looked).map_err(Failure::Message)
}

fn look_at(project: &Project, service: &Service, linter: &Linter<'_>) -> Result<Look, String> {
    // Read once: the files may change meanwhile.
    let contents = project.contents(service);
    let checked = linter.check(service, &contents);
    let read = project.read(service, &contents);
    let Some(file) = read.files.iter().find(|file| project.is_reported(file.id)) else {
        return Err(read.unreadable.first().map_or_else(|| NOTHING.to_owned(), |(_, reason)| reason.clone()));
    };
    if matches!(file.content, Content::Invalid(_)) {
        return Ok(Look { source: file.source.clone(), checked, picture: None });
    }
    file.workflow().map_err(|reason| format!("cannot draw {}: {reason}", file.source.name))?;
    let config = project.configs.get(service.config).ok_or(NOTHING)?;
    let (files, suggester) = (read.files.iter().collect::<Vec<_>>(), Suggester::default());
    let model = ServiceModel::new(&files, config);
    let analyzed = AnalyzedService::new(files, config, &model, &suggester, None);
    let picture = Picture::new(&analyzed, file, &checked)?;
    Ok(Look { source: file.source.clone(), checked, picture: Some(picture) })
}
