//! Scripts: many, large and nested ones. They are checked, not run: a run is a process with limits of its own.

use super::{Case, Shape, VARIABLE, code, field, repeated, workflow};

pub const SHAPES: &[Shape] = &[
    ("scripts", |number| {
        scripts(&repeated(number, |at| code(&format!("C{at}"), "Json = JSON.stringify({ Name: 1 });")))
    }),
    ("statements of a script", |number| script(&r"Json = '1';\n".repeat(number))),
    ("short statements of a script", |number| script(&"a;".repeat(number))),
    ("scripts of short statements", |number| {
        scripts(&repeated(number / 10_000 + 1, |at| code("C", &format!("x{at};{}", "a;".repeat(10_000)))))
    }),
    ("names of a script", |number| script(&(0..number).map(|at| format!("var x{at} = {at};")).collect::<String>())),
    ("undefined names of a script", |number| script(&(0..number).map(|at| format!("f(x{at});")).collect::<String>())),
    ("writes of one name", |number| script(&(0..number).map(|at| format!("a = {at}; b = a;")).collect::<String>())),
    ("nested ternaries", |number| {
        // As deep as the parser allows, and as often as necessary.
        const DEPTH: usize = 100;
        let nested = format!("{}0", (0..DEPTH).map(|at| format!("a=={at}?{at}:")).collect::<String>());
        script(&format!("var a = 1;{}", format!("Json = {nested};").repeat(number / DEPTH + 1)))
    }),
    ("one chain of ternaries", |number| {
        script(&format!("var a = 1; Json = {}0;", (0..number).map(|at| format!("a=={at}?'{at}':")).collect::<String>()))
    }),
    ("ternaries inside ternaries", |number| {
        let depth = number.min(400);
        script(&format!("var a = 1; Json = {}0{};", "(a?".repeat(depth), ":1)".repeat(depth)))
    }),
    ("concatenations", |number| script(&format!("var a = 1; Json = ''{};", "+a+'x'".repeat(number)))),
    ("branches of a script", |number| {
        script(&(0..number).map(|at| format!("if (a == {at}) {{ Json = '{at}'; }}")).collect::<String>())
    }),
    ("functions of a script", |number| {
        script(&(0..number).map(|at| format!("function f{at}(x) {{ return x; }} f{at}(1);")).collect::<String>())
    }),
    ("functions that call each other", |number| {
        script(&(0..number).map(|at| format!("function f{at}(x) {{ return f{}(x); }}", at + 1)).collect::<String>())
    }),
    ("cases that a script builds", |number| {
        let parties = (0..number).map(|at| format!("{{Name:'P{at}',EmailAddress:'x'}}")).collect::<Vec<_>>().join(",");
        script(&format!("Json = JSON.stringify({{Name:'C',Parties:[{parties}]}});"))
    }),
    ("members that a script writes", |number| {
        script(&format!(
            "var c = {{Parties:[]}};{}Json = JSON.stringify(c);",
            (0..number).map(|at| format!("c.x{at} = {at};")).collect::<String>()
        ))
    }),
    ("functions in blocks", |number| {
        script(&(0..number).map(|at| format!("{{ function f{at}() {{}} }}")).collect::<String>())
    }),
    ("functions of one name in blocks", |number| script(&"{ function f() {} f(); }".repeat(number))),
    ("functions in one block", |number| {
        script(&format!("{{{}}}", (0..number).map(|at| format!("function f{at}() {{}}")).collect::<String>()))
    }),
    ("names of nested functions", |number| {
        // As deep as is cheap to parse, and as often as necessary.
        const DEPTH: usize = 50;
        let nested = |part: usize| {
            let open = |at| format!("function f{part}_{at}() {{ var a{at} = a;");
            format!("{}{}", (0..DEPTH).map(open).collect::<String>(), "}".repeat(DEPTH))
        };
        script(&(0..=number / DEPTH).map(nested).collect::<String>())
    }),
    ("tiny scripts", |number| scripts(&repeated(number, |_| r#"{ "type": "Code", "script": "a" }"#.to_owned()))),
    ("scripts that differ", |number| {
        scripts(&repeated(number, |at| code(&format!("C{at}"), &format!("var x{at} = y{at}; Json = 'v' + x{at};"))))
    }),
    ("scripts of many arrays", |number| {
        let script = |at| format!("Json = {at} + [{}];", "[],".repeat(400));
        scripts(&repeated(number / 400 + 1, |at| code("C", &script(at))))
    }),
    ("parameters of a script", |number| {
        let parameters = repeated(number, |at| format!(r#"{{ "name": "p{at}", "value": {{ "isBound": false }} }}"#));
        scripts(&format!(r#"{{ "name": "C", "type": "Code", "parameters": [{parameters}], "script": "Json = p0;" }}"#))
    }),
    ("regular expressions of a script", |number| {
        script(&(0..number).map(|at| format!("/(a{at}|b+)*c/.test(x);")).collect::<String>())
    }),
    ("templates of a script", |number| script(&format!("var a = 1; Json = `{}`;", "${a}{".repeat(number)))),
    ("escaped characters of a script", |number| script(&r"\u0061;".repeat(number))),
    ("form scripts", |number| {
        let fields = repeated(number, |at| {
            field(&format!("x{at}")).replacen('{', r#"{ "onChange": "if (value) { x = 1; }","#, 1)
        });
        Case::document(format!(r#"{{ "fields": [{fields}], "variables": [{VARIABLE}] }}"#))
    }),
];

fn script(text: &str) -> Case {
    scripts(&code("C", text))
}

fn scripts(activities: &str) -> Case {
    Case::document(workflow(activities, VARIABLE)).run_with(&["--no-scripts"])
}
