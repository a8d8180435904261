// Builds the playground: `node build.mjs OUT`. OUT gets files for any web server, and `wflint-playground.html`, the same as one
// file, which works without one. The package @wflint/wasm is in `node_modules`: `.ci/playground` puts it there.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { examples } from "./examples.mjs";

const here = import.meta.dirname;
const out = path.resolve(process.argv[2] ?? "");
const options = {
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
  write: false,
  absWorkingDir: here,
  tsconfig: path.join(here, "tsconfig.json"),
};

async function script(entry, more = {}) {
  const result = await build({ ...options, ...more, entryPoints: [path.join(here, "src", entry)] });
  return result.outputFiles[0].text;
}

/** The page's scripts by their names: a small first one, and those that it imports. */
async function modules(entry, plugins) {
  const names = { outdir: "/", entryNames: "playground", chunkNames: "[name]-[hash]" };
  const more = { ...names, plugins, format: "esm", splitting: true };
  const result = await build({ ...options, ...more, entryPoints: [path.join(here, "src", entry)] });
  return Object.fromEntries(result.outputFiles.map((file) => [path.basename(file.path), file.text]));
}

/** The worker's code, as a string of the page's script. */
const workerCode = (code) => ({
  name: "worker-code",
  setup(builder) {
    builder.onResolve({ filter: /^worker-code$/ }, () => ({ path: "worker-code", namespace: "worker-code" }));
    builder.onLoad({ filter: /.*/, namespace: "worker-code" }, () => ({ contents: code, loader: "text" }));
  },
});

const read = (name) => readFileSync(path.join(here, name), "utf8");
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
// In an element of script or style, only its own end tag ends it.
const safe = (text, tag) => text.replaceAll(`</${tag}`, `<\\/${tag}`);

/** Everything in one file, under a policy that allows its own parts alone. */
function oneFile(html, { code, style, program, all }) {
  const policy = [
    "default-src 'none'", `script-src ${hash(code)} 'wasm-unsafe-eval'`, `style-src ${hash(style)}`, "img-src data:",
    "worker-src blob:", "base-uri 'none'", "form-action 'none'",
  ].join("; ");
  const icon = `data:image/svg+xml,${encodeURIComponent(read("icon.svg"))}`;
  const embedded = (id, type, text) => `<script type="${type}" id="${id}">${text}</script>\n`;
  return html
    .replace(/(http-equiv="Content-Security-Policy" content=")[^"]*/, (_, start) => start + policy)
    .replace(' data-rules="../rules/"', "")
    .replace(/ ?<span class="site">.*?<\/span>/g, "")
    .replace(/<a href="\.\.\/[^"]*">([^<]*)<\/a>/g, (_, text) => text)
    .replace('href="icon.svg"', () => `href="${icon}"`)
    .replace(/<link rel="(module)?preload".*\n/g, "")
    .replace('<link rel="stylesheet" href="playground.css">', () => `<style>${style}</style>`)
    .replace('<script async type="module" src="playground.js"></script>\n', "")
    .replace("</body>", () =>
      embedded("wflint-examples", "application/json", all.replaceAll("<", "\\u003c")) +
      embedded("wflint-program", "text/plain", gzipSync(program, { level: 9 }).toString("base64")) +
      `<script>${code}</script>\n</body>`);
}

/** The scripts that the first one imports are loaded with it. */
function withScripts(html, names) {
  const links = names.filter((name) => name !== "playground.js").map((name) => `<link rel="modulepreload" href="${name}">\n`);
  return html.replace('<script async', () => `${links.join("")}<script async`);
}

// The package would find its module by its own address; here the page sends it.
const worker = await script("worker.ts", { logOverride: { "empty-import-meta": "silent" } });
const code = safe(await script("begin.ts", { plugins: [workerCode(worker)] }), "script");
const scripts = await modules("begin.ts", [workerCode(worker)]);
const css = await build({ ...options, entryPoints: [path.join(here, "style.css")] });
const style = safe(css.outputFiles[0].text, "style");
const program = readFileSync(path.join(here, "node_modules/@wflint/wasm/wflint.wasm"));
const all = JSON.stringify(examples());
const html = read("index.html");

const files = {
  "index.html": withScripts(html, Object.keys(scripts)),
  ...scripts,
  "playground.css": style,
  "examples.json": all,
  "wflint.wasm": program,
  "icon.svg": read("icon.svg"),
};
const version = createHash("sha256");
for (const text of Object.values(files)) version.update(text);
const define = { VERSION: JSON.stringify(version.digest("hex").slice(0, 16)), FILES: JSON.stringify(Object.keys(files)) };
files["offline.js"] = await script("offline.ts", { define });
files["wflint-playground.html"] = oneFile(html, { code, style, program, all });

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const [name, text] of Object.entries(files)) writeFileSync(path.join(out, name), text);
