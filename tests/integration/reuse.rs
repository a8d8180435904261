//! Linting again, where only what has changed is read.

use std::sync::Arc;

use crate::support::all_rules;
use crate::support::cases;
use crate::support::example_services::EXAMPLE_SERVICES;
use crate::support::folder::Folder;
use crate::support::mutation::{Change, Edit, changes, edits};
use crate::support::strategies::layout;
use crate::support::tree::{Layout, Tree};
use proptest::prelude::*;
use proptest::sample::Index;
use wflint::document::{Document, Limits, NodeId};
use wflint::fix;
use wflint::lint::{self, Checked, LastLint, Linter, Options, Outcome};
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
    /// One string, number or boolean becomes another one of the document.
    Scalar(Index, Index),
    /// It becomes what it was before its last change.
    Undo,
}

/// Values that a change of one value sets.
const VALUES: [&str; 11] = [
    "null",
    "true",
    "7",
    r#""""#,
    r#""static""#,
    r#""Name""#,
    r#""CredentialName""#,
    r#""{Name}""#,
    r#""https://bob:hunter2@example.com/api/v2""#,
    r#""a\n\"b""#,
    r#"{"a": [1]}"#,
];

fn steps() -> impl Strategy<Value = Vec<(Index, Step)>> {
    let step = prop_oneof![
        (changes(), layout()).prop_map(|(changes, layout)| Step::Change(changes, layout)),
        edits().prop_map(Step::Edit),
        value(),
        value(),
        scalar(),
        scalar(),
        scalar(),
        Just(Step::Undo),
        Just(Step::Undo),
    ];
    prop::collection::vec((any::<Index>(), step), 1..12)
}

fn value() -> impl Strategy<Value = Step> {
    (any::<Index>(), prop::sample::select(&VALUES[..])).prop_map(|(at, value)| Step::Value(at, value))
}

fn scalar() -> impl Strategy<Value = Step> {
    (any::<Index>(), any::<Index>()).prop_map(|(at, other)| Step::Scalar(at, other))
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
    /// The text after those of all steps before; the first is the document's.
    fn apply(&self, texts: &[String]) -> String {
        let (Some(first), Some(text)) = (texts.first(), texts.last()) else { return String::new() };
        match self {
            Self::Undo => texts.iter().rev().nth(1).unwrap_or(text).clone(),
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
                let mut changed = text.clone();
                if let Ok(document) = Document::parse(text.as_str(), Limits::default()) {
                    changed.replace_range(document.span(*at.get(&values(&document))).range(), value);
                }
                changed
            }
            Self::Scalar(at, other) => {
                let mut changed = text.clone();
                if let Ok(document) = Document::parse(text.as_str(), Limits::default()) {
                    let is_scalar = |&value: &NodeId| document.children(value).len() == 0;
                    let scalars: Vec<NodeId> = values(&document).into_iter().filter(is_scalar).collect();
                    let value = *at.get(&scalars);
                    let is_alike = |&other: &NodeId| document.kind(other) == document.kind(value);
                    let alike: Vec<NodeId> = scalars.iter().copied().filter(is_alike).collect();
                    changed
                        .replace_range(document.span(value).range(), document.slice(document.span(*other.get(&alike))));
                }
                changed
            }
        }
    }
}

/// What a lint has found.
fn found(linter: &Linter<'_>, checked: Checked) -> String {
    outcome(&linter.finish(vec![checked]))
}

fn outcome(outcome: &Outcome) -> String {
    let Outcome { diagnostics, omitted, notes, summary, unreadable, sources, .. } = outcome;
    let texts: Vec<_> = sources.values().map(|source| (&source.name, &source.text, &source.hidden)).collect();
    format!("{diagnostics:?} {omitted:?} {notes:?} {summary:?} {unreadable:?} {texts:?}")
}

proptest! {
    #![proptest_config(cases(30))]

    #[test]
    fn linting_again_finds_what_a_whole_lint_does(at in any::<Index>(), steps in steps()) {
        let service = at.get(&EXAMPLE_SERVICES);
        let buffer = |(name, text): (&String, &String)| Buffer::new(Some(name.into()), text.as_bytes());
        let request = Request {
            current: std::env::temp_dir(),
            buffers: service.iter().map(buffer).collect(),
            in_memory: true,
            config: ConfigSource::Isolated,
            ..Request::default()
        };
        let result = lint::on_pool(Some(1), || {
            let project = project::find(&request).unwrap();
            let options = Options { choices: all_rules(), ..Options::default() };
            let service = project.services.first().unwrap();
            let mut texts: Overrides = project.contents(service);
            let text = |contents: &Contents| vec![String::from_utf8(contents.as_bytes().to_vec()).unwrap()];
            let mut versions: Vec<Vec<String>> = service.files.iter().map(|file| text(&texts[file])).collect();
            let mut before = Arc::<[File]>::default();
            for (at, step) in &steps {
                let at = at.index(versions.len());
                let changed = step.apply(&versions[at]);
                texts.insert(service.files[at], Contents::Text(changed.as_str().into()));
                versions[at].push(changed);
                before = project.read_again(service, &texts, &before).files.into();
                let last = LastLint::of(service, Arc::clone(&before));
                let again = Linter::new(&project, &options).unwrap().with_last(last.into());
                let whole = Linter::new(&project, &options).unwrap();
                let found = |linter: &Linter<'_>| found(linter, fix::check(linter, service, &texts));
                prop_assert_eq!(found(&again), found(&whole));
            }
            Ok(())
        });
        result.unwrap()?;
    }

    #[test]
    fn linting_a_folder_again_finds_what_a_first_lint_does(services in [any::<Index>(), any::<Index>()], steps in steps()) {
        let folder = Folder::with(&[]);
        let mut versions: Vec<(String, Vec<String>)> = Vec::new();
        for (at, service) in services.iter().enumerate() {
            let files = service.get(&EXAMPLE_SERVICES).iter();
            versions.extend(files.map(|(name, text)| (format!("{at}/{name}"), vec![text.clone()])));
        }
        for (name, texts) in &versions {
            folder.write(name, &texts[0]);
        }
        let request = Request {
            current: folder.path().to_path_buf(),
            paths: vec![folder.path().to_path_buf()],
            config: ConfigSource::Isolated,
            ..Request::default()
        };
        let last = Arc::new(LastLint::default());
        let project = project::find(&request).unwrap();
        let options = Options { choices: all_rules(), ..Options::default() };
        let linter = || Linter::new(&project, &options).unwrap();
        for (at, step) in &steps {
            let at = at.index(versions.len());
            let (name, texts) = &mut versions[at];
            texts.push(step.apply(texts));
            folder.write(name, &texts[texts.len() - 1]);
            let again = lint::on_pool(Some(1), || outcome(&fix::lint(&linter().with_last(Arc::clone(&last)))));
            let whole = lint::on_pool(Some(1), || outcome(&fix::lint(&linter())));
            prop_assert_eq!(again.unwrap(), whole.unwrap());
        }
    }
}
