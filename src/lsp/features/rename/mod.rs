//! Renames a variable, or the prefix of outputs with all their variables, in all files of a service.

mod edits;
mod json;
mod new_name;
mod prefix;
mod refused;
mod scripts;
mod target;

use super::snapshot::Snapshot;
use crate::diagnostic::{Edit, FileId};
use crate::facts::AnalyzedService;
use crate::source::Span;
use target::Target;

/// A name that can be renamed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamable {
    /// Without quotes or braces.
    pub span: Span,
    pub name: String,
}

/// The name at an offset, if it can be renamed.
///
/// # Errors
/// Why it cannot.
pub fn prepare_rename(snapshot: &Snapshot<'_>, file: FileId, offset: u32) -> Result<Renamable, String> {
    snapshot.analyze(|service| {
        let (target, span) = target_at(snapshot, service, file, offset)?;
        Ok(Renamable { span, name: target.name().to_owned() })
    })
}

/// The edits that rename the name at an offset, sorted, without overlaps.
///
/// # Errors
/// Why it cannot be renamed, or not to this name.
pub fn rename(snapshot: &Snapshot<'_>, file: FileId, offset: u32, new: &str) -> Result<Vec<Edit>, String> {
    snapshot.analyze(|service| {
        let (target, _) = target_at(snapshot, service, file, offset)?;
        if target.name() == new {
            return Ok(Vec::new());
        }
        let mut edits = match &target {
            Target::Variable(old) => {
                new_name::check(service, new)?;
                edits::of_variable(snapshot, service, old, new)?
            }
            Target::Prefix(old) => prefix::edits(snapshot, service, old, new)?,
        };
        edits.sort_by_key(|edit| (edit.file, edit.span));
        edits.dedup();
        Ok(edits)
    })
}

fn target_at(
    snapshot: &Snapshot<'_>,
    service: &AnalyzedService<'_>,
    file: FileId,
    offset: u32,
) -> Result<(Target, Span), String> {
    if let Some(reason) = refused::broken_file(snapshot, service) {
        return Err(reason);
    }
    let (target, span) = target::at(snapshot, service, file, offset)?;
    if let Target::Variable(name) = &target {
        refused::check(snapshot, service, name)?;
    }
    Ok((target, span))
}
