//! The names in scripts.

use std::ops::Range;

use super::name::{Access, NameKind, VariableName};
use crate::collections::{HashMap, HashSet};
use crate::facts::scripts::{CodeSite, FormScript};
use crate::model::{Binding, SCRIPT_RESULT};
use crate::script::syntax::{NameUse, name_uses};

/// The uses of parameters that are bound to variables, and of `Json`, in the script of a Code activity. Those of the
/// variables that `is_wanted` accepts.
pub fn code_names<'a>(site: &CodeSite<'_, 'a>, is_wanted: impl Fn(&str) -> bool) -> Vec<VariableName<'a>> {
    let parameters = site.code.parameters.get().into_iter().flatten();
    let bound = parameters.filter_map(|parameter| {
        let (_, variable) = parameter.value.get().and_then(Binding::target)?;
        Some((parameter.name.value()?, variable))
    });
    let mut variables: HashMap<&str, &'a str> = HashMap::default();
    variables.insert(SCRIPT_RESULT, SCRIPT_RESULT);
    variables.extend(bound);
    variables.retain(|written, variable| is_wanted(variable) && site.text.contains(written));
    if variables.is_empty() {
        return Vec::new();
    }
    let name = |found: NameUse| {
        let &name = variables.get(found.name.as_str())?;
        let is_result = name == SCRIPT_RESULT && found.is_written;
        Some(VariableName {
            file: site.analysis.file,
            name,
            span: site.analysis.document.span_inside(site.node, found.range),
            kind: NameKind::Script { is_shorthand: found.is_shorthand },
            access: if is_result { Access::Write } else { Access::Read },
            activity: Some(site.activity.id),
        })
    };
    name_uses(site.text).unwrap_or_default().uses.into_iter().filter_map(name).collect()
}

/// The names and strings in a script of a form that are the names of variables. How such a script names a variable is
/// not documented.
pub fn form_script_names<'a>(script: &FormScript<'_, 'a>, variables: &HashSet<&'a str>) -> Vec<VariableName<'a>> {
    if !variables.iter().any(|name| script.text.contains(name)) {
        return Vec::new();
    }
    let fields = script.form.form.fields.iter().filter_map(|field| field.name.value()).collect::<HashSet<_>>();
    let name = |name: &str, range: Range<usize>, (is_string, is_shorthand): (bool, bool)| {
        let &name = variables.get(name)?;
        Some(VariableName {
            file: script.form.file,
            name,
            span: script.form.document.span_inside(script.node, range),
            kind: NameKind::FormScript { is_string, is_shorthand, may_be_field: fields.contains(name) },
            access: Access::Read,
            activity: None,
        })
    };
    let uses = name_uses(script.text).unwrap_or_default().uses;
    let uses = uses.into_iter().filter_map(|found| name(&found.name, found.range, (false, found.is_shorthand)));
    let strings = script.syntax.script().into_iter().flat_map(|script| &script.strings);
    // One with escapes is not the name as it is written.
    let strings = strings.filter(|literal| script.text.get(literal.range.clone()) == Some(literal.value.as_str()));
    uses.chain(strings.filter_map(|literal| name(&literal.value, literal.range.clone(), (true, false)))).collect()
}
