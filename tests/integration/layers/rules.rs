//! A rule uses facts and the model, never another rule.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use super::known;
use super::sources::{Module, Sources};

#[test]
fn no_file_of_a_group_uses_a_rule() {
    let sources = Sources::read();
    let stems = rule_stems();
    let rules: BTreeSet<&Module> = sources.files.keys().filter(|module| is_rule(module, &stems)).collect();
    assert!(rules.len() > 50, "too few rules were found: {}", rules.len());
    let mut found = BTreeSet::new();
    let mut complaints = String::new();
    for (module, file) in &sources.files {
        let is_in_group = module.len() > 2 && module[0] == "rules";
        for used in sources.uses(module).into_iter().filter(|_| is_in_group) {
            // The files of a rule that is a folder are one rule.
            if rules.iter().any(|rule| used.target.starts_with(rule) && !module.starts_with(rule)) {
                let target = &sources.files[&used.target].name;
                found.insert((file.name.clone(), target.clone()));
                if !known::RULE_USES.contains(&(file.name.as_str(), target.as_str())) {
                    let _ = writeln!(complaints, "src/{}:{}: `{}` is in {target}", file.name, used.line, used.path);
                }
            }
        }
    }
    for (file, target) in known::RULE_USES {
        if !found.contains(&((*file).to_owned(), (*target).to_owned())) {
            let _ = writeln!(complaints, "{file} no longer uses {target}, remove it from the list");
        }
    }
    assert!(complaints.is_empty(), "a rule uses facts, never another rule\n{complaints}");
}

/// The module names of the rules, from the names of their pages.
fn rule_stems() -> BTreeSet<String> {
    let pages = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("rules")).unwrap();
    let names = pages.map(|page| page.unwrap().file_name().into_string().unwrap());
    let stems = names.filter_map(|name| Some(name.strip_suffix(".md")?.split_once('-')?.1.replace('-', "_")));
    stems.collect()
}

fn is_rule(module: &Module, stems: &BTreeSet<String>) -> bool {
    matches!(module.as_slice(), [root, _, stem] if root == "rules" && stems.contains(stem))
}
