// Opens a folder in a real Visual Studio Code, in a browser, and compares its list of problems with what the program reports.
//
//   node findings.mjs MODULES URL FILE REPORT PICTURE
//
// MODULES is the folder of installed packages, FILE a document of the folder that URL opens, REPORT what
// `wflint --format json` says about it.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import process from "node:process";

const [modules, url, file, report, picture] = process.argv.slice(2);
const { chromium } = createRequire(`${modules}/`)("playwright-core");

const findings = JSON.parse(readFileSync(report, "utf8")).diagnostics.filter((finding) => finding.file.endsWith(file));
const expected = findings.map(({ code, range }) => `${code} ${range.start.line}:${range.start.column}`).sort();

// The list has only the rows that can be seen: the window is tall.
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 2000 } });
page.setDefaultTimeout(60_000);
try {
  await page.goto(url);
  await page.locator(".explorer-folders-view .monaco-list-row", { hasText: file }).dblclick();
  await page.waitForSelector(".monaco-editor .view-line");
  await page.keyboard.press("Control+Shift+m");
  const rows = page.locator(".markers-panel .monaco-list-row");
  let shown = [];
  for (let attempt = 0; attempt < 60 && shown.length < expected.length; attempt += 1) {
    await page.waitForTimeout(500);
    const texts = await rows.allInnerTexts();
    const places = texts.map((text) => /wflint\s*(WF\d{3})\s*\[Ln (\d+), Col (\d+)\]/.exec(text.replace(/\s+/g, " ")));
    shown = places.filter(Boolean).map(([, code, line, column]) => `${code} ${line}:${column}`).sort();
  }
  if (JSON.stringify(shown) !== JSON.stringify(expected)) {
    throw new Error(`the editor shows ${shown.join(", ")}; the program reports ${expected.join(", ")}`);
  }
  console.log(`${expected.length} findings, as the program reports them`);
} finally {
  await page.screenshot({ path: picture });
  await browser.close();
}
