// `context`: what a rule calls; `facts` is what wflint knows of the service, as JSON.
(host, nodes, checks) => {
  "use strict";
  const MAX_REPORTS = 1000;
  const { fault, expected, quote } = checks;

  // The rule whose code runs.
  let running;
  let facts;
  const start = (json) => {
    let parsed;
    facts = () => (parsed ??= JSON.parse(json));
  };

  const placeOf = (node, caller) => {
    const place = nodes.placeOf(node);
    if (place === undefined) throw expected("an object or array of a document", quote(`context.${caller}`), node, undefined);
    return place;
  };

  const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;
  const literal = (value) => {
    const isText = typeof value === "string";
    const isScalar = isText || typeof value === "number" || typeof value === "boolean";
    const trimmed = isText ? value.trim() : "";
    const word = trimmed.toLowerCase();
    return {
      kind: "static",
      text: isScalar ? String(value) : undefined,
      number: typeof value === "number" ? value : NUMBER.test(trimmed) ? Number(trimmed) : NaN,
      boolean: typeof value === "boolean" ? value : word === "true" ? true : word === "false" ? false : undefined,
      variable: undefined,
    };
  };
  const noLiteral = (kind, variable) => ({ kind, text: undefined, number: NaN, boolean: undefined, variable });
  const valueOf = (binding) => {
    if (binding === null || binding === undefined) return noLiteral("unset", undefined);
    if (typeof binding !== "object") return literal(binding);
    const { state, isBound, value, boundTo } = binding;
    if (state === "bound" || (state === undefined && isBound === true)) {
      return noLiteral("bound", typeof boundTo === "string" && boundTo !== "" ? boundTo : undefined);
    }
    const isUnset = state === "notSet" || value === null || value === undefined;
    return isUnset ? noLiteral("unset", undefined) : literal(value);
  };

  const items = (value) => (Array.isArray(value) ? value.filter((item) => typeof item === "object" && item !== null) : []);
  const parameter = (activity, name) => {
    if (typeof activity !== "object" || activity === null) {
      throw expected("an activity", "`context.parameter`", activity, undefined);
    }
    const { providerParameters, additionalProviderParameters, allProviderParameters, parameters } = activity;
    const additional = items(additionalProviderParameters);
    // As our rules do: the copies are all that some documents have.
    const isOnlySource = providerParameters === undefined && additional.length === 0;
    const declared = isOnlySource ? items(allProviderParameters) : items(providerParameters);
    return [...declared, ...additional, ...items(parameters)].find((item) => item.name === name);
  };

  // What is known of an activity or a variable.
  const known = (caller, list, node) => {
    if (!running.needsFlow) {
      const message = `${quote(`context.${caller}`)} is not available without \`meta.needs: ["flow"]\``;
      throw fault(message, "add `needs: [\"flow\"]` to `meta`", undefined);
    }
    const { document, id } = placeOf(node, caller);
    const fact = facts()[list][`${document}${host.pointer(document, id)}`];
    if (fact === undefined) throw expected(list === "activities" ? "an activity" : "a declared variable", quote(`context.${caller}`), node, undefined);
    return fact;
  };
  const objectOf = (place) =>
    place.name === undefined
      ? nodes.objectOf(place.document, host.resolve(place.document, place.pointer))
      : Object.freeze({ name: place.name });

  const report = (finding) => {
    const checked = checks.read("Report", finding, "report");
    if (checked.key !== undefined && !Object.hasOwn(finding.node, checked.key)) delete checked.key;
    if (running.reports.length >= MAX_REPORTS) {
      running.omitted += 1;
      return;
    }
    running.reports.push(checked);
  };

  const ofActivity = (caller, activity) => known(caller, "activities", activity);
  const ofVariable = (caller, variable) => known(caller, "variables", variable);
  // Of all rules: they find `running`.
  const functions = {
    report,
    value: (binding) => Object.freeze(valueOf(binding)),
    parent: (node) => (node === nodes.service() ? undefined : nodes.around(placeOf(node, "parent"))[0]),
    ancestors: (node) => (node === nodes.service() ? [] : nodes.around(placeOf(node, "ancestors"))),
    parameter,
    file: (node) => host.file(placeOf(node, "file").document),
    pointer: (node) => {
      const { document, id } = placeOf(node, "pointer");
      return host.pointer(document, id);
    },
    reads: (activity) => ofActivity("reads", activity).reads.map(objectOf),
    writes: (activity) => ofActivity("writes", activity).writes.map(objectOf),
    reachable: (activity) => ofActivity("reachable", activity).reachable,
    method: (activity) => ofActivity("method", activity).method,
    readers: (variable) => ofVariable("readers", variable).readers.map(objectOf),
    writers: (variable) => ofVariable("writers", variable).writers.map(objectOf),
    masked: (variable) => ofVariable("masked", variable).masked,
  };
  Object.values(functions).forEach(Object.freeze);
  Object.freeze(functions);

  // From now on, this rule runs.
  const enter = (rule) => {
    running = rule;
  };
  const contextOf = ({ options }, settings) => Object.freeze({ __proto__: functions, options, settings });

  return { start, enter, contextOf };
}
