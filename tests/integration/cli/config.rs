//! Finding `wflint.toml`, and errors in it.

use crate::support::folder::Folder;
use crate::support::samples::{ERROR, FINE, WARNING};

/// The error for an invalid configuration.
fn refused(config: &str) -> String {
    let output = Folder::with(&[("a.json", ERROR), ("wflint.toml", config)]).run(&["."]).expect_code(2);
    assert_eq!(output.out(), "", "nothing is reported under a broken configuration");
    assert_eq!(output.err().lines().count(), 1, "{}", output.err());
    output.err().to_owned()
}

#[test]
fn configuration_is_found_by_walking_up_from_the_linted_folder() {
    let folder = Folder::with(&[("wflint.toml", "ignore = ['WF101']"), ("a/b/c.json", ERROR)]);
    for path in [".", "a", "a/b/c.json"] {
        assert_eq!(folder.found(&[path]), [""; 0], "{path}");
    }
    let inside = crate::support::run::run_cli(&["c.json"], &folder.file("a/b"), b"");
    assert_eq!(inside.code, 0, "from the file's folder, not from the current one");
}

#[test]
fn nearest_configuration_applies_without_those_above() {
    let folder = Folder::with(&[
        ("wflint.toml", "ignore = ['WF101']"),
        ("a.json", ERROR),
        ("w.json", WARNING),
        ("sub/wflint.toml", "ignore = ['WF414']"),
        ("sub/a.json", ERROR),
        ("sub/w.json", WARNING),
    ]);
    assert_eq!(folder.found(&["."]), ["sub/a.json WF101 error", "w.json WF414 warning"]);
}

#[test]
fn configuration_of_a_sibling_folder_does_not_apply() {
    let folder = Folder::with(&[("beside/wflint.toml", "ignore = ['WF101']"), ("own/a.json", ERROR)]);
    assert_eq!(folder.found(&["."]), ["own/a.json WF101 error"]);
}

#[test]
fn isolated_ignores_all_configurations() {
    let folder = Folder::with(&[("wflint.toml", "ignore = ['WF101']"), ("a.json", ERROR)]);
    assert_eq!(folder.found(&["--isolated"]), ["a.json WF101 error"]);
    let folder = Folder::with(&[("wflint.toml", "this is no TOML"), ("a.json", FINE)]);
    folder.run(&["--isolated"]).expect_code(0);
}

#[test]
fn empty_configuration_changes_nothing() {
    let folder = Folder::with(&[("wflint.toml", ""), ("a.json", ERROR)]);
    assert_eq!(folder.found(&["."]), ["a.json WF101 error"]);
}

#[test]
fn windows_line_ends_and_byte_order_mark_are_accepted() {
    let folder = Folder::with(&[("wflint.toml", "\u{feff}ignore = [\r\n  'WF101',\r\n]\r\n"), ("a.json", ERROR)]);
    assert_eq!(folder.found(&["."]), [""; 0]);
    assert!(refused("\u{feff}ignore = []\r\nselct = []\r\n").contains("wflint.toml:2:1: "));
}

#[test]
fn unknown_key_is_rejected_with_its_place_and_a_suggestion() {
    let reason = refused("ignore = []\nselct = ['WF101']\n");
    assert!(reason.contains("wflint.toml:2:1: ") && reason.contains("did you mean `select`"), "{reason}");
    let reason = refused("\n[limits]\nmax-dept = 5\n");
    assert!(reason.contains("wflint.toml:3:1: ") && reason.contains("did you mean `max-depth`"), "{reason}");
    let reason = refused("[[service]]\nname = 'a'\nworkflows = 'a.json'\n");
    assert!(reason.contains("wflint.toml:3:1: ") && reason.contains("did you mean `workflow`"), "{reason}");
    let reason = refused("[types]\nactivites = {}\n");
    assert!(reason.contains("wflint.toml:2:1: ") && reason.contains("did you mean `activities`"), "{reason}");
}

#[test]
fn unknown_key_without_a_near_one_is_rejected_with_the_known_ones() {
    let reason = refused("colours = true\n");
    assert!(reason.contains("`colours`") && reason.contains("per-file-ignores"), "{reason}");
}

#[test]
fn unknown_value_is_rejected_with_its_place_and_a_suggestion() {
    let reason = refused("fail-on = 'warnin'\n");
    assert!(reason.contains("wflint.toml:1:") && reason.contains("did you mean `warning`"), "{reason}");
    let reason = refused("[types]\nactivities = { SendEmail = 'leav' }\n");
    assert!(reason.contains("wflint.toml:2:") && reason.contains("did you mean `leaf`"), "{reason}");
    let reason = refused("[types]\nactivities = { LookUp = { kind = 'leav' } }\n");
    assert!(reason.contains("wflint.toml:2:") && reason.contains("did you mean `leaf`"), "{reason}");
    let reason = refused("[severity]\nWF101 = 'off'\n");
    assert!(reason.contains("wflint.toml:2:") && reason.contains("warning"), "{reason}");
}

#[test]
fn value_of_the_wrong_type_is_rejected_with_its_place() {
    for (config, place) in [
        ("select = 'WF101'\n", "wflint.toml:1:10: "),
        ("\nignore = [1]\n", "wflint.toml:2:11: "),
        ("[limits]\nmax-depth = 'deep'\n", "wflint.toml:2:13: "),
        ("[limits]\nmax-depth = -1\n", "wflint.toml:2:13: "),
        ("[types]\nactivities = { LookUp = 3 }\n", "wflint.toml:2:25: "),
        ("[types]\nactivities = { LookUp = { writes = true } }\n", "wflint.toml:2:25: "),
        ("[types]\nactivities = { LookUp = { kind = 'leaf', writes = 'Price' } }\n", "wflint.toml:2:51: "),
    ] {
        let reason = refused(config);
        assert!(reason.contains(place), "{config:?}: {reason}");
    }
}

#[test]
fn invalid_toml_is_rejected_with_its_place() {
    assert!(refused("ignore = []\nselect = [\n").contains("wflint.toml:"));
    assert!(refused("ignore = []\nignore = []\n").contains("wflint.toml:2:1: "));
    assert!(refused("= 5").contains("wflint.toml:1:1: "));
}

#[test]
fn invalid_utf8_is_rejected() {
    let folder = Folder::with(&[("a.json", FINE)]);
    folder.write("wflint.toml", b"ignore = ['\xff']");
    let output = folder.run(&["."]).expect_code(2);
    assert!(output.err().contains("wflint.toml"), "{}", output.err());
}

#[test]
fn unknown_rule_selector_is_rejected_with_a_suggestion() {
    for config in [
        "select = ['unknown-varable']",
        "ignore = ['unknown-varable']",
        "[severity]\nunknown-varable = 'info'",
        "[per-file-ignores]\n'legacy/**' = ['unknown-varable']",
    ] {
        let reason = refused(config);
        assert!(reason.contains("wflint.toml"), "{reason}");
        assert!(reason.contains("did you mean `unknown-variable`"), "{reason}");
    }
}

#[test]
fn invalid_pattern_is_rejected_by_name() {
    for config in [
        "exclude = ['a[']",
        "[per-file-ignores]\n'a[' = ['WF101']",
        "[[service]]\nname = 'a'\nforms = ['a[']",
        "catalogs = ['a[.toml']",
    ] {
        let reason = refused(config);
        assert!(reason.contains("wflint.toml") && reason.contains("a["), "{config}: {reason}");
    }
}

#[test]
fn limit_out_of_range_is_rejected() {
    for (config, range) in [
        ("max-depth = 257", "from 1 to 256"),
        ("max-depth = 0", "from 1 to 256"),
        ("max-file-mib = 1025", "from 1 to 1024"),
        ("max-file-mib = 0", "from 1 to 1024"),
        ("min-poll-seconds = -1", "0 or more"),
        ("min-poll-seconds = nan", "0 or more"),
    ] {
        let reason = refused(&format!("[limits]\n{config}\n"));
        let key = config.split(' ').next().unwrap();
        assert!(reason.contains("wflint.toml") && reason.contains(key) && reason.contains(range), "{config}: {reason}");
    }
}

#[test]
fn invalid_configuration_of_one_folder_fails_the_whole_run() {
    let folder = Folder::with(&[("a/a.json", ERROR), ("b/b.json", FINE), ("b/wflint.toml", "selct = []")]);
    let output = folder.run(&["."]).expect_code(2);
    assert_eq!(output.out(), "");
    folder.run(&["a"]).expect_code(1);
}

#[test]
fn selection_without_a_rule_is_rejected_with_its_place() {
    for (config, place) in
        [("select = []\n", "wflint.toml:1:10: "), ("\nselect = ['WF1']\nignore = ['binding']\n", "wflint.toml:2:10: ")]
    {
        let reason = refused(config);
        assert!(reason.contains(place) && reason.contains("`select` enables no rule; remove it"), "{reason}");
    }
    for (config, place) in [
        ("ignore = ['ALL']\n", "wflint.toml:1:11: "),
        ("\nignore = ['WF', 'WF4']\n", "wflint.toml:2:11: "),
        // Of several entries, the one that takes the last rule.
        ("ignore = [\n'WF0','WF1','WF2','WF3','WF4','WF5','WF6','WF7','WF8',\n'WF9',\n'WF1']\n", "wflint.toml:3:1: "),
    ] {
        let reason = refused(config);
        assert!(reason.contains(place) && reason.contains("`ignore` leaves no rule; remove some"), "{reason}");
    }
    // Whatever the command line selects: the configuration is what the next run uses.
    for config in ["select = []", "ignore = ['ALL']"] {
        let folder = Folder::with(&[("wflint.toml", config), ("a.json", ERROR)]);
        folder.run(&["--select", "ALL", "."]).expect_code(2);
        folder.run(&["--show-settings"]).expect_code(2);
        folder.run(&["--isolated", "."]).expect_code(1);
    }
    // Also if other folders have rules.
    let folder = Folder::with(&[("sub/wflint.toml", "ignore = ['ALL']"), ("sub/a.json", ERROR), ("a.json", ERROR)]);
    folder.run(&["."]).expect_code(2);
}

#[test]
fn service_without_its_files_is_rejected_with_its_place() {
    for (keys, place, reason) in [
        (
            "workflow = 'none.json'",
            "wflint.toml:4:12: ",
            "missing workflow `none.json` of service `sign`; give its path",
        ),
        ("workflow = 'sub'", "wflint.toml:4:12: ", "missing workflow `sub`"),
        (
            "workflow = 'a.json'\nforms = ['none/*.json']",
            "wflint.toml:5:10: ",
            "no file matches `none/*.json` in `forms`",
        ),
        ("forms = ['none.json', 'none/*']", "wflint.toml:4:10: ", "no file matches any of the 2 patterns in `forms`"),
        // Patterns match paths below the folder.
        ("forms = ['../a.json']", "wflint.toml:4:10: ", "no file matches `../a.json`"),
        ("", "wflint.toml:2:1: ", "service `sign` without files; add `workflow` or `forms`"),
        (
            "workflow = 'a.json'\n[[service]]\nname = 'again'\nworkflow = './a.json'",
            "wflint.toml:7:12: ",
            "duplicate workflow `./a.json` of service `again`, already in service `sign`",
        ),
    ] {
        let config = format!("\n[[service]]\nname = 'sign'\n{keys}\n");
        let folder = Folder::with(&[("wflint.toml", &config), ("a.json", FINE), ("sub/b.json", FINE)]);
        let output = folder.run(&["."]).expect_code(2);
        assert_eq!(output.out(), "", "{keys}");
        assert!(output.err().contains(place) && output.err().contains(reason), "{keys}: {}", output.err());
        folder.run(&["--simulate", "."]).expect_code(2);
    }
    for forms in
        ["'sub/*', '**/b.json', 'sub/b.json'", "'none/*', 'sub/b.json'", "'sub/*.json', 'none.json'", "'./sub/*.json'"]
    {
        let config = format!("[[service]]\nname = 'sign'\nworkflow = './a.json'\nforms = [{forms}]\n");
        Folder::with(&[("wflint.toml", &config), ("a.json", FINE), ("sub/b.json", FINE)]).run(&["."]).expect_code(0);
    }
}

#[test]
fn document_from_standard_input_counts_as_a_file_of_its_service() {
    let config = "[[service]]\nname = 'sign'\nworkflow = './a.json'\nforms = ['forms/*.json']\n";
    let folder = Folder::with(&[("wflint.toml", config), ("a.json", FINE)]);
    let run =
        |name: &str| crate::support::run::run_cli(&["-", "--stdin-filename", name], folder.path(), FINE.as_bytes());
    run("forms/new.json").expect_code(0);
    assert!(run("other/new.json").expect_code(2).err().contains("no file matches `forms/*.json`"));
    std::fs::remove_file(folder.file("a.json")).unwrap();
    folder.write("forms/f.json", FINE);
    run("a.json").expect_code(0);
    run("b.json").expect_code(2);
}

/// The error for something else than a regular file in the place of one that a run needs.
#[cfg(unix)]
fn refused_in_place_of(name: &str, config: &str, args: &[&str], place: impl Fn(&std::path::Path)) -> String {
    let folder = Folder::with(&[("a.json", FINE), ("plugins/fine.toml", "plugin = 'own'\n")]);
    if !config.is_empty() {
        folder.write("wflint.toml", config);
    }
    place(&folder.file(name));
    let output = crate::support::run::process(folder.path()).args(args).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{name}: {error}");
    assert!(output.stdout.is_empty() && error.contains(name) && error.lines().count() == 1, "{error}");
    error
}

#[cfg(unix)]
#[test]
fn configuration_catalog_or_baseline_that_is_no_regular_file_is_an_error() {
    use std::os::unix::fs::symlink;
    let pipe = |path: &std::path::Path| {
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    let plain = "catalogs = ['plugins/own.toml']";
    let glob = "catalogs = ['plugins/*.toml']";
    for (name, config, args) in [
        ("wflint.toml", "", &["."][..]),
        ("wflint.toml", "", &["a.json"]),
        ("own.toml", "", &["--config", "own.toml", "."]),
        ("plugins/own.toml", plain, &["."]),
        ("plugins/own.toml", glob, &["."]),
        ("known.json", "", &["--baseline", "known.json", "."]),
        ("known.json", "", &["--baseline", "known.json", "--write-baseline", "."]),
    ] {
        let refused = |place: &dyn Fn(&std::path::Path)| refused_in_place_of(name, config, args, place);
        assert!(refused(&pipe).contains("expected a regular file, found a pipe or device"), "{name}");
        assert!(refused(&|path| symlink("nowhere", path).unwrap()).contains("broken link"), "{name}");
        assert!(refused(&|path| symlink("/dev/zero", path).unwrap()).contains("found a pipe or device"), "{name}");
        refused(&|path| symlink(path.file_name().unwrap(), path).unwrap());
        if config != glob {
            let error = refused(&|path| std::fs::create_dir(path).unwrap());
            assert!(error.contains("expected a regular file, found a folder"), "{error}");
        }
    }
}

#[cfg(unix)]
#[test]
fn configuration_and_catalog_may_be_links_to_files() {
    let folder = Folder::with(&[("a.json", ERROR), ("shared/own.toml", "ignore = ['WF101']")]);
    std::os::unix::fs::symlink("shared/own.toml", folder.file("wflint.toml")).unwrap();
    assert_eq!(folder.found(&["."]), [""; 0]);
    let folder = Folder::with(&[("a.json", FINE), ("own.toml", "broken"), ("wflint.toml", "catalogs = ['p/*.toml']")]);
    std::fs::create_dir(folder.file("p")).unwrap();
    std::os::unix::fs::symlink("../own.toml", folder.file("p/own.toml")).unwrap();
    assert!(folder.run(&["."]).expect_code(2).err().contains("own.toml"));
}
