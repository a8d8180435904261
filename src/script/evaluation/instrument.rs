//! A copy of a script that shows which of its sites a run passes, and what it compares.
//!
//! Each site or operand `x` becomes `mark(3,x)`, on the same line, where `mark` is a function of `trace.js` that returns `x` and 3
//! is the index of the site, or that of the operand after those of all sites. So the script does what it does without the marks; only its columns differ, and for a
//! failure the script itself is run.

use std::fmt::Write;
use std::ops::Range;

use crate::script::syntax::Script;

/// The script with marks, and the name of the function that marks. That is a name that the script does not contain.
pub(super) fn instrument(script: &str, syntax: &Script) -> (String, String) {
    let mut name = "$mark".to_owned();
    while script.contains(&name) {
        name.push('$');
    }
    let sites = syntax.sites.iter().map(|site| &site.range);
    let operands = syntax.comparisons().operands.iter().map(|operand| &operand.range);
    let mut ranges: Vec<(usize, &Range<usize>)> = sites.chain(operands).enumerate().collect();
    // Stable: sites at one place keep their order.
    ranges.sort_by_key(|(_, range)| (range.start, std::cmp::Reverse(range.end)));
    // By offset. At one offset, what ends comes before what starts; ranges nest, so those that started last end first,
    // and those that end last start first.
    let mut marks: Vec<(usize, bool, usize, usize)> = Vec::new();
    for (order, (index, range)) in ranges.iter().enumerate() {
        marks.push((range.start, true, order, *index));
        marks.push((range.end, false, ranges.len() - order, *index));
    }
    marks.sort_unstable();
    let mut marked = String::with_capacity(script.len() + marks.len() * (name.len() + 8));
    let mut copied = 0;
    for (offset, starts, _, index) in marks {
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
            // The operands of comparisons.
            ("Json = a.b === 'x' ? {} : c < d", "Json =  $m(0, $m(2,a.b) === 'x' ?  $m(1,{}) :  $m(3,c) <  $m(4,d))"),
            ("switch (a) { case 1: }", "switch ( $m(0,a)) { case 1: }"),
            ("typeof a === 'x' || a == null || 1 < 2", "typeof a === 'x' || a == null || 1 < 2"),
            // Lookups.
            ("Json = T[Kind].c", "Json =  $m(0, $m(1,T)[ $m(2,Kind)].c)"),
            ("T[Kind](1)[a]", " $m(0, $m(2,T)[ $m(3,Kind)](1))[ $m(1,a)]"),
            ("T[0] + T['a'] + T.get(k) + (k in T)", "T[0] + T['a'] +  $m(0,T).get( $m(1,k)) + ( $m(2,k) in  $m(3,T))"),
            ("Object.hasOwn(T, k)", "Object.hasOwn( $m(0,T),  $m(1,k))"),
            ("T[k] = delete T[k]; new T[k](); new T[k].c()", " $m(0,T)[k] = delete T[k]; new T[k](); new T[k].c()"),
            ("T?.[k]; T?.a[k]; T?.get(k)", " $m(0,T)?.[ $m(1,k)]; T?.a[k];  $m(2,T)?.get( $m(3,k))"),
            // A function of the script's own.
            (
                "var JSON = { stringify() {} }; JSON.stringify()",
                "var JSON =  $m(0,{ stringify() {} }); JSON.stringify()",
            ),
        ] {
            let syntax = analyze(ScriptKind::Script, script);
            let (found, name) = instrument(script, syntax.script().unwrap());
            assert_eq!(found.replace(&name, "$m"), marked);
        }
        assert_eq!(instrument("$mark", &Script::default()).1, "$mark$");
    }
}
