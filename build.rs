//! Writes the registry of rules from the pages in `rules/`: a page `WF503-reminder-after-timeout.md` is the rule
//! `approval::reminder_after_timeout::RULE`. A page without its rule does not compile; a rule without its page is
//! dead code, which the lints refuse. Also writes what selects rules, and the catalog of the documented methods as each run reads it: in JSON.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs, io};

use serde_json::Value;

/// The folders of `src/rules`, by the first digit of a code.
const GROUPS: [&str; 10] =
    ["document", "binding", "provider", "output", "flow", "approval", "form", "case", "script", "security"];

/// The presets of `src/rules/rule.rs`.
const PRESETS: [&str; 2] = ["recommended", "strict"];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=rules");
    let mut pages: Vec<String> = fs::read_dir("rules")?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect::<io::Result<_>>()?;
    pages.sort();
    let (mut registry, mut selectors) = (String::from("&[\n"), String::from("&[\n"));
    for page in pages.iter().filter_map(|page| page.strip_suffix(".md")) {
        let rule = page.split_once('-').and_then(|(code, name)| {
            let digit = code.strip_prefix("WF")?.chars().next()?.to_digit(10)?;
            Some((code, name, GROUPS.get(digit as usize)?))
        });
        let Some((code, name, group)) = rule else {
            return Err(io::Error::other(format!("rules/{page}.md is not named like `WF101-unknown-variable.md`")));
        };
        let _ = writeln!(registry, "    {group}::{}::RULE,", name.replace('-', "_"));
        let _ = writeln!(selectors, "    {code:?}, {name:?},");
    }
    registry.push(']');
    for name in GROUPS.iter().chain(&PRESETS) {
        let _ = writeln!(selectors, "    {name:?},");
    }
    selectors.push(']');
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("OUT_DIR is not set"))?;
    let out = Path::new(&out);
    fs::write(out.join("registry.rs"), registry)?;
    fs::write(out.join("selectors.rs"), selectors)?;
    fs::write(out.join("catalog.json"), catalog()?.to_string())
}

/// The files of `schemas/catalog`, by name.
fn catalog() -> io::Result<Value> {
    println!("cargo::rerun-if-changed=schemas/catalog");
    let mut paths: Vec<_> =
        fs::read_dir("schemas/catalog")?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    paths.iter().map(|path| toml::from_str::<Value>(&fs::read_to_string(path)?).map_err(io::Error::other)).collect()
}
