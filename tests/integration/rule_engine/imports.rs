//! Modules that rules import.

use super::{APPROVALS, Service, rules, sandbox, shown};
use wflint::own_rules::engine::{RuleFiles, load};

fn with_modules(rule: &str, modules: &[(&str, &str)]) -> RuleFiles {
    let mut files = rules(&[rule]);
    files.modules = modules.iter().map(|(file, text)| ((*file).to_owned(), (*text).into())).collect();
    files
}

const IMPORTING: &str = "import { name } from \"./lib/names.js\";
export default { create: (context) => ({ Event(node) { context.report({ node, message: name(node) }); } }) };";

#[test]
fn modules_import_modules() {
    let files = with_modules(
        IMPORTING,
        &[
            (
                "rules/lib/names.js",
                "import { prefix } from '../prefix.js';\nexport const name = (node) => prefix + node.name;",
            ),
            ("rules/prefix.js", "export const prefix = 'the ';"),
        ],
    );
    let run = Service::workflow(APPROVALS).run_in(&mut sandbox(), &files).remove(0);
    assert_eq!(run.problem, None);
    assert_eq!(run.reports[0].message, "the Approved");
}

#[test]
fn circles_of_imports_work_as_in_other_engines() {
    let files = with_modules(
        IMPORTING,
        &[
            (
                "rules/lib/names.js",
                "import { other } from './other.js';\nexport const name = (node) => other(node);\nexport const plain = (node) => node.name;",
            ),
            ("rules/lib/other.js", "import { plain } from './names.js';\nexport const other = (node) => plain(node);"),
        ],
    );
    let run = Service::workflow(APPROVALS).run_in(&mut sandbox(), &files).remove(0);
    assert_eq!((run.problem, run.reports[0].message.as_str()), (None, "Approved"));
}

#[test]
fn what_cannot_be_imported_is_told_at_the_import() {
    let import = |name: &str| format!("// An import.\nimport x from '{name}';\nexport default {{ create() {{}} }};");
    for (rule, modules, expected) in [
        (
            import("./missing.js"),
            &[][..],
            "rules/ORG101-rule.js 2:16 invalid import \"./missing.js\": missing module rules/missing.js",
        ),
        (
            import("../above.js"),
            &[("above.js", "")],
            "rules/ORG101-rule.js 2:16 invalid import \"../above.js\": a rule imports only what is in its folder or below",
        ),
        (
            import("fs"),
            &[],
            "rules/ORG101-rule.js 2:16 invalid import \"fs\": only relative paths such as `./lib/names.js` can be imported",
        ),
        (
            import("/etc/passwd"),
            &[],
            "rules/ORG101-rule.js 2:16 invalid import \"/etc/passwd\": only relative paths such as `./lib/names.js` can be imported",
        ),
        (
            import("./a.js"),
            &[("rules/a.js", "import './b.js';\nexport default 1;")],
            "rules/a.js 1:9 invalid import \"./b.js\": missing module rules/b.js",
        ),
    ] {
        let problem = load(&mut sandbox(), &with_modules(&rule, modules)).unwrap().remove(0).unwrap_err();
        assert_eq!(format!("{} {}", problem.file, shown(&problem)), expected);
    }
}

#[test]
fn errors_in_modules_are_told_in_the_module() {
    let files =
        with_modules(IMPORTING, &[("rules/lib/names.js", "\nexport const name = (node) => {\n  node.x.y;\n};")]);
    let run = Service::workflow(APPROVALS).run_in(&mut sandbox(), &files).remove(0);
    let problem = run.problem.unwrap();
    assert_eq!((problem.file.as_str(), problem.line), ("rules/lib/names.js", Some(3)));
    let files = with_modules(IMPORTING, &[("rules/lib/names.js", "export const name = ;")]);
    let problem = load(&mut sandbox(), &files).unwrap().remove(0).unwrap_err();
    assert_eq!((problem.file.as_str(), problem.line), ("rules/lib/names.js", Some(1)));
    assert!(problem.message.starts_with("invalid JavaScript: "), "{}", problem.message);
    let files = with_modules(IMPORTING, &[("rules/lib/names.js", "export const other = 1;")]);
    let problem = load(&mut sandbox(), &files).unwrap().remove(0).unwrap_err();
    assert!(problem.message.contains("'name'") && !problem.message.contains(":0:"), "{}", problem.message);
}
