// Checks what rules pass, by the shapes that the declarations describe (`interface.json`). What comes out is a copy of
// checked primitives: no getter, proxy or prototype of a rule is asked twice.
(host, shapes, nodes) => {
  "use strict";
  // What is known of the errors that this prelude throws.
  const faults = new WeakMap();

  // An error about `key` of the rule.
  const fault = (message, help, key) => {
    const error = new TypeError(message);
    faults.set(error, { help, key });
    return error;
  };

  const quote = (name) => `\`${name}\``;
  const isObject = (value) => typeof value === "object" && value !== null;

  const found = (value) => {
    if (value === undefined || value === null) return value === null ? "null" : "nothing";
    if (Array.isArray(value)) return "an array";
    if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    return typeof value === "object" ? "an object" : `a ${typeof value}`;
  };
  const expected = (what, where, value, key) => fault(`${where}: expected ${what}, found ${found(value)}`, undefined, key);

  // The name of `known` that was probably meant.
  const suggestion = (name, known) => {
    const nearest = host.nearest(name, known);
    return nearest === undefined ? undefined : `did you mean ${quote(nearest)}?`;
  };

  const text = (value) => value.toWellFormed();
  const json = (value, where, key) => {
    const written = JSON.stringify(value);
    if (typeof written !== "string") throw expected("a value of JSON", where, value, key);
    return written;
  };
  const list = (value, where, key, item) => {
    if (!Array.isArray(value)) throw expected("an array", where, value, key);
    const items = [];
    const { length } = value;
    for (let index = 0; index < length; index += 1) items.push(item(value[index], where, key));
    return items;
  };

  const node = (value, where, key) => {
    const place = nodes.placeOf(value);
    if (place !== undefined) return { document: place.document, pointer: host.pointer(place.document, place.id) };
    if (value === nodes.service()) {
      throw fault(`${where}: the service is not in a document`, "report at one of its workflows or forms", key);
    }
    const help = isObject(value) ? "pass the object that a visitor gets, not a copy" : undefined;
    throw fault(`${where}: expected an object or array of a document, found ${found(value)}`, help, key);
  };

  // By the type in the declarations.
  const checks = {
    string: (value, where, key) => {
      if (typeof value !== "string") throw expected("a string", where, value, key);
      return text(value);
    },
    boolean: (value, where, key) => {
      if (typeof value !== "boolean") throw expected("a boolean", where, value, key);
      return value;
    },
    number: (value, where, key) => {
      if (!Number.isInteger(value) || value < 0 || value > 0xffffffff) throw expected("an index", where, value, key);
      return value;
    },
    Node: node,
    Json: json,
    "string[]": (value, where, key) => list(value, where, key, checks.string),
    "{ [key: string]: Json }": (value, where, key) => {
      if (typeof value !== "object" || value === null) throw expected("an object", where, value, key);
      return Object.keys(value).map((name) => [text(name), json(value[name], `${where}: ${quote(name)}`, key)]);
    },
    "[from: number, to: number]": (value, where, key) => {
      const range = list(value, where, key, checks.number);
      if (range.length !== 2 || range[0] > range[1]) throw expected("two indices, [from, to]", where, value, key);
      return range;
    },
    Severity: (value, where, key) => {
      const severities = ["error", "warning", "info"];
      if (severities.includes(value)) return value;
      const known = severities.map((severity) => quote(severity)).join(", ");
      const help = typeof value === "string" ? suggestion(value, severities) : undefined;
      throw fault(`${where}: expected one of ${known}, found ${found(value)}`, help, key);
    },
    "Need[]": (value, where, key) =>
      list(value, where, key, (need) => {
        if (need !== "flow") throw expected("`flow`", where, need, key);
        return need;
      }),
    Options: (value, where, key) => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) throw expected("an object", where, value, key);
      return Object.fromEntries(Object.keys(value).map((name) => [text(name), option(value[name], quote(name), name)]));
    },
    "Related[]": (value, where, key) => list(value, where, key, (item) => read("Related", item, where)),
    Meta: (value, where) => read("Meta", value, where),
    Fix: (value, where) => read("Fix", value, where),
    Insertion: (value, where) => {
      const insertion = read("Insertion", value, where);
      const { into, at } = insertion;
      const length = host.length(into.document, into.pointer);
      if (length < 0) throw expected("an array of a document", "`into`", value.into, "into");
      if (at > length) throw expected(`at most ${length}, the length of \`into\``, "`at`", at, "at");
      return insertion;
    },
  };

  const option = (value, where, key) => {
    if (Array.isArray(value)) return list(value, where, key, simple);
    return simple(value, where, key);
  };
  const simple = (value, where, key) => {
    if (typeof value === "string") return text(value);
    if (typeof value === "boolean" || Number.isFinite(value)) return value;
    throw expected("a number, a string, a boolean or an array of these", `option ${where}`, value, key);
  };

  // A copy of an object of a shape; `where` is its name in messages.
  const read = (name, value, where) => {
    if (!isObject(value) || Array.isArray(value)) throw expected("an object", where, value, where);
    const { members, known } = shapes[name];
    if (nodes.placeOf(value) !== undefined) {
      const wanted = members.filter(({ isOptional }) => !isOptional).map(({ key }) => key);
      throw fault(`${where}: expected \`{ ${wanted.join(", ")} }\`, found a node`, undefined, undefined);
    }
    for (const key of Object.keys(value)) {
      if (known.includes(key)) continue;
      throw fault(`${where}: unknown key ${quote(key)}`, suggestion(key, known), key);
    }
    const copy = {};
    for (const { key, type, isOptional } of members) {
      const member = value[key];
      if (member === undefined && isOptional) continue;
      if (member === undefined && !(key in value)) throw fault(`${where}: missing key ${quote(key)}`, undefined, undefined);
      copy[key] = checks[type](member, quote(key), key);
    }
    return copy;
  };

  const describe = (thrown) => {
    const known = typeof thrown === "object" && thrown !== null ? faults.get(thrown) : undefined;
    let message = "a value that cannot be converted to a string";
    let stack = "";
    try {
      message = known === undefined ? String(thrown) : thrown.message;
      if (message === "[object Object]") message = JSON.stringify(thrown) ?? message;
    } catch {}
    try {
      const noted = thrown?.stack;
      if (typeof noted === "string") stack = noted;
    } catch {}
    const isOurs = known !== undefined;
    return JSON.stringify({
      message: String(message).slice(0, 2000).toWellFormed(),
      stack: stack.slice(0, 20000).toWellFormed(),
      isOurs,
      help: known?.help,
      key: typeof known?.key === "string" ? known.key.toWellFormed() : undefined,
    });
  };

  return { read, fault, expected, suggestion, quote, found, describe };
}
