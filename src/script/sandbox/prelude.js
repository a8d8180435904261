// Runs before every script. Gets the virtual time in milliseconds, a source of random numbers, and
// how long a text may be; changes nothing but `Date` and `Math.random`. What the functions that it
// gives back need is taken hold of here, as a script may overwrite everything that it can name.
(function (time, random, longest) {
  "use strict";
  const { apply, construct } = Reflect;
  const { slice, toWellFormed } = String.prototype;
  const { stringify } = JSON;
  const toText = String;
  const NativeDate = Date;

  // A proxy, so that everything else about `Date` stays as it is.
  const VirtualDate = new Proxy(NativeDate, {
    apply: () => new NativeDate(time).toString(),
    construct: (target, given, newTarget) => construct(target, given.length === 0 ? [time] : given, newTarget),
  });
  NativeDate.now = { now: () => time }.now;
  NativeDate.prototype.constructor = VirtualDate;
  globalThis.Date = VirtualDate;
  Math.random = random;

  const cut = (text, length) => apply(toWellFormed, apply(slice, text, [0, length]), []);

  // A text without lone surrogates; null when it is too long.
  const read = (text) => (text.length > longest ? null : apply(toWellFormed, text, []));

  // What was thrown as text, and its stack as the engine noted it. Both may run code of the script.
  const describe = (thrown) => {
    let message = "a value that cannot be shown as text";
    let stack = "";
    try {
      message = toText(thrown);
      if (message === "[object Object]") message = stringify(thrown) ?? message;
    } catch {}
    try {
      const noted = thrown?.stack;
      if (typeof noted === "string") stack = noted;
    } catch {}
    return [cut(message, 2000), cut(stack, 20000)];
  };

  return { read, describe };
});
