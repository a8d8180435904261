//! `examples/rules`: rules to copy.

use crate::support::folder::copy_of;

#[test]
fn rules_of_the_cookbook_pass_their_tests() {
    let folder = copy_of("examples/rules");
    let rules = folder.names().into_iter().filter(|name| name.ends_with(".js")).count();
    assert_eq!(rules, 12);
    let output = folder.run(&["rules", "--test"]);
    assert_eq!((output.code, output.err()), (0, ""), "{}", output.out());
    assert!(output.out().ends_with("examples of 12 rules pass.\n"), "{}", output.out());
}

/// `INSTA_UPDATE=always` writes it.
#[test]
fn document_has_the_whole_interface() {
    let (start, end) = ("<!-- interface -->\n", "<!-- end of interface -->");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/own-rules-interface.md");
    let document = std::fs::read_to_string(path).unwrap();
    let (before, rest) = document.split_once(start).unwrap();
    let (shown, after) = rest.split_once(end).unwrap();
    let wanted = format!("\n{}\n", wflint::own_rules::engine::reference().trim_end());
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        std::fs::write(path, format!("{before}{start}{wanted}\n{end}{after}")).unwrap();
        return;
    }
    assert_eq!(shown.trim(), wanted.trim(), "INSTA_UPDATE=always writes it");
}

/// The rule that the document shows first is the one of the cookbook, which also has a fix.
#[test]
fn contract_of_the_first_rule_is_the_same_everywhere() {
    let document = include_str!("../../../docs/own-rules.md");
    let rule = include_str!("../../../examples/rules/ORG101-approvals-end.js");
    let visitor = "const { number } = context.value(activity.timeout);\n        if (number > 0 && number <= days * 86400) return;";
    assert!(document.contains(visitor) && rule.contains(visitor));
}
