//! The global names of ECMAScript, and the methods and properties of its strings and arrays (ECMA-262, String Objects and
//! Array Objects): what they return says something of the value itself.

/// The properties of the global object (ECMA-262, 17th edition, clause 19 and B.2.1; `Intl`: ECMA-402),
/// those that every object has (20.1.3), and `queueMicrotask`, which engines have beside the jobs of promises; by name.
const BUILT_IN: [&str; 79] = [
    "AggregateError", "Array", "ArrayBuffer", "AsyncDisposableStack", "Atomics", "BigInt", "BigInt64Array",
    "BigUint64Array", "Boolean", "DataView", "Date", "DisposableStack", "Error", "EvalError", "FinalizationRegistry",
    "Float16Array", "Float32Array", "Float64Array", "Function", "Infinity", "Int16Array", "Int32Array", "Int8Array",
    "Intl", "Iterator", "JSON", "Map", "Math", "NaN", "Number", "Object", "Promise", "Proxy", "RangeError",
    "ReferenceError", "Reflect", "RegExp", "Set", "SharedArrayBuffer", "String", "SuppressedError", "Symbol",
    "SyntaxError", "TypeError", "URIError", "Uint16Array", "Uint32Array", "Uint8Array", "Uint8ClampedArray", "WeakMap",
    "WeakRef", "WeakSet", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__", "__proto__",
    "arguments", "constructor", "decodeURI", "decodeURIComponent", "encodeURI", "encodeURIComponent", "escape", "eval",
    "globalThis", "hasOwnProperty", "isFinite", "isNaN", "isPrototypeOf", "parseFloat", "parseInt",
    "propertyIsEnumerable", "queueMicrotask", "toLocaleString", "toString", "undefined", "unescape", "valueOf",
];

/// Whether ECMAScript defines this name globally.
pub fn is_built_in(name: &str) -> bool {
    BUILT_IN.binary_search(&name).is_ok()
}

pub fn built_in_names() -> impl Iterator<Item = &'static str> {
    BUILT_IN.into_iter()
}

/// Only arrays have it.
const OF_LISTS: u8 = 1;
/// What it returns depends on the content of the value.
const INSPECTS: u8 = 2;
/// A string has it, and it returns one.
const GIVES_STRING: u8 = 4;

/// Sorted by name.
const MEMBERS: [(&str, u8); 57] = [
    ("at", INSPECTS),
    ("charAt", INSPECTS | GIVES_STRING),
    ("charCodeAt", INSPECTS),
    ("codePointAt", INSPECTS),
    ("concat", GIVES_STRING),
    ("endsWith", INSPECTS),
    ("entries", INSPECTS),
    ("every", OF_LISTS | INSPECTS),
    ("exec", INSPECTS),
    ("filter", OF_LISTS | INSPECTS),
    ("find", OF_LISTS | INSPECTS),
    ("findIndex", OF_LISTS | INSPECTS),
    ("findLast", INSPECTS),
    ("flat", 0),
    ("flatMap", OF_LISTS | INSPECTS),
    ("forEach", OF_LISTS),
    ("hasOwnProperty", 0),
    ("includes", INSPECTS),
    ("indexOf", INSPECTS),
    ("join", OF_LISTS),
    ("keys", INSPECTS),
    ("lastIndexOf", INSPECTS),
    ("length", INSPECTS),
    ("localeCompare", INSPECTS),
    ("map", OF_LISTS),
    ("match", INSPECTS),
    ("matchAll", INSPECTS),
    ("normalize", GIVES_STRING),
    ("padEnd", GIVES_STRING),
    ("padStart", GIVES_STRING),
    ("pop", OF_LISTS),
    ("push", OF_LISTS),
    ("reduce", OF_LISTS | INSPECTS),
    ("repeat", GIVES_STRING),
    ("replace", INSPECTS | GIVES_STRING),
    ("replaceAll", INSPECTS | GIVES_STRING),
    ("reverse", OF_LISTS),
    ("search", INSPECTS),
    ("shift", 0),
    ("slice", INSPECTS | GIVES_STRING),
    ("some", OF_LISTS | INSPECTS),
    ("sort", OF_LISTS),
    ("splice", OF_LISTS),
    ("split", INSPECTS),
    ("startsWith", INSPECTS),
    ("substr", INSPECTS | GIVES_STRING),
    ("substring", INSPECTS | GIVES_STRING),
    ("toFixed", 0),
    ("toLowerCase", GIVES_STRING),
    ("toString", GIVES_STRING),
    ("toUpperCase", GIVES_STRING),
    ("toWellFormed", GIVES_STRING),
    ("trim", GIVES_STRING),
    ("trimEnd", GIVES_STRING),
    ("trimStart", GIVES_STRING),
    ("unshift", OF_LISTS),
    ("valueOf", GIVES_STRING),
];

fn traits_of(name: &str) -> Option<u8> {
    let index = MEMBERS.binary_search_by_key(&name, |(known, _)| *known).ok()?;
    MEMBERS.get(index).map(|(_, traits)| *traits)
}

pub(super) fn is_built_in_member(name: &str) -> bool {
    traits_of(name).is_some()
}

pub(super) fn is_of_lists(name: &str) -> bool {
    traits_of(name).is_some_and(|traits| traits & OF_LISTS != 0)
}

pub(super) fn inspects(name: &str) -> bool {
    traits_of(name).is_some_and(|traits| traits & INSPECTS != 0)
}

pub(super) fn gives_string(name: &str) -> bool {
    traits_of(name).is_some_and(|traits| traits & GIVES_STRING != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_names_are_sorted() {
        assert!(BUILT_IN.is_sorted());
        assert!(is_built_in("JSON") && !is_built_in("console"));
    }

    #[test]
    fn every_member_is_found() {
        assert!(MEMBERS.is_sorted());
        assert!(MEMBERS.iter().all(|(name, traits)| traits_of(name) == Some(*traits)));
        assert!(is_of_lists("every") && !is_of_lists("trim") && !is_built_in_member("Name"));
    }
}
