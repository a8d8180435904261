//! `--shard`: parts of a run that add up to the whole.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

use crate::support::cases;
use crate::support::folder::Folder;
use crate::support::samples::{BROKEN, ERROR, FILLER, FINE, INFO, READER, UNRELATED, WARNING};

/// What files hold: documents with and without findings, and others.
const CONTENTS: [&str; 10] = [FINE, ERROR, WARNING, INFO, BROKEN, UNRELATED, READER, FILLER, WRAPPED, ""];
const WRAPPED: &str = r#"{ "export": { "activities": [{ "type": "Status" }] } }"#;
const FILES: [&str; 9] = [
    "a.json", "one/a.json", "one/b.json", "two/a.json", "two/b.json", "three/a.json", "four/x.json", "five/a.json",
    "six/sub/a.json",
];

/// Entries of a configuration, of which some match something in some folders.
const ENTRIES: [&str; 12] = [
    "[[suppress]]\nrule = 'WF101'\nfile = 'one/a.json'\nactivity = 'Say'\nreason = 'x'\n",
    "[[suppress]]\nrule = 'WF414'\nfile = 'three/a.json'\npointer = ''\nreason = 'x'\n",
    "[[suppress]]\nrule = 'WF414'\nfile = 'gone/a.json'\npointer = ''\nreason = 'x'\n",
    "[[suppress]]\nrule = 'WF414'\nfile = 'two/b.json'\npointer = ''\nreason = 'x'\nuntil = 2020-01-01\n",
    "[[suppress]]\nrule = 'WF9999'\nfile = 'a.json'\npointer = ''\nreason = 'x'\n",
    "[[service]]\nname = 'both'\nworkflow = 'one/a.json'\nforms = ['two/*.json']\n",
    "[per-file-ignores]\n'**/a.json' = ['WF101', 'WF414']\n'none/**' = ['WF1']\n'one/b.json' = ['WF4', 'WF302']\n",
    "[per-file-ignores]\n'*/*.json' = ['WF007']\n'six/sub/a.json' = ['WF000', 'WF604']\n",
    "[severity]\nWF101 = 'info'\n",
    "ignore = ['WF007']\n",
    "exclude = ['five/**']\n",
    "fail-on = 'error'\n",
];

const PATHS: [&[&str]; 3] = [&["."], &["one", "two", "a.json"], &["one/a.json", "three"]];

fn folder(contents: &[&str], config: &str) -> Folder {
    let files: Vec<(&str, &str)> = FILES.into_iter().zip(contents.iter().copied()).collect();
    let folder = Folder::with(&files);
    folder.write("wflint.toml", config);
    folder
}

/// The findings of a report, and the numbers of its summary.
fn parts_of(report: &Value) -> (Vec<String>, Vec<(String, u64)>) {
    let findings = report["diagnostics"].as_array().unwrap().iter().map(Value::to_string).collect();
    let numbers = report["summary"].as_object().unwrap();
    (findings, numbers.iter().map(|(name, number)| (name.clone(), number.as_u64().unwrap())).collect())
}

fn joined(config: &[&str]) -> String {
    // Keys of the file itself come before its tables, and each table once.
    let mut entries: Vec<&str> = config.to_vec();
    entries.sort_by_key(|entry| entry.starts_with('['));
    entries.dedup_by_key(|entry| if entry.starts_with("[[") { *entry } else { entry.lines().next().unwrap() });
    entries.concat()
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn reports_of_the_parts_add_up_to_the_whole(
        before in prop::collection::vec(select(&CONTENTS[..]), FILES.len()),
        after in prop::collection::vec(select(&CONTENTS[..]), FILES.len()),
        config in prop::sample::subsequence(&ENTRIES[..], 0..=6),
        count in 1..=6u32,
        paths in select(&PATHS[..]),
    ) {
        let config = joined(&config);
        let known = folder(&before, "");
        known.run(&["--baseline", "known.json", "--write-baseline"]);
        let folder = folder(&after, &config);
        folder.write("known.json", std::fs::read(known.file("known.json")).unwrap_or_default());
        let args = |baseline: &[&str], shard: &[&str]| -> Vec<String> {
            let args = [&["--format", "json"][..], baseline, shard, paths].concat();
            args.into_iter().map(str::to_owned).collect()
        };
        let baselines = [&[][..], &["--baseline", "known.json"], &["--baseline", "known.json", "--strict-baseline"]];
        for baseline in baselines.iter().filter(|it| it.is_empty() || !folder.read("known.json").is_empty()) {
            let whole = folder.run(&args(baseline, &[]));
            if whole.code == 2 {
                for index in 1..=count {
                    let shard = format!("{index}/{count}");
                    prop_assert_eq!(folder.run(&args(baseline, &["--shard", &shard])).code, 2, "{:?}", whole);
                }
                continue;
            }
            let (mut found, mut numbers) = (Vec::new(), parts_of(&whole.json()).1);
            let mut code = 0;
            for index in 1..=count {
                let shard = format!("{index}/{count}");
                let part = folder.run(&args(baseline, &["--shard", &shard]));
                code = code.max(part.code);
                let (findings, part) = parts_of(&part.json());
                found.extend(findings);
                for ((_, left), (_, number)) in numbers.iter_mut().zip(part) {
                    *left = left.wrapping_sub(number);
                }
            }
            let mut wanted = parts_of(&whole.json()).0;
            wanted.sort();
            found.sort();
            prop_assert_eq!(found, wanted, "{}", config);
            prop_assert!(numbers.iter().all(|(_, left)| *left == 0), "left: {:?}\n{}", numbers, config);
            prop_assert_eq!(code, whole.code);
        }
    }
}

#[test]
fn empty_part_is_fine_unless_nothing_is_to_be_linted() {
    let folder = Folder::with(&[("a.json", ERROR), ("other/b.json", UNRELATED)]);
    let codes = |folder: &Folder| ["1/3", "2/3", "3/3"].map(|part| folder.run(&["--shard", part]).code);
    assert_eq!(codes(&folder), [1, 0, 0]);
    assert_eq!(folder.run(&["--shard", "3/3"]).out(), "Nothing to lint.\n");
    assert_eq!(codes(&Folder::with(&[("a.json", UNRELATED)])), [2, 2, 2]);
    assert_eq!(folder.run(&["--shard", "2/3", "gone"]).code, 2);
}

#[test]
fn invalid_part_is_rejected() {
    let folder = Folder::with(&[("a.json", FINE)]);
    for part in ["0/4", "5/4", "x", "1", "1/0", "-1/2", "1/2/3", ""] {
        let output = folder.run(&[&format!("--shard={part}")]).expect_code(2);
        assert!(output.err().contains("--shard") && output.out().is_empty(), "{part}: {output:?}");
    }
    for args in [
        &["--write-baseline", "--baseline", "b.json"][..],
        &["--add-suppressions", "x"],
        &["--show-files"],
        &["--show-settings"],
        &["--simulate"],
        &["-"],
    ] {
        folder.run(&[&["--shard", "1/2"], args].concat()).expect_code(2);
    }
    assert_eq!(folder.names(), ["a.json"]);
}
