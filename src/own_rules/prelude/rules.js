// Loads rules, and runs them: what the host calls. `visitors` are the names that every rule may use.
(host, nodes, checks, contexts, visitors) => {
  "use strict";
  const { fault, expected, quote, suggestion } = checks;

  let rules;
  let types;
  let settings;
  // The names of the visitors of all rules.
  let names;
  // The visits of all rules: for each the index in `names`, the document and the number of its object.
  let visits;

  const frozen = (value) => {
    if (typeof value !== "object" || value === null) return value;
    Object.values(value).forEach(frozen);
    return Object.freeze(value);
  };

  const start = (json, facts) => {
    const service = JSON.parse(json);
    rules = new Map();
    names = new Set();
    types = service.types;
    settings = frozen(service.settings);
    nodes.start(service.name, service.kinds);
    contexts.start(facts);
  };

  // Options by their JSON. Most are those of the service before.
  const parsed = new Map();
  const optionsOf = (json) => {
    if (!parsed.has(json)) parsed.set(json, frozen(JSON.parse(json)));
    return parsed.get(json);
  };

  // The checked rule of a module.
  const ruleOf = (module) => {
    if (!("default" in module)) throw fault("missing `export default`", "export an object with `create`", undefined);
    const rule = module.default;
    if (typeof rule !== "object" || rule === null) throw expected("an object", "`export default`", rule, "default");
    for (const key of Object.keys(rule)) {
      if (key === "meta" || key === "create") continue;
      throw fault(`unknown key ${quote(key)}`, suggestion(key, ["meta", "create"]), key);
    }
    const { meta, create } = rule;
    if (typeof create !== "function") throw expected("a function", "`create`", create, "create");
    return { rule, create, meta };
  };

  // `Meta`, as JSON.
  const meta = (module) => {
    const { meta } = ruleOf(module);
    const { severity, options, needs } = meta === undefined ? {} : checks.read("Meta", meta, "meta");
    return JSON.stringify({ severity: severity ?? "warning", options: options ?? {}, needs_flow: (needs ?? []).includes("flow") });
  };

  const refusePromise = (value, what, key) => {
    if (typeof value === "object" && value !== null && host.isPromise(value)) {
      throw fault(`${what} returns a promise: rules run to their end at once`, "remove `async`", key);
    }
  };

  const always = new Set(visitors);
  const isKnown = (name) => always.has(name) || types.includes(name);

  // Calls `create` of a rule, whose `meta` is known: its options, and whether it needs the flow.
  const prepare = (slot, module, options, needsFlow) => {
    const now = { what: "rule", visitor: undefined, document: undefined, node: undefined };
    const own = { now, reports: [], omitted: 0, needsFlow, options: optionsOf(options), visitors: new Map(), made: undefined };
    rules.set(slot, own);
    const { rule, create } = ruleOf(module);
    now.what = "`create`";
    contexts.enter(own);
    const made = Reflect.apply(create, rule, [contexts.contextOf(own, settings)]);
    refusePromise(made, "`create`", "create");
    if (typeof made !== "object" || made === null) throw expected("an object of visitors", "result of `create`", made, "create");
    for (const name of Object.keys(made)) {
      const plain = name.endsWith(":exit") ? name.slice(0, -":exit".length) : name;
      if (!isKnown(plain)) {
        const [before] = plain.split(":");
        const exit = isKnown(before) ? `did you mean ${quote(`${before}:exit`)}?` : undefined;
        throw fault(`unknown visitor ${quote(name)}`, exit ?? suggestion(plain, [...visitors, ...types]), name);
      }
      const visitor = made[name];
      if (typeof visitor !== "function") throw expected("a function", `visitor ${quote(name)}`, visitor, name);
      own.visitors.set(name, visitor);
      names.add(name);
    }
    own.made = made;
  };

  // The names of the visitors, as JSON.
  const visited = () => JSON.stringify((names = [...names]));

  const setVisits = (json) => {
    visits = JSON.parse(json);
  };

  const visit = (slot) => {
    const own = rules.get(slot);
    const { now, visitors, made } = own;
    contexts.enter(own);
    const functions = names.map((name) => visitors.get(name));
    for (let at = 0; at < visits.length; at += 3) {
      const visitor = functions[visits[at]];
      if (visitor === undefined) continue;
      const document = visits[at + 1];
      const name = names[visits[at]];
      now.visitor = name;
      now.node = document < 0 ? undefined : visits[at + 2];
      now.document = document;
      const node = document < 0 ? nodes.service() : nodes.objectOf(document, visits[at + 2]);
      const result = Reflect.apply(visitor, made, [node]);
      if (result !== undefined) refusePromise(result, `visitor ${quote(name)}`, name);
    }
  };

  // What a rule has reported, as JSON; empty for nothing.
  const take = (slot) => {
    const { reports, omitted } = rules.get(slot) ?? { reports: [], omitted: 0 };
    rules.delete(slot);
    return reports.length === 0 ? "" : JSON.stringify({ reports, omitted });
  };

  // What a rule was doing, as JSON: the visitor, and the place of its node.
  const doing = (slot) => {
    const { what, visitor, document, node } = rules.get(slot)?.now ?? {};
    const at = node === undefined ? undefined : { document, pointer: host.pointer(document, node) };
    return JSON.stringify({ what: visitor === undefined ? what : `visitor ${quote(visitor)}`, at });
  };

  return { start, meta, prepare, visited, setVisits, visit, take, doing, describe: checks.describe };
}
