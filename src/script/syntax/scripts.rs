//! The scripts of a service.

use super::parse;
use super::parsed::{Goal, Syntax};
use crate::collections::HashMap;

/// What is known of the scripts of a service; equal scripts are parsed once.
#[derive(Debug, Default)]
pub struct Scripts<'d> {
    by_text: HashMap<(Goal, &'d str), Syntax>,
}

impl<'d> Scripts<'d> {
    pub fn new(scripts: impl IntoIterator<Item = (Goal, &'d str)>) -> Self {
        let mut distinct: Vec<(Goal, &str)> = scripts.into_iter().collect();
        distinct.sort_unstable();
        distinct.dedup();
        let known = parse::analyze(&distinct);
        Self { by_text: distinct.into_iter().zip(known).collect() }
    }

    pub fn get(&self, goal: Goal, script: &'d str) -> &Syntax {
        self.by_text.get(&(goal, script)).unwrap_or(&Syntax::Unknown)
    }
}

/// Analyzes one script.
pub fn analyze(goal: Goal, script: &str) -> Syntax {
    parse::analyze(&[(goal, script)]).pop().unwrap_or(Syntax::Unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_scripts_are_parsed_once() {
        let scripts =
            Scripts::new([(Goal::Script, "a"), (Goal::Script, "a"), (Goal::FunctionBody, "a"), (Goal::Script, "(")]);
        assert_eq!(scripts.by_text.len(), 3);
        assert!(scripts.get(Goal::Script, "a").script().is_some());
        assert!(matches!(scripts.get(Goal::Script, "("), Syntax::Error(_)));
        assert_eq!(scripts.get(Goal::Script, "b"), &Syntax::Unknown);
    }
}
