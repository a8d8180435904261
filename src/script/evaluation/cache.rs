//! The results of scripts that were run already.

use std::sync::Arc;

use super::outcome::{Ending, Evaluation};
use super::request::{EvaluationRequest, ScriptInput, ScriptLimits, ScriptParameter};
use crate::collections::HashMap;

/// The size of all keys and results, in bytes, up to which results are kept. A result that is not
/// kept costs time, never correctness.
const MAX_BYTES: usize = 16 << 20;

/// Results by everything that they depend on. Keys are compared in full: two requests whose hashes
/// collide do not share a result.
#[derive(Default)]
pub(super) struct Cache {
    results: HashMap<Key, Arc<Evaluation>>,
    bytes: usize,
}

/// The parts of a request that decide its result. The syntax is left out, because it is a function of
/// the script.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub script: String,
    /// Name, input, and whether an empty value is tried. Services that share a script seldom agree on which of their
    /// fields are optional.
    pub parameters: Vec<(String, ScriptInput, bool)>,
    pub hosts: Vec<String>,
    pub limits: ScriptLimits,
}

impl Key {
    pub fn new(request: &EvaluationRequest<'_>) -> Self {
        let parameter = |parameter: &ScriptParameter<'_>| {
            (parameter.name.to_owned(), parameter.input.clone(), request.tries_empty(parameter))
        };
        Self {
            script: request.script.to_owned(),
            parameters: request.parameters.iter().map(parameter).collect(),
            hosts: request.hosts.iter().map(|name| (*name).to_owned()).collect(),
            limits: request.limits,
        }
    }

    /// The bytes of its strings.
    pub fn size(&self) -> usize {
        let parameters = self.parameters.iter().map(|(name, input, _)| match input {
            ScriptInput::Fixed(value) => name.len() + value.len(),
            ScriptInput::Open | ScriptInput::OpenJson => name.len(),
        });
        self.script.len() + parameters.sum::<usize>() + self.hosts.iter().map(String::len).sum::<usize>()
    }
}

impl Cache {
    pub fn get(&self, key: &Key) -> Option<Arc<Evaluation>> {
        self.results.get(key).cloned()
    }

    /// Whether there is room for many more results.
    pub const fn has_room(&self) -> bool {
        self.bytes <= MAX_BYTES / 2
    }

    pub fn insert(&mut self, key: Key, result: Arc<Evaluation>) {
        let size = key.size() + size(&result);
        if size > MAX_BYTES {
            return;
        }
        // An editor brings ever new scripts.
        if self.bytes + size > MAX_BYTES {
            *self = Self::default();
        }
        self.bytes += size;
        self.results.insert(key, result);
    }
}

/// The bytes of the strings in a result.
fn size(result: &Evaluation) -> usize {
    let run_size = |run: &super::outcome::Run| {
        let values: usize = run.values.iter().map(|value| value.parameter.len() + value.text.len()).sum();
        let ending = match &run.ending {
            Ending::Text { text, trace } => {
                let parts = trace.iter().flat_map(|trace| &trace.parts).map(|(pointer, _)| pointer.len() + 40);
                text.len() + parts.sum::<usize>() + trace.as_ref().map_or(0, |trace| trace.passed.len() * 16)
            }
            Ending::Failed(failure) => failure.message.len(),
            Ending::NoText(_) | Ending::Unset => 0,
        };
        values + ending + 200
    };
    result.unescaped.iter().chain(&result.escaped).map(String::len).sum::<usize>()
        + result.runs.iter().map(run_size).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::syntax::{ScriptKind, analyze};

    fn key(script: &str, parameters: &[(&str, ScriptInput)], hosts: &[&str]) -> Key {
        let syntax = Arc::default();
        let parameters = parameters.iter();
        let parameters = parameters
            .map(|(name, input)| ScriptParameter { name, input: input.clone(), may_be_empty: false })
            .collect();
        let limits = ScriptLimits::of_seconds(2.0);
        Key::new(&EvaluationRequest { script, syntax: &syntax, parameters, hosts: hosts.to_vec(), limits })
    }

    #[test]
    fn requests_that_differ_anywhere_do_not_share_a_result() {
        let fixed = |value: &str| ScriptInput::Fixed(value.to_owned());
        let keys = || {
            [
                key("a", &[], &[]),
                key("b", &[], &[]),
                key("a", &[("N", fixed("x"))], &[]),
                key("a", &[("M", fixed("x"))], &[]),
                key("a", &[("N", fixed("y"))], &[]),
                key("a", &[("N", ScriptInput::Open)], &[]),
                key("a", &[("N", ScriptInput::OpenJson)], &[]),
                key("a", &[("N", ScriptInput::Open), ("N", ScriptInput::Open)], &[]),
                key("a", &[], &["console"]),
            ]
        };
        let mut cache = Cache::default();
        for (index, key) in (0..).zip(keys()) {
            cache.insert(key, Arc::new(Evaluation { polls: index, ..Evaluation::default() }));
        }
        for (index, key) in (0..).zip(&keys()) {
            assert_eq!(cache.get(key).map(|result| result.polls), Some(index));
        }
        assert_eq!(cache.get(&key("c", &[], &[])), None);
    }

    #[test]
    fn optional_parameters_count_only_where_that_decides_something() {
        let keys = |script: &str, input: ScriptInput| {
            let syntax = analyze(ScriptKind::Script, script);
            [false, true].map(|may_be_empty| {
                let parameters = vec![ScriptParameter { name: "N", input: input.clone(), may_be_empty }];
                let (syntax, limits) = (syntax.script().unwrap(), ScriptLimits::of_seconds(2.0));
                Key::new(&EvaluationRequest { script, syntax, parameters, hosts: Vec::new(), limits })
            })
        };
        let [required, optional] = keys("Json = N || 'none'", ScriptInput::Open);
        assert!(required != optional);
        for (script, input) in [
            ("Json = N + '!'", ScriptInput::Open),
            ("Json = N || 'none'", ScriptInput::OpenJson),
            ("Json = N || 'none'", ScriptInput::Fixed("x".to_owned())),
        ] {
            let [required, optional] = keys(script, input);
            assert!(required == optional, "{script}");
        }
    }

    #[test]
    fn equal_hashes_do_not_make_keys_equal() {
        #[derive(Clone, Copy, Default)]
        struct Colliding;
        impl std::hash::Hasher for Colliding {
            fn finish(&self) -> u64 {
                0
            }
            fn write(&mut self, _: &[u8]) {}
        }
        let colliding = std::hash::BuildHasherDefault::<Colliding>::default();
        let mut results = std::collections::HashMap::with_hasher(colliding);
        results.insert(key("a", &[], &[]), 1);
        results.insert(key("b", &[], &[]), 2);
        assert_eq!((results.get(&key("a", &[], &[])), results.get(&key("b", &[], &[]))), (Some(&1), Some(&2)));
    }

    #[test]
    fn results_are_kept_only_up_to_a_limit() {
        let mut cache = Cache::default();
        cache.insert(key("a", &[], &[]), Arc::default());
        assert_eq!(cache.get(&key("a", &[], &[])), Some(Arc::default()));
        cache.bytes = MAX_BYTES;
        cache.insert(key("b", &[], &[]), Arc::default());
        assert_eq!(cache.get(&key("a", &[], &[])), None);
        assert_eq!((cache.get(&key("b", &[], &[])), cache.bytes), (Some(Arc::default()), 1));
        cache.insert(key(&"c".repeat(MAX_BYTES + 1), &[], &[]), Arc::default());
        assert_eq!(cache.results.len(), 1);
    }
}
