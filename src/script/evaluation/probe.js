// Replaces parameters of a script by probes: values that can be passed on, stored and serialized, but
// not inspected. Any operation on a probe that would show something of a value throws, so a script
// that ends as usual has not looked into its parameters.
//
// Runs before the script; `options` is a JSON string: `names` are the variables to replace, and
// `concatenation` is whether a probe may be converted to a string. The built-in objects are saved
// before the variables of the script are set, which may have their names.
(() => {
  "use strict";
  const { parse } = JSON;
  const { set } = Reflect;
  const { toPrimitive } = Symbol;
  const globals = globalThis;
  const NativeError = Error;
  const NativeProxy = Proxy;

  return (options) => {
    const { names, concatenation } = parse(options);
    const fail = () => {
      throw new NativeError("opaque");
    };
    // `JSON.stringify` asks every value for `toJSON`. Without it a probe, which is a function, is left
    // out of an object as `undefined` is.
    const get = (target, key) => {
      if (key === "toJSON") return undefined;
      if (concatenation && key === toPrimitive) return () => "concatenated";
      return fail();
    };
    const traps = {
      get,
      set: fail,
      has: fail,
      apply: fail,
      construct: fail,
      ownKeys: fail,
      getOwnPropertyDescriptor: fail,
      defineProperty: fail,
      deleteProperty: fail,
      getPrototypeOf: fail,
      setPrototypeOf: fail,
      isExtensible: fail,
      preventExtensions: fail,
    };
    for (const name of names) {
      // Not an assignment, which throws for `undefined`, `NaN` and `Infinity`. The target is a
      // function, because only then are calls trapped.
      set(globals, name, new NativeProxy(function () {}, traps));
    }
  };
})()
