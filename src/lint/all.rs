//! Linting all services of a project: on all threads, small ones together.

use std::cell::OnceCell;

use rayon::prelude::*;

use super::linter::Linter;
use super::outcome::Checked;
use super::service::ReadService;
use crate::common::limits::MAX_FINDINGS;
use crate::project::{Overrides, Service};

/// The most services that are checked together; beyond so many bytes of documents, no further one is added.
const MAX_TOGETHER: usize = 16;
const ENOUGH_BYTES: usize = 1 << 20;

/// With the number of the service in the project.
type Numbered<T> = (usize, T);

impl Linter<'_> {
    /// Reads and checks all services of the project on all threads, and calls a function with each result.
    pub fn check_all(&self, then: impl Fn(&Service, &mut Checked) + Sync) -> Vec<Checked> {
        let services = &self.project().services;
        if self.options().timing.is_some() {
            // The time of each is wanted on its own.
            let check = |service| {
                let mut checked = self.check(service, &Overrides::new());
                then(service, &mut checked);
                checked
            };
            return services.par_iter().map(check).collect();
        }
        let mut checked = self.check_together(services, &then);
        checked.sort_unstable_by_key(|&(number, _)| number);
        checked.into_iter().map(|(_, checked)| checked).collect()
    }

    /// Reads and checks services on all threads.
    fn check_together<'l>(
        &'l self,
        services: &'l [Service],
        then: &(impl Fn(&Service, &mut Checked) + Sync),
    ) -> Vec<Numbered<Checked>> {
        let services: Vec<Numbered<&'l Service>> = services.iter().enumerate().collect();
        let together = together(services.len());
        let check = |services: &[Numbered<&'l Service>]| {
            let mut known = Vec::new();
            let read = |&(number, service): &Numbered<_>| {
                let read = self.read(service, &Overrides::new())?;
                let Some(checked) = read.last_result() else { return Some((number, read)) };
                known.push((number, checked));
                None
            };
            let mut checked = self.check_some(services.iter().filter_map(read), then);
            checked.extend(known);
            checked
        };
        if services.len() == 1 {
            // A second thread would wait actively.
            return check(&services);
        }
        // Often the same scripts follow each other in service after service, and each runs once if its result is known in
        // time: two threads that start at opposite ends seldom run one at the same moment.
        let (first, second) = services.split_at(services.len() / 2);
        // The parts are small, so that at the end no thread is alone with much work.
        let (mut first, second): (Vec<_>, Vec<_>) = rayon::join(
            || first.par_chunks(together).with_max_len(1).flat_map_iter(check).collect(),
            || second.par_rchunks(together).with_max_len(1).flat_map_iter(check).collect(),
        );
        first.extend(second);
        first
    }

    /// Checks services on this thread.
    fn check_some<'l>(
        &'l self,
        services: impl Iterator<Item = Numbered<ReadService<'l>>>,
        then: &(impl Fn(&Service, &mut Checked) + Sync),
    ) -> Vec<Numbered<Checked>> {
        let mut services = services.peekable();
        let mut checked = Vec::new();
        while services.peek().is_some() {
            self.check_first(&mut services, |number, service, mut found| {
                then(service, &mut found);
                self.keep_result(service, &found);
                checked.push((number, found));
            });
        }
        checked
    }

    /// Checks the first services together, rule by rule.
    fn check_first<'l>(
        &'l self,
        services: &mut impl Iterator<Item = Numbered<ReadService<'l>>>,
        mut then: impl FnMut(usize, &Service, Checked),
    ) {
        let slots: [OnceCell<Numbered<ReadService<'l>>>; MAX_TOGETHER] = Default::default();
        let mut models = Vec::with_capacity(MAX_TOGETHER);
        let mut bytes = 0;
        // Each has its model at once, while the processor has its documents in a cache.
        for slot in &slots {
            let Some(next) = services.next() else { break };
            let (_, service) = slot.get_or_init(|| next);
            models.push(service.task(MAX_FINDINGS).model());
            bytes += service.bytes();
            if bytes > ENOUGH_BYTES {
                break;
            }
        }
        let mut found = self.check_models(models).into_iter();
        for (number, read) in slots.into_iter().filter_map(OnceCell::into_inner) {
            let (service, found) = (read.service, found.next().unwrap_or_default());
            then(number, service, self.report(read, found, MAX_FINDINGS));
        }
    }
}

/// How many of some services are checked together, so that there are several for each thread.
fn together(services: usize) -> usize {
    (services / (4 * rayon::current_num_threads())).clamp(1, MAX_TOGETHER)
}
