// The browser, and what every page must keep: no message in the console, no request, no error.
import { chromium } from "playwright-core";

export const executable = process.env.CHROMIUM ?? "/usr/bin/chromium";

export async function launch() {
  return chromium.launch({ executablePath: executable, args: ["--no-sandbox"] });
}

/** Opens a page of the disk; `options` are those of a browser context. */
export async function open(browser, file, options = {}, fragment = "") {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(5000);
  page.noise = [];
  page.on("console", (message) => page.noise.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => page.noise.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => { page.noise.push(`dialog: ${dialog.message()}`); void dialog.dismiss(); });
  page.on("request", (request) => {
    if (request.url().split("#")[0] !== `file://${file}`) page.noise.push(`request: ${request.url()}`);
  });
  await page.goto(`file://${file}${fragment}`);
  return page;
}

let failed = 0;

export async function check(name, test) {
  try {
    await test();
    console.log(`ok      ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n        ${String(error.stack ?? error).split("\n").slice(0, 6).join("\n        ")}`);
  }
}

export function finish(of = "the page") {
  console.log(failed === 0 ? `all checks of ${of} pass` : `${failed} checks of ${of} fail`);
  process.exit(failed === 0 ? 0 : 1);
}
