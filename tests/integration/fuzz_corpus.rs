//! The targets of fuzzing, each on its corpus: so that the corpus stays valid, and the targets compile, without a run of
//! `cargo test --test fuzz`.

#[path = "../fuzz/targets.rs"]
#[allow(dead_code, clippy::duplicate_mod, reason = "the targets stand alone, with the support that they use")]
mod targets;

use std::path::Path;

use targets::TARGETS;

#[test]
fn each_target_runs_on_its_corpus() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    for target in &TARGETS {
        let folder = root.join("corpus").join(target.corpus);
        let seeds: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(!seeds.is_empty(), "{}", folder.display());
        for seed in seeds {
            println!("{}: {}", target.name, seed.display());
            (target.run)(&std::fs::read(&seed).unwrap());
        }
    }
}

#[test]
fn each_target_is_one_of_cargo_fuzz_too() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap();
    for target in &TARGETS {
        let binary = std::fs::read_to_string(root.join(format!("fuzz_targets/{}.rs", target.name))).unwrap();
        assert!(binary.contains(&format!("targets::{}(", target.name)), "{}", target.name);
        assert!(manifest.contains(&format!("path = \"fuzz_targets/{}.rs\"", target.name)), "{}", target.name);
    }
    assert_eq!(manifest.matches("[[bin]]").count(), TARGETS.len());
}
