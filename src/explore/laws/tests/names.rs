//! Names that no service has.

use serde_json::json;

use super::{Service, approval, provider, status};
use crate::explore::laws::unknown_names;

fn errors(text: &str, is_whole: bool) -> Vec<String> {
    let activities =
        json!([status("Begin", "x"), approval("Manager approval", &json!([])), provider("Make", "New-Mailbox", &[])]);
    let service = Service::new(&activities, &["State"]);
    let config = service.config(text);
    let errors = unknown_names(&config, &[service.names()], |_| is_whole);
    let place = config.path.as_ref().unwrap().display().to_string();
    errors.into_iter().map(|error| error.error.0.replace(&format!("{place}:"), "")).collect()
}

#[test]
fn names_that_no_service_has_are_errors_with_a_suggestion() {
    for (law, wanted) in [
        ("expect = { variables = { State = 'x', ZPActivityStatus = 'y' } }", None),
        ("expect = { variables = { Stae = 'x' } }", Some("3:26: undefined variable `Stae`; did you mean `State`?")),
        ("expect = { approvals = { 'Manager approval' = 'approved' } }", None),
        (
            "expect = { approvals = { 'Manager aproval' = 'approved' } }",
            Some("3:26: unknown Approval `Manager aproval`; did you mean `Manager approval`?"),
        ),
        ("expect = { approvals = { Begin = 'approved' } }", Some("3:26: unknown Approval `Begin`")),
        ("expect = { calls = { New-Mailbox = 1, Get-ZPADUser = 0 } }", None),
        (
            "when = { calls = { New-Malibox = 1 } }\nexpect = { ends = true }",
            Some("3:20: unknown method `New-Malibox`; did you mean `New-Mailbox`?"),
        ),
        ("before = { Begin = 'Manager approval' }", None),
        ("before = { Begn = 'Manager approval' }", Some("3:12: unknown activity `Begn`; did you mean `Begin`?")),
        ("before = { Begin = 'Approval' }", Some("3:20: unknown activity `Approval`")),
        (
            "services = ['sgin/**']\nexpect = { ends = true }",
            Some("3:13: no workflow matches `sgin/**` in `services` of a law"),
        ),
    ] {
        let text = format!("[[law]]\nname = 'a'\n{law}\n");
        assert_eq!(errors(&text, true), wanted.into_iter().collect::<Vec<_>>(), "{law}");
        assert_eq!(errors(&text, false), Vec::<String>::new(), "{law}");
    }
    let fields = "[explore]\nfields = { Departmnt = ['Sales'] }\n";
    assert_eq!(errors(fields, true), ["2:12: unknown field `Departmnt`"]);
}
