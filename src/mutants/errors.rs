//! Finds lint errors that a change adds to a workflow.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diagnostic::FileId;
use crate::lint::Linter;
use crate::project::{Contents, Overrides, Service};

/// Lints the services of one workflow.
pub struct Errors<'l> {
    linter: &'l Linter<'l>,
    file: FileId,
    services: Vec<LintedService<'l>>,
}

struct LintedService<'l> {
    service: &'l Service,
    /// The contents of all its files.
    contents: Overrides,
    /// The number of errors of each rule in the original workflow.
    before: BTreeMap<&'static str, usize>,
}

impl<'l> Errors<'l> {
    /// `text` is the original text.
    pub fn new(linter: &'l Linter<'l>, file: FileId, text: &Arc<str>) -> Self {
        let services = linter.project().services.iter().filter(|service| service.files.contains(&file));
        let services = services.map(|service| {
            let mut contents = linter.project().contents(service);
            contents.insert(file, Contents::Text(Arc::clone(text)));
            let before = linter.check(service, &contents).errors();
            LintedService { service, contents, before }
        });
        Self { linter, file, services: services.collect() }
    }

    /// Whether a changed workflow has more errors of a rule. Errors are not compared by their places, which a change may
    /// move.
    pub fn are_added_by(&self, text: &Arc<str>) -> bool {
        self.services.iter().any(|LintedService { service, contents, before }| {
            let mut contents = contents.clone();
            contents.insert(self.file, Contents::Text(Arc::clone(text)));
            let after = self.linter.check(service, &contents).errors();
            after.iter().any(|(rule, number)| before.get(rule).is_none_or(|before| number > before))
        })
    }
}
