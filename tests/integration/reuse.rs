//! Linting again, where only what has changed is read.

use std::sync::Arc;

use crate::support::cases;
use crate::support::example_services::EXAMPLE_SERVICES;
use crate::support::mutation::{Change, Edit, changes, edits};
use crate::support::strategies::layout;
use crate::support::tree::{Layout, Tree};
use proptest::prelude::*;
use proptest::sample::Index;
use wflint::document::{Document, Limits, NodeId};
use wflint::fix;
use wflint::graph::KnownPaths;
use wflint::lint::{self, Checked, Linter, Options, Outcome};
use wflint::project::{self, Buffer, ConfigSource, Contents, File, Overrides, Request};

/// What happens to a document.
#[derive(Debug, Clone)]
enum Step {
    /// It becomes what it was first, with changes that leave it valid JSON.
    Change(Vec<Change>, Layout),
    /// Its text is edited.
    Edit(Vec<Edit>),
    /// One value becomes another.
    Value(Index, &'static str),
}

/// Values that a change of one value sets.
const VALUES: [&str; 9] =
    ["null", "true", "7", r#""""#, r#""static""#, r#""Name""#, r#""{Name}""#, r#""a\n\"b""#, r#"{"a": [1]}"#];

fn steps() -> impl Strategy<Value = Vec<(Index, Step)>> {
    let step = prop_oneof![
        (changes(), layout()).prop_map(|(changes, layout)| Step::Change(changes, layout)),
        edits().prop_map(Step::Edit),
        value(),
        value(),
    ];
    prop::collection::vec((any::<Index>(), step), 1..8)
}

fn value() -> impl Strategy<Value = Step> {
    (any::<Index>(), prop::sample::select(&VALUES[..])).prop_map(|(at, value)| Step::Value(at, value))
}

/// All values of a document.
fn values(document: &Document) -> Vec<NodeId> {
    let mut values = vec![document.root()];
    let mut at = 0;
    while let Some(&value) = values.get(at) {
        values.extend(document.children(value));
        at += 1;
    }
    values
}

impl Step {
    fn apply(&self, first: &str, text: &str) -> String {
        match self {
            Self::Change(changes, layout) => {
                let mut document = Tree::parse(first);
                for change in changes {
                    change.apply(&mut document);
                }
                document.write(*layout)
            }
            Self::Edit(edits) => {
                let mut bytes = text.as_bytes().to_vec();
                for edit in edits {
                    edit.apply(&mut bytes);
                }
                String::from_utf8_lossy(&bytes).into_owned()
            }
            Self::Value(at, value) => {
                let mut changed = text.to_owned();
                if let Ok(document) = Document::parse(text, Limits::default()) {
                    changed.replace_range(document.span(*at.get(&values(&document))).range(), value);
                }
                changed
            }
        }
    }
}

/// What a lint has found.
fn found(linter: &Linter<'_>, checked: Checked) -> String {
    let Outcome { diagnostics, omitted, notes, summary, unreadable, sources, .. } = linter.finish(vec![checked]);
    let texts: Vec<_> = sources.values().map(|source| (&source.name, &source.text, &source.hidden)).collect();
    format!("{diagnostics:?} {omitted:?} {notes:?} {summary:?} {unreadable:?} {texts:?}")
}

proptest! {
    #![proptest_config(cases(30))]

    #[test]
    fn linting_again_finds_what_a_whole_lint_does(at in any::<Index>(), steps in steps()) {
        let service = at.get(&EXAMPLE_SERVICES);
        let buffer = |(name, text): (&String, &String)| Buffer { path: Some(name.into()), bytes: text.as_bytes().into() };
        let request = Request {
            current: std::env::temp_dir(),
            buffers: service.iter().map(buffer).collect(),
            in_memory: true,
            config: ConfigSource::Isolated,
            ..Request::default()
        };
        let result = lint::on_pool(Some(1), || {
            let project = project::find(&request).unwrap();
            let options = Options::default();
            let service = project.services.first().unwrap();
            let mut texts: Overrides = project.contents(service);
            let first = texts.clone();
            let (mut before, paths) = (Arc::<[File]>::default(), Arc::<KnownPaths>::default());
            for (at, step) in &steps {
                let file = *at.get(&service.files);
                let text = |texts: &Overrides| String::from_utf8(texts[&file].as_bytes().to_vec()).unwrap();
                let changed = step.apply(&text(&first), &text(&texts));
                texts.insert(file, Contents::Text(changed.into()));
                before = project.read_again(service, &texts, &before).files.into();
                let again = Linter::new(&project, &options).unwrap().with_files(Arc::clone(&before));
                let again = again.with_paths(Arc::clone(&paths));
                let whole = Linter::new(&project, &options).unwrap();
                let found = |linter: &Linter<'_>| found(linter, fix::check(linter, service, &texts));
                prop_assert_eq!(found(&again), found(&whole));
            }
            Ok(())
        });
        result.unwrap()?;
    }
}
