use super::*;
use crate::catalog::{Additional, Method, Output, Parameter, ParameterKind, Usage, ValueType};

/// A method with everything that is written.
fn full() -> NewCatalog {
    let mut method = Method::new("Get-Salary");
    method.method_id = Some(7);
    method.description = Some("Says \"what\" is paid.\u{7}".to_owned());
    method.open_outputs = Some(true);
    let mut month = Parameter::new("Month", ValueType::Decimal);
    month.required = true;
    month.description = Some("Which month.".to_owned());
    month.values = vec!["1".to_owned(), "2".to_owned()];
    month.default = Some("1".to_owned());
    let mut prefix = Parameter::new("Prefix", ValueType::String);
    prefix.kind = Some(ParameterKind::Prefix);
    method.parameters = vec![month, prefix];
    method.outputs = vec![Output::named("Gross"), Output::named("Net")];
    method.additional =
        vec![Additional { name: "Path*".to_owned(), usage: Usage::Used, kind: None, description: None }];
    NewCatalog {
        package: Some("corp".to_owned()),
        methods: vec![method, Method::new("Set-Salary")],
        ..NewCatalog::of_module("Activity.Payroll")
    }
}

fn schema_errors(text: &str) -> Vec<String> {
    let schema = serde_json::from_str(include_str!("../../../schemas/catalog.schema.json")).unwrap();
    let value: serde_json::Value = toml::from_str(text).unwrap();
    jsonschema::validator_for(&schema).unwrap().iter_errors(&value).map(|error| error.to_string()).collect()
}

#[test]
fn new_catalog_is_read_back() {
    let text = full().to_toml(|_| None).unwrap();
    assert_eq!(schema_errors(&text), Vec::<String>::new(), "{text}");
    let mut catalog = Catalog::default();
    catalog.add("new.toml", &text).unwrap();
    let mut wanted = full();
    for method in &mut wanted.methods {
        method.plugin = "Payroll".to_owned();
        method.package = Some("corp".to_owned());
        method.module = Some("Activity.Payroll".to_owned());
    }
    assert_eq!(catalog.methods, wanted.methods);
    assert!(text.starts_with("# Written by"), "{text}");
    assert!(text.contains("\nmodule = \"Activity.Payroll\"\n\n[[methods]]\nname = \"Get-Salary\"\n"), "{text}");
    assert!(text.contains("\n\n\n[[methods]]\nname = \"Set-Salary\"\n"), "{text}");
}

#[test]
fn strings_are_written_as_asked_and_read_back() {
    let mut method = Method::new("##[a]");
    method.description = Some("one\n::error::two".to_owned());
    let mut month = Parameter::new("Month", ValueType::String);
    month.values = vec!["##[b]".to_owned(), "plain".to_owned()];
    method.parameters = vec![month];
    let catalog = NewCatalog { methods: vec![method], ..NewCatalog::of_module("p") };
    let quoted = |text: &str| {
        let has_escapes = text.starts_with("##") || text.contains('\n');
        has_escapes.then(|| format!("\"{}\"", text.replace("##", "#\\u0023").replace('\n', "\\n")))
    };
    let text = catalog.to_toml(quoted).unwrap();
    assert!(
        text.contains(r##"name = "#\u0023[a]""##) && text.contains(r#"description = "one\n::error::two""#),
        "{text}"
    );
    assert!(text.contains(r##"values = ["#\u0023[b]", "plain"]"##), "{text}");
    let mut read = Catalog::default();
    read.add("new.toml", &text).unwrap();
    assert_eq!(read.methods[0].name, "##[a]");
    assert_eq!(read.methods[0].parameters[0].values, ["##[b]", "plain"]);
}

#[test]
fn second_run_changes_no_byte() {
    let text = full().to_toml(|_| None).unwrap();
    for text in [text.clone(), text.replace('\n', "\r\n"), format!("\u{feff}{text}"), text.trim_end().to_owned()] {
        assert_eq!(full().extend("a.toml", &text).unwrap(), text);
    }
}

#[test]
fn what_is_lacking_is_added_and_the_rest_stays() {
    let before = "# mine\nplugin = 'other' # by hand\n\n[[methods]]\nname = \"Get-Salary\"\nmethod-id = 8\n\n\
                  [[methods.parameters]] # why\nname = \"Month\"\ntype = \"string\"\nrequired = false\n\n\
                  # the next one\n[[methods]]\nname = \"Mine\"\n\n# the end\n";
    let after = full().extend("a.toml", before).unwrap();
    let mut left = after.as_str();
    for line in before.lines().filter(|line| !line.is_empty()) {
        left = left.split_once(line).unwrap_or_else(|| panic!("{line} is lost:\n{after}")).1;
    }
    let mut catalog = Catalog::default();
    catalog.add("a.toml", &after).unwrap();
    let names: Vec<&str> = catalog.methods.iter().map(|method| method.name.as_str()).collect();
    assert_eq!(names, ["Get-Salary", "Mine", "Set-Salary"]);
    let method = &catalog.methods[0];
    assert_eq!((method.method_id, method.outputs.len(), method.parameters.len()), (Some(8), 2, 2));
    let month = method.parameter("Month").unwrap();
    assert_eq!((month.value_type, month.required), (Some(ValueType::String), false));
    assert_eq!((month.default.as_deref(), month.values.len()), (Some("1"), 2));
    assert_eq!(full().extend("a.toml", &after).unwrap(), after);
}

#[test]
fn inline_arrays_are_extended_in_their_style() {
    let before = "plugin = \"Payroll\"\npackage = \"corp\"\nmodule = \"Activity.Payroll\"\nmethods = [\n  \
                  # the first\n  { name = \"Get-Salary\", parameters = [{ name = \"A\", type = \"string\" }], \
                  outputs = [\n    { name = \"Gross\" }, # in kronor\n  ] }, # paid\n]\n";
    let after = full().extend("a.toml", before).unwrap();
    assert!(after.contains("{ name = \"Gross\" }, # in kronor\n    { name = \"Net\" },\n  ]"), "{after}");
    assert!(after.contains("{ name = \"A\", type = \"string\" }, { name = \"Month\", "), "{after}");
    assert!(after.contains(" }, # paid\n  { name = \"Set-Salary\" },\n]\n"), "{after}");
    assert_eq!(full().extend("a.toml", &after).unwrap(), after);
}

#[test]
fn comment_of_the_last_entry_stays_with_it() {
    let before = "plugin = \"p\"\nmethods = [\n  { name = \"A\" } # mine\n]\n";
    let new = NewCatalog { methods: vec![Method::new("B")], ..NewCatalog::of_module("p") };
    let after = new.extend("a.toml", before).unwrap();
    let wanted = "plugin = \"p\"\nmethods = [\n  { name = \"A\" }, # mine\n  { name = \"B\" }\n]\nmodule = \"p\"\n";
    assert_eq!(after, wanted);
}

#[test]
fn line_ends_stay() {
    let before = "plugin = 'p'\r\nmodule = 'p'\n[[methods]]\r\nname = 'A' # a\n[[methods.outputs]]\r\nname = 'X'";
    let mut method = Method::new("A");
    method.description = Some("Does.".to_owned());
    method.outputs = vec![Output::named("X")];
    let new = NewCatalog { methods: vec![method], ..NewCatalog::of_module("p") };
    let after = new.extend("a.toml", before).unwrap();
    let wanted = "plugin = 'p'\r\nmodule = 'p'\n[[methods]]\r\nname = 'A' # a\ndescription = \"Does.\"\r\n\
                  [[methods.outputs]]\r\nname = 'X'";
    assert_eq!(after, wanted);
    let crlf = "plugin = 'p'\r\nmodule = 'p'\r\n";
    let after = new.extend("a.toml", crlf).unwrap();
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count(), "{after:?}");
    assert!(after.ends_with("name = \"X\"\r\n"), "{after:?}");
}

#[test]
fn file_that_is_no_catalog_is_refused_with_its_place() {
    let error = full().extend("a.toml", "select = ['ALL']\n").unwrap_err();
    assert!(error.0.starts_with("a.toml:1:1: unknown key `select`"), "{error:?}");
}
