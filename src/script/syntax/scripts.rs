//! The scripts of a service.

use super::parse;
use super::parsed::{ScriptKind, Syntax, Unread};
use crate::collections::HashMap;

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
        let known = parse::analyze(&distinct);
        Self { by_text: distinct.into_iter().zip(known).collect() }
    }

    pub fn get(&self, kind: ScriptKind, script: &'d str) -> &Syntax {
        self.by_text.get(&(kind, script)).unwrap_or(&Syntax::Unread(Unread::Failed))
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
        assert_eq!(scripts.get(ScriptKind::Script, "b"), &Syntax::Unread(Unread::Failed));
    }
}
