//! `rules`, `[rule.CODE]` and `[settings]`: which files are rules of the user's own, and with which options they run.
//!
//! A rule is a JavaScript file whose stem is its code and name, with a page of the same stem beside it. What it imports is
//! read with it: files at or below its folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value};

use super::file::ConfigFile;
use super::json::json_of;
use super::layers::{Invalid, Places};
use super::own_code::{code_and_name, letters};
use super::pattern::{matching_files, rooted};
use super::selector::SELECTORS;
use super::settings::Placed;
use crate::common::intern::interned;
use crate::files::boundary::Boundary;
use crate::files::paths::{clean, relative_name};
use crate::files::read::{ReadError, Unsaved, is_present};
use crate::text::suggest;

/// Files that the rules of one configuration file may import, all together.
const MAX_MODULES: usize = 1_000;

/// A rule of the user's own, as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnRule {
    /// `ORG101`.
    pub code: &'static str,
    /// `approvals-end`.
    pub name: &'static str,
    pub path: PathBuf,
    /// Relative to [`OwnRules::folder`], with `/`.
    pub file: String,
    pub text: Arc<str>,
    /// The page beside it, if there is one.
    pub page: Option<Arc<str>>,
}

/// The rules that one configuration file names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnRules {
    /// Of the configuration file.
    pub folder: PathBuf,
    /// Sorted by path.
    pub rules: Vec<OwnRule>,
    /// What they import, by paths that are written as [`OwnRule::file`].
    pub modules: BTreeMap<String, Arc<str>>,
    /// Files that do not become rules, as their code or name is taken, and why.
    pub taken: Vec<(OwnRule, String)>,
    /// Files that are named as rules, but have no default export, and that no rule imports.
    pub unexported: Vec<OwnRule>,
}

/// An option of a rule: `days = 3` in `[rule.ORG101]`.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleOption {
    pub code: String,
    pub key: Placed,
    pub value: Value,
}

/// The rules of a configuration, by the files that name them. Adds the problems of patterns.
pub(super) fn find(
    file: &ConfigFile,
    places: Places<'_>,
    boundary: &Boundary,
    unsaved: &Unsaved,
    problems: &mut Vec<Invalid>,
) -> Vec<Arc<OwnRules>> {
    let mut found: Vec<OwnRules> = Vec::new();
    for pattern in &file.rules {
        let folder = places.folder_of(pattern);
        let index = found.iter().position(|rules| rules.folder == folder).unwrap_or_else(|| {
            found.push(OwnRules { folder: folder.to_path_buf(), ..OwnRules::default() });
            found.len() - 1
        });
        let Some(rules) = found.get_mut(index) else { continue };
        if let Err(reason) = (Reader { folder, boundary, unsaved }).add(rules, pattern.get_ref()) {
            problems.push(Invalid::new(pattern, reason));
        }
    }
    let mut owners = BTreeMap::new();
    for rules in &mut found {
        let OwnRules { unexported, modules, .. } = &mut *rules;
        unexported.retain(|rule| !modules.contains_key(&rule.file));
        rules.rules.sort_by(|a, b| a.path.cmp(&b.path));
        for rule in std::mem::take(&mut rules.rules) {
            match taken(&rule, &owners) {
                Some(reason) => rules.taken.push((rule, reason)),
                None => {
                    owners.extend([rule.code, rule.name].map(|name| (name, rule.file.clone())));
                    rules.rules.push(rule);
                }
            }
        }
    }
    found.into_iter().map(Arc::new).collect()
}

/// Why a rule cannot have its code or name, which files before it have.
fn taken(rule: &OwnRule, owners: &BTreeMap<&str, String>) -> Option<String> {
    let ours = || SELECTORS.contains(&rule.name).then_some("a rule of wflint");
    let owner = |name| owners.get(name).map(String::as_str);
    let code = owner(rule.code).map(|owner| ("code", rule.code, owner));
    let name = || ours().or_else(|| owner(rule.name)).map(|owner| ("name", rule.name, owner));
    let (what, name, owner) = code.or_else(name)?;
    Some(format!("duplicate {what} `{name}`, {owner} has it"))
}

/// The options in `[rule.CODE]`. Adds the problems of codes that no rule has.
pub(super) fn options(
    file: &ConfigFile,
    places: Places<'_>,
    rules: &[Arc<OwnRules>],
    problems: &mut Vec<Invalid>,
) -> Vec<RuleOption> {
    let codes: Vec<&str> = rules.iter().flat_map(|rules| &rules.rules).map(|rule| rule.code).collect();
    let mut options = Vec::new();
    for (code, entries) in &file.rule {
        if !codes.contains(&code.get_ref().as_str()) {
            let near = suggest::did_you_mean(code.get_ref(), codes.iter().copied());
            problems.push(Invalid::new(code, format!("unknown rule `{}` in `[rule]`{near}", code.get_ref())));
        }
        options.extend(entries.iter().map(|(key, value)| RuleOption {
            code: code.get_ref().clone(),
            key: places.placed(key),
            value: json_of(value),
        }));
    }
    options
}

/// `[settings]`.
pub(super) fn settings(file: &ConfigFile) -> Map<String, Value> {
    file.settings.iter().map(|(name, value)| (name.clone(), json_of(value))).collect()
}

/// Reads rules, for one configuration file.
struct Reader<'r> {
    folder: &'r Path,
    boundary: &'r Boundary,
    unsaved: &'r Unsaved,
}

impl Reader<'_> {
    /// Adds the rules that a pattern matches, with what they import.
    fn add(&self, rules: &mut OwnRules, pattern: &str) -> Result<(), String> {
        let (within, rest) = rooted(self.folder, pattern);
        self.unsaved.lookups().add_pattern(&within, rest);
        let (mut is_used, mut unexported) = (false, None);
        for path in matching_files(self.folder, pattern)? {
            let path = clean(&path);
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            let is_script = path.extension().is_some_and(|extension| extension == "js" || extension == "mjs");
            let Some((code, name)) = code_and_name(stem).filter(|_| is_script) else { continue };
            if rules.rules.iter().any(|rule| rule.path == path) {
                is_used = true;
                continue;
            }
            let text = self.read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
            let file = relative_name(&path, self.folder);
            let rule =
                OwnRule { code: interned(code), name: interned(name), path, file, text: text.into(), page: None };
            if has_default_export(&rule.text) {
                self.add_modules(rules, rule.path.parent().unwrap_or(self.folder), &rule.path, &rule.text);
                rules.rules.push(OwnRule { page: self.page(&rule.path)?, ..rule });
                is_used = true;
            } else if !rules.unexported.contains(&rule) {
                unexported.get_or_insert_with(|| format!("{} has no `export default`", rule.file));
                rules.unexported.push(rule);
            }
        }
        if is_used {
            return Ok(());
        }
        let wanted = "a rule is a file such as `ORG101-approvals-end.js` with a default export";
        Err(format!("no rule matches `{pattern}`; {}", unexported.as_deref().unwrap_or(wanted)))
    }

    fn read(&self, path: &Path) -> Result<String, ReadError> {
        self.boundary.check(path, self.folder).and_then(|()| self.unsaved.read(path))
    }

    /// The page beside a rule. One that cannot be read is an error, one that is missing is not.
    fn page(&self, rule: &Path) -> Result<Option<Arc<str>>, String> {
        let path = rule.with_extension("md");
        self.unsaved.lookups().add_file(&path);
        if !self.unsaved.contains(&path) && !is_present(&path) {
            return Ok(None);
        }
        let text = self.read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        Ok(Some(text.into()))
    }

    /// Adds the files that a script may import, at or below the folder of its rule. The engine refuses other imports.
    fn add_modules(&self, rules: &mut OwnRules, folder: &Path, path: &Path, text: &str) {
        let mut open = vec![(path.to_path_buf(), text.to_owned())];
        while let Some((path, text)) = open.pop() {
            for specifier in specifiers(&text) {
                let module = clean(&path.parent().unwrap_or(folder).join(specifier));
                let file = relative_name(&module, self.folder);
                let is_new = module.starts_with(folder) && !rules.modules.contains_key(&file);
                if !is_new || rules.modules.len() >= MAX_MODULES {
                    continue;
                }
                self.unsaved.lookups().add_file(&module);
                if let Ok(text) = self.read(&module) {
                    rules.modules.insert(file, text.as_str().into());
                    open.push((module, text));
                }
            }
        }
    }
}

/// The strings of a script that may name a module: those that begin with `./` or `../`. Others do no harm.
fn specifiers(text: &str) -> impl Iterator<Item = &str> {
    ['"', '\''].into_iter().flat_map(move |quote| {
        let starts = text.match_indices(quote).map(|(index, _)| index + 1);
        starts.filter_map(move |start| {
            let rest = text.get(start..)?;
            let specifier = rest.split([quote, '\n']).next()?;
            (specifier.starts_with("./") || specifier.starts_with("../")).then_some(specifier)
        })
    })
}

/// Whether a script exports a default: `export default …` or `export { rule as default }`. Without one it is a module.
fn has_default_export(text: &str) -> bool {
    text.match_indices("default").any(|(index, word)| {
        let before = text.get(..index).unwrap_or_default();
        let is_word = !text.get(index + word.len()..).unwrap_or_default().starts_with(char::is_alphanumeric);
        let word = before.trim_end().rsplit(|letter: char| !letter.is_alphanumeric()).next();
        is_word && before.ends_with(char::is_whitespace) && matches!(word, Some("export" | "as"))
    })
}

impl OwnRules {
    /// The rules, and the files that are only named as such.
    pub fn files(&self) -> impl Iterator<Item = &OwnRule> {
        self.rules.iter().chain(self.taken.iter().map(|(rule, _)| rule)).chain(&self.unexported)
    }

    /// The files that were read.
    pub fn paths(&self) -> impl Iterator<Item = PathBuf> {
        let rules = self.files().flat_map(|rule| {
            let page = rule.page.as_ref().map(|_| rule.path.with_extension("md"));
            std::iter::once(rule.path.clone()).chain(page)
        });
        rules.chain(self.modules.keys().map(|file| clean(&self.folder.join(file))))
    }
}

/// The codes, names and groups of rules.
pub fn selectors(rules: &[Arc<OwnRules>]) -> Vec<&'static str> {
    let rules = rules.iter().flat_map(|rules| &rules.rules);
    rules.flat_map(|rule| [rule.code, rule.name].into_iter().chain(letters(rule.code))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_have_a_default_export() {
        for text in ["export default {}", "export  default\n{}", "const r = {}; export { r as default };"] {
            assert!(has_default_export(text), "{text}");
        }
        for text in ["", "export const x = 1", "export defaults", "// by default", "switch (x) { default: }"] {
            assert!(!has_default_export(text), "{text}");
        }
    }

    #[test]
    fn imports_are_found() {
        let text = "import { a } from \"./lib/a.js\";\nimport '../b.js'; import c from 'c'; // it's \"./d.js\"\n\"./e";
        let mut found: Vec<&str> = specifiers(text).collect();
        found.sort_unstable();
        assert_eq!(found, ["../b.js", "./d.js", "./e", "./lib/a.js"]);
    }
}
