//! The guides, and the cases of `tests/outside/`, followed to the letter: a shell runs their commands in an empty folder,
//! and prints what they show. `WFLINT_GUIDE=formatting` runs those whose names begin so.

use std::fmt::Write;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::support::fences::fences;
use crate::support::folder::Folder;

/// The pages of `docs/` that are followed from their beginning to their end.
const GUIDES: [&str; 10] = [
    "first-lint", "pipeline", "baselines", "hooks", "formatting", "upgrading", "diff", "coverage", "explore",
    "own-rules",
];

/// What a page tells its reader to do.
enum Step {
    /// A fence with the name of a file.
    Write { file: String, text: String },
    /// A line after `$`, and the output that is shown.
    Run { command: String, shown: String },
}

/// The fences of a page in their order. One without a file name shows something and is not followed.
fn steps(page: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    for (info, text) in fences(page) {
        match info.split_whitespace().collect::<Vec<_>>()[..] {
            ["console"] => {
                for part in text.strip_prefix("$ ").unwrap().split("\n$ ") {
                    let (command, shown) = part.split_once('\n').unwrap_or((part, ""));
                    let shown =
                        if shown.is_empty() || shown.ends_with('\n') { shown.into() } else { format!("{shown}\n") };
                    steps.push(Step::Run { command: command.to_owned(), shown });
                }
            }
            [_, file] => steps.push(Step::Write { file: file.to_owned(), text }),
            _ => {}
        }
    }
    steps
}

/// One shell for the whole page, so that `cd` and variables last. After each command it prints a mark.
fn script(steps: &[Step]) -> String {
    let mut script = "exec 2>&1\n".to_owned();
    for step in steps {
        let _ = match step {
            Step::Write { file, text } => {
                writeln!(script, "mkdir -p \"$(dirname {file})\"\ncat > {file} <<'END_OF_FILE'\n{text}END_OF_FILE")
            }
            Step::Run { command, .. } => {
                writeln!(script, "{command}\ncode=$?; printf '\\001'; (exit $code)")
            }
        };
    }
    script
}

/// Follows a page, and returns each command with what it shows and what it prints, where these differ.
fn differences(page: &str) -> String {
    let home = Folder::with(&[("work/.keep", "")]);
    std::fs::remove_file(home.file("work/.keep")).unwrap();
    symlink(env!("CARGO_MANIFEST_DIR"), home.file("wflint")).unwrap();
    home.write(".gitconfig", "[user]\nname = A\nemail = a@example.com\n[init]\ndefaultBranch = main\n");
    let programs = Path::new(env!("CARGO_BIN_EXE_wflint")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let steps = steps(page);
    let ran = Command::new("sh")
        .arg("-c")
        .arg(script(&steps))
        .current_dir(home.file("work"))
        .env_clear()
        .envs([("PATH", path.as_str()), ("LC_ALL", "C.UTF-8"), ("GIT_CONFIG_NOSYSTEM", "1")])
        .env("HOME", home.path())
        .output()
        .unwrap();
    let printed = String::from_utf8(ran.stdout).unwrap();
    let mut printed = printed.split('\u{1}');
    let mut wrong = String::new();
    for step in &steps {
        if let Step::Run { command, shown } = step {
            let printed = printed.next().unwrap_or_default();
            if printed != shown {
                let _ = writeln!(wrong, "$ {command}\nshown:\n{shown}printed:\n{printed}");
            }
        }
    }
    wrong
}

/// Follows pages of a folder of the project, and fails with all differences.
fn follow(folder: &str, names: &[String]) {
    let only = std::env::var("WFLINT_GUIDE").unwrap_or_default();
    let followed = names.par_iter().filter(|name| name.starts_with(&only)).map(|name| {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("{folder}/{name}.md"));
        let differences = differences(&std::fs::read_to_string(page).unwrap());
        if differences.is_empty() { differences } else { format!("{folder}/{name}.md:\n{differences}\n") }
    });
    let wrong: String = followed.collect();
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn guides_are_followed_to_the_letter() {
    follow("docs", &GUIDES.map(str::to_owned));
}

#[test]
fn cases_from_outside_are_followed_to_the_letter() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/outside");
    let pages = std::fs::read_dir(folder).unwrap().map(|page| page.unwrap().path());
    let mut names: Vec<_> = pages.map(|page| page.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort();
    follow("tests/outside", &names);
}

#[test]
fn wrong_output_of_a_guide_is_found() {
    let page =
        "# A\n\n```text a.txt\nhello\n```\n\n```console\n$ cat a.txt\nhello\n$ cat a.txt | tr a-z A-Z\nhello\n```\n";
    assert_eq!(differences(page), "$ cat a.txt | tr a-z A-Z\nshown:\nhello\nprinted:\nHELLO\n\n");
}
