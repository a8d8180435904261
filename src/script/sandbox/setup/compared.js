// What a script compares and looks up, and whether a lookup finds nothing: a part of `trace.js`, which calls this before the
// variables of the script are set.
() => {
  "use strict";
  const { call } = Function.prototype;
  const method = (prototype, name) => call.bind(prototype[name]);
  const { isArray } = Array;
  const { ownKeys } = Reflect;
  const NativeMap = Map;
  const NativeSet = Set;
  const NativeDate = Date;
  const text = String;
  const time = method(Date.prototype, "getTime");
  const get = method(Map.prototype, "get");
  const has = method(Map.prototype, "has");
  const set = method(Map.prototype, "set");
  const each = method(Map.prototype, "forEach");
  const list = method(Set.prototype, "forEach");
  const contained = method(Set.prototype, "has");
  const push = method(Array.prototype, "push");
  const contains = method(String.prototype, "includes");
  const isEnumerable = method(Object.prototype, "propertyIsEnumerable");
  const hasOwn = method(Object.prototype, "hasOwnProperty");
  const MAX_COMPARED = 4;
  const MAX_ALL_COMPARED = 200;
  const MAX_OPERAND = 300;
  const isObject = (value) => typeof value === "object" && value !== null;

  // An operand as a string; undefined if it is another object than a date, or missing, or long.
  const operand = (value) => {
    let shown = value;
    try {
      if (isObject(value) && value instanceof NativeDate) shown = time(value);
    } catch {}
    if (typeof shown !== "string" && typeof shown !== "number" && typeof shown !== "boolean") return undefined;
    shown = text(shown);
    return shown.length > MAX_OPERAND ? undefined : shown;
  };
  const counts = new NativeMap();
  const firsts = new NativeMap();
  const compared = new NativeMap();
  const compare = (comparison, left, right) => {
    const count = get(counts, comparison) || 0;
    // That both are equal is worth a record of its own.
    if (count >= (left === right ? 2 : 1) * MAX_COMPARED || compared.size >= MAX_ALL_COMPARED) return;
    const a = operand(left);
    const b = operand(right);
    if (a === undefined || b === undefined) return;
    const key = comparison + " " + a + "\n" + b;
    if (has(compared, key)) return;
    set(counts, comparison, count + 1);
    set(compared, key, [comparison, a, b]);
  };

  // Whether a lookup found nothing.
  let hasMissed = false;
  // The script: only its own words count as keys of a table, as a script may also collect values of an order in one.
  let source = "";
  // A key that a table lacks is compared with those that it has.
  const look = (comparison, table, key) => {
    if (isArray(table) || typeof table === "string") {
      if (!hasOwn(table, key)) hasMissed = true;
      return;
    }
    if (typeof key !== "string" || (!isObject(table) && typeof table !== "function")) return;
    const keys = [];
    const add = (own) => {
      if (typeof own === "string" && keys.length < MAX_COMPARED && contains(source, own)) push(keys, own);
    };
    const isMap = table instanceof NativeMap;
    const isSet = table instanceof NativeSet;
    if (isMap ? has(table, key) : isSet ? contained(table, key) : key in table) return;
    if (isMap) each(table, (_, own) => add(own));
    else if (isSet) list(table, add);
    else for (const own of ownKeys(table)) if (isEnumerable(table, own)) add(own);
    if (keys.length > 0) hasMissed = true;
    for (let index = 0; index < keys.length; index += 1) compare(comparison, key, keys[index]);
  };

  // Notes an operand: the first one is kept until the second one is known.
  const note = ({ comparison, single, second, lookup }, value) => {
    if (single) return compare(comparison, value, "");
    if (!second) return set(firsts, comparison, value);
    const other = get(firsts, comparison);
    if (!lookup) return compare(comparison, other, value);
    try {
      if (isObject(value)) look(comparison, value, other);
      else look(comparison, other, value);
    } catch {}
  };

  const shown = () => {
    const pairs = [];
    each(compared, (pair) => push(pairs, pair));
    return { compared: pairs, hasMissed };
  };

  const begin = (script) => {
    source = script;
  };

  return { begin, note, shown };
}
