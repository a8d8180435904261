// Makes everything work that a script does with JSON that it parses, and lets it find what it searches for by regular
// expressions, and as many parts as it reads of the strings that it splits: an error of the engine that remains does not depend on what is in that JSON or text.
//
// Runs before the script; `options` is a JSON string: `literals` are the strings of the script, which it may parse as
// they are; `lists` are the keys that it reads as arrays, and `isList` is whether it reads the root as one; `isNumber` is
// whether operators that take numbers and strings get a number.
(() => {
  "use strict";
  const globals = globalThis;
  const NativeJSON = JSON;
  const NativeError = Error;
  const NativeProxy = Proxy;
  const NativeArray = Array;
  const { call } = Function.prototype;
  const nativeSplit = call.bind(String.prototype.split);
  const push = call.bind(Array.prototype.push);
  const { parse, stringify } = JSON;
  const { iterator, toPrimitive } = Symbol;
  const { getOwnPropertyNames, getPrototypeOf } = Object;
  const has = call.bind(Set.prototype.has);
  const add = call.bind(Set.prototype.add);
  const contains = call.bind(String.prototype.includes);
  const exec = call.bind(RegExp.prototype.exec);
  const Expression = RegExp;
  const toText = String;
  // A date, which is a string to most scripts.
  const TEXT = "2031-03-05";
  const NUMBER = 1;

  // The methods that a value of JSON may have.
  const methods = new Set();
  for (const value of ["", 0, true, [], [].keys()]) {
    for (let prototype = getPrototypeOf(value); prototype !== null; prototype = getPrototypeOf(prototype)) {
      for (const name of getOwnPropertyNames(prototype)) add(methods, name);
    }
  }
  // The second argument of their callbacks is no index.
  const ofTwoValues = new Set(["reduce", "reduceRight", "sort", "toSorted", "replace", "replaceAll"]);
  const made = new Set();
  const lists = new Set();
  let primitive = TEXT;

  const read = (_, key) => {
    if (key === toPrimitive) return (hint) => (hint === "number" ? NUMBER : hint === "string" ? TEXT : primitive);
    if (key === iterator) return function* () { yield anything; };
    if (key === "toJSON") return () => TEXT;
    if (typeof key !== "string" || key === "then") return undefined;
    if (has(lists, key)) return list();
    return has(methods, key) ? method(key) : anything;
  };
  // Scripts read elements by number.
  const ELEMENTS = 32;
  const list = () => new NativeArray(ELEMENTS).fill(anything);
  const traps = {
    get: read,
    has: () => true,
    set: () => true,
    deleteProperty: () => true,
    ownKeys: () => ["key"],
    getOwnPropertyDescriptor: () => ({ value: anything, writable: true, enumerable: true, configurable: true }),
  };
  const anything = new NativeProxy({}, traps);
  const method = (name) =>
    new NativeProxy(() => {}, {
      ...traps,
      apply: (_target, _this, args) => {
        for (let index = 0; index < args.length; index += 1) {
          const callback = args[index];
          if (typeof callback === "function") callback(anything, has(ofTwoValues, name) ? anything : 0, anything);
        }
        return anything;
      },
    });

  // What an expression without a match finds, except in a string of the script. Each has less groups.
  const match = new Array(100).fill(TEXT);
  match.index = 0;
  match.input = TEXT;
  match.groups = new NativeProxy({}, { get: () => TEXT });
  const searchLeniently = () => {
    Expression.prototype.exec = function exec_(string) {
      const found = exec(this, string);
      // A search for all matches ends with the first that is missing.
      return found !== null || this.global || this.sticky || has(made, toText(string)) ? found : match;
    };
    Expression.prototype.test = function test_(string) {
      return exec(this, string) !== null;
    };
  };

  const splitLeniently = () => {
    String.prototype.split = function split(separator, limit) {
      const parts = nativeSplit(this, separator, limit);
      const isOfScript = limit !== undefined || has(made, toText(this));
      while (!isOfScript && parts.length < ELEMENTS) push(parts, TEXT);
      return parts;
    };
  };

  return (options) => {
    searchLeniently();
    splitLeniently();
    const expected = parse(options);
    for (const literal of expected.literals) add(made, literal);
    for (const key of expected.lists) add(lists, key);
    if (expected.isNumber) primitive = NUMBER;
    NativeJSON.stringify = function stringify_(value, replacer, space) {
      const json = stringify(value, replacer, space);
      if (typeof json === "string" && !contains(json, TEXT)) add(made, json);
      return json;
    };
    NativeJSON.parse = function parse_(json, reviver) {
      const source = toText(json);
      if (has(made, source)) return parse(source, reviver);
      return expected.isList ? list() : anything;
    };
    // The errors that the script itself throws are not of these kinds then.
    for (const name of ["TypeError", "RangeError", "ReferenceError", "SyntaxError", "URIError"]) {
      globals[name] = NativeError;
    }
  };
})()
