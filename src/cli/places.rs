//! `PATH:LINE` and `PATH:LINE:COLUMN`, as reports and editors write places, wherever a file is named.

use std::path::{Path, PathBuf};

use super::world::{Failure, World, print_note};
use crate::files::read::read_regular;
use crate::lint::Spot;
use crate::project::{clean_path, relative_name};
use crate::text::count;
use crate::text::source::SourceFile;

/// A path, and a line and a column after it, from 1.
pub(super) fn parse(text: &str) -> Option<(&str, u32, Option<u32>)> {
    let numbered = |text: &'_ str| -> Option<(usize, u32)> {
        let (path, number) = text.rsplit_once(':')?;
        let is_number = !path.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        Some((path.len(), number.parse().ok().filter(|number| *number > 0 && is_number)?))
    };
    let (end, last) = numbered(text)?;
    let path = text.get(..end)?;
    match numbered(path) {
        Some((end, line)) => Some((path.get(..end)?, line, Some(last))),
        None => Some((path, last, None)),
    }
}

/// The file and the place of a path that is not a file itself, but is one without its place.
fn split(path: &Path, current: &Path) -> Option<(PathBuf, Spot)> {
    if current.join(path).symlink_metadata().is_ok() {
        return None;
    }
    let text = path.to_str()?;
    let (file, line, column) = parse(text)?;
    // `a:3:5` may be column 5 of line 3, or line 5 of a file `a:3`.
    let longer = column.and_then(|column| Some((text.rsplit_once(':')?.0, column, None)));
    let candidates = longer.into_iter().chain([(file, line, column)]);
    let mut files = candidates.filter(|(file, ..)| current.join(file).is_file());
    files.next().map(|(file, line, column)| {
        let path = clean_path(Path::new(file), current).0;
        (PathBuf::from(file), Spot { path, line, column })
    })
}

/// Takes the places off the paths. Those in files that are also named as a whole, or by their folder, count for nothing.
pub(super) fn take<'p>(paths: impl IntoIterator<Item = &'p mut PathBuf>, current: &Path) -> Result<Vec<Spot>, Failure> {
    let (mut spots, mut whole) = (Vec::new(), Vec::new());
    for path in paths {
        match split(path, current) {
            Some((file, spot)) => {
                check_line(&file, &spot)?;
                *path = file;
                spots.push(spot);
            }
            None => whole.push(clean_path(path, current).0),
        }
    }
    spots.retain(|spot| !whole.iter().any(|path| spot.path.starts_with(path)));
    Ok(spots)
}

/// Takes the places off the paths for a command that always takes whole files, and says so.
pub(super) fn drop<'p>(
    paths: impl IntoIterator<Item = &'p mut PathBuf>,
    command: &str,
    world: &mut World<'_>,
) -> Result<(), Failure> {
    for spot in take(paths, &world.current)? {
        let name = relative_name(&spot.path, &world.current);
        print_note(world, &format!("`wflint {command}` takes all of {name}, not line {} alone.", spot.line), "")?;
    }
    Ok(())
}

/// Files that cannot be read have an error of their own later.
fn check_line(file: &Path, spot: &Spot) -> Result<(), Failure> {
    let Ok(text) = read_regular(&spot.path) else { return Ok(()) };
    let name = file.display().to_string();
    let lines = SourceFile::new(spot.path.clone(), name.clone(), text.into()).line_count();
    if spot.line <= lines {
        return Ok(());
    }
    let message = format!("{name} has no line {}, only {}", spot.line, count(lines as usize, "line"));
    Err(Failure::Message(message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn place_is_parsed_from_the_end() {
        for (text, parsed) in [
            ("a.json:3", Some(("a.json", 3, None))),
            ("a.json:3:14", Some(("a.json", 3, Some(14)))),
            (r"C:\a.json:3", Some((r"C:\a.json", 3, None))),
            ("a:1:2:3", Some(("a:1", 2, Some(3)))),
            ("a.json", None),
            ("a.json:0", None),
            ("a.json:+3", None),
            ("a.json:", None),
            (":3", None),
            ("a.json:99999999999", None),
        ] {
            assert_eq!(parse(text), parsed, "{text}");
        }
    }
}
