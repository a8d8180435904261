// The package against the program: `node run.mjs PACKAGE [short]`, from the root of the project. First in Node, then in Chromium.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { readFileSync } from "node:fs";
import { check, finish } from "../page/browser.mjs";
import { inBrowser } from "./browser.mjs";
import { calls, difference, expected, folders, native, read } from "./cases.mjs";
import { hostile } from "./hostile.mjs";

const MAX_COMPRESSED = 5 << 20;

const folder = path.resolve(process.argv[2]);
const isShort = process.argv[3] === "short";
const wflint = await import(pathToFileURL(path.join(folder, "index.js")).href);
const linter = await wflint.load();

const module = readFileSync(path.join(folder, "wflint.wasm"));
await check(`the module is under ${MAX_COMPRESSED >> 20} MB`, () => {
  // Takes seconds instead of minutes, and compresses a little less than servers do ahead.
  const { length } = brotliCompressSync(module, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  console.log(`        ${(module.length / 1e6).toFixed(1)} MB, ${(length / 1e6).toFixed(2)} MB compressed`);
  if (length > MAX_COMPRESSED) throw new Error(`${length} bytes`);
});

const known = [];
for (const name of folders(isShort)) {
  await check(`${name}: as the program, in Node`, () => {
    for (const [method, args, line] of calls(read(name))) {
      const wanted = expected(method, native(line, args.find((it) => typeof it === "object")));
      known.push({ name, method, args, line, wanted });
      const unlike = difference(wanted, linter[method](...args));
      if (unlike !== undefined) throw new Error(`wflint ${line.join(" ")}\n        ${unlike}`);
    }
  });
}
await hostile(folder, wflint, linter);
await inBrowser(folder, known);
finish("the package");
