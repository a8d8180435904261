//! The samples in the documents are valid: commands have options that exist, YAML, TOML and JSON are read as what they are.
//! Pages whose samples are run have tests of their own.

use std::path::Path;

use saphyr_parser::Parser;

use crate::support::fences;
use crate::support::folder::Folder;
use crate::support::run::run_cli;

/// The documents for users, with their text; that of rules have tests of their own.
fn documents() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = pages.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let others = ["README.md", "packaging/pre-commit-mirror/README.md"].map(|name| root.join(name));
    let mut documents: Vec<(String, String)> = pages
        .chain(others)
        .map(|path| {
            let name = path.strip_prefix(root).unwrap().display().to_string();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    documents.sort();
    documents
}

/// The fences of a language, each with the name of its document.
fn fences(language: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (name, text) in documents() {
        let of_language =
            fences::fences(&text).into_iter().filter(|(info, _)| info.split(' ').next() == Some(language));
        found.extend(of_language.map(|(_, text)| (name.clone(), text)));
    }
    found
}

/// The arguments of a command line up to a comment, a pipe or a redirection.
fn arguments(command: &str) -> Vec<String> {
    let mut arguments = vec![String::new()];
    let mut quote = None;
    for character in command.chars() {
        match (quote, character) {
            (Some(mark), _) if mark == character => quote = None,
            (None, '\'' | '"') => quote = Some(character),
            (None, '#' | '|' | '<' | '>' | ';' | '&') => break,
            (None, ' ') => arguments.push(String::new()),
            _ => arguments.last_mut().unwrap().push(character),
        }
    }
    arguments.retain(|argument| !argument.is_empty());
    arguments
}

#[test]
fn commands_have_options_that_exist() {
    let folder = Folder::with(&[]);
    let mut checked = 0;
    for (name, text) in fences("console") {
        for command in text.lines().filter_map(|line| line.strip_prefix("$ wflint")) {
            let mut arguments = arguments(command);
            // Options before it are read, and no file is.
            arguments.push("--help".to_owned());
            let ran = run_cli(&arguments, folder.path(), b"");
            assert_eq!(ran.code, 0, "{name}: wflint{command}\n{}", ran.err());
            checked += 1;
        }
    }
    assert!(checked > 60, "{checked}");
    let wrong = run_cli(&["fmt", "--chekc", "--help"], folder.path(), b"");
    assert_eq!(wrong.code, 2, "an unknown option is found");
}

#[test]
fn yaml_of_documents_is_valid() {
    let samples = fences("yaml");
    assert!(samples.len() > 20, "{}", samples.len());
    for (name, text) in samples {
        let error = Parser::new_from_str(&text).find_map(Result::err);
        assert!(error.is_none(), "{name}: {error:?}\n{text}");
    }
}

#[test]
fn json_of_documents_is_valid() {
    for (name, text) in fences("json") {
        let parsed = serde_json::from_str::<serde_json::Value>(&text);
        assert!(parsed.is_ok(), "{name}: {parsed:?}\n{text}");
    }
}

#[test]
fn toml_of_documents_is_configuration_or_a_catalog() {
    let mut checked = 0;
    // The pages of the configuration have tests of their own; editors have other settings in TOML.
    let others = ["docs/configuration.md", "docs/configuration-runs.md", "docs/editors.md"];
    for (name, text) in fences("toml").into_iter().filter(|(name, _)| !others.contains(&name.as_str())) {
        let is_catalog = text.contains("[[methods]]") || text.starts_with("plugin = ");
        let (config, catalog) =
            if is_catalog { ("catalogs = ['c.toml']\n", text.as_str()) } else { (text.as_str(), "") };
        let folder =
            Folder::with(&[("wflint.toml", config), ("c.toml", catalog), ("catalogs/c.toml", "plugin = 'c'\n")]);
        folder.write("rules/ORG101-approvals-end.js", "export default {};");
        let ran = folder.run(&["--show-settings", "."]);
        assert_eq!(ran.code, 0, "{name}: {}\n{text}", ran.err());
        checked += 1;
    }
    assert!(checked > 2, "{checked}");
}
