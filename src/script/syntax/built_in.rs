//! The global names of ECMAScript.

/// The properties of the global object (ECMA-262, 17th edition, clause 19 and B.2.1; `Intl`: ECMA-402),
/// and those that every object has (20.1.3), by name.
const BUILT_IN: [&str; 78] = [
    "AggregateError",
    "Array",
    "ArrayBuffer",
    "AsyncDisposableStack",
    "Atomics",
    "BigInt",
    "BigInt64Array",
    "BigUint64Array",
    "Boolean",
    "DataView",
    "Date",
    "DisposableStack",
    "Error",
    "EvalError",
    "FinalizationRegistry",
    "Float16Array",
    "Float32Array",
    "Float64Array",
    "Function",
    "Infinity",
    "Int16Array",
    "Int32Array",
    "Int8Array",
    "Intl",
    "Iterator",
    "JSON",
    "Map",
    "Math",
    "NaN",
    "Number",
    "Object",
    "Promise",
    "Proxy",
    "RangeError",
    "ReferenceError",
    "Reflect",
    "RegExp",
    "Set",
    "SharedArrayBuffer",
    "String",
    "SuppressedError",
    "Symbol",
    "SyntaxError",
    "TypeError",
    "URIError",
    "Uint16Array",
    "Uint32Array",
    "Uint8Array",
    "Uint8ClampedArray",
    "WeakMap",
    "WeakRef",
    "WeakSet",
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "__proto__",
    "arguments",
    "constructor",
    "decodeURI",
    "decodeURIComponent",
    "encodeURI",
    "encodeURIComponent",
    "escape",
    "eval",
    "globalThis",
    "hasOwnProperty",
    "isFinite",
    "isNaN",
    "isPrototypeOf",
    "parseFloat",
    "parseInt",
    "propertyIsEnumerable",
    "toLocaleString",
    "toString",
    "undefined",
    "unescape",
    "valueOf",
];

/// Whether ECMAScript defines this name globally.
pub fn is_built_in(name: &str) -> bool {
    BUILT_IN.binary_search(&name).is_ok()
}

pub fn built_in_names() -> impl Iterator<Item = &'static str> {
    BUILT_IN.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_names_are_sorted() {
        assert!(BUILT_IN.is_sorted());
        assert!(is_built_in("JSON") && !is_built_in("console"));
    }
}
