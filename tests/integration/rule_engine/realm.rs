//! Many services in one process.

use super::{APPROVALS, Service, rules, sandbox, visitors};

#[test]
fn realm_serves_many_services_and_is_renewed() {
    let texts =
        [visitors("Event(node) { seen(node, context.pointer(node)); },"), visitors("Event(node) { throw 1; },")];
    let mut sandbox = sandbox();
    let service = Service::workflow(APPROVALS);
    let one = rules(&[&texts[0]]);
    let both = rules(&[&texts[0], &texts[1]]);
    for round in 0..40 {
        let files = if round % 7 == 3 { &both } else { &one };
        let runs = service.run_in(&mut sandbox, files);
        assert_eq!(runs[0].reports[0].message, "/activities/0/activities/0", "round {round}");
        assert_eq!(runs[0].problem, None);
    }
}
