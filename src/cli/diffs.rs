//! The changes of `--diff`, as they may be shown: secrets are covered, and long lines laid out.

use std::sync::Arc;

use crate::document::{Document, Layout, Limits};
use crate::fix::{Change, between, unified_diff};
use crate::lint::{on_pool, redactions};
use crate::project::{Contents, Overrides, Project};
use crate::report::{is_unsafe, visible};

/// Characters of the longest line that a diff shows as it is.
const MAX_LINE: usize = 500;

/// The diff of a file.
pub(super) struct ShownDiff {
    /// Why it does not apply, in a line.
    pub note: Option<String>,
    pub text: String,
}

/// The diffs of changes in some services, in their order. To be called with all changes of a service at once.
pub(super) fn shown(project: &Project, changes: &[Change]) -> Result<Vec<ShownDiff>, String> {
    let views: Vec<Option<Change>> = changes.iter().map(laid_out).collect();
    let shown: Vec<&Change> =
        changes.iter().zip(&views).map(|(change, view)| view.as_ref().unwrap_or(change)).collect();
    let [mut before, mut after] = [Overrides::new(), Overrides::new()];
    for change in &shown {
        before.insert(change.file, Contents::Text(Arc::clone(&change.before)));
        after.insert(change.file, Contents::Text(Arc::clone(&change.after)));
    }
    let is_changed = |file| shown.iter().any(|change| change.file == file);
    let services = project.services.iter().filter(|service| service.files.iter().any(|file| is_changed(*file)));
    let hidden = on_pool(None, || {
        let of_service = |service| [redactions(project, service, &before), redactions(project, service, &after)];
        services.map(|service| (service, of_service(service))).collect::<Vec<_>>()
    })?;
    let diff = |(change, view): (&&Change, &Option<Change>)| {
        let of_service = hidden.iter().find(|(service, _)| service.files.contains(&change.file));
        let spans = of_service
            .map_or([&[][..]; 2], |(_, [before, after])| [before.spans(change.file), after.spans(change.file)]);
        let (text, is_covered) = unified_diff(change, spans, |text| visible(text).into_owned());
        let is_equal = change.before == change.after;
        let reason = match (view.is_some(), is_covered) {
            (true, _) if is_equal => "only the layout changes, of lines over 500 characters",
            (true, true) => {
                "lines over 500 characters, so this is the diff of its formatted form, with secrets covered; it does not \
                 apply"
            }
            (true, false) => "lines over 500 characters, so this is the diff of its formatted form; it does not apply",
            (false, true) => "secrets are covered, so this diff does not apply",
            (false, false) => "",
        };
        let note = (!reason.is_empty()).then(|| format!("{}: {reason}", visible(&change.name)));
        ShownDiff { note, text: if is_equal { String::new() } else { text } }
    };
    Ok(shown.iter().zip(&views).map(diff).collect())
}

/// The change of a document with long lines, in its formatted form; `None` if it can be shown as it is.
fn laid_out(change: &Change) -> Option<Change> {
    let is_long = |text: &str| text.lines().any(|line| line.len() > MAX_LINE && line.chars().count() > MAX_LINE);
    if !is_long(&change.before) && !is_long(&change.after) {
        return None;
    }
    let (before, after) = (formatted(&change.before)?, formatted(&change.after)?);
    let is_same = before == *change.before && after == *change.after;
    let replacements = between(&before, &after);
    (!is_same).then(|| Change { before: before.into(), after: after.into(), replacements, ..change.clone() })
}

/// A document with a key or an element a line, in its order.
fn formatted(text: &str) -> Option<String> {
    let document = Document::parse(text, Limits::default()).ok()?;
    let layout = Layout {
        indent: 2,
        members: &|object| document.children(object).collect(),
        replaced: &|_| None,
        keeps_escape: &is_unsafe,
    };
    Some(document.laid_out(&layout) + "\n")
}
