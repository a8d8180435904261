//! `wflint rules --new STEM`: a rule and its page to begin with.

use std::path::{Path, PathBuf};

use super::own::{config, request};
use crate::cli::world::{Exit, Failure, World, print_path, unwritable};
use crate::config::{Config, FILE_NAME, code_and_name};
use crate::files::boundary::Boundary;
use crate::files::read::{Unsaved, is_present};
use crate::files::write::create;
use crate::project::relative_name;

const RULE: &str = include_str!("template.js");
const PAGE: &str = include_str!("template.md");

/// Stand for the code and name in the templates.
const STEM: &str = "ORG101-approvals-end";
const CODE: &str = "ORG101";

pub(super) fn run(stem: &str, world: &mut World<'_>) -> Result<Exit, Failure> {
    let Some((code, _)) = code_and_name(stem) else {
        return Err(Failure::Message(format!(
            "invalid name of a rule `{stem}`; write 2 to 8 capital letters (not `WF`), 3 digits, `-` and a name in \
             kebab-case, such as `{STEM}`"
        )));
    };
    let (folder, root) = folder(world)?;
    refuse_taken(stem, world)?;
    let files = [("js", RULE), ("md", PAGE)].map(|(extension, template)| {
        let path = folder.join(format!("{stem}.{extension}"));
        let name = relative_name(&path, &world.current);
        (path, name, template.replace(STEM, stem).replace(CODE, code))
    });
    if let Some((_, name, _)) = files.iter().find(|(path, ..)| is_present(path)) {
        return Err(Failure::Message(format!("{name} exists; nothing was written")));
    }
    let boundary = Boundary::below(vec![world.current.clone(), root]);
    for (path, name, _) in &files {
        boundary.check_target(path, &world.current).map_err(|error| unwritable(name, &error))?;
    }
    for (path, name, text) in &files {
        create(path, text.as_bytes()).map_err(|error| unwritable(name, &error))?;
    }
    for (_, name, _) in &files {
        print_path(world, &format!("Created {name}"))?;
    }
    Ok(Exit::Clean)
}

/// The folder of the first pattern in `rules`, whether it matches something or not, and that of its `wflint.toml`.
fn folder(world: &World<'_>) -> Result<(PathBuf, PathBuf), Failure> {
    let message = |text: String| Failure::Message(text);
    let file = Config::find(&world.current)
        .ok_or_else(|| message(format!("no {FILE_NAME} here or above; create one with `rules = [\"rules/*.js\"]`")))?;
    let folder = Config::rules_folder(&file, &request(world).boundary, &Unsaved::default());
    let folder = folder.map_err(|error| message(error.0))?;
    let folder = folder.ok_or_else(|| {
        let name = relative_name(&file, &world.current);
        message(format!("missing key `rules` in {name}; add `rules = [\"rules/*.js\"]`"))
    })?;
    let root = file.parent().map_or_else(|| world.current.clone(), Path::to_path_buf);
    Ok((folder, root))
}

/// Fails if a rule has the code or the name. A configuration without a rule so far has an error.
fn refuse_taken(stem: &str, world: &World<'_>) -> Result<(), Failure> {
    let Some((code, name)) = code_and_name(stem) else { return Ok(()) };
    let own = config(world).map(|config| config.own_rules).unwrap_or_default();
    let own = own.iter().flat_map(|rules| &rules.rules).map(|rule| (rule.code, rule.name));
    let ours = crate::rules::REGISTRY.iter().map(|rule| (rule.code, rule.name));
    match own.chain(ours).find(|(other_code, other_name)| *other_code == code || *other_name == name) {
        Some((code, name)) => Err(Failure::Message(format!("rule {code}-{name} exists; use another code and name"))),
        None => Ok(()),
    }
}
