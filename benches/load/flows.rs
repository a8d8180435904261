//! Workflows with much of what rules compare with each other.

use super::folders::many;
use super::{
    Case, Shape, VARIABLE, assign, bound, case_lookup, decision, field, form, given, lookup, provider, repeated,
    status, variable, variables, workflow,
};

pub const SHAPES: &[Shape] = &[
    ("loops of many cases", |number| {
        let looped = |at| while_status(&format!("P{at}Status"), &case_lookup(&format!("P{at}")));
        document(&repeated(number, looped), &repeated(number, |at| variable(&format!("P{at}Status"), at + 1)))
    }),
    ("lookups in one loop", |number| {
        let lookups = repeated(number, |at| case_lookup(&format!("P{at}")));
        let variables = repeated(number, |at| variable(&format!("P{at}Status"), at + 1));
        document(&while_status("P0Status", &lookups), &variables)
    }),
    ("requests that expire, and loops", |number| {
        let request = |at| {
            let expiring = [given("ExpireAfterDays", "5"), given("Prefix", &format!("R{at}"))].join(", ");
            let request = provider("Request-ZPESignDocumentSignature", &expiring);
            format!("{request}, {}", while_status("PStatus", &case_lookup("P")))
        };
        document(&repeated(number, request), &format!("{}, {}", variable("PStatus", 1), variable("R0Id", 2)))
    }),
    ("unknown methods of a module", |number| {
        let call = |at| {
            let call = provider(&format!("Get-Unknwn{at}"), &given("Identity", "me"));
            call.replacen('{', r#"{ "module": "M","#, 1)
        };
        document(&repeated(number, call), VARIABLE)
    }),
    ("lookups of other properties", |number| {
        let call = |at| format!("{}, {}", lookup(&format!("P{at}"), "Mail"), status(&format!("P{at}Title")));
        let declared = |at| variable(&format!("P{at}Title"), at + 1);
        document(&repeated(number, call), &repeated(number, declared))
    }),
    ("lookups with a mistyped prefix", |number| {
        let call = |at| format!("{}, {}", lookup(&format!("Pexrson{at}"), "Mail"), status(&format!("Person{at}Mail")));
        let declared = |at| variable(&format!("Person{at}Mail"), at + 1);
        document(&repeated(number, call), &repeated(number, declared))
    }),
    ("lookups with a lost property", |number| {
        let call = |at| format!("{}, {}", lookup(&format!("P{at}"), "Mail, Title"), status(&format!("P{at}Mail")));
        let declared = |at| variable(&format!("P{at}Mail"), at + 1);
        document(&repeated(number, call), &repeated(number, declared))
    }),
    ("variables assigned in one branch", |number| {
        let inside = repeated(number, |at| assign(&format!("x{at}"), "v"));
        let reads = repeated(number, |at| status(&format!("x{at}")));
        document(
            &format!("{}, {reads}", decision("If", "Known", "v", &inside)),
            &format!("{}, {VARIABLE}", variables(number)),
        )
    }),
    ("branches before reads of unset variables", |number| {
        let part = |at| format!("{}, {}", decision("If", "Known", &format!("v{at}"), &status("Known")), status("x0"));
        document(&repeated(number, part), &format!("{VARIABLE}, {}", variable("x0", 2)))
    }),
    ("Terminates", |number| {
        let ended = |at| decision("If", "Known", &format!("v{at}"), r#"{ "name": "T", "type": "Terminate" }"#);
        document(&repeated(number, ended), VARIABLE)
    }),
    ("Events of one Approval", |number| {
        let event = |at| {
            format!(r#"{{ "name": "OnApproved", "type": "Event", "activities": [{}] }}"#, status(&format!("x{at}")))
        };
        let events = repeated(number, event);
        let approval = format!(r#"{{ "name": "A", "type": "Approval", "assignees": [], "activities": [{events}] }}"#);
        document(&approval, &variables(number))
    }),
    ("Approvals with Events", |number| {
        let approval = |at| {
            format!(
                r#"{{ "name": "A{at}", "type": "Approval", "assignees": [], "approvalResult": {}, "activities": [
                    {{ "name": "OnApproved", "type": "Event", "activities": [{}] }}] }}"#,
                bound(&format!("x{at}")),
                status(&format!("x{at}"))
            )
        };
        document(&repeated(number, approval), &variables(number))
    }),
    ("translations", |number| {
        let text = |at| format!(r#"{{ "locale": "en-US", "text": "Text {at} {{Known}}" }}"#);
        let texts = repeated(number, text);
        document(&format!(r#"{{ "name": "S", "type": "Status", "statusTranslations": [{texts}] }}"#), VARIABLE)
    }),
    ("fields × locales", |number| {
        let texts = repeated(8, |at| format!(r#""l{at}-XX": "Name""#));
        let field = |at| field(&format!("x{at}")).replacen('{', &format!(r#"{{ "displayName": {{ {texts} }},"#), 1);
        Case::document(form(&repeated(number, field), &variables(number)))
    }),
    ("LDAP filters", |number| {
        let filter = |at| provider("Get-ZPADUser", &given("LDAPFilter", &format!("(&(cn=p{at})(mail=*@example.com))")));
        document(&repeated(number, filter), VARIABLE)
    }),
    ("a long LDAP filter", |number| {
        // As long as it may be, and as often as necessary.
        let part = number.min(80_000);
        let filter = format!("(|{})", (0..part).map(|at| format!("(cn=p{at})")).collect::<String>());
        let search = |_| provider("Get-ZPADUser", &given("LDAPFilter", &filter));
        document(&repeated(number / 80_000 + 1, search), VARIABLE)
    }),
    ("masked values that begin alike", |number| {
        let masked = |value: &str| {
            format!(
                r#"{{ "name": "M{}", "id": {}, "shouldHide": true, "value": "{value}" }}"#,
                value.len(),
                value.len()
            )
        };
        let values = [masked("a"), masked(&format!("{}b", "a".repeat(4000)))].join(", ");
        document(&format!("{}, {}", assign("M1", &"a".repeat(number)), status("x")), &values)
    }),
    ("packages of one module", |number| {
        let call = |at| {
            let call = provider("Get-ZPADUser", &given("Identity", "me"));
            call.replacen('{', &format!(r#"{{ "methodId": 611, "module": "M", "package": "P{at}","#), 1)
        };
        document(&repeated(number, call), VARIABLE)
    }),
    ("providers × methods of catalogs", |number| {
        let methods = many(number / 8 + 1, ".toml", |at| {
            format!("plugin = \"P\"\n\n[[methods]]\nname = \"Get-Thing{at}\"\nmethod-id = {at}\n")
        });
        let call = |at| provider(&format!("Get-Thing{}", at / 8), &given("x", "v"));
        let mut case = document(&repeated(number, call), VARIABLE).with("wflint.toml", "catalogs = [\"d*.toml\"]\n");
        case.files.extend(methods.files);
        case
    }),
];

fn document(activities: &str, variables: &str) -> Case {
    Case::document(workflow(activities, variables))
}

fn while_status(variable: &str, inside: &str) -> String {
    decision("While", variable, "Finished", inside)
}
