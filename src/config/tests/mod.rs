//! Configurations are read from files; the schema and the lists of settings agree with the reader.

mod schema;

use crate::config::{ActivityShape, AtMost, BuiltInLaw, CallBounds, Choices, Config, FILE_NAME, Mutation};
use crate::files::boundary::Boundary;
use crate::files::toml_file::TomlError;
use crate::text::diagnostic::Severity;

fn load(text: &str) -> Result<Config, TomlError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(FILE_NAME);
    std::fs::write(&path, text).unwrap();
    for (inside, file) in [("workflows", "sign.json"), ("forms", "sign-order.json")] {
        std::fs::create_dir(folder.path().join(inside)).unwrap();
        std::fs::write(folder.path().join(inside).join(file), "{}").unwrap();
    }
    Config::load(&path, &Boundary::default())
        .map_err(|error| TomlError(error.0.replace(&path.display().to_string(), FILE_NAME)))
}

#[test]
fn documented_keys_are_read() {
    let config = load(
        "select = ['ALL']\nignore = ['WF110']\nexclude = ['archive/**']\nfail-on = 'error'\n\
         system-variables = ['OrderId']\n[types]\nactivities = { SendEmail = 'leaf', Parallel = 'container' }\n\
         fields = ['TextArea']\n[severity]\nWF505 = 'warning'\n[per-file-ignores]\n'legacy/**' = ['WF2']\n\
         [[service]]\nname = 'signing'\nworkflow = 'workflows/sign.json'\nforms = ['forms/sign-*.json']\n\
         [limits]\nmin-poll-seconds = 60\nscript-seconds = 0.5\nmax-file-mib = 1\nmax-depth = 256\n\
         max-activities = 100\nmax-nesting = 8\nmax-branches = 20\n[scripts]\nevaluate = false\n",
    )
    .unwrap();
    assert_eq!(config.ignore.iter().map(|it| it.value.as_str()).collect::<Vec<_>>(), ["WF110"]);
    assert_eq!(config.types.activities["Parallel"].shape, ActivityShape::Container);
    let severity: Vec<_> = config.severity.iter().map(|(rule, level)| (rule.value.as_str(), *level)).collect();
    assert_eq!(severity, [("WF505", Severity::Warning)]);
    assert_eq!((config.max_file_bytes, config.max_depth), (1 << 20, 256));
    assert_eq!([config.script_seconds, Config::default().script_seconds].map(|it| it.to_string()), ["0.5", "2"]);
    assert!(!config.evaluate_scripts && Config::default().evaluate_scripts);
    let complexity = (config.max_activities, config.max_nesting, config.max_branches);
    assert_eq!(complexity, (Some(100), Some(8), Some(20)));
}

#[test]
fn invalid_configuration_is_rejected_with_its_place() {
    assert_eq!(load("[limit]\n").unwrap_err().0, "wflint.toml:1:2: unknown key `limit`; did you mean `limits`?");
    for (text, wanted) in [
        ("[limits]\nmax-depth = 1000", "2:13: expected `limits.max-depth` from 1 to 256, found 1000"),
        ("[limits]\nmax-file-mib = 0", "2:16: expected `limits.max-file-mib` from 1 to 1024, found 0"),
        ("limits.min-poll-seconds = -1", "1:27: expected `limits.min-poll-seconds` of 0 or more, found -1"),
        ("fmt = { indent = 11 }", "1:18: expected `fmt.indent` from 0 to 10, found 11"),
        ("exclude = ['a', 'a[']", "1:17: invalid pattern `a[`: unclosed character class; missing ']'"),
        ("[per-file-ignores]\n'a[' = ['WF1']", "2:1: invalid pattern `a[`: unclosed character class; missing ']'"),
        (
            "[[service]]\nname = 'a'\nforms = ['a[']",
            "3:10: invalid pattern `a[`: unclosed character class; missing ']'",
        ),
        ("documents.roots = ['/a~2']", "1:20: invalid JSON Pointer `/a~2`; write `~` as `~0`"),
        (
            "[types.activities]\nPause = { kind = 'leaf', delay = '-5' }",
            "2:34: expected the key that holds the seconds in `delay`, found \"-5\"",
        ),
        ("[types.activities]\nPause = { kind = 'leaf', delay = -5 }", "2:34: expected a string, found integer `-5`"),
    ] {
        assert_eq!(load(text).unwrap_err().0, format!("wflint.toml:{wanted}"));
    }
    for seconds in ["0", "-1", "nan", "inf", "86401"] {
        let error = load(&format!("[limits]\nscript-seconds = {seconds}")).unwrap_err().0;
        assert!(error.starts_with("wflint.toml:2:18: expected `limits.script-seconds` above 0"), "{error}");
    }
    assert!(load("catalogs = ['none/*.toml']").unwrap_err().0.contains("no file matches `none/*.toml`"));
}

#[test]
fn laws_and_settings_of_explore_are_read() {
    let config = load(
        "[explore]\nmax-states = 5\nfields = { B = ['x', ''], A = ['y'] }\nassume = { failures = false }\n\
         directory = 'people.ldif'\nskip-laws = ['reached']\n\
         [[law]]\nname = 'one'\nservices = ['sign/**']\nwhen = { people = 'act', calls = { Do-It = { at-least = 1 } } }\n\
         expect = { ends = true, statuses = ['...', '*x'], variables = { A = 1 }, calls = { B = 0 } }\n\
         [[law]]\nname = 'two'\nbefore = { A = 'B' }\n\
         [[suppress]]\nlaw = 'two'\nfile = 'a.json'\nactivity = 'A'\nreason = 'known'\n",
    )
    .unwrap();
    let explore = &config.explore;
    assert_eq!(explore.max_states, 5);
    let fields: Vec<_> = explore.fields.iter().map(|(name, values)| (name.value.as_str(), values.join("|"))).collect();
    assert_eq!(fields, [("A", "y".to_owned()), ("B", "x|".to_owned())]);
    assert_eq!(explore.assume, Choices { failures: false, empty_lookups: true, never_acts: true });
    assert_eq!(explore.directory.as_ref().unwrap().value, "people.ldif");
    assert_eq!(explore.laws, [BuiltInLaw::Ends, BuiltInLaw::NoFault]);
    let [one, two] = config.laws.as_slice() else { panic!("{:?}", config.laws) };
    let (when, expect) = (one.when.as_ref().unwrap(), one.expect.as_ref().unwrap());
    assert!(when.people_act && !when.ends && expect.ends && !expect.people_act);
    assert_eq!(when.calls[0].1, CallBounds { at_least_once: true, at_most: None });
    assert_eq!(expect.calls[0].1, CallBounds { at_least_once: false, at_most: Some(AtMost::Never) });
    let statuses = expect.statuses.as_ref().unwrap();
    assert!(statuses.others_before && statuses.texts == ["*x"], "{statuses:?}");
    assert_eq!((expect.variables[0].0.value.as_str(), expect.variables[0].1.as_str()), ("A", "1"));
    assert_eq!((two.before[0].0.value.as_str(), two.before[0].1.value.as_str()), ("A", "B"));
    assert_eq!((config.suppressions.len(), config.law_suppressions[0].name.as_str()), (0, "two"));
    let defaults = Config::default().explore;
    assert_eq!((defaults.max_states, defaults.laws.len(), defaults.assume), (200_000, 3, Choices::default()));
}

#[test]
fn accepted_mutants_are_read() {
    let entry = "[[accept-mutant]]\nfile = 'a/*.json'\nactivity = 'A'\nreason = 'known'\n";
    let config = load(&format!("{entry}mutation = 'drop-activity'\n{entry}pointer = '/b'\n")).unwrap();
    let [first, second] = config.accepted_mutants.as_slice() else { panic!("{:?}", config.accepted_mutants) };
    assert_eq!((first.mutation, first.pointer.as_deref()), (Some(Mutation::DropActivity), None));
    assert_eq!((second.mutation, second.pointer.as_deref()), (None, Some("/b")));
    assert_eq!((second.activity.as_deref(), second.reason.as_str()), (Some("A"), "known"));
    assert!(first.place.span.start == 0 && second.place.span.start > first.place.span.start);
}

#[test]
fn invalid_accepted_mutant_is_rejected_with_its_place() {
    for (keys, wanted) in [
        ("activty = 'A'\nreason = 'x'", "3:1: unknown key `activty`; did you mean `activity`?"),
        (
            "activity = 'A'\nmutation = 'drop-activty'\nreason = 'x'",
            "4:12: unknown value `drop-activty`; did you mean `drop-activity`?",
        ),
        ("reason = 'x'", "1:1: missing key `activity` or `pointer` in an accepted mutant"),
        ("activity = 'A'", "1:1: missing key `reason`"),
        ("activity = 'A'\nreason = ' '", "4:10: empty `reason` of an accepted mutant"),
        ("pointer = 'a'\nreason = 'x'", "3:11: invalid JSON Pointer `a` of an accepted mutant"),
    ] {
        let error = load(&format!("[[accept-mutant]]\nfile = 'a'\n{keys}\n")).unwrap_err().0;
        assert_eq!(error, format!("wflint.toml:{wanted}"));
    }
    let error = load("[[accept-mutant]]\nfile = 'a['\nactivity = 'A'\nreason = 'x'\n").unwrap_err().0;
    assert!(error.starts_with("wflint.toml:2:8: invalid pattern `a[`"), "{error}");
}

#[test]
fn invalid_law_is_rejected_with_its_place() {
    for (text, wanted) in [
        ("expect = { outcme = 'failed' }", "4:12: unknown key `outcme`; did you mean `outcome`?"),
        ("expect = { outcome = 'faild' }", "4:22: unknown value `faild`; did you mean `failed`?"),
        ("expects = { ends = true }", "4:1: unknown key `expects`; did you mean `expect`?"),
        (
            "when = { ends = true }\nexpect = { ends = true }",
            "4:17: `ends` in `when` of law `x`; it belongs in `expect`",
        ),
        ("expect = { people = 'act' }", "4:21: `people` in `expect` of law `x`; it belongs in `when`"),
        ("expect.ends = false", "4:15: expected `true`, found `false`"),
        ("expect = { calls = { A = 2 } }", "4:26: expected 0 or 1 calls, found 2: a law does not count further"),
        (
            "expect = { calls = { A = { at-least = -1 } } }",
            "4:39: expected 0 or 1 calls, found -1: a law does not count further",
        ),
        ("expect = { calls = { A = {} } }", "4:26: missing key `at-least` or `at-most`"),
        ("expect = { calls = { A = { at-least = 1, at-most = 0 } } }", "4:26: `at-most` is less than `at-least`"),
        ("expect = { variables = {} }", "4:24: empty table in a law"),
        ("expect = {}", "4:10: empty `expect` of law `x`"),
        ("when = { outcome = 'failed' }", "2:1: missing key `expect` or `before` in law `x`"),
        (
            "services = ['a[']\nexpect = { ends = true }",
            "4:13: invalid pattern `a[`: unclosed character class; missing ']'",
        ),
        ("before = { A = 'B' }\n[[law]]\nname = 'x'\nbefore = { A = 'B' }", "6:8: duplicate law `x`"),
        (
            "before = { A = 'B' }\n[[law]]\nname = 'reached'\nbefore = { A = 'B' }",
            "6:8: law `reached` is built in; choose another name",
        ),
        (
            "before = { A = 'B' }\n[[suppress]]\nlaw = 'end'\nfile = 'a'\nactivity = 'A'\nreason = 'x'",
            "6:7: unknown law `end` in a suppression; did you mean `ends`?",
        ),
        (
            "before = { A = 'B' }\n[[suppress]]\nrule = 'WF1'\nlaw = 'x'\nfile = 'a'\nactivity = 'A'\nreason = 'x'",
            "7:7: `rule` and `law` in one suppression; write an entry for each",
        ),
        (
            "before = { A = 'B' }\n[explore]\nskip-laws = ['reach']",
            "6:14: unknown built-in law `reach`; expected one of `ends`, `no-fault`, `reached`",
        ),
        (
            "before = { A = 'B' }\n[explore]\nassume.never-act = false",
            "6:8: unknown key `never-act`; did you mean `never-acts`?",
        ),
        (
            "before = { A = 'B' }\n[explore]\nmax-states = 0",
            "6:14: expected `explore.max-states` of 1 or more, found 0",
        ),
    ] {
        let error = load(&format!("\n[[law]]\nname = 'x'\n{text}\n")).unwrap_err().0;
        assert_eq!(error, format!("wflint.toml:{wanted}"), "{text}");
    }
}

#[test]
fn extended_laws_and_settings_of_explore_are_joined() {
    let folder = tempfile::tempdir().unwrap();
    let base = "[explore]\nmax-states = 5\nfields = { A = ['x'] }\nassume = { failures = false }\n\
                directory = 'people.ldif'\nskip-laws = ['ends']\n[[law]]\nname = 'one'\nexpect = { ends = true }\n";
    let own = "extend = 'base/base.toml'\n[explore]\nfields = { A = ['!x', 'y'], B = ['!z', 'z'] }\n\
               assume = { never-acts = false }\nskip-laws = ['!ends', 'reached']\n\
               [[law]]\nname = 'two'\nexpect = { ends = true }\n";
    std::fs::create_dir(folder.path().join("base")).unwrap();
    std::fs::write(folder.path().join("base/base.toml"), base).unwrap();
    let path = folder.path().join(FILE_NAME);
    std::fs::write(&path, own).unwrap();
    let config = Config::load(&path, &Boundary::default()).unwrap();
    let names: Vec<&str> = config.laws.iter().map(|law| law.name.value.as_str()).collect();
    assert_eq!(names, ["one", "two"]);
    assert!(config.laws[0].folder.ends_with("base") && !config.laws[1].folder.ends_with("base"));
    let explore = &config.explore;
    let values: Vec<&[String]> = explore.fields.iter().map(|(_, values)| values.as_slice()).collect();
    assert_eq!(values, [["y"], ["z"]]);
    assert_eq!(explore.max_states, 5);
    assert_eq!(explore.assume, Choices { failures: false, empty_lookups: true, never_acts: false });
    assert_eq!(explore.laws, [BuiltInLaw::Ends, BuiltInLaw::NoFault]);
    assert!(config.folder_of(explore.directory.as_ref().unwrap().place).ends_with("base"));
    let unused: Vec<&str> = config.unused_removals.iter().map(|removal| removal.value.as_str()).collect();
    assert_eq!(unused, ["!z"]);

    std::fs::write(&path, format!("{own}[[law]]\nname = 'one'\nexpect = {{ ends = true }}\n")).unwrap();
    let error = Config::load(&path, &Boundary::default()).unwrap_err().0;
    assert!(error.ends_with("wflint.toml:10:8: duplicate law `one`"), "{error}");
}
