//! The files that run wflint in CI and hooks: those of docs/ci.md and docs/hooks.md.

use std::borrow::Cow;
use std::fmt::Write;

use super::ORIGIN;

/// The pages that document them.
const CI_PAGE: &str = include_str!("../../docs/ci.md");
const HOOKS_PAGE: &str = include_str!("../../docs/hooks.md");

/// What stands for the repository of wflint.
const PLACEHOLDER: &str = "OWNER/wflint";

/// A documented file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Recipe {
    GitHub,
    GitLab,
    PreCommit,
}

impl Recipe {
    /// Where it belongs, from the root of the repository.
    pub const fn path(self) -> &'static str {
        match self {
            Self::GitHub => ".github/workflows/wflint.yml",
            Self::GitLab => ".gitlab-ci.yml",
            Self::PreCommit => ".pre-commit-config.yaml",
        }
    }

    /// The page that documents it, and the heading there.
    const fn documentation(self) -> (&'static str, &'static str) {
        match self {
            Self::GitHub => (CI_PAGE, "## GitHub Actions"),
            Self::GitLab => (CI_PAGE, "## GitLab"),
            Self::PreCommit => (HOOKS_PAGE, "## pre-commit"),
        }
    }

    /// What makes it run scenarios, at the beginning of a line.
    const fn scenarios(self) -> &'static str {
        match self {
            Self::GitHub => "simulate: true",
            Self::GitLab => "WFLINT_SIMULATE: \"true\"",
            Self::PreCommit => "- id: wflint-simulate",
        }
    }

    /// The text of the file, for a folder of the repository. Without scenarios, what runs them is a comment: a run that
    /// finds none fails.
    pub fn text(self, has_scenarios: bool, folder: &str) -> String {
        let mut text = format!("# {ORIGIN}\n# Replace {PLACEHOLDER}, which stands for the repository of wflint.\n");
        for line in self.documented().lines() {
            let content = line.trim_start();
            if content.starts_with(self.scenarios()) && !has_scenarios {
                let indent = line.len() - content.len();
                let content = content.split(" #").next().unwrap_or(content).trim_end();
                let _ = writeln!(text, "{:indent$}# {content} # when there are scenarios", "");
            } else if let Some(key) = line.strip_suffix("PATHS: .").or(line.strip_suffix("paths: .")) {
                let name = line.get(key.len()..).unwrap_or_default().trim_end_matches('.');
                let _ = writeln!(text, "{key}{name}{}", scalar(folder));
            } else {
                text += line;
                text.push('\n');
            }
        }
        text
    }

    /// The first block of YAML under the heading.
    fn documented(self) -> &'static str {
        let (page, heading) = self.documentation();
        let section = page.split_once(heading).map_or("", |(_, section)| section);
        let block = section.split_once("```yaml\n").map_or("", |(_, block)| block);
        block.split_once("```").map_or("", |(block, _)| block)
    }
}

/// A string of YAML, in quotes where it needs them.
fn scalar(text: &str) -> Cow<'_, str> {
    let is_plain = text.chars().all(|one| one.is_ascii_alphanumeric() || matches!(one, '/' | '_' | '.' | '-'));
    let is_plain =
        is_plain && !text.starts_with('-') && text.contains(|one: char| one == '.' || one.is_ascii_alphabetic());
    if is_plain { text.into() } else { serde_json::Value::from(text).to_string().into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_recipe_is_documented() {
        for (recipe, first) in
            [(Recipe::GitHub, "name: wflint\n"), (Recipe::GitLab, "include:\n"), (Recipe::PreCommit, "repos:\n")]
        {
            assert!(recipe.documented().starts_with(first), "{recipe:?}: {}", recipe.documented());
            assert!(recipe.text(true, ".").ends_with(recipe.documented()));
            assert!(recipe.text(true, ".").contains(PLACEHOLDER));
            let below = recipe.text(true, "orders # 1").contains("aths: \"orders # 1\"\n");
            let below = below || recipe.text(true, "orders # 1").contains("PATHS: \"orders # 1\"\n");
            assert_eq!(below, recipe != Recipe::PreCommit, "{}", recipe.text(true, "orders # 1"));
            let without = recipe.text(false, ".");
            let commented = format!("# {} # when there are scenarios\n", recipe.scenarios());
            assert_eq!(without.matches(&commented).count(), 1, "{without}");
        }
    }
}
