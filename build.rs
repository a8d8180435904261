//! Writes the registry of rules from the pages in `rules/`: a page `WF503-reminder-after-timeout.md` is the rule
//! `approval::reminder_after_timeout::RULE`. A page without its rule does not compile; a rule without its page is
//! dead code, which the lints refuse.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs, io};

/// The folders of `src/rules`, by the first digit of a code.
const GROUPS: [&str; 10] =
    ["document", "binding", "provider", "output", "flow", "approval", "form", "case", "script", "security"];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=rules");
    let mut pages: Vec<String> = fs::read_dir("rules")?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect::<io::Result<_>>()?;
    pages.sort();
    let mut registry = String::from("&[\n");
    for page in pages.iter().filter_map(|page| page.strip_suffix(".md")) {
        let rule = page.split_once('-').and_then(|(code, name)| {
            let digit = code.strip_prefix("WF")?.chars().next()?.to_digit(10)?;
            Some((GROUPS.get(digit as usize)?, name.replace('-', "_")))
        });
        let Some((group, rule)) = rule else {
            return Err(io::Error::other(format!("rules/{page}.md is not named like `WF101-unknown-variable.md`")));
        };
        let _ = writeln!(registry, "    {group}::{rule}::RULE,");
    }
    registry.push(']');
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("OUT_DIR is not set"))?;
    fs::write(Path::new(&out).join("registry.rs"), registry)
}
