//! Configurations are read from files.

use crate::boundary::Boundary;
use crate::config::{ActivityShape, Config, FILE_NAME};
use crate::diagnostic::Severity;
use crate::toml_file::TomlError;

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
    let error = load("[limits]\nmax-depth = 1000").unwrap_err().0;
    assert_eq!(error, "wflint.toml: expected `limits.max-depth` from 1 to 256, found 1000");
    for seconds in ["0", "-1", "nan", "inf", "86401"] {
        let error = load(&format!("[limits]\nscript-seconds = {seconds}")).unwrap_err().0;
        assert!(error.starts_with("wflint.toml: expected `limits.script-seconds` above 0"), "{error}");
    }
    assert!(load("exclude = ['a[']").unwrap_err().0.contains("invalid pattern `a[`: "));
    assert!(load("catalogs = ['none/*.toml']").unwrap_err().0.contains("no file matches `none/*.toml`"));
}
