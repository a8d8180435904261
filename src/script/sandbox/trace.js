// Observes a run of a script: which sites it passes, and which of them made the parts of the string in `Json`.
//
// Runs before the script; `options` is a JSON string: `mark` is the name of the function that the marks of the script
// call, `sites` has an entry for each site (0 a literal, 1 `JSON.stringify`, 2 a value for `Json`, 3 an object that a
// literal copies, 4 an object of which a computed key is assigned, or the key that is assigned), `copies` says what a literal
// copies and which keys it has after that, `samples` are the made-up values, and `script` is the script. The built-in
// objects are saved before the variables of the script are set, which may have their names.
(() => {
  "use strict";
  const globals = globalThis;
  const NativeJSON = JSON;
  const { parse, stringify } = JSON;
  const NativeObject = Object;
  const { assign, fromEntries } = Object;
  const { apply, defineProperty, getOwnPropertyDescriptor, ownKeys } = Reflect;
  const { isArray } = Array;
  const { call } = Function.prototype;
  const method = (prototype, name) => call.bind(prototype[name]);
  const NativeMap = Map;
  const text = String;
  const lookup = method(WeakMap.prototype, "get");
  const store = method(WeakMap.prototype, "set");
  const get = method(Map.prototype, "get");
  const set = method(Map.prototype, "set");
  const remove = method(Map.prototype, "delete");
  const first = method(Map.prototype, "keys");
  const next = method(new Map().keys().__proto__, "next");
  const add = method(Set.prototype, "add");
  const list = method(Set.prototype, "forEach");
  const push = method(Array.prototype, "push");
  const contains = method(String.prototype, "includes");
  const replace = method(String.prototype, "replaceAll");
  const lower = method(String.prototype, "toLowerCase");
  const origins = new WeakMap();
  const records = new Map();
  const passed = new Set();
  const parsed = new Set();
  const FOREIGN = -1;
  const OF_KEY = -2;
  // What is recorded is bounded: a loop may make any number of objects.
  const MAX_DEPTH = 64;
  const MAX_PARTS = 5000;
  const MAX_RECORDS = 20;
  const MAX_OPERAND = 300;
  // Shorter keys have something in common with other strings by chance.
  const MIN_KEY = 3;
  let objects = 50000;
  let copiedKeys = 20000;
  let result = null;

  const isObject = (value) => typeof value === "object" && value !== null;

  // What is known of an object: the literal that made it, the sites that assigned its keys, and whether computed ones
  // were assigned.
  const origin = (object) => {
    let known = lookup(origins, object);
    if (known === undefined && objects > 0) {
      objects -= 1;
      known = { literal: null, keys: new NativeMap(), isComputed: false };
      store(origins, object, known);
    }
    return known;
  };

  // The step of a JSON pointer to a key.
  const step = (key) => "/" + replace(replace(key, "~", "~0"), "/", "~1");

  // Calls `visit` with every value in a value and its JSON pointer. Getters are not called.
  const walk = (value, path, depth, visit) => {
    if (depth > MAX_DEPTH || !visit(value, path) || !isObject(value)) return;
    for (const key of ownKeys(value)) {
      if (typeof key !== "string") continue;
      const property = getOwnPropertyDescriptor(value, key);
      if (!property || !property.enumerable || !("value" in property)) continue;
      walk(property.value, path + step(key), depth + 1, visit);
    }
  };

  // The letters and digits of a string, in lower case.
  const plain = (value) => {
    const small = lower(value);
    let kept = "";
    for (let index = 0; index < small.length; index += 1) {
      const sign = small[index];
      if ((sign >= "a" && sign <= "z") || (sign >= "0" && sign <= "9") || sign > "\x7f") kept += sign;
    }
    return kept;
  };
  let source = "";
  let samples = [];
  // A key that is not in the script may be one that it joins, if it has nothing in common with a sample.
  const isMadeUp = (key) => {
    if (contains(source, key)) return false;
    const own = plain(key);
    for (let index = 0; index < samples.length; index += 1) {
      if (samples[index].length > MAX_OPERAND) return true;
      const sample = plain(samples[index]);
      if (sample !== "" && (contains(own, sample) || contains(sample, own))) return true;
    }
    return own.length < MIN_KEY;
  };
  const hasMadeUpKey = (object) => {
    for (const key of ownKeys(object)) {
      if (typeof key === "string" && isMadeUp(key)) return true;
    }
    return false;
  };

  // The literal that made an object; FOREIGN if the keys may be those of an order: it comes from a made-up value, or
  // perhaps, if the script takes one apart.
  const literalOf = (object) => {
    const known = lookup(origins, object);
    if (known === undefined || (known.literal === null && known.keys.size === 0)) return parsed.size > 0 ? FOREIGN : null;
    const isCopy = known.isComputed && !isArray(object) && (parsed.size > 0 || hasMadeUpKey(object));
    return isCopy ? FOREIGN : known.literal;
  };

  // After keys of an order were copied to an object: each of its keys may be one of them, except those that follow.
  const open = (object, later) => {
    const made = origin(object);
    if (made === undefined) return;
    walk(object, "", 0, (part, path) => {
      for (const key of later) if (path === step(key)) return false;
      const inner = isObject(part) ? origin(part) : undefined;
      if (inner !== undefined) inner.literal = FOREIGN;
      return objects > 0;
    });
  };

  // After an object was copied to another: each key stays that of the site that made it, but for those that follow.
  const copyKeys = (object, copied, later) => {
    const from = lookup(origins, copied);
    const made = from === undefined ? undefined : origin(object);
    if (made === undefined) return;
    for (const key of ownKeys(copied)) {
      copiedKeys -= 1;
      if (copiedKeys < 0) return;
      let isReplaced = typeof key !== "string";
      for (const name of later) if (name === key) isReplaced = true;
      const literal = from.literal === null || from.literal < 0 ? undefined : OF_KEY - from.literal;
      const known = get(from.keys, key);
      const site = known === undefined ? literal : known;
      if (!isReplaced && site !== undefined) set(made.keys, key, site);
    }
  };

  // The parts of a value whose site is known, as pairs of a pointer and a site.
  const partsOf = (value) => {
    const parts = [];
    walk(value, "", 0, (part, path) => {
      const known = isObject(part) ? lookup(origins, part) : undefined;
      if (isObject(part) && known === undefined && literalOf(part) === FOREIGN) push(parts, [path, FOREIGN]);
      if (known !== undefined) {
        const literal = literalOf(part);
        if (literal !== null) push(parts, [path, literal]);
        for (const [key, site] of known.keys) {
          push(parts, [path + step(key), site]);
        }
      }
      return parts.length < MAX_PARTS;
    });
    return parts;
  };

  // A replacer that adds to `parts` those that it returns.
  const following = (replacer, parts) => {
    const places = new NativeMap();
    const follow = (holder, key, value, part) => {
      const around = get(places, holder);
      const isRoot = places.size === 0 && key === "";
      if (parts.length >= MAX_PARTS || !(isRoot || (around && around.depth < MAX_DEPTH))) return;
      const path = isRoot ? "" : around.path + step(key);
      const made = lookup(origins, holder);
      const site = made === undefined ? undefined : get(made.keys, key);
      if (site !== undefined && part === value) push(parts, [path, site]);
      if (!isObject(part)) return;
      set(places, part, { path, depth: isRoot ? 0 : around.depth + 1 });
      const literal = literalOf(part);
      if (literal !== null) push(parts, [path, literal]);
    };
    return function (key, value) {
      const part = apply(replacer, this, [key, value]);
      try {
        follow(this, key, value, part);
      } catch {}
      return part;
    };
  };

  const recorder = (site) =>
    function stringify_(value, replacer, space) {
      let parts = [];
      const isFollowed = typeof replacer === "function";
      const json = stringify(value, isFollowed ? following(replacer, parts) : replacer, space);
      if (typeof json === "string") {
        try {
          if (!isFollowed) parts = partsOf(value);
        } catch {}
        remove(records, json);
        set(records, json, { site, parts });
        if (records.size > MAX_RECORDS) remove(records, next(first(records)).value);
      }
      return json;
    };

  return (options) => {
    const given = parse(options);
    const { mark, sites, copies } = given;
    source = given.script;
    samples = given.samples;
    const recording = recorder(null);
    const copied = new NativeMap();
    let isFixed = true;
    for (let index = 0; index < samples.length; index += 1) if (samples[index] !== "") isFixed = false;

    NativeObject.assign = function assign_(target) {
      const result = assign(target);
      for (let index = 1; index < arguments.length; index += 1) {
        const object = arguments[index];
        assign(result, object);
        if (!isObject(object)) continue;
        if (literalOf(object) === FOREIGN) open(result, []);
        copyKeys(result, object, []);
      }
      return result;
    };
    NativeObject.fromEntries = function fromEntries_(entries) {
      const object = fromEntries(entries);
      const mayBeForeign = !isFixed && (parsed.size > 0 || hasMadeUpKey(object));
      const made = mayBeForeign ? origin(object) : undefined;
      if (made !== undefined) made.literal = FOREIGN;
      return object;
    };

    const foundSamples = (json) => {
      let isFound = false;
      for (let index = 0; index < samples.length; index += 1) {
        const sample = samples[index];
        const isPart = sample.length > 3 && json.length > 3 && (contains(json, sample) || contains(sample, json));
        if (isPart || (sample !== "" && sample === json)) {
          add(parsed, index);
          isFound = true;
        }
      }
      return isFound;
    };

    NativeJSON.stringify = recording;
    NativeJSON.parse = function parse_(json, reviver) {
      const source = text(json);
      const known = get(records, source);
      const isForeign = known === undefined && foundSamples(source);
      const value = parse(source, reviver);
      try {
        const byPath = new NativeMap(known === undefined ? [] : known.parts);
        walk(value, "", 0, (part, path) => {
          const site = isForeign ? FOREIGN : get(byPath, path);
          if (isObject(part) && site !== undefined && site > OF_KEY && typeof sites[site] !== "string") {
            const made = origin(part);
            if (made !== undefined) made.literal = site;
          }
          return objects > 0;
        });
      } catch {}
      return value;
    };

    const copy = (object, made, site) => {
      const [spreads, later] = copies[site];
      let isOpen = false;
      for (const spread of spreads) {
        const from = get(copied, spread);
        if (from === undefined) continue;
        remove(copied, spread);
        if (literalOf(from) === FOREIGN) isOpen = true;
        copyKeys(object, from, later);
      }
      if (!isOpen) return;
      open(object, later);
      for (const key of later) set(made.keys, key, OF_KEY - site);
    };

    const marker = (site, value) => {
      const kind = sites[site];
      add(passed, site);
      if (kind === 1) return value === recording ? recorder(site) : value;
      if (kind === 2) {
        if (typeof value === "string") result = { site, text: value };
      } else if (isObject(value)) {
        const made = origin(value);
        if (kind === 3) {
          set(copied, site, value);
        } else if (made !== undefined) {
          if (kind === 0) {
            made.literal = site;
            try {
              if (copies[site] !== null) copy(value, made, site);
            } catch {}
          } else if (kind === 4) made.isComputed = true;
          else set(made.keys, kind, site);
        }
      }
      return value;
    };
    defineProperty(globals, mark, { value: marker });

    return (json) => {
      const known = json === undefined || json === null ? undefined : get(records, json);
      const wasAssigned = known === undefined && result !== null && result.text === json;
      const collect = (from) => {
        const items = [];
        list(from, (item) => push(items, item));
        return items;
      };
      return stringify({
        passed: collect(passed),
        parsed: collect(parsed),
        site: known !== undefined ? known.site : wasAssigned ? result.site : null,
        parts: known !== undefined ? known.parts : [],
      });
    };
  };
})()
