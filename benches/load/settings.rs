//! Much in a configuration or a baseline, and many fixes.

use super::folders::many;
use super::reports::{mismatch, mismatched, undefined};
use super::{Case, Shape, VARIABLE, bound, field, form, repeated, status, variables, workflow};

pub const SHAPES: &[Shape] = &[
    ("services × files", |number| {
        let entry = |at: usize| {
            format!("[[service]]\nname = \"s{at}\"\nworkflow = \"d{at}.json\"\nforms = [\"d{at}.f*.json\"]\n")
        };
        let text = workflow(&status("Known"), VARIABLE);
        let mut case = many(number, ".json", |_| text.clone());
        case.files.extend(many(number, ".form.json", |_| form(&field("Known"), VARIABLE)).files);
        case.with("wflint.toml", (0..number).map(entry).collect::<String>())
    }),
    ("suppressions × findings", |number| {
        let entry = |at: usize| {
            format!(
                "[[suppress]]\nrule = \"WF101\"\nfile = \"a.json\"\npointer = \"/activities/{at}/status/boundTo\"\nreason = \"r\"\n"
            )
        };
        undefined(number).with("wflint.toml", (0..number).map(entry).collect::<String>())
    }),
    ("suppressions by activity", |number| {
        let entry = |at: usize| {
            format!("[[suppress]]\nrule = \"WF101\"\nfile = \"a.json\"\nactivity = \"S{at}\"\nreason = \"r\"\n")
        };
        undefined(number).with("wflint.toml", (0..number).map(entry).collect::<String>())
    }),
    ("suppressions × files", |number| {
        let entry = |at: usize| {
            format!("[[suppress]]\nrule = \"WF101\"\nfile = \"d{at}.json\"\npointer = \"\"\nreason = \"r\"\n")
        };
        many(number, ".json", |_| workflow(&status("x"), VARIABLE))
            .with("wflint.toml", (0..number).map(entry).collect::<String>())
    }),
    ("per-file-ignores × files", |number| {
        let entry = |at: usize| format!("\"d{at}.*\" = [\"WF1\"]\n");
        many(number, "/a.json", |_| workflow(&status("x"), VARIABLE))
            .with("wflint.toml", format!("[per-file-ignores]\n{}", (0..number).map(entry).collect::<String>()))
    }),
    ("per-file-ignores × findings", |number| {
        let entry = |at: usize| format!("\"b{at}.*\" = [\"WF1\"]\n");
        undefined(number)
            .with("wflint.toml", format!("[per-file-ignores]\n{}", (0..number).map(entry).collect::<String>()))
    }),
    ("removals of inherited entries", |number| {
        let list = |mark: &str| {
            let names = |kind: &str| repeated(number, |at| format!("\"{mark}{kind}{at}\""));
            let ignores = (0..number).map(|at| format!("\"x{at}/**\" = [\"{mark}WF1\"]\n")).collect::<String>();
            format!("exclude = [{}]\n[types]\nfields = [{}]\n[per-file-ignores]\n{ignores}", names("x"), names("T"))
        };
        Case::document(workflow(&status("Known"), VARIABLE))
            .with("base.toml", list(""))
            .with("wflint.toml", format!("extend = \"base.toml\"\n{}", list("!")))
    }),
    ("excludes × files", |number| {
        let patterns = repeated(number, |at| format!("\"x{at}/**\""));
        many(number, ".json", |_| workflow(&status("Known"), VARIABLE))
            .with("wflint.toml", format!("exclude = [{patterns}]\n"))
    }),
    ("excludes by name × files", |number| {
        let patterns = repeated(number, |at| format!("\"**/x{at}/**\", \"**/x{at}.*\""));
        many(number, ".json", |_| workflow(&status("Known"), VARIABLE))
            .with("wflint.toml", format!("exclude = [{patterns}]\n"))
    }),
    ("patterns by end × files", |number| {
        let ignores = (0..number).map(|at| format!("\"*d{at}.json\" = [\"WF1\"]\n")).collect::<String>();
        let excluded = repeated(number, |at| format!("\"*x{at}*.json\""));
        many(number, ".json", |_| workflow(&status("Known"), VARIABLE))
            .with("wflint.toml", format!("exclude = [{excluded}]\n[per-file-ignores]\n{ignores}"))
    }),
    ("services by end × files", |number| {
        let entry = |at: usize| {
            format!("[[service]]\nname = \"s{at}\"\nworkflow = \"d{at}.json\"\nforms = [\"*d{at}.form.json\"]\n")
        };
        let mut case = many(number, ".json", |_| workflow(&status("Known"), VARIABLE));
        case.files.extend(many(number, ".form.json", |_| form(&field("Known"), VARIABLE)).files);
        case.with("wflint.toml", (0..number).map(entry).collect::<String>())
    }),
    ("services of folders", |number| {
        let entry = |at: usize| {
            format!("[[service]]\nname = \"s{at}\"\nworkflow = \"d{at}/a.json\"\nforms = [\"d{at}/**/*.form.json\"]\n")
        };
        let mut case = many(number, "/a.json", |_| workflow(&status("Known"), VARIABLE));
        case.files.extend(many(number, "/b/c.form.json", |_| form(&field("Known"), VARIABLE)).files);
        case.with("wflint.toml", (0..number).map(entry).collect::<String>())
    }),
    ("system variables", |number| {
        let names = repeated(number, |at| format!("\"x{at}\""));
        Case::document(workflow(&repeated(number, |at| status(&format!("x{at}"))), VARIABLE))
            .with("wflint.toml", format!("system-variables = [{names}]\n"))
    }),
    ("types", |number| {
        let names = (0..number).map(|at| format!("T{at} = \"leaf\"\n")).collect::<String>();
        let activity = |at| format!(r#"{{ "name": "A", "type": "T{at}" }}"#);
        Case::document(workflow(&repeated(number, activity), VARIABLE))
            .with("wflint.toml", format!("[types.activities]\n{names}"))
    }),
    ("field types", |number| {
        let names = repeated(number, |at| format!("\"T{at}\""));
        let fields = repeated(number, |at| format!(r#"{{ "name": "F", "type": "T{at}" }}"#));
        Case::document(form(&fields, VARIABLE)).with("wflint.toml", format!("[types]\nfields = [{names}]\n"))
    }),
    ("a new baseline", |number| undefined(number).run_with(&["--baseline", "b.baseline", "--write-baseline"])),
    ("keys in a new baseline", |number| {
        let keys = repeated(number, |at| format!(r#""x{at}": 1"#));
        Case::document(workflow(&format!(r#"{{ "name": "S", "type": "Status", {keys} }}"#), ""))
            .run_with(&["--baseline", "b.baseline", "--write-baseline"])
    }),
    ("entries of a baseline", |number| {
        let entry = |at: usize| {
            format!(
                r#"{{ "rule": "WF101", "file": "a.json", "around": ["S{at}"], "member": "status/boundTo", "count": 1 }}"#
            )
        };
        let text = format!(r#"{{ "version": 1, "findings": [{}] }}"#, repeated(number, entry));
        undefined(number).with("b.baseline", text).run_with(&["--baseline", "b.baseline"])
    }),
    ("stale entries of a baseline", |number| {
        let entry = |at: usize| {
            format!(
                r#"{{ "rule": "WF101", "file": "b{at}.json", "around": ["S{at}"], "member": "status/boundTo", "count": 1 }}"#
            )
        };
        let text = format!(r#"{{ "version": 1, "findings": [{}] }}"#, repeated(number, entry));
        undefined(1).with("b.baseline", text).run_with(&["--baseline", "b.baseline"])
    }),
    ("fixes", |number| mismatched(number).run_with(&["--diff"])),
    ("fixes that fail", |number| {
        let activities = repeated(number, |at| {
            format!(
                r#"{{ "name": "S{at}", "type": "Status", "ownBoundVariables": ["x"], "status": {} }}"#,
                bound("Knwn")
            )
        });
        Case::document(workflow(&activities, VARIABLE)).run_with(&["--diff", "--unsafe-fixes"])
    }),
    ("fixes that are made", |number| mismatched(number).run_with(&["--fix"])),
    ("suppressions to add", |number| undefined(number).run_with(&["--add-suppressions", "known"])),
    ("files to show", |number| {
        many(number, ".json", |_| workflow(&status("Known"), VARIABLE)).run_with(&["--show-files"])
    }),
    ("fixes in many files", |number| {
        many(number, ".json", |_| workflow(&mismatch(0), &variables(1))).run_with(&["--diff"])
    }),
    ("suppressions of nothing", |number| {
        let entry = |at: usize| {
            format!("[[suppress]]\nrule = \"WF101\"\nfile = \"a.json\"\npointer = \"/x/{at}\"\nreason = \"r\"\n")
        };
        undefined(1).with("wflint.toml", (0..number).map(entry).collect::<String>())
    }),
    ("suppressions × findings × files", |number| {
        let entry = |at: usize| {
            format!("[[suppress]]\nrule = \"WF101\"\nfile = \"d{at}/a.json\"\nactivity = \"S\"\nreason = \"r\"\n")
        };
        many(number, "/a.json", |at| workflow(&status(&format!("x{at}")), VARIABLE))
            .with("wflint.toml", (0..number).map(entry).collect::<String>())
    }),
    ("configurations of folders", |number| {
        let mut case = many(number, "/a.json", |_| workflow(&status("Known"), VARIABLE));
        case.files.extend(many(number, "/wflint.toml", |_| "[severity]\nWF101 = \"warning\"\n".to_owned()).files);
        case
    }),
];
