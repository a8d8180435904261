//! Fixes of documents with generated mistakes: they remove their findings, cause no new ones, and
//! change nothing else. `PROPTEST_CASES` sets the number of cases.

use crate::support::cases;
use crate::support::example_services::EXAMPLE_SERVICES;
use crate::support::fixing::{Texts, check_fixes, fix, is_on_offer, lint};
use crate::support::mutation::{Change, changes};
use crate::support::slips::{Slip, slips};
use crate::support::strategies::layout;
use crate::support::tree::{Layout, Tree};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// A service of the examples with mistakes in one document.
#[derive(Debug, Clone)]
struct Slipped {
    service: Texts,
    at: usize,
    slips: Vec<Slip>,
    changes: Vec<Change>,
    layout: Layout,
}

impl Slipped {
    fn texts(&self) -> Texts {
        let mut texts = self.service.clone();
        let at = self.at % texts.len();
        let text = texts.values_mut().nth(at).unwrap();
        let mut document = Tree::parse(text);
        self.slips.iter().for_each(|slip| slip.apply(&mut document));
        self.changes.iter().for_each(|change| change.apply(&mut document));
        *text = document.write(self.layout);
        texts
    }
}

fn slipped() -> impl Strategy<Value = Slipped> {
    let changes = prop_oneof![3 => Just(Vec::new()), 1 => changes()];
    (select(&EXAMPLE_SERVICES[..]), 0..4usize, slips(), changes, layout())
        .prop_map(|(service, at, slips, changes, layout)| Slipped { service, at, slips, changes, layout })
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    #[ignore = "slow: `.ci/full slow`"]
    fn fixes_remove_their_findings_and_cause_no_new_ones(slipped in slipped(), unsafe_fixes in any::<bool>()) {
        check_fixes(&slipped.texts(), unsafe_fixes).map_err(TestCaseError::fail)?;
    }
}

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn generated_mistakes_are_mostly_fixable() {
    let mut runner = TestRunner::deterministic();
    let (mut offered, mut fixed) = (0, 0);
    for _ in 0..40 {
        let texts = slipped().new_tree(&mut runner).unwrap().current().texts();
        offered += lint(&texts).diagnostics.iter().filter(|finding| is_on_offer(finding, true)).count();
        fixed += fix(&texts, true).fixed;
    }
    assert!(fixed > 20 && fixed * 2 > offered, "{fixed} of {offered}");
}
