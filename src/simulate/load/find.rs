//! Finding scenario files: `*.scenario.yaml`, `.yml`, `.json` and `.toml`.

use std::io::Read;
use std::path::Path;

use crate::simulate::scenario::ScenarioSyntax;

/// Bytes of a scenario or LDIF file.
const MAX_BYTES: u64 = 64 << 20;

/// Whether a file of a walked folder is a scenario, in any case of its extensions.
pub fn is_scenario(path: &Path) -> bool {
    let is_named_so = path
        .file_stem()
        .is_some_and(|stem| Path::new(stem).extension().is_some_and(|end| end.eq_ignore_ascii_case("scenario")));
    is_named_so && ScenarioSyntax::of(path).is_some()
}

/// Reads a text file.
///
/// # Errors
/// The reason, in words.
pub fn read_text(path: &Path) -> Result<String, String> {
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err("expected a file, found a folder".to_owned());
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("larger than {} MiB", MAX_BYTES >> 20));
    }
    String::from_utf8(bytes).map_err(|error| format!("invalid UTF-8 at byte {}", error.utf8_error().valid_up_to()))
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
