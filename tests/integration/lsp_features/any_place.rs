//! What holds at every place of every file: no question panics, and the places in answers are in the files.

use std::path::Path;

use wflint::lsp::features::{
    FileSpan, Snapshot, completions, definition, highlights, hover, inlay_hints, prepare_rename, references,
};
use wflint::text::diagnostic::FileId;
use wflint::text::source::Span;

use super::editor::Editor;

/// Places that are asked about in each file.
const PLACES: usize = 6;

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn questions_about_any_place_have_places_in_the_files() {
    let mut answered = 0;
    for folder in ["examples", "tests/corpus/ok", "tests/corpus/broken"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for index in 0..Editor::services(&folder) {
            let editor = Editor::open(&folder, index);
            for (file, text) in editor.ids().into_iter().map(|file| (file, editor.text(file))) {
                // A place in each part of the file, and the ends.
                let step = text.len() / PLACES + 1;
                let places = (0..text.len()).step_by(step).chain([text.len(), text.len() + 1, usize::MAX >> 33]);
                for offset in places {
                    answered += editor.ask(|snapshot| ask(snapshot, file, u32::try_from(offset).unwrap()));
                }
            }
        }
    }
    assert!(answered > 100, "{answered}");
}

/// How many answers there are.
fn ask(snapshot: &Snapshot, file: FileId, offset: u32) -> usize {
    let here = |span| FileSpan { file, span };
    let mut places = references(snapshot, file, offset, true);
    places.extend(highlights(snapshot, file, offset).into_iter().map(|found| here(found.span)));
    places.extend(hover(snapshot, file, offset).map(|found| here(found.span)));
    places.extend(prepare_rename(snapshot, file, offset).map(|found| here(found.span)));
    places.extend(completions(snapshot, file, offset).into_iter().map(|found| here(found.span)));
    for hint in inlay_hints(snapshot, file, 0..=offset) {
        places.push(here(Span { start: hint.offset, end: hint.offset }));
    }
    let defined = definition(snapshot, file, offset);
    places.extend(defined.into_iter().flat_map(|found| found.targets.into_iter().chain([here(found.origin)])));
    for place in &places {
        let text = snapshot.text(place.file).unwrap();
        assert!(text.get(place.span.range()).is_some(), "{place:?}");
    }
    places.len()
}
