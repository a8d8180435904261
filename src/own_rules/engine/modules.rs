//! The modules of rules: which file an `import` names, and its text. Each rule has its own instances, so the names of modules
//! begin with the run and the rule: `3:0:rules/ORG101-approvals-end.js`.

use std::cell::RefCell;
use std::rc::Rc;

use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::module::Declared;
use rquickjs::{Ctx, Exception, Module, Result};

use super::job::Base;
use crate::script::sandbox::Compiled;

/// The files of rules, in the child.
#[derive(Default)]
pub(super) struct Files {
    pub base: Base,
    /// The rules that import nothing.
    pub compiled: Compiled,
    /// The last `import` that was refused.
    pub refused: Option<Refused>,
}

/// An `import` that names nothing that may be imported.
#[derive(Debug)]
pub(super) struct Refused {
    /// The file that has it.
    pub file: String,
    /// What it names.
    pub name: String,
    pub reason: String,
}

pub(super) type SharedFiles = Rc<RefCell<Files>>;

/// The name of a rule's module.
pub(super) fn module_name(run: u32, rule: usize, file: &str) -> String {
    format!("{run}:{rule}:{file}")
}

/// What of the name of a module is the same for all of a rule, and the path of its file.
fn parts(name: &str) -> Option<(&str, &str)> {
    let (run, rest) = name.split_once(':')?;
    let (rule, file) = rest.split_once(':')?;
    run.parse::<u32>().and(rule.parse::<u32>()).ok()?;
    Some((name.strip_suffix(file)?, file))
}

/// The path of the file in the name of a module.
pub(super) fn file_of(name: &str) -> Option<&str> {
    parts(name).map(|(_, file)| file)
}

/// The file of a rule or a module. The engine miscounts the columns of a first line, so a text starts on the second.
pub(super) fn source(text: &str) -> String {
    format!("\n{text}")
}

/// The parameter of the function of a rule.
const EXPORTS: &str = "$w";

/// The file of a rule as an expression: a function that evaluates it, and sets `default` of its argument; all keeps its place.
/// `None` if it cannot be one. What this gets wrong, such as a file with an `import`, does not compile: a function cannot have
/// `export` or `import`.
pub(super) fn as_function(text: &str) -> Option<String> {
    let text = source(text);
    let (before, after) = text.split_once("\nexport default ").filter(|_| !text.contains(EXPORTS))?;
    Some(format!("({EXPORTS}) => {{{before}\n{EXPORTS}.default   = {after}\n}}"))
}

/// Resolves and loads what modules import.
pub(super) struct Imports(pub SharedFiles);

impl Resolver for Imports {
    fn resolve<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        base: &str,
        name: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> Result<String> {
        let (prefix, importer) = parts(base).unwrap_or_default();
        let resolved = resolve(&self.0.borrow().base, prefix, importer, name);
        resolved.map_err(|reason| {
            let (file, name) = (importer.to_owned(), name.to_owned());
            self.0.borrow_mut().refused = Some(Refused { file, name, reason });
            Exception::throw_reference(ctx, "import refused")
        })
    }
}

/// The name of the module that an `import` names, or why there is none.
fn resolve(base: &Base, prefix: &str, importer: &str, name: &str) -> std::result::Result<String, String> {
    let rule = prefix.split(':').nth(1).and_then(|rule| base.rules.get(rule.parse::<usize>().ok()?));
    let path = imported(rule.map_or("", |(file, _)| folder_of(file)), importer, name)?;
    if base.modules.contains_key(&path) { Ok(format!("{prefix}{path}")) } else { Err(format!("missing module {path}")) }
}

impl Loader for Imports {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> Result<Module<'js, Declared>> {
        let text = file_of(name).and_then(|file| self.0.borrow().base.modules.get(file).map(|text| source(text)));
        declare(ctx, name, &text.unwrap_or_default())
    }
}

/// Compiles a module.
pub(super) fn declare<'js>(ctx: &Ctx<'js>, name: &str, source: &str) -> Result<Module<'js, Declared>> {
    if source.contains('\0') {
        return Err(Exception::throw_syntax(ctx, "invalid character U+0000"));
    }
    Module::declare(ctx.clone(), name, source)
}

/// The folder of a path, with `/` at its end; empty if the path has none.
fn folder_of(path: &str) -> &str {
    path.rfind('/').and_then(|end| path.get(..=end)).unwrap_or_default()
}

/// The path that an `import` names, which is at or below the folder of the rule.
fn imported(folder: &str, importer: &str, name: &str) -> std::result::Result<String, &'static str> {
    if !name.starts_with("./") && !name.starts_with("../") {
        return Err("only relative paths such as `./lib/names.js` can be imported");
    }
    let mut steps: Vec<&str> = folder_of(importer).split_terminator('/').collect();
    for step in name.split('/') {
        match step {
            "" | "." => {}
            ".." if steps.last().is_none_or(|last| *last == "..") => steps.push(".."),
            ".." => drop(steps.pop()),
            step => steps.push(step),
        }
    }
    let path = steps.join("/");
    if !path.starts_with(folder) || path.get(folder.len()..).is_some_and(|rest| rest.starts_with("../")) {
        return Err("a rule imports only what is in its folder or below");
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_keep_the_places_of_a_file() {
        let made = |text| as_function(text).unwrap_or_default();
        assert_eq!(made("const A = 1;\nexport default {};\n"), "($w) => {\nconst A = 1;\n$w.default   = {};\n\n}");
        assert_eq!(made("export default { a: 1 }"), "($w) => {\n$w.default   = { a: 1 }\n}");
        for text in ["const a = {};\nexport { a as default };", "const $w = 1;\nexport default {};", ""] {
            assert_eq!(as_function(text), None, "{text}");
        }
    }

    #[test]
    fn imports_stay_in_the_folder_of_the_rule() {
        let path = |folder, importer, name| imported(folder, importer, name).ok();
        assert_eq!(path("rules/", "rules/A.js", "./lib/names.js").as_deref(), Some("rules/lib/names.js"));
        assert_eq!(path("rules/", "rules/lib/names.js", "../other.js").as_deref(), Some("rules/other.js"));
        assert_eq!(path("rules/", "rules/A.js", "./lib/./../b.js").as_deref(), Some("rules/b.js"));
        assert_eq!(path("", "A.js", "./b.js").as_deref(), Some("b.js"));
        assert_eq!(path("../shared/", "../shared/A.js", "./b.js").as_deref(), Some("../shared/b.js"));
        for (folder, importer, name) in [
            ("rules/", "rules/A.js", "../b.js"),
            ("rules/", "rules/A.js", "../rules2/b.js"),
            ("rules/", "rules/A.js", "./lib/../../b.js"),
            ("", "A.js", "../b.js"),
            ("../shared/", "../shared/A.js", "../../b.js"),
            ("rules/", "rules/A.js", "/etc/passwd"),
            ("rules/", "rules/A.js", "std"),
            ("rules/", "rules/A.js", "rules/b.js"),
        ] {
            assert_eq!(path(folder, importer, name), None, "{name} from {importer}");
        }
    }
}
