//! Every place in the documents of a service that has the name of a variable: for an editor, and for renaming.

mod activities;
mod forms;
mod name;
mod names;
mod outputs;
mod scripts;

pub use name::{Access, NameKind, VariableName};
pub use outputs::{OutputSite, output_sites};
pub use scripts::{code_names, form_script_names};

use super::service::AnalyzedService;
use names::Names;

/// The names outside of scripts, sorted by file and place.
pub fn variable_names<'a>(service: &AnalyzedService<'a>) -> Vec<VariableName<'a>> {
    let mut names = Names::default();
    for document in &service.model.workflows {
        let list = document.workflow.variables.get().into_iter().flatten();
        names.declarations(document.file, document.document, list, NameKind::Declaration);
        activities::add(document, &mut names);
    }
    for document in &service.model.forms {
        let list = document.form.variables.get().into_iter().flatten();
        names.declarations(document.file, document.document, list, NameKind::FormDeclaration);
        forms::add(document, &mut names);
    }
    names.into_sorted()
}
