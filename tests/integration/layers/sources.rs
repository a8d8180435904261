//! The files of `src/`, and which file a path leads to.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::lexer::tokens;
use super::paths::{NamedPath, Origin, Paths, paths};

/// The path of a module below the root of the crate: `["rules", "flow"]`.
pub type Module = Vec<String>;

pub struct SourceFile {
    /// Relative to `src/`, with `/`.
    pub name: String,
    paths: Paths,
}

impl SourceFile {
    fn import(&self, name: &str) -> Option<&NamedPath> {
        self.paths.paths.iter().find(|path| path.origin != Origin::Code && path.name == name)
    }
}

/// That one file uses another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Use {
    pub line: usize,
    pub path: String,
    pub target: Module,
}

/// Every file of `src/` by its module, those of tests left out.
pub struct Sources {
    pub files: BTreeMap<Module, SourceFile>,
}

impl Sources {
    pub fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let walk = ignore::WalkBuilder::new(&root).standard_filters(false).build();
        let names = walk.map(|entry| entry.unwrap().path().strip_prefix(&root).unwrap().to_path_buf());
        Self::from_texts(names.filter(|name| name.extension().is_some_and(|extension| extension == "rs")).map(|name| {
            let text = std::fs::read_to_string(root.join(&name)).unwrap();
            (name, text)
        }))
    }

    pub fn from_texts(texts: impl Iterator<Item = (PathBuf, String)>) -> Self {
        let mut files = BTreeMap::new();
        for (path, text) in texts {
            let mut module: Module =
                path.with_extension("").iter().map(|part| part.to_str().unwrap().to_owned()).collect();
            let name = module.join("/") + ".rs";
            if module.iter().any(|part| part == "tests") || name == "main.rs" {
                continue;
            }
            module.pop_if(|last| last == "mod" || name == "lib.rs");
            files.insert(module, SourceFile { name, paths: paths(&tokens(&text)) });
        }
        Self { files }
    }

    /// The modules right below the root that a file names, re-exports included, its own left out.
    pub fn used_layers(&self, module: &Module) -> BTreeSet<(usize, String)> {
        let file = &self.files[module];
        let absolute = file.paths.paths.iter().filter_map(|path| Some((path.line, self.absolute(module, path)?)));
        absolute
            .filter_map(|(line, path)| Some((line, path.into_iter().next()?)))
            .filter(|(_, layer)| Some(layer) != module.first())
            .collect()
    }

    /// The other files that a file uses. To declare, import or re-export a module or an item is no
    /// use; to name an item that is imported or re-exported is one of the file that defines it.
    pub fn uses(&self, module: &Module) -> BTreeSet<Use> {
        let file = &self.files[module];
        let mut uses = BTreeSet::new();
        for path in &file.paths.paths {
            // An item that is imported counts once, at its import: not at `Item::new` as well.
            let is_counted = match path.origin {
                Origin::Import => true,
                Origin::Reexport => file.paths.words.contains(&path.name),
                Origin::Code => file.import(&path.segments[0]).is_none_or(|import| self.is_module(module, import)),
            };
            if !is_counted {
                continue;
            }
            let Some(absolute) = self.absolute(module, path) else { continue };
            let imports_module = path.origin != Origin::Code && self.is_module(module, path);
            let target = self.defining_module(&absolute, 0);
            if !imports_module && target != *module {
                uses.insert(Use { line: path.line, path: path.segments.join("::"), target });
            }
        }
        uses
    }

    fn is_module(&self, module: &Module, path: &NamedPath) -> bool {
        path.name != "*" && self.absolute(module, path).is_some_and(|absolute| self.files.contains_key(&absolute))
    }

    /// The path from the root of the crate; none for one that leaves the crate, or begins with an item.
    fn absolute(&self, module: &Module, path: &NamedPath) -> Option<Module> {
        let mut base = module.clone();
        let mut rest = path.segments.as_slice();
        let (first, after) = rest.split_first()?;
        match first.as_str() {
            "crate" => {
                base.clear();
                rest = after;
            }
            "self" => rest = after,
            "super" => {
                while let Some(after) = rest.strip_prefix(&["super".to_owned()]) {
                    base.pop();
                    rest = after;
                }
            }
            name => {
                base.push(name.to_owned());
                rest = after;
                if !self.files.contains_key(&base) {
                    let import = self.files[module].import(name).filter(|import| import.segments[0] != *name)?;
                    base = self.absolute(module, import)?;
                }
            }
        }
        base.extend_from_slice(rest);
        Some(base)
    }

    /// The deepest module on a path that has a file; where that only imports the next name, the
    /// module that defines it.
    fn defining_module(&self, path: &[String], steps: usize) -> Module {
        const MAX_STEPS: usize = 8;
        let depth = (0..=path.len()).rev().find(|depth| self.files.contains_key(&path[..*depth])).unwrap_or_default();
        let (module, rest) = (path[..depth].to_vec(), &path[depth..]);
        let import = rest.first().and_then(|name| self.files.get(&module)?.import(name));
        match import.and_then(|import| self.absolute(&module, import)) {
            Some(mut next) if steps < MAX_STEPS => {
                next.extend_from_slice(&rest[1..]);
                self.defining_module(&next, steps + 1)
            }
            _ => module,
        }
    }
}
