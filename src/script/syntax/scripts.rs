//! The scripts of a service.

use super::parse;
use super::parsed::{ScriptKind, Syntax, Unread};
use crate::collections::HashMap;

/// Scripts of any service that are parsed: what is known of a short one takes some 1000 bytes.
const MIN_SCRIPTS: usize = 32 << 10;
/// Bytes of scripts for each further one, so that the memory of a run is in proportion to its documents.
const BYTES_PER_SCRIPT: usize = 512;

/// What is known of the scripts of a service; equal scripts are parsed once.
#[derive(Debug, Default)]
pub struct Scripts<'d> {
    by_text: HashMap<(ScriptKind, &'d str), Syntax>,
}

impl<'d> Scripts<'d> {
    pub fn new(scripts: impl IntoIterator<Item = (ScriptKind, &'d str)>) -> Self {
        let mut distinct: Vec<(ScriptKind, &str)> = scripts.into_iter().collect();
        distinct.sort_unstable();
        distinct.dedup();
        let bytes: usize = distinct.iter().map(|(_, script)| script.len()).sum();
        distinct.truncate(MIN_SCRIPTS + bytes / BYTES_PER_SCRIPT);
        let known = parse::analyze(&distinct);
        Self { by_text: distinct.into_iter().zip(known).collect() }
    }

    /// What is known of a script of the service.
    pub fn get(&self, kind: ScriptKind, script: &'d str) -> &Syntax {
        self.by_text.get(&(kind, script)).unwrap_or(&Syntax::Unread(Unread::TooMany))
    }
}

/// Analyzes one script.
pub fn analyze(kind: ScriptKind, script: &str) -> Syntax {
    parse::analyze(&[(kind, script)]).pop().unwrap_or(Syntax::Unread(Unread::Failed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_scripts_are_parsed_once() {
        let scripts = Scripts::new([
            (ScriptKind::Script, "a"),
            (ScriptKind::Script, "a"),
            (ScriptKind::FunctionBody, "a"),
            (ScriptKind::Script, "("),
        ]);
        assert_eq!(scripts.by_text.len(), 3);
        assert!(scripts.get(ScriptKind::Script, "a").script().is_some());
        assert!(matches!(scripts.get(ScriptKind::Script, "("), Syntax::Error(_)));
    }

    #[test]
    fn more_scripts_are_read_the_longer_they_are() {
        let unread = |scripts: &[String]| {
            let known = Scripts::new(scripts.iter().map(|script| (ScriptKind::Script, script.as_str())));
            let is_unread =
                |script: &&String| *known.get(ScriptKind::Script, script) == Syntax::Unread(Unread::TooMany);
            scripts.iter().filter(is_unread).count()
        };
        let scripts = |number: usize| (0..number).map(|at| format!("x{at:06}")).collect::<Vec<_>>();
        // Seven bytes each.
        let max = (32 << 10) + (32 << 10) * 7 / 505;
        assert_eq!((unread(&scripts(max)), unread(&scripts(max + 10))), (0, 10));
        let long: Vec<String> = scripts(max + 10).into_iter().map(|script| format!("{script}//{:9}", "")).collect();
        assert_eq!(unread(&long), 0);
    }
}
