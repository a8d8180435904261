//! The names of services: those of their folders, as far up as they need to differ.

use std::collections::BTreeSet;
use std::path::Path;

use crate::common::collections::HashMap;
use crate::files::paths::shortest_ends;

/// A name for each workflow, given by its path in reports (`services/sign/order.workflow.json`): its folder, of several
/// in one folder with the stem, and with the folders before it where names are equal.
pub fn names(files: &[&str], current: &str) -> Vec<String> {
    let folder = |file: &str| file.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let mut in_folder: HashMap<String, usize> = HashMap::default();
    for file in files {
        *in_folder.entry(folder(file)).or_default() += 1;
    }
    let parts: Vec<Vec<String>> = files
        .iter()
        .map(|file| {
            let folder = folder(file);
            let mut parts: Vec<String> = folder.split('/').filter(|part| is_name(part)).map(str::to_owned).collect();
            if parts.is_empty() && !current.is_empty() {
                parts.push(current.to_owned());
            }
            if in_folder.get(&folder).is_some_and(|number| *number > 1) || parts.is_empty() {
                parts.push(stem(file));
            }
            parts
        })
        .collect();
    let lengths: Vec<usize> = files
        .iter()
        .map(|file| if in_folder.get(&folder(file)).is_some_and(|number| *number > 1) { 2 } else { 1 })
        .collect();
    numbered(shortest_ends(&parts, lengths, &BTreeSet::new()))
}

/// Equal names that are left, such as `a.json` and `a.workflow.json` of one folder, get a number.
fn numbered(names: Vec<String>) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::default();
    let number = |name: String| {
        let number = seen.entry(name.clone()).or_default();
        *number += 1;
        if *number == 1 { name } else { format!("{name}-{number}") }
    };
    names.into_iter().map(number).collect()
}

fn is_name(part: &str) -> bool {
    !part.is_empty() && part != "." && part != ".."
}

/// The file's name up to the first dot.
fn stem(file: &str) -> String {
    let name = Path::new(file).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or(&name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn services_are_named_by_their_folders_as_far_as_needed() {
        let found = |files: &[&str]| names(files, "here");
        assert_eq!(found(&["examples/sign/order.workflow.json"]), ["sign"]);
        assert_eq!(found(&["order.workflow.json"]), ["here"]);
        assert_eq!(found(&["a.workflow.json", "b.workflow.json"]), ["here/a", "here/b"]);
        assert_eq!(found(&["x/s/o.json", "y/s/o.json", "y/t/o.json"]), ["x/s", "y/s", "t"]);
        assert_eq!(found(&["x/s/a.json", "x/s/b.json"]), ["s/a", "s/b"]);
        assert_eq!(found(&["s/a.json", "s/a.workflow.json"]), ["s/a", "s/a-2"]);
        assert_eq!(names(&["order.json"], ""), ["order"]);
    }
}
