//! Names of files for readers elsewhere: they do not say where on a machine a folder is.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path};

use super::paths::{clean, relative_name, shortest_ends};

/// The names of the files outside of a folder: their file names, of equal ones with the folders before it.
#[derive(Debug, Default)]
pub struct NamesInside {
    /// By the name relative to the folder.
    names: BTreeMap<String, String>,
}

impl NamesInside {
    /// `names` are those of all files that somebody may read of, relative to the folder.
    pub fn new(folder: &Path, names: impl IntoIterator<Item = String>) -> Self {
        let names: BTreeSet<String> = names.into_iter().collect();
        let (outside, inside): (BTreeSet<String>, BTreeSet<String>) = names.into_iter().partition(|it| is_outside(it));
        let parts: Vec<Vec<String>> = outside.iter().map(|name| parts(&folder.join(name))).collect();
        let short = shortest_ends(&parts, vec![1; parts.len()], &inside);
        Self { names: outside.into_iter().zip(short).collect() }
    }

    /// The name of a file, given by the one that is relative to the folder.
    pub fn of<'n>(&'n self, name: &'n str) -> &'n str {
        let own = || name.rsplit_once('/').map_or(name, |(_, own)| own);
        if is_outside(name) { self.names.get(name).map_or_else(own, String::as_str) } else { name }
    }

    /// The name of a file below a folder or outside of it.
    pub fn of_path(&self, path: &Path, folder: &Path) -> String {
        self.of(&relative_name(path, folder)).to_owned()
    }

    /// A message with these names.
    pub fn message(&self, message: &str) -> String {
        pieces(message).into_iter().map(|piece| if piece.is_name { self.of(piece.text) } else { piece.text }).collect()
    }
}

/// Whether a name leads out of the folder that it is relative to.
fn is_outside(name: &str) -> bool {
    name.starts_with("../") || name.starts_with('/') || name.contains(":/")
}

/// The names in a message that lead out of the folder.
pub fn names_outside(message: &str) -> impl Iterator<Item = String> {
    pieces(message).into_iter().filter(|piece| piece.is_name).map(|piece| piece.text.to_owned())
}

fn parts(path: &Path) -> Vec<String> {
    let path = clean(path);
    let parts = path.components().filter(|part| matches!(part, Component::Normal(_)));
    parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect()
}

/// A part of a message: a name that leads out of the folder, or what is around it.
struct Piece<'m> {
    text: &'m str,
    is_name: bool,
}

fn pieces(message: &str) -> Vec<Piece<'_>> {
    const ENDS: [&str; 6] = [": ", ", ", " ../", "`", "\"", "\n"];
    let (mut pieces, mut begin, mut from) = (Vec::new(), 0, 0);
    while let Some(found) = message.get(from..).and_then(|rest| rest.find("../")) {
        let start = from + found;
        let rest = message.get(start..).unwrap_or_default();
        // One in the middle of a name leads nowhere.
        if message.get(..start).is_some_and(|before| before.ends_with('/')) {
            from = start + 3;
            continue;
        }
        let end =
            start + ENDS.iter().filter_map(|end| rest.find(end)).filter(|end| *end > 0).min().unwrap_or(rest.len());
        let text = |range| message.get(range).unwrap_or_default();
        pieces.push(Piece { text: text(begin..start), is_name: false });
        pieces.push(Piece { text: text(start..end), is_name: true });
        (begin, from) = (end, end);
    }
    pieces.push(Piece { text: message.get(begin..).unwrap_or_default(), is_name: false });
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inside(names: &[&str]) -> Vec<String> {
        let known = NamesInside::new(Path::new("/home/me/services"), names.iter().map(|name| (*name).to_owned()));
        names.iter().map(|name| known.of(name).to_owned()).collect()
    }

    #[test]
    fn what_leads_out_is_named_by_its_file_name() {
        assert_eq!(
            inside(&["../../etc/passwd", "../x.json", "a/b.json", "c.json"]),
            ["passwd", "x.json", "a/b.json", "c.json"]
        );
        assert_eq!(inside(&["/a/b.json", "D:/a/c.json"]), ["b.json", "c.json"]);
        assert_eq!(NamesInside::default().of("../a/b.json"), "b.json", "of which nothing is known");
    }

    #[test]
    fn equal_names_have_the_folder_before_them() {
        assert_eq!(inside(&["../a/x.json", "../b/x.json", "../y.json"]), ["a/x.json", "b/x.json", "y.json"]);
        assert_eq!(inside(&["../a/s/x.json", "../b/s/x.json"]), ["a/s/x.json", "b/s/x.json"]);
        assert_eq!(inside(&["../x.json", "../../x.json"]), ["me/x.json", "home/x.json"]);
        assert_eq!(inside(&["x.json", "../x.json"]), ["x.json", "me/x.json"], "the other one is inside");
    }

    #[test]
    fn names_in_messages_are_the_same() {
        let message = "cannot read ../../my files/a.json: outside, `../b.json` or ../c/d.json ../e";
        let names = ["../../my files/a.json", "../b.json", "../c/d.json", "../e"];
        assert_eq!(names_outside(message).collect::<Vec<_>>(), names);
        let none = NamesInside::default();
        assert_eq!(none.message(message), "cannot read a.json: outside, `b.json` or d.json e");
        assert_eq!(none.message("a/../b and nothing"), "a/../b and nothing");
        let known = NamesInside::new(Path::new("/a/b/c"), ["../x/y", "../z/y"].map(str::to_owned));
        assert_eq!(known.message("../x/y: is not ../z/y"), "x/y: is not z/y");
    }
}
