//! `--show-settings`: the configuration that holds for a path.

use serde_json::{Value, json};

use crate::support::folder::Folder;
use crate::support::samples::FINE;

const CONFIG: &str = "ignore = ['WF110']\nfail-on = 'error'\n[limits]\nmax-depth = 5\n[severity]\nWF504 = 'info'\n\
                      [[service]]\nname = 'a'\nforms = ['a.json']\n[[service]]\nname = 'b'\nforms = ['b.json']\n";

fn folder() -> Folder {
    Folder::with(&[("wflint.toml", CONFIG), ("a.json", FINE), ("b.json", FINE), ("sub/c.json", FINE)])
}

/// The value and the origin of a setting.
#[track_caller]
fn setting(folder: &Folder, args: &[&str], key: &str) -> (Value, String) {
    let output = folder.run(&[args, &["--format", "json"]].concat()).expect_code(0);
    assert_eq!(output.err(), "");
    let settings = output.json()["settings"].as_array().unwrap().clone();
    let found = settings.iter().find(|setting| setting["key"] == key);
    let found = found.unwrap_or_else(|| panic!("{key} in {settings:?}"));
    (found["value"].clone(), found["origin"].as_str().unwrap().to_owned())
}

#[test]
fn each_value_has_its_origin() {
    let folder = folder();
    for path in [".", "sub", "sub/c.json", "wflint.toml"] {
        let of = |key: &str| setting(&folder, &["--show-settings", path], key);
        let from = |value: Value, origin: &str| (value, origin.to_owned());
        assert_eq!(of("ignore"), from(json!(["WF110"]), "wflint.toml:1"));
        assert_eq!(of("fail-on"), from(json!("error"), "wflint.toml:2"));
        assert_eq!(of("limits.max-depth"), from(json!(5), "wflint.toml:4"));
        assert_eq!(of("limits.max-file-mib"), from(json!(64), "default"));
        assert_eq!(of("severity"), from(json!({ "WF504": "info" }), "wflint.toml:5"));
        let services = json!([{ "name": "a", "forms": ["a.json"] }, { "name": "b", "forms": ["b.json"] }]);
        assert_eq!(of("service"), from(services, "wflint.toml:7, wflint.toml:10"));
        assert_eq!(of("types.activities"), from(json!({}), "default"));
        assert_eq!(of("baseline"), from(Value::Null, "default"));
    }
    let inside = crate::support::run::run_cli(&["--show-settings", "--format", "json"], &folder.file("sub"), b"");
    let settings = inside.json()["settings"].clone();
    let origins: Vec<&Value> = settings.as_array().unwrap().iter().map(|setting| &setting["origin"]).collect();
    assert!(origins.contains(&&json!("../wflint.toml:2")), "{origins:?}");
}

#[test]
fn options_override_the_configuration() {
    let folder = folder();
    let of = |args: &[&str], key: &str| setting(&folder, &[&["--show-settings", "."], args].concat(), key);
    let from = |value: Value| (value, "command line".to_owned());
    assert_eq!(of(&["--fail-on", "never"], "fail-on"), from(json!("never")));
    assert_eq!(of(&["--exit-zero"], "fail-on"), from(json!("never")));
    assert_eq!(of(&["--baseline", "none.json"], "baseline"), from(json!("none.json")));
    assert_eq!(of(&["--no-scripts"], "scripts.evaluate"), from(json!(false)));
    assert_eq!(of(&["--select", "WF1,security"], "select"), from(json!(["WF1", "security"])));
    // The options replace the whole selection, as in a lint.
    assert_eq!(of(&["--select", "WF1"], "ignore"), from(json!([])));
    assert_eq!(of(&["--select", "WF1", "--ignore", "WF101"], "ignore"), from(json!(["WF101"])));
    let joined = (json!(["WF110", "WF101"]), "wflint.toml:1, command line".to_owned());
    assert_eq!(of(&["--ignore", "WF101"], "ignore"), joined);
    assert_eq!(of(&["--isolated", "--ignore", "WF101"], "ignore"), from(json!(["WF101"])));
    assert_eq!(of(&["--isolated"], "fail-on"), (json!("warning"), "default".to_owned()));
    folder.write("other.toml", "\nfail-on = 'info'");
    assert_eq!(of(&["--config", "other.toml"], "fail-on"), (json!("info"), "other.toml:2".to_owned()));
}

#[test]
fn path_is_given_in_any_way() {
    let folder = folder();
    folder.write("sub/wflint.toml", "fail-on = 'info'");
    let wanted = (json!("info"), "sub/wflint.toml:1".to_owned());
    for args in [
        &["--show-settings", "sub"][..],
        &["--show-settings=sub/c.json"],
        &["sub", "--show-settings"],
        &["check", "sub", "--show-settings"],
        &["--show-settings", "-", "--stdin-filename", "sub/new.json"],
    ] {
        assert_eq!(setting(&folder, args, "fail-on"), wanted, "{args:?}");
    }
    assert_eq!(setting(&folder, &["--show-settings"], "fail-on").1, "wflint.toml:2");
    assert_eq!(setting(&folder, &["--show-settings", "-"], "fail-on").1, "wflint.toml:2");
}

#[test]
fn settings_for_people_have_a_line_each() {
    let folder = Folder::with(&[("wflint.toml", "system-variables = ['a\u{202e}', 'b']")]);
    let output = folder.run(&["--show-settings"]).expect_code(0);
    let lines: Vec<&str> = output.out().lines().collect();
    assert!(lines.contains(&"limits.max-depth = 128  # default"), "{lines:?}");
    assert!(lines.contains(&"system-variables = [\"a\\u{202e}\",\"b\"]  # wflint.toml:1"), "{lines:?}");
    folder.run(&["--show-settings", "--output", "settings.txt"]).expect_code(0);
    assert_eq!(folder.read("settings.txt"), output.out());
}

#[test]
fn impossible_requests_are_errors() {
    let folder = folder();
    for (args, reason) in [
        (&["--show-settings", "none.json"][..], "cannot read none.json"),
        (&["--show-settings", "a.json", "b.json"], "`--show-settings` takes one path"),
        (&["--show-settings", "--format", "github"], "`--show-settings` supports the formats `human` and `json`"),
        (&["--show-settings", "--stdin-filename", "a.json"], "requires the path `-`"),
        (&["--show-settings", "--select", "WF999"], "unknown rule selector `WF999`"),
        (&["--show-settings", "--show-files"], "cannot be used with"),
        (&["--show-settings", "--fix"], "cannot be used with"),
        (&["--simulate", "--show-settings"], "cannot be used with"),
    ] {
        let output = folder.run(args).expect_code(2);
        assert!(output.err().contains(reason), "{args:?}: {}", output.err());
        assert_eq!(output.out(), "");
    }
    folder.write("wflint.toml", "selct = []");
    assert!(folder.run(&["--show-settings"]).expect_code(2).err().contains("did you mean `select`?"));
}
