//! `wflint catalog infer`: the methods that exports call and no catalog has.

use std::path::PathBuf;

use super::deliver::deliver;
use crate::boundary::Boundary;
use crate::cli::options::InferOptions;
use crate::cli::world::{Exit, Failure, World, print_error, print_note};
use crate::infer::{Inferred, infer};
use crate::lint::{Options, on_pool};
use crate::project::{self, Request, clean_path};

pub(super) fn run(options: &InferOptions, world: &mut World<'_>) -> Result<Exit, Failure> {
    let paths = if options.paths.is_empty() { vec![PathBuf::from(".")] } else { options.paths.clone() };
    let given = paths.iter().map(|path| clean_path(path, &world.current).0);
    let folders =
        given.map(|path| if path.is_dir() { path } else { path.parent().map_or(path.clone(), PathBuf::from) });
    let request = Request {
        current: world.current.clone(),
        boundary: Boundary::below(folders.chain([world.current.clone()]).collect()),
        paths,
        skip_unrelated: true,
        ..Request::default()
    };
    let rules = Options { program: Some(world.program.clone()), today: Some(world.today), ..Options::default() };
    let inferred = on_pool(None, || {
        let mut project = project::find(&request).map_err(|error| error.0)?;
        infer(&mut project, &rules)
    });
    let Inferred { catalogs, notes, unreadable, workflows } =
        inferred.and_then(|inferred| inferred).map_err(Failure::Message)?;
    if workflows == 0 && unreadable.is_empty() {
        return Err(Failure::Message("nothing to infer from: no workflow found".to_owned()));
    }
    for reason in &unreadable {
        print_error(world, reason);
    }
    for note in &notes {
        print_note(world, note, "  ")?;
    }
    if !catalogs.is_empty() {
        deliver(&catalogs, &options.output, world)?;
    } else if unreadable.is_empty() {
        print_note(world, "Every method that is called is in a catalog.", "")?;
    }
    Ok(if unreadable.is_empty() { Exit::Clean } else { Exit::Failure })
}
