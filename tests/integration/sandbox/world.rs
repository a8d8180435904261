//! The environment of a script: variables, built-in objects, clock and random numbers.

use wflint::script::sandbox::Job;

use super::{job, sandbox, text, text_of, with};

#[test]
fn scripts_run_in_sloppy_mode() {
    assert_eq!(text("with ({ a: 'x' }) { Json = a } undeclared = 1; (function () { this.y = 2 })()"), "x");
}

#[test]
fn variables_are_globals_that_a_script_may_redeclare() {
    let mut sandbox = sandbox();
    for script in [
        "Json = Name + '!'",
        "Json = globalThis.Name + '!'",
        "var Name; Json = Name + '!'",
        "var Name = Name + '!'; Json = Name",
        "Name += '!'; Json = Name",
        "let Name = 'n\u{e4}m\u{e9} \u{1f600}!'; Json = Name",
        "const Name = 'n\u{e4}m\u{e9} \u{1f600}!'; Json = Name",
        "function Name() { return 'n\u{e4}m\u{e9} \u{1f600}!' } Json = Name()",
        "class Name { static x = 'n\u{e4}m\u{e9} \u{1f600}!' } Json = Name.x",
    ] {
        let answer = sandbox.run(&with(script, &[("Name", "n\u{e4}m\u{e9} \u{1f600}")])).unwrap();
        assert_eq!(text_of(answer), "n\u{e4}m\u{e9} \u{1f600}!", "{script}");
    }
}

#[test]
fn variables_may_have_any_name() {
    let names = ["", "a b", "a\0b", "__proto__", "Date", "Reflect", "JSON", "globalThis", "Object", "\u{fc}"];
    let variables = names.map(|name| (name, "own"));
    let script = "var Json = [this[''], this['a b'], this['a\\0b'], __proto__, Date, Reflect, globalThis, \u{fc}] + ''";
    let answer = sandbox().run(&with(script, &variables)).unwrap();
    assert_eq!(text_of(answer), ["own"; 8].join(","));
    // These three are constants of the language.
    let constants = [("undefined", "x"), ("NaN", "x"), ("Infinity", "x"), ("Json", "given")];
    assert_eq!(text_of(sandbox().run(&with("", &constants)).unwrap()), "given");
    assert_eq!(text_of(sandbox().run(&with("Json = '' + [undefined, NaN]", &constants)).unwrap()), ",NaN");
    // Of two with one name the last counts.
    assert_eq!(text_of(sandbox().run(&with("Json = a", &[("a", "1"), ("a", "2")])).unwrap()), "2");
}

#[test]
fn only_ecmascript_globals_exist() {
    let absent = "['console', 'print', 'std', 'os', 'performance', 'setTimeout', 'fetch', 'require', 'process', \
                  'read', 'describe', 'prelude', 'time', 'VirtualDate', 'scriptArgs'].filter(name => name in globalThis)";
    assert_eq!(text(&format!("Json = '' + {absent}")), "");
    assert_eq!(text("var Json = 'x'; import('std').then(() => { Json = 'imported' })"), "x");
    assert_eq!(text("var Json = eval('1 + 1') + new Function('a', 'return a + 1')('x')"), "2x1");
}

#[test]
fn jobs_of_promises_run_after_the_script() {
    assert_eq!(text("var Json = 'before'; Promise.resolve().then(() => { Json = 'after' })"), "after");
}

#[test]
fn scripts_are_isolated_from_each_other() {
    let mut sandbox = sandbox();
    sandbox.run(&job("var left = 1; Object.prototype.left = 2; Array.prototype.map = null; Json = 'x'")).unwrap();
    let answer = sandbox.run(&job("Json = typeof left + typeof [].map + typeof Json")).unwrap();
    assert_eq!(text_of(answer), "undefinedfunctionundefined");
}

#[test]
fn clock_is_virtual_constant_and_utc() {
    let mut sandbox = sandbox();
    for (expression, expected) in [
        ("Date.now()", "1709210096789"),
        ("new Date().toISOString()", "2024-02-29T12:34:56.789Z"),
        ("+new Date === Date.now()", "true"),
        ("Date().slice(0, 33)", "Thu Feb 29 2024 12:34:56 GMT+0000"),
        ("Date(1) === Date()", "true"),
        ("new Date().getHours() + ' ' + new Date().getTimezoneOffset()", "12 0"),
        ("new Date(2020, 6, 1, 5).toISOString()", "2020-07-01T05:00:00.000Z"),
        ("new Date('2020-07-01T05:00:00').toISOString()", "2020-07-01T05:00:00.000Z"),
        ("new Date(0).getTime()", "0"),
        ("new Date(undefined).getTime()", "NaN"),
        ("Date.UTC(1970, 0, 2)", "86400000"),
        ("Date.parse('1970-01-02')", "86400000"),
        ("new Date() instanceof Date", "true"),
        ("new Date().constructor === Date", "true"),
        ("Object.prototype.toString.call(new Date)", "[object Date]"),
        ("Reflect.construct(Date, []).getTime()", "1709210096789"),
        ("new (new Date().constructor)().getTime()", "1709210096789"),
        ("new (class Day extends Date { get is() { return this instanceof Day } })().is", "true"),
        ("new (class Day extends Date {})().getTime()", "1709210096789"),
        ("Date.name + Date.length", "Date7"),
        ("Object.keys(globalThis).includes('Date')", "false"),
        ("JSON.stringify({ at: new Date })", r#"{"at":"2024-02-29T12:34:56.789Z"}"#),
        ("(() => { var a = Date.now(); for (var i = 0; i < 1e6; i++); return Date.now() - a })()", "0"),
    ] {
        let answer = sandbox.run(&job(&format!("var Json = '' + ({expression})"))).unwrap();
        assert_eq!(text_of(answer), expected, "{expression}");
    }
}

#[test]
fn random_numbers_depend_only_on_the_seed() {
    let script = "Json = '' + Array.from({ length: 1000 }, Math.random)";
    let numbers = |seed| text_of(sandbox().run(&Job { seed, ..job(script) }).unwrap());
    assert_eq!(numbers(1), numbers(1));
    assert_ne!(numbers(1), numbers(2));
    let numbers: Vec<f64> = numbers(3).split(',').map(|number| number.parse().unwrap()).collect();
    assert!(numbers.iter().all(|number| (0.0..1.0).contains(number)));
    assert!((numbers.iter().sum::<f64>() / 1000.0 - 0.5).abs() < 0.05);
}

#[test]
fn equal_jobs_get_equal_answers() {
    let script = "var map = new Map; for (var i = 0; i < 1000; i++) map.set({}, Math.random()); \
                  Json = JSON.stringify([...map.values(), new Date, Object.getOwnPropertyNames(globalThis)])";
    let mut sandbox = sandbox();
    let first = sandbox.run(&job(script)).unwrap();
    assert_eq!(first, sandbox.run(&job(script)).unwrap());
    assert_eq!(first, super::sandbox().run(&job(script)).unwrap());
}

#[test]
fn host_objects_exist_and_do_nothing() {
    let script = "console.log('seen'); console.anything.at; Json = typeof console;";
    let hosts = vec!["console".to_owned()];
    assert_eq!(text_of(sandbox().run(&Job { hosts, ..job(script) }).unwrap()), "object");
    assert!(matches!(sandbox().run(&job(script)).unwrap(), wflint::script::Answer::Failed(_)));
}
