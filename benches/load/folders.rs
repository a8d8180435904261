//! Many documents.

use super::{Case, Shape, VARIABLE, assign, bound, field, form, repeated, status, variable, variables, workflow};

/// The variables of each document in a folder.
const VARIABLES: usize = 8;

/// The variables that a masked value goes through, one after the other.
const COPIES: usize = 300;

pub const SHAPES: &[Shape] = &[
    ("forms in one folder", |number| {
        let fields = repeated(VARIABLES, |at| field(&format!("x{at}")));
        let text = form(&fields, &variables(VARIABLES));
        many(number, ".form.json", |_| text.clone()).with("order.json", workflow(&status("x0"), &variables(VARIABLES)))
    }),
    ("forms with variables of their own", |number| {
        let text = |at| {
            let own = |index| format!("x{at}_{index}");
            form(
                &repeated(VARIABLES, |index| field(&own(index))),
                &repeated(VARIABLES, |index| variable(&own(index), at * VARIABLES + index + 1)),
            )
        };
        many(number, ".form.json", text).with("order.json", workflow(&status("x0_0"), VARIABLE))
    }),
    ("forms whose variables disagree", |number| {
        let text = |at| {
            form(
                &repeated(VARIABLES, |index| field(&format!("x{index}"))),
                &repeated(VARIABLES, |index| variable(&format!("x{index}"), at * VARIABLES + index + 1)),
            )
        };
        many(number, ".form.json", text).with("order.json", workflow(&status("x0"), &variables(VARIABLES)))
    }),
    ("forms with undefined names", |number| {
        let text = |at| form(&repeated(VARIABLES, |index| field(&format!("y{at}_{index}"))), &variables(VARIABLES));
        many(number, ".form.json", text).with("order.json", workflow(&status("x0"), &variables(VARIABLES)))
    }),
    ("forms of approvals", |number| {
        let ask =
            |at| format!(r#"{{ "name": "A{at}", "type": "Approval", "connectedFormName": "d{at}", "assignees": [] }}"#);
        let text = form(&field("x0"), &variables(1));
        many(number, ".form.json", |_| text.clone())
            .with("order.json", workflow(&repeated(number, ask), &variables(VARIABLES)))
    }),
    ("approvals of one form", |number| {
        let ask =
            |at| format!(r#"{{ "name": "A{at}", "type": "Approval", "connectedFormName": "f", "assignees": [] }}"#);
        let fields = repeated(VARIABLES, |at| field(&format!("x{at}")));
        Case::document(workflow(&repeated(number, ask), &variables(VARIABLES)))
            .with("f.form.json", form(&fields, &variables(VARIABLES)))
    }),
    ("workflows in one folder", |number| {
        let activities =
            repeated(VARIABLES, |at| format!("{}, {}", assign(&format!("x{at}"), "v"), status(&format!("x{at}"))));
        let text = workflow(&activities, &variables(VARIABLES));
        many(number, ".json", |_| text.clone())
    }),
    ("workflows with undefined names", |number| {
        many(number, ".json", |at| workflow(&status(&format!("y{at}")), &variables(VARIABLES)))
    }),
    ("workflows with variables of their own", |number| {
        let text = |at| workflow(&assign(&format!("x{at}"), "v"), &variable(&format!("x{at}"), at + 1));
        many(number, ".json", text).with("f.form.json", form(&field("x0"), VARIABLE))
    }),
    ("workflows and forms", |number| {
        let activities = repeated(VARIABLES, |at| status(&format!("x{at}")));
        let (flow, fields) =
            (workflow(&activities, &variables(VARIABLES)), repeated(VARIABLES, |at| field(&format!("x{at}"))));
        let fields = form(&fields, &variables(VARIABLES));
        let mut case = many(number / 2 + 1, ".json", |_| flow.clone());
        case.files.extend(many(number / 2, ".form.json", |_| fields.clone()).files);
        case
    }),
    ("services", |number| {
        let text = workflow(&repeated(VARIABLES, |at| status(&format!("x{at}"))), &variables(VARIABLES));
        many(number, "/order.json", |_| text.clone())
    }),
    ("services with long flows", |number| {
        let services = many(number / 500, "/order.json", |_| wide_flow()).with("order.json", workflow("", VARIABLE));
        // They have infos, for which the documents are held until the report.
        services.run_with(&["--fail-on", "info"])
    }),
    ("services with tainted flows", |number| {
        // One masked value goes through many variables, all of them published: many findings of many steps each.
        let copies = repeated(COPIES, |at| assign(&format!("x{}", at + 1), &format!("{{x{at}}}")));
        let published = repeated(COPIES, |at| status(&format!("x{}", at + 1)));
        let masked = r#"{ "name": "x0", "id": 99999, "shouldHide": true, "hideAll": true, "isInputParameter": true }"#;
        let declared = repeated(COPIES, |at| variable(&format!("x{}", at + 1), at + 1));
        let text = workflow(&format!("{copies}, {published}"), &format!("{masked}, {declared}"));
        many(number / COPIES, "/order.json", |_| text.clone()).with("order.json", workflow("", VARIABLE))
    }),
    ("documents that are skipped", |number| {
        many(number, ".json", |at| format!(r#"{{ "name": "package{at}" }}"#)).with("order.json", workflow("", VARIABLE))
    }),
];

/// A workflow whose paths differ in many variables: as many states as are kept apart, all of them large.
fn wide_flow() -> String {
    const IFS: usize = 500;
    let decide = |variable: String, inside: String| {
        format!(
            r#"{{ "name": "D", "type": "If", "expression": {{ "type": "EqualityExpression", "operand": "equal",
                "left": {}, "right": {{ "isBound": false, "value": "v" }} }}, "activities": [{inside}] }}"#,
            bound(&variable)
        )
    };
    let taken = repeated(IFS, |at| decide(format!("x{at}"), assign(&format!("y{at}"), "v")));
    let read = repeated(IFS, |at| decide(format!("y{at}"), status(&format!("y{at}"))));
    let results = repeated(IFS, |at| variable(&format!("y{at}"), IFS + at + 1));
    workflow(&format!("{taken}, {read}"), &format!("{}, {results}", variables(IFS)))
}

/// Documents `d0`, `d1`, … with this ending.
pub fn many(number: usize, ending: &str, text: impl Fn(usize) -> String) -> Case {
    Case { files: (0..number).map(|at| (format!("d{at}{ending}"), text(at))).collect(), ..Case::default() }
}
