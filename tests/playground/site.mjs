// The playground on a server of its own, and the browser on it.
import { createServer } from "node:http";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

export const folder = path.resolve(process.env.PLAYGROUND ?? "target/playground");
const TYPES = {
  html: "text/html; charset=utf-8",
  js: "text/javascript",
  css: "text/css",
  json: "application/json",
  wasm: "application/wasm",
  svg: "image/svg+xml",
};

/** Serves the built files, as a site does; `requests` are the paths that were asked for. */
export async function serve() {
  const requests = [];
  const server = createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url, "http://localhost").pathname.replace(/^\/playground\//, "")) || "index.html";
    requests.push(`${request.method} ${name}`);
    const file = path.join(folder, path.basename(name));
    if (request.method !== "GET" || !existsSync(file)) {
      response.statusCode = 404;
      response.end();
      return;
    }
    response.setHeader("content-type", TYPES[file.split(".").pop()]);
    response.end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${server.address().port}/playground/`;
  return { address, requests, close: () => new Promise((resolve) => { server.closeAllConnections(); server.close(resolve); }) };
}

/** Opens the playground, and notes what the console says, what is asked of other hosts, and what the policy refuses. */
export async function visit(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  page.noise = [];
  page.on("console", (message) => page.noise.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => page.noise.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => { page.noise.push(`dialog: ${dialog.message()}`); void dialog.dismiss(); });
  const own = address.startsWith("http") ? new URL(address).origin : address.split("#")[0];
  context.on("request", (request) => {
    if (!request.url().startsWith(own) && !/^(blob|data):/.test(request.url())) page.noise.push(`request: ${request.url()}`);
  });
  await page.goto(address);
  return page;
}

/** Until all that the program says of these documents is there. */
export const checked = (page) => page.locator("html[data-checked=whole]").waitFor();
export const reported = (page) => page.locator("html[data-reported=true]").waitFor();

/** Until something holds. The page's policy forbids what the browser's own waiting evaluates. */
export async function until(page, holds) {
  for (let time = 0; time < 300; time += 1) {
    if (await page.evaluate(holds)) return;
    await page.waitForTimeout(50);
  }
  throw new Error(`not within 15 s: ${holds}`);
}

export async function choose(page, id) {
  await page.selectOption("#example", id);
  await checked(page);
}

/** The findings that the page lists: code, severity, place. */
export const listed = (page) =>
  page.locator("[data-finding]").evaluateAll((all) =>
    all.map((one) => `${one.querySelector(".place").textContent} ${one.dataset.severity} ${one.dataset.code} ${one.dataset.pointer}`),
  );

/** Puts a text into the document in front, as a visitor who selects all and pastes. */
export async function replaceText(page, text) {
  await page.locator("#editor .cm-content").click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.evaluate((value) => {
    const data = new DataTransfer();
    data.setData("text/plain", value);
    const target = document.querySelector("#editor").shadowRoot.querySelector(".cm-content");
    target.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true, composed: true }));
  }, text);
}
