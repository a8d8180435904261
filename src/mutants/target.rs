//! A workflow that is changed.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::change::{Change, Site};
use super::changed::changed;
use super::edit::{edited, hash};
use crate::config::Config;
use crate::diagnostic::FileId;
use crate::document::{Document, Limits};
use crate::model::{Lowering, Workflow};
use crate::simulate::{LoadedScenario, Session};
use crate::source::SourceFile;
use crate::suggest::Suggester;

/// A workflow, and the scenarios that run it.
pub struct Target<'t> {
    pub session: &'t Session<'t>,
    pub site: Site<'t>,
    /// Of the session.
    pub file: FileId,
    pub source: &'t SourceFile,
    pub config: &'t Config,
    /// In the order of their files.
    pub scenarios: Vec<&'t LoadedScenario>,
    /// Of the text.
    hash: u128,
}

impl<'t> Target<'t> {
    /// The workflows that scenarios of a session run, in the order of their files.
    pub fn of_session(session: &'t Session<'t>, sources: &'t BTreeMap<FileId, SourceFile>) -> Vec<Self> {
        let mut targets: BTreeMap<FileId, Self> = BTreeMap::new();
        for scenario in session.scenarios() {
            let Some(named) = session.documents(scenario) else { continue };
            let Some(source) = sources.get(&named.file) else { continue };
            let site = Site { document: named.document, workflow: named.workflow };
            let target = targets.entry(named.file).or_insert_with(|| {
                let (file, config, hash) = (named.file, named.config, hash(&source.text));
                Self { session, site, file, source, config, scenarios: Vec::new(), hash }
            });
            target.scenarios.push(scenario);
        }
        targets.into_values().collect()
    }

    /// The text with a change; `None` if that changes nothing.
    pub fn with(&self, change: &Change) -> Option<Changed> {
        let text = edited(&self.source.text, &change.edits)?;
        let hash = hash(&text);
        (hash != self.hash).then(|| Changed { text: text.into(), hash })
    }

    /// A text read as the workflow of this file.
    pub fn parse(&self, text: &Arc<str>) -> Option<Document> {
        let document =
            Document::parse(Arc::clone(text), Limits { depth: self.config.max_depth, ..Limits::default() }).ok()?;
        let root = document.resolve(&self.site.document.pointer(self.site.document.root()))?;
        Some(document.with_root(root))
    }

    pub fn lower<'d>(&'d self, document: &'d Document, suggester: &'d Suggester) -> Workflow<'d> {
        Workflow::lower(Lowering { document, types: &self.config.types, suggester })
    }

    /// Whether each activity has changed since the file had another text, by its id. All have if that was not the
    /// workflow.
    pub fn changed_since(&self, old: Option<&str>) -> Vec<bool> {
        let all = vec![true; self.site.workflow.activities.len()];
        let Some(old) = old else { return all };
        // Git may convert line ends.
        let bytes = |text: &'_ str| text.bytes().filter(|&byte| byte != b'\r').collect::<Vec<_>>();
        if bytes(old) == bytes(&self.source.text) {
            return vec![false; all.len()];
        }
        let Some(document) = self.parse(&Arc::from(old)) else { return all };
        let suggester = Suggester::default();
        let workflow = self.lower(&document, &suggester);
        changed(&self.site, &Site { document: &document, workflow: &workflow })
    }
}

/// The text of a changed workflow.
pub struct Changed {
    pub text: Arc<str>,
    pub hash: u128,
}
