// Runs before every script. Its parameters are the virtual time in milliseconds, a source of random
// numbers, and the maximal length of a result. It changes only `Date` and `Math.random`. The built-in
// functions that its helpers call are saved here, because a script may replace every global.
(function (time, random, maxLength) {
  "use strict";
  const { apply, construct } = Reflect;
  const { slice, toWellFormed } = String.prototype;
  const { stringify } = JSON;
  const toText = String;
  const NativeDate = Date;

  let isTimeRead = false;
  const now = () => ((isTimeRead = true), time);

  // A proxy, so that everything else about `Date` stays as it is.
  const VirtualDate = new Proxy(NativeDate, {
    apply: () => new NativeDate(now()).toString(),
    construct: (target, args, newTarget) => construct(target, args.length === 0 ? [now()] : args, newTarget),
  });
  NativeDate.now = { now: () => now() }.now;
  NativeDate.prototype.constructor = VirtualDate;
  globalThis.Date = VirtualDate;
  Math.random = random;

  const cut = (text, length) => apply(toWellFormed, apply(slice, text, [0, length]), []);

  // Replaces lone surrogates in a string; null for a string that is too long.
  const read = (text) => (text.length > maxLength ? null : apply(toWellFormed, text, []));

  // Message and stack trace of a thrown value. Both conversions may run code of the script.
  const describe = (thrown) => {
    let message = "a value that cannot be converted to a string";
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

  // Whether the script has asked for the time.
  const readsTime = () => isTimeRead;

  return { read, describe, readsTime };
});
