//! Completions and man pages, which come from the definition of the command line. `.ci/shells` tries them in real
//! shells and with real readers.

use crate::support::folder::Folder;

const SHELLS: [&str; 5] = ["bash", "zsh", "fish", "powershell", "elvish"];
const PAGES: [&str; 3] = ["wflint.1", "wflint-explain.1", "wflint-man.1"];

#[test]
fn completions_name_commands_and_options_in_each_shell() {
    let folder = Folder::with(&[]);
    for shell in SHELLS {
        let output = folder.run(&["completions", shell]).expect_code(0);
        for word in ["explain", "completions", "select", "unsafe-fixes", "concise"] {
            // PowerShell and elvish complete no values.
            let is_known =
                output.out().contains(word) || (word == "concise" && ["powershell", "elvish"].contains(&shell));
            assert!(is_known, "{shell}: {word}\n{}", output.out());
        }
        assert_eq!(output.err(), "");
    }
    let output = folder.run(&["completions", "tcsh"]).expect_code(2);
    assert!(output.err().contains("powershell"), "{}", output.err());
    folder.run(&["completions"]).expect_code(2);
}

#[test]
fn man_writes_a_page_for_each_command_and_lists_them() {
    let folder = Folder::with(&[]);
    let output = folder.run(&["man", "share/man1"]).expect_code(0);
    let listed: Vec<&str> = output.out().lines().collect();
    for page in PAGES {
        let text = folder.read(format!("share/man1/{page}"));
        assert!(text.contains(".SH SYNOPSIS") && text.contains(".SH \"EXIT STATUS\""), "{text}");
        let title = format!(
            ".TH {} 1 \"\" \"wflint {}\"",
            page.trim_end_matches(".1").to_uppercase(),
            env!("CARGO_PKG_VERSION")
        );
        assert!(text.contains(&title), "{text}");
        assert!(text.is_ascii(), "troff warns of other characters: {text}");
        assert!(listed.iter().any(|line| line.ends_with(page)), "{listed:?}");
    }
    assert_eq!(std::fs::read_dir(folder.file("share/man1")).unwrap().count(), listed.len());
    let commands = folder.run(&["help"]).expect_code(0);
    let commands = commands.out().split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    for name in commands.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next()) {
        let is_listed = listed.iter().any(|line| line.ends_with(&format!("wflint-{name}.1")));
        assert!(is_listed || name.is_empty() || name == "help", "{name} in {listed:?}");
    }
}

#[test]
fn man_replaces_its_own_pages_alone() {
    let folder = Folder::with(&[]);
    folder.run(&["man", "."]).expect_code(0);
    let page = folder.read("wflint.1");
    folder.write("wflint.1", ".\\\" Written by `wflint man` of wflint 0.0.1\nold");
    folder.run(&["man", "."]).expect_code(0);
    assert_eq!(folder.read("wflint.1"), page, "a page of another version is replaced");

    folder.write("wflint-explain.1", "mine");
    std::fs::remove_file(folder.file("wflint.1")).unwrap();
    let output = folder.run(&["man", "."]).expect_code(2);
    assert_eq!(output.out(), "");
    assert!(output.err().contains("wflint-explain.1: it was not written by `wflint man`"), "{}", output.err());
    assert!(output.err().contains("wflint-schema.1"), "what would be written is listed: {}", output.err());
    assert_eq!(folder.read("wflint-explain.1"), "mine");
    assert!(!folder.file("wflint.1").exists(), "nothing is written");
}

#[test]
fn man_prints_its_folder_escaped() {
    let folder = Folder::with(&[]);
    let output = folder.run(&["man", "x\u{1b}[31m\n::error::forged ##vso[a]"]).expect_code(0);
    assert!(output.out().lines().all(|line| line.contains("x\\u{1b}[31m\\n::error::forged #\\u{23}vso[a]")));
}

#[test]
fn man_refuses_a_file_as_folder() {
    let folder = Folder::with(&[("pages", "text")]);
    let output = folder.run(&["man", "pages"]).expect_code(2);
    assert!(output.err().starts_with("wflint: cannot"), "{}", output.err());
    assert_eq!(folder.read("pages"), "text");
    folder.run(&["man"]).expect_code(2);
}
