//! The results of scripts that were run already.

use super::outcome::Evaluation;
use super::request::{EvaluationRequest, ScriptInput, ScriptParameter};
use crate::collections::HashMap;

/// The size of all keys and results, in bytes, up to which results are kept. A result that is not
/// kept costs time, never correctness.
const MAX_BYTES: usize = 64 << 20;

/// Results by everything that they depend on. Keys are compared in full: two requests whose hashes
/// collide do not share a result.
#[derive(Default)]
pub(super) struct Cache {
    results: HashMap<Key, Evaluation>,
    bytes: usize,
}

/// The parts of a request that decide its result. The syntax is left out, because it is a function of
/// the script.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Key {
    script: String,
    parameters: Vec<(String, ScriptInput)>,
    hosts: Vec<String>,
}

impl Key {
    pub fn new(request: &EvaluationRequest<'_>) -> Self {
        let parameter = |parameter: &ScriptParameter<'_>| (parameter.name.to_owned(), parameter.input.clone());
        Self {
            script: request.script.to_owned(),
            parameters: request.parameters.iter().map(parameter).collect(),
            hosts: request.hosts.iter().map(|name| (*name).to_owned()).collect(),
        }
    }

    fn size(&self) -> usize {
        let parameters = self.parameters.iter().map(|(name, input)| match input {
            ScriptInput::Fixed(value) => name.len() + value.len(),
            ScriptInput::Open | ScriptInput::OpenJson => name.len(),
        });
        self.script.len() + parameters.sum::<usize>() + self.hosts.iter().map(String::len).sum::<usize>()
    }
}

impl Cache {
    pub fn get(&self, key: &Key) -> Option<Evaluation> {
        self.results.get(key).cloned()
    }

    pub fn insert(&mut self, key: Key, result: Evaluation) {
        let size = key.size() + size(&result);
        if self.bytes + size <= MAX_BYTES {
            self.bytes += size;
            self.results.insert(key, result);
        }
    }
}

/// The bytes of the strings in a result that may be long.
fn size(result: &Evaluation) -> usize {
    match result {
        Evaluation::Text { text, other, .. } => text.len() + other.len(),
        Evaluation::Failed { failure, example, .. } => {
            failure.message.len() + example.as_ref().map_or(0, |example| example.value.len())
        }
        Evaluation::NoText(_) | Evaluation::Unset | Evaluation::Unknown => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::syntax::Script;

    fn key(script: &str, parameters: &[(&str, ScriptInput)], hosts: &[&str]) -> Key {
        let syntax = Script::default();
        let parameters =
            parameters.iter().map(|(name, input)| ScriptParameter { name, input: input.clone() }).collect();
        Key::new(&EvaluationRequest { script, syntax: &syntax, parameters, hosts: hosts.to_vec() })
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
        for (index, key) in keys().into_iter().enumerate() {
            cache.insert(key, Evaluation::NoText(index.to_string()));
        }
        for (index, key) in keys().iter().enumerate() {
            assert_eq!(cache.get(key), Some(Evaluation::NoText(index.to_string())));
        }
        assert_eq!(cache.get(&key("c", &[], &[])), None);
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
        let mut cache = Cache { bytes: MAX_BYTES - 1, ..Cache::default() };
        cache.insert(key("ab", &[], &[]), Evaluation::Unset);
        assert_eq!(cache.get(&key("ab", &[], &[])), None);
        cache.insert(key("a", &[], &[]), Evaluation::Unset);
        assert_eq!(cache.get(&key("a", &[], &[])), Some(Evaluation::Unset));
    }
}
