//! Trying what was inferred: with it, the services have no finding that they did not have without it.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::method::InferredMethod;
use super::observe::Call;
use crate::catalog::Catalog;
use crate::collections::HashSet;
use crate::diagnostic::{Diagnostic, FileId};
use crate::lint::{Linter, Options};
use crate::project::{Overrides, Project, Service};

/// The rules that report calls which contradict each other.
const CONTRADICTIONS: [&str; 3] = ["WF203", "WF205", "WF208"];

/// How much is taken back, from the first step on. Open outputs may be any variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// The outputs of the methods in whose calls a finding lies become open.
    OpenReported,
    /// Those of methods that are called without a static prefix, which may write any variable.
    OpenUnprefixed,
    /// Those of all methods of the service.
    OpenAll,
    /// And none are named of the methods in whose calls a finding lies.
    ForgetReported,
    /// None are named.
    ForgetAll,
}

const STEPS: [Step; 5] =
    [Step::OpenReported, Step::OpenUnprefixed, Step::OpenAll, Step::ForgetReported, Step::ForgetAll];

/// What tells findings apart: rule, file, and place.
type Key = (&'static str, FileId, String, u32);

/// Takes back outputs until the services that call the methods have no new finding, and adds the methods to the
/// configurations.
///
/// # Errors
/// An invalid selection of rules in a configuration.
pub(super) fn verify(project: &mut Project, options: &Options, methods: &mut [InferredMethod]) -> Result<(), String> {
    let calls: HashSet<FileId> = methods.iter().flat_map(|method| &method.calls).map(|call| call.file).collect();
    let services: Vec<Service> = project
        .services
        .iter()
        .filter(|service| service.files.iter().any(|file| calls.contains(file)))
        .cloned()
        .collect();
    if services.is_empty() {
        return Ok(());
    }
    let contents: Vec<Overrides> = services.iter().map(|service| project.contents(service)).collect();
    let catalogs: Vec<Catalog> = project.configs.iter().map(|config| config.catalog.clone()).collect();
    let before = findings(project, options, &services, &contents)?;
    add(project, &catalogs, methods);
    let mut steps: Vec<usize> = vec![0; services.len()];
    loop {
        let after = findings(project, options, &services, &contents)?;
        let mut changed = false;
        for (((service, before), after), step) in services.iter().zip(&before).zip(after).zip(&mut steps) {
            let new: Vec<&Key> = after.difference(before).collect();
            if new.is_empty() {
                continue;
            }
            // A step that changes nothing is followed by the next one at once.
            while let Some(next) = STEPS.get(*step)
                && !take_back(*next, service, &new, methods)
            {
                *step += 1;
            }
            changed |= *step < STEPS.len();
        }
        if !changed {
            return Ok(());
        }
        add(project, &catalogs, methods);
    }
}

/// Takes a step for the methods that a service with new findings calls; whether it changed anything.
fn take_back(step: Step, service: &Service, new: &[&Key], methods: &mut [InferredMethod]) -> bool {
    let rules: BTreeSet<&'static str> = new.iter().map(|(code, ..)| *code).collect();
    let mut changed = false;
    for method in methods {
        let calls: Vec<&Call> = method.calls.iter().filter(|call| service.files.contains(&call.file)).collect();
        let is_reported = || calls.iter().any(|call| new.iter().any(|key| is_in(call, key)));
        let is_concerned = match step {
            Step::OpenReported | Step::ForgetReported => is_reported(),
            Step::OpenUnprefixed => calls.iter().any(|call| call.prefix.as_deref().is_none_or(str::is_empty)),
            Step::OpenAll | Step::ForgetAll => !calls.is_empty(),
        };
        if is_concerned && !method.is_open() {
            method.open(&rules);
            changed = true;
        }
        if is_concerned && matches!(step, Step::ForgetReported | Step::ForgetAll) && !method.method.outputs.is_empty() {
            method.method.outputs.clear();
            changed = true;
        }
    }
    changed
}

/// Whether a finding lies in a call.
fn is_in(call: &Call, (_, file, pointer, _): &Key) -> bool {
    let inside = || pointer.strip_prefix(&call.pointer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    call.file == *file && inside()
}

/// Gives every configuration the methods that it lacks.
fn add(project: &mut Project, catalogs: &[Catalog], methods: &[InferredMethod]) {
    for (config, catalog) in project.configs.iter_mut().zip(catalogs) {
        config.catalog = catalog.clone();
        let unknown = methods.iter().filter(|method| catalog.method(&method.method.name).is_none());
        config.catalog.methods.extend(unknown.map(|method| method.method.clone()));
    }
}

/// The findings of each service that are not about contradictions.
fn findings(
    project: &Project,
    options: &Options,
    services: &[Service],
    contents: &[Overrides],
) -> Result<Vec<HashSet<Key>>, String> {
    let linter = Linter::new(project, options)?;
    let key = |diagnostic: &Diagnostic| -> Key {
        (diagnostic.code, diagnostic.location.file, diagnostic.location.pointer.clone(), diagnostic.location.span.start)
    };
    let found = services.par_iter().zip(contents).map(|(service, contents)| {
        let found = linter.check(service, contents).diagnostics;
        found.iter().filter(|it| !CONTRADICTIONS.contains(&it.code)).map(key).collect()
    });
    Ok(found.collect())
}
