//! Modules in many styles, in `tests/modules`: the catalogs are pinned.

use insta::assert_snapshot;

use super::methods;
use crate::support::folder::copy_of;
use crate::support::snapshot::settings;

/// The arguments that import a file.
fn import(name: &str) -> Vec<&str> {
    let module: &[&str] = if name.ends_with(".ps1") { &["--module", "arrows"] } else { &[] };
    [&["catalog", "import", name], module].concat()
}

/// The names of the modules.
fn modules() -> Vec<String> {
    let folder = copy_of("tests/modules");
    folder.names().into_iter().filter(|name| name.ends_with(".psm1") || name.ends_with(".ps1")).collect()
}

#[test]
fn modules_become_catalogs() {
    let folder = copy_of("tests/modules");
    for name in modules() {
        let output = folder.run(&import(&name));
        assert_eq!(output.code, u8::from(name == "Broken.psm1"), "{name}: {}", output.err());
        let text = format!("exit code {}\n\n{}\n{}", output.code, output.err(), output.out());
        let stem = name.replace('.', "_").replace('å', "a");
        settings().bind(|| assert_snapshot!(format!("import_{stem}"), text));
    }
}

/// A module whose files are loaded by it, as their tests load them.
#[test]
fn files_of_a_module_become_one_catalog() {
    let folder = copy_of("tests/modules/badges");
    let files = folder.names();
    let arguments = ["catalog", "import"].into_iter().chain(files.iter().map(String::as_str)).collect::<Vec<_>>();
    let output = folder.run(&arguments).expect_code(0);
    settings().bind(|| assert_snapshot!("import_badges", format!("{}\n{}", output.err(), output.out())));
}

#[test]
fn catalogs_match_the_schema_and_are_read_back() {
    let schema: serde_json::Value = serde_json::from_str(include_str!("../../../schemas/catalog.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let folder = copy_of("tests/modules");
    for name in modules() {
        let output = folder.run(&import(&name));
        assert!(!methods(output.out()).is_empty(), "{name}");
        let value: serde_json::Value = toml::from_str(output.out()).unwrap();
        let errors: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new(), "{name}");
    }
}

#[test]
fn second_run_changes_no_byte() {
    let folder = copy_of("tests/modules");
    let args = ["catalog", "import", "--output", "out", "--module", "arrows"];
    let mut args: Vec<String> = args.map(str::to_owned).to_vec();
    args.extend(modules());
    let first = folder.run(&args).expect_code(1);
    let files = folder.names_in("out");
    assert_eq!((files.len(), first.out().lines().count()), (modules().len(), modules().len()));
    let before: Vec<String> = files.iter().map(|name| folder.read(format!("out/{name}"))).collect();
    let second = folder.run(&args).expect_code(1);
    assert_eq!(second.out(), "");
    assert!(second.err().ends_with(&format!("0 catalogs written, {} unchanged.\n", files.len())), "{}", second.err());
    let after: Vec<String> = files.iter().map(|name| folder.read(format!("out/{name}"))).collect();
    assert_eq!(before, after);
}

#[test]
fn line_ends_and_encodings_make_no_difference() {
    let folder = copy_of("tests/modules");
    for name in modules() {
        // One is in Windows-1252.
        let Ok(text) = std::fs::read_to_string(folder.file(&name)) else { continue };
        let wanted = folder.run(&import(&name));
        let utf16 = |text: &str, bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
        let crlf = text.replace('\n', "\r\n");
        for (what, bytes) in [
            ("CRLF", crlf.clone().into_bytes()),
            ("CRLF with a mark", format!("\u{feff}{crlf}").into_bytes()),
            ("a mark", format!("\u{feff}{text}").into_bytes()),
            ("UTF-16 LE", utf16(&format!("\u{feff}{crlf}"), u16::to_le_bytes)),
            ("UTF-16 BE", utf16(&format!("\u{feff}{text}"), u16::to_be_bytes)),
            ("UTF-16 LE without a mark", utf16(&text, u16::to_le_bytes)),
        ] {
            folder.write(&name, bytes);
            let output = folder.run(&import(&name));
            assert_eq!((output.code, output.out()), (wanted.code, wanted.out()), "{name}: {what}");
            assert_eq!(output.err(), wanted.err(), "{name}: {what}");
        }
    }
}
