//! The names in the fields of forms.

use super::name::{Access, NameKind};
use super::names::{Names, Site};
use crate::project::FormDocument;

pub(super) fn add<'a>(form: &FormDocument<'a>, names: &mut Names<'a>) {
    let at = Site { file: form.file, document: form.document, activity: None };
    for (node, name) in form.form.fields.iter().filter_map(|field| field.target()) {
        names.add(&at, node, name, NameKind::Field, Access::Both);
    }
}
