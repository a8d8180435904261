// The package in Chromium: in workers of a page that a server sends, and of a page of the disk.
import { createServer } from "node:http";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { check, launch } from "../page/browser.mjs";
import { difference, read } from "./cases.mjs";
import { silent } from "./hostile.mjs";

const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };
const MAX_FIRST_MS = 1000;
const MAX_LINT_MS = 100;

const PAGE = `<!doctype html><meta charset="utf-8"><script type="module">
import * as wflint from "./index.js";
window.wflint = wflint;
window.start = () => new Worker("./worker.js");
</script>`;

function serve(folder) {
  const server = createServer((request, response) => {
    const name = new URL(request.url, "http://localhost").pathname;
    const file = path.join(folder, path.normalize(name));
    try {
      const body = name === "/" ? PAGE : readFileSync(file);
      response.writeHead(200, { "Content-Type": TYPES[path.extname(file)] ?? "text/html" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

export async function inBrowser(folder, known) {
  const server = await serve(folder);
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction(() => window.wflint !== undefined);
    await times(page);
    await agrees(page, known);
    await deadline(page);
    await fromDisk(browser, folder);
  } finally {
    await browser.close();
    server.close();
  }
}

/** The best of several, as other work of the machine slows single ones. */
async function times(page) {
  const files = read("examples/broken");
  const measured = await page.evaluate(async (files) => {
    const [first, again] = [[], []];
    for (let index = 0; index < 3; index += 1) {
      window.client?.close();
      const began = performance.now();
      window.client = window.wflint.connect(window.start, { deadline: 60000 });
      await window.client.lint(files, { early: () => first.push(performance.now() - began) });
    }
    for (let index = 0; index < 12; index += 1) {
      const before = performance.now();
      await window.client.lint(files);
      again.push(performance.now() - before);
    }
    return { first: Math.min(...first), again: Math.min(...again) };
  }, files);
  console.log(`        first findings after ${measured.first.toFixed(0)} ms, later ones ${measured.again.toFixed(0)} ms`);
  await check("first findings within a second of loading, in Chromium", () => {
    if (measured.first > MAX_FIRST_MS) throw new Error(`${measured.first} ms`);
  });
  await check(`a lint takes less than ${MAX_LINT_MS} ms, in Chromium`, () => {
    if (measured.again > MAX_LINT_MS) throw new Error(`${measured.again} ms`);
  });
}

async function agrees(page, known) {
  const failed = new Map();
  for (const { name, method, args, line, wanted } of known) {
    const got = await page.evaluate(([method, args]) => window.client[method](...args), [method, args]);
    const unlike = difference(wanted, got);
    if (unlike !== undefined) failed.set(name, `wflint ${line.join(" ")}\n        ${unlike}`);
  }
  for (const name of new Set(known.map((it) => it.name))) {
    await check(`${name}: as the program, in Chromium`, () => {
      if (failed.has(name)) throw new Error(failed.get(name));
    });
  }
}

async function deadline(page) {
  const files = silent();
  await check("scripts that take no steps are ended, and the answer without them stays, in Chromium", async () => {
    const ended = await page.evaluate(async (files) => {
      const early = [];
      const answer = await window.client.lint(files, { deadline: 1500, early: (it) => early.push(it.json) });
      const next = await window.client.lint({ "a.workflow.json": "{" });
      return { early, answer, next };
    }, files);
    const { early, answer, next } = ended;
    if (answer.scripts !== "ended" || answer.reason !== "deadline") throw new Error(JSON.stringify(answer));
    if (early.length !== 1 || early[0] !== answer.json) throw new Error("the answer without scripts was another one");
    if (next.scripts !== "run" || next.code !== 1) throw new Error(`the next lint: ${JSON.stringify(next)}`);
  });
}

/** A page of the disk: its workers are made of texts, and the module is sent to them. */
async function fromDisk(browser, folder) {
  const work = mkdtempSync(path.join(tmpdir(), "wflint-wasm-"));
  const literal = (text) => JSON.stringify(text).replaceAll("<", "\\u003c");
  writeFileSync(path.join(work, "page.html"), `<!doctype html><meta charset="utf-8"><script>
    const blob = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    const worker = blob(${literal(readFileSync(path.join(folder, "worker.js"), "utf8"))});
    const bytes = Uint8Array.from(atob("${readFileSync(path.join(folder, "wflint.wasm")).toString("base64")}"), (it) => it.charCodeAt(0));
    window.lint = async (files) => {
      const { connect } = await import(blob(${literal(readFileSync(path.join(folder, "index.js"), "utf8"))}));
      return connect(() => new Worker(worker), { source: bytes }).lint(files);
    };</script>`);
  await check("a page of the disk lints, too", async () => {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(path.join(work, "page.html")).href);
    const answer = await page.evaluate((files) => window.lint(files), read("examples/broken"));
    if (answer.code !== 1 || answer.scripts !== "run") throw new Error(JSON.stringify(answer).slice(0, 400));
  });
  rmSync(work, { recursive: true, force: true });
}
