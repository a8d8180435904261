//! Finding scenario files: `*.scenario.yaml`, `.yml`, `.json` and `.toml`.

use std::path::Path;

use crate::simulate::scenario::ScenarioSyntax;

/// Whether a file of a walked folder is a scenario, in any case of its extensions.
pub fn is_scenario(path: &Path) -> bool {
    let is_named_so = path
        .file_stem()
        .is_some_and(|stem| Path::new(stem).extension().is_some_and(|end| end.eq_ignore_ascii_case("scenario")));
    is_named_so && ScenarioSyntax::of(path).is_some()
}

#[cfg(test)]
mod tests {
    use super::is_scenario;
    use std::path::Path;

    #[test]
    fn a_file_is_a_scenario_by_its_extensions() {
        for name in ["a/signed.scenario.yaml", "signed.scenario.yml", "x.Scenario.JSON", "x.SCENARIO.toml"] {
            assert!(is_scenario(Path::new(name)), "{name}");
        }
        for name in ["scenario.yaml", "signed.yaml", "signed.scenario.txt", "signed.scenario"] {
            assert!(!is_scenario(Path::new(name)), "{name}");
        }
    }
}
