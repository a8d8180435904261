// Runs once in a realm, before any rule. Freezes the global object and everything that is reachable from it, so that no rule
// can change what another one, or this prelude, relies on; what would make results depend on more than the documents throws.
(() => {
  "use strict";
  const { defineProperty, freeze, getOwnPropertyDescriptor, getPrototypeOf } = Object;

  const withhold = (holder, name, message) => {
    const get = () => {
      throw new ReferenceError(message);
    };
    defineProperty(holder, name, { get, set: undefined, enumerable: false, configurable: false });
  };
  const SAME = "rules find the same on every machine and day";
  withhold(globalThis, "Date", `\`Date\` is not available: ${SAME}`);
  withhold(Math, "random", `\`Math.random\` is not available: ${SAME}`);
  for (const name of ["setTimeout", "setInterval", "setImmediate", "queueMicrotask", "requestAnimationFrame"]) {
    withhold(globalThis, name, `\`${name}\` is not available: rules run to their end at once`);
  }
  withhold(Promise.prototype, "constructor", "`Promise` is not available: rules run to their end at once");
  withhold(globalThis, "Promise", "`Promise` is not available: rules run to their end at once");
  withhold(globalThis, "eval", "`eval` is not available: write the code into the file of the rule or a module");
  for (const name of ["require", "process", "fetch", "XMLHttpRequest", "WebAssembly"]) {
    withhold(globalThis, name, `\`${name}\` is not available: rules see their documents, no files and no network`);
  }
  withhold(globalThis, "console", "`console` is not available: use `context.report`");

  // `instanceof Function` goes on working.
  const functions = [function () {}, function* () {}, async function () {}, async function* () {}].map(getPrototypeOf);
  const Uncallable = function Function() {
    throw new TypeError("`Function` compiles no code: write it into the file of the rule or a module");
  };
  Uncallable.prototype = functions[0];
  for (const prototype of functions) {
    defineProperty(prototype, "constructor", { value: Uncallable, writable: false, configurable: false });
  }
  globalThis.Function = Uncallable;

  // A rule would change with these what the stack of another one's errors says.
  delete Error.prepareStackTrace;
  delete Error.stackTraceLimit;
  // Engines differ in their own names.
  delete globalThis.InternalError;

  // Not reachable by properties.
  const hidden = [
    [][Symbol.iterator](), ""[Symbol.iterator](), "".matchAll(/a/g), new Map().keys(), new Set().keys(),
    (function* () {})(), (async function* () {})(), [].values().map((item) => item),
    typeof Iterator === "function" ? Iterator.from({ next() {} }) : null,
  ];
  const waiting = [globalThis, ...functions, ...hidden];
  const seen = new Set();
  while (waiting.length > 0) {
    const object = waiting.pop();
    if (object === null || (typeof object !== "object" && typeof object !== "function") || seen.has(object)) continue;
    seen.add(object);
    freeze(object);
    waiting.push(getPrototypeOf(object));
    for (const key of Reflect.ownKeys(object)) {
      const { value, get, set } = getOwnPropertyDescriptor(object, key);
      waiting.push(value ?? null, get ?? null, set ?? null);
    }
  }
})
