//! The services of `examples/`.

use std::path::Path;
use std::sync::LazyLock;

use super::fixing::Texts;

/// The documents of each service, sorted.
pub static EXAMPLE_SERVICES: LazyLock<Vec<Texts>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let folders = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut services: Vec<Texts> = folders.filter(|path| path.is_dir()).map(|path| documents(&path)).collect();
    // One folder has rules.
    services.retain(|service| !service.is_empty());
    services.sort();
    services
});

fn documents(folder: &Path) -> Texts {
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let documents = paths.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    documents.map(|path| (name(&path), std::fs::read_to_string(&path).unwrap())).collect()
}
