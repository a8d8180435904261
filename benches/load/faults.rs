//! Documents with a fault in each of very many parts, whose findings are counted.

use super::{
    Case, Shape, VARIABLE, assign, bound, field, form, given, provider, repeated, variable, variables, workflow,
};

pub const SHAPES: &[Shape] = &[
    ("unknown placeholders", |number| {
        let body: String = (0..number).map(|at| format!("{{a{at:x}}}")).collect();
        Case::document(workflow(&assign("Known", &body), VARIABLE))
    }),
    ("forms that contradict the workflow", |number| {
        let (forms, number) = sides(number);
        let of_form = repeated(number, |at| variable(&format!("x{at}"), at + 5).replace("String", "File"));
        let fields = repeated(number / 3, |at| field(&format!("x{at}")));
        let case = Case::document(workflow("", &variables(number)));
        (0..forms).fold(case, |case, at| case.with(format!("{at}.form.json"), form(&fields, &of_form)))
    }),
    ("parties with faults", |number| {
        let party = |at| format!(r#"{{"Name":"p{at}","EmailAddress":"a@b.c","SignatureType":"0"}}"#);
        let parties = (0..number).map(party).collect::<Vec<_>>().join(",");
        Case::document(workflow(&request_of(&format!(r#"{{"Name":"x","Parties":[{parties}]}}"#)), VARIABLE))
    }),
    ("cases with faults", |number| {
        let request = request_of(r#"{"Name":1,"Parties":{},"Culture":"zz_"}"#);
        Case::document(workflow(&repeated(number, |_| request.clone()), VARIABLE))
    }),
    ("unused parameters of a script", |number| {
        let parameter = |at| format!(r#"{{ "name": "p{at}", "value": {} }}"#, bound(&format!("x{at}")));
        let parameters = repeated(number, parameter);
        let code =
            format!(r#"{{ "name": "C", "type": "Code", "parameters": [{parameters}], "script": "Json = 'x';" }}"#);
        Case::document(workflow(&code, &variables(number)))
    }),
];

/// Two numbers, the second of which is three times the first, with about a third of the number as their product.
fn sides(number: usize) -> (usize, usize) {
    let root = (number / 9).isqrt().max(1);
    (root, 3 * root)
}

/// A request of the case in a string.
fn request_of(case: &str) -> String {
    provider("Request-ZPESignDocumentSignatureWithJsonInput", &given("Json", &case.replace('"', r#"\""#)))
}
