// Writes `package.json` of the package to a folder.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const cargo = readFileSync(new URL("../../Cargo.toml", import.meta.url), "utf8");
const valueOf = (key) => cargo.match(new RegExp(`^${key} = "(.*)"$`, "m"))[1];
const entry = { types: "./types/index.d.ts", default: "./index.js" };
const text = {
  name: "@wflint/wasm",
  version: valueOf("version"),
  description: `${valueOf("description")}, in WebAssembly`,
  license: "(MIT OR Apache-2.0)",
  keywords: ["linter", "workflow", "json", "static-analysis", "webassembly"],
  type: "module",
  engines: { node: ">=20" },
  types: "./types/index.d.ts",
  exports: { ".": entry, "./worker.js": "./worker.js", "./wflint.wasm": "./wflint.wasm", "./package.json": "./package.json" },
  files: ["index.js", "worker.js", "wflint.wasm", "types", "LICENSE-*"],
  sideEffects: false,
};
writeFileSync(path.join(process.argv[2], "package.json"), `${JSON.stringify(text, null, 2)}\n`);
