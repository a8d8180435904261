//! A copy of a script that shows which of its sites a run passes.
//!
//! Each site `x` becomes `mark(3,x)`, on the same line, where `mark` is a function of `trace.js` that returns `x` and 3
//! is the index of the site. So the script does what it does without the marks; only its columns differ, and for a
//! failure the script itself is run.

use std::fmt::Write;

use crate::script::syntax::Site;

/// The script with marks, and the name of the function that marks. That is a name that the script does not contain.
pub(super) fn instrument(script: &str, sites: &[Site]) -> (String, String) {
    let mut name = "$mark".to_owned();
    while script.contains(&name) {
        name.push('$');
    }
    // By offset. At one offset, what ends comes before what starts; sites nest, so those that started last end first,
    // and those that end last start first, which is the order of `sites`.
    let mut marks: Vec<(usize, bool, usize)> = Vec::new();
    for (index, site) in sites.iter().enumerate() {
        marks.push((site.range.start, true, index));
        marks.push((site.range.end, false, sites.len() - index));
    }
    marks.sort_unstable();
    let mut marked = String::with_capacity(script.len() + marks.len() * (name.len() + 8));
    let mut copied = 0;
    for (offset, starts, index) in marks {
        marked.push_str(script.get(copied..offset).unwrap_or_default());
        copied = offset;
        if starts {
            // The space, because a keyword may end here: `return{}`.
            let _ = write!(marked, " {name}({index},");
        } else {
            marked.push(')');
        }
    }
    marked.push_str(script.get(copied..).unwrap_or_default());
    (marked, name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::syntax::{ScriptKind, analyze};

    #[test]
    fn each_site_is_marked() {
        for (script, marked) in [
            ("Json = JSON.stringify({ a: [1] })", "Json =  $m(0, $m(1,JSON.stringify)( $m(2,{ a:  $m(3,[1]) })))"),
            ("function f() { return{} }", "function f() { return $m(0,{}) }"),
            ("c.Name = 'x'; c['Days'] = 1", " $m(0,c).Name = 'x';  $m(1,c)['Days'] = 1"),
            ("Json = {}", "Json =  $m(0, $m(1,{}))"),
            // No literals, but patterns.
            ("({ a } = b); [a] = b; var { c } = b", "({ a } = b); [a] = b; var { c } = b"),
            // A function of the script's own.
            (
                "var JSON = { stringify() {} }; JSON.stringify()",
                "var JSON =  $m(0,{ stringify() {} }); JSON.stringify()",
            ),
        ] {
            let syntax = analyze(ScriptKind::Script, script);
            let (found, name) = instrument(script, &syntax.script().unwrap().sites);
            assert_eq!(found.replace(&name, "$m"), marked);
        }
        assert_eq!(instrument("$mark", &[]).1, "$mark$");
    }
}
