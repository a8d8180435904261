//! `wflint catalog`: catalogs of the methods of plug-ins.

mod exports;
mod hostile;
mod import;
mod modules;
mod outputs;
mod parameters;
mod syntax;
mod written;

use wflint::catalog::{Catalog, Method};

use crate::support::folder::Folder;

/// The method that the only function of a module becomes, and what is written to standard error.
fn imported(module: &str) -> (Method, String) {
    let folder = Folder::with(&[("m.psm1", module)]);
    let output = folder.run(&["catalog", "import", "m.psm1"]).expect_code(0);
    let mut methods = methods(output.out());
    assert_eq!(methods.len(), 1, "{}", output.out());
    (methods.remove(0), output.err().to_owned())
}

fn methods(catalog: &str) -> Vec<Method> {
    let mut read = Catalog::default();
    read.add("catalog.toml", catalog).unwrap();
    read.methods
}

fn names(methods: &[Method]) -> Vec<&str> {
    methods.iter().map(|method| method.name.as_str()).collect()
}

/// The names of the outputs, `…` if there may be others.
fn outputs_of(method: &Method) -> String {
    let names = method.outputs.iter().filter_map(|output| output.name.as_deref());
    names.chain(method.has_open_outputs().then_some("…")).collect::<Vec<_>>().join(" ")
}
