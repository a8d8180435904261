//! `wflint fmt` as a clean filter and as `textconv` of git.

use crate::support::folder::Folder;
use crate::support::git::{git, try_git};
use crate::support::samples::{BROKEN, FINE, UNRELATED};

/// A workflow that is not formatted.
const LOOSE: &str = "\u{feff}{\"activities\": [],\n \"variables\": [{ \"name\":\"A\", \"id\":1 }] }";
/// The same workflow in its stable form.
const STABLE: &str = "{
  \"activities\": [],
  \"variables\": [
    {
      \"name\": \"A\",
      \"id\": 1
    }
  ]
}
";

/// A repository whose documents have the filter, and what git shows of them.
fn repository(required: bool) -> Folder {
    let folder = Folder::with(&[(".gitattributes", "*.workflow.json filter=wflint diff=wflint\n")]);
    git(&folder, &["init", "-q"]);
    // A shell runs both.
    let program = env!("CARGO_BIN_EXE_wflint").replace('\\', "/");
    git(&folder, &["config", "filter.wflint.clean", &format!("'{program}' fmt - --stdin-filename %f")]);
    // A filter that is required needs both directions.
    git(&folder, &["config", "filter.wflint.smudge", "cat"]);
    git(&folder, &["config", "filter.wflint.required", if required { "true" } else { "false" }]);
    git(&folder, &["config", "diff.wflint.textconv", &format!("'{program}' fmt -")]);
    folder
}

fn blob(folder: &Folder, file: &str) -> Vec<u8> {
    try_git(folder, &["cat-file", "blob", &format!(":{file}")]).stdout
}

#[test]
fn clean_filter_stores_the_stable_form_and_leaves_the_file() {
    for required in [false, true] {
        let folder = repository(required);
        folder.write("sub/a b.workflow.json", LOOSE);
        folder.write("other.workflow.json", UNRELATED);
        let added = try_git(&folder, &["add", "-A"]);
        assert_eq!(String::from_utf8_lossy(&added.stderr), "");
        assert_eq!(blob(&folder, "sub/a b.workflow.json"), STABLE.as_bytes());
        assert_eq!(blob(&folder, "other.workflow.json"), UNRELATED.as_bytes(), "other JSON is stored as it is");
        assert_eq!(folder.read("sub/a b.workflow.json"), LOOSE);
        git(&folder, &["commit", "-q", "-m", "x"]);
        assert_eq!(git(&folder, &["status", "--porcelain"]), "");
        // An export that differs in its layout alone changes nothing.
        folder.write("sub/a b.workflow.json", STABLE.replace("  ", "\t"));
        assert_eq!(git(&folder, &["diff", "--stat"]), "");
        git(&folder, &["checkout", "-q", "--", "."]);
        std::fs::remove_file(folder.file("sub/a b.workflow.json")).unwrap();
        git(&folder, &["checkout", "-q", "--", "."]);
        assert_eq!(folder.read("sub/a b.workflow.json"), STABLE);
    }
}

#[test]
fn clean_filter_takes_the_configuration_of_the_file() {
    let folder = repository(true);
    folder.write("sub/wflint.toml", "[fmt]\nindent = 0\n");
    folder.write("sub/a.workflow.json", LOOSE);
    git(&folder, &["add", "-A"]);
    assert_eq!(
        blob(&folder, "sub/a.workflow.json"),
        b"{\"activities\":[],\"variables\":[{\"name\":\"A\",\"id\":1}]}\n"
    );
}

#[test]
fn document_that_cannot_be_formatted_is_stored_as_it_is_or_refused() {
    let twice = "{\"activities\": [], \"variables\": [], \"variables\": []}";
    let utf16: Vec<u8> = FINE.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (content, reason) in [
        (BROKEN.as_bytes(), "cannot format a.workflow.json: invalid JSON at line 1, column 18"),
        (twice.as_bytes(), "cannot format a.workflow.json: duplicate key `variables`"),
        (&utf16, "cannot format a.workflow.json: not encoded in UTF-8"),
    ] {
        let folder = repository(false);
        folder.write("a.workflow.json", content);
        let added = try_git(&folder, &["add", "-A"]);
        let said = String::from_utf8_lossy(&added.stderr).into_owned();
        assert!(added.status.success() && said.contains(reason), "{said}");
        assert_eq!(blob(&folder, "a.workflow.json"), content, "nothing is lost");

        let folder = repository(true);
        folder.write("a.workflow.json", content);
        let added = try_git(&folder, &["add", "-A"]);
        let said = String::from_utf8_lossy(&added.stderr).into_owned();
        assert!(!added.status.success() && said.contains(reason), "{said}");
        assert_eq!(git(&folder, &["ls-files", "a.workflow.json"]), "", "it is not stored");
        assert_eq!(std::fs::read(folder.file("a.workflow.json")).unwrap(), content);
    }
}

#[test]
fn file_that_does_not_parse_is_refused_where_the_filter_is_required() {
    for (name, text) in [("empty.workflow.json", ""), ("cut.workflow.json", "{\"variables\":[],")] {
        for is_required in [false, true] {
            let folder = repository(is_required);
            folder.write(name, text);
            let added = try_git(&folder, &["add", name]);
            assert_eq!(added.status.success(), !is_required, "{name}");
            assert!(String::from_utf8_lossy(&added.stderr).contains("invalid JSON"), "{name}");
        }
    }
}

#[test]
fn differences_are_those_of_the_stable_form_and_broken_versions_are_shown() {
    let folder = repository(false);
    git(&folder, &["config", "--unset", "filter.wflint.clean"]);
    let versions = [LOOSE.to_owned(), STABLE.to_owned(), STABLE.replace("\"A\"", "\"B\""), BROKEN.to_owned()];
    for version in &versions {
        folder.write("sub/a.workflow.json", version);
        git(&folder, &["add", "-A"]);
        git(&folder, &["commit", "-q", "-m", "x"]);
    }
    let between = |old: &str, new: &str| {
        let diff = git(&folder, &["diff", "--unified=0", old, new, "--", "sub"]);
        diff.lines().filter(|line| line.starts_with(['+', '-'])).skip(2).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(between("HEAD~3", "HEAD~2"), [""; 0], "the layout alone has changed");
    assert_eq!(between("HEAD~2", "HEAD~1"), ["-      \"name\": \"A\",", "+      \"name\": \"B\","]);
    assert!(between("HEAD~1", "HEAD").contains(&"+{ \"activities\": [".to_owned()));
    let log = try_git(&folder, &["log", "--patch"]);
    assert!(log.status.success(), "a broken version ends no log: {}", String::from_utf8_lossy(&log.stderr));
    // What is not committed, too.
    folder.write("sub/a.workflow.json", LOOSE);
    let diff = git(&folder, &["diff"]);
    assert!(diff.contains("\n+      \"name\": \"A\",\n"), "{diff}");
}
