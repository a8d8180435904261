// The live picture in a browser, as `wflint graph --serve` serves it, while the file changes.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { check } from "./browser.mjs";
import { violations } from "./form.mjs";
import { program } from "./wflint.mjs";

/** Starts a server for a file, and returns its address. */
function serve(file) {
  const server = spawn(program, ["graph", file, "--serve"], { stdio: ["ignore", "pipe", "pipe"] });
  const address = new Promise((resolve, reject) => {
    let written = "";
    const read = (data) => {
      written += data;
      const [found] = /http:\/\/127\.0\.0\.1:\d+\/\S+/.exec(written) ?? [];
      if (found) resolve(found);
    };
    for (const stream of [server.stdout, server.stderr]) stream.on("data", read);
    server.on("exit", () => reject(new Error(`the server has ended: ${written}`)));
  });
  return { server, address };
}

async function openPanel(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 700, height: 900 }, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  page.noise = [];
  page.on("console", (message) => page.noise.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => page.noise.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(address)) page.noise.push(`request: ${request.url()}`);
  });
  await page.goto(address);
  await page.locator("svg [data-pointer]").first().waitFor();
  return page;
}

const at = (page, pointer) => page.locator(`svg [data-pointer="${pointer}"]`);
const shape = (page, pointer) => at(page, pointer).locator("> .wf-shape, > .wf-band");
const label = (page, pointer) => at(page, pointer).locator("> .wf-name").first();
const top = async (page, pointer) => (await shape(page, pointer).boundingBox()).y;

export async function panel(browser, work) {
  const folder = path.join(work, "live");
  cpSync("examples/broken", folder, { recursive: true });
  const file = path.join(folder, "order.workflow.json");
  const text = readFileSync(file, "utf8");
  const { server, address } = serve(file);
  try {
    const url = await address;
    await shown(browser, url);
    await followed(browser, url, file, text);
    await played(browser, url);
    await forms(browser, url);
    await states(browser, url, file, text, server);
  } finally {
    server.kill();
  }
}

async function shown(browser, url) {
  await check("panel: findings lead to their activities", async () => {
    const page = await openPanel(browser, url);
    await page.getByRole("button", { name: /^Findings: \d+ error/ }).click();
    const finding = page.locator("[data-finding][data-code=WF101]").first();
    const pointer = await finding.getAttribute("data-finding");
    await finding.click();
    assert.match(await at(page, pointer).getAttribute("class"), /is-chosen/);
    assert.match(await page.locator(".peek").innerText(), /WF101[\s\S]*ESingId/);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("[data-finding]").count(), 0);
    assert.deepEqual(page.noise, []);
    await page.context().close();
  });
  await check("panel: keys go from activity to activity", async () => {
    const page = await openPanel(browser, url);
    await at(page, "/activities/0").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    assert.match(await at(page, "/activities/1").getAttribute("class"), /is-chosen/);
    await page.context().close();
  });
}

/** What changes in the file is drawn, and what the reader did stays. */
async function followed(browser, url, file, text) {
  await check("panel: a change is drawn, position, size, choice and folded Sequences stay", async () => {
    const page = await openPanel(browser, url);
    const sequences = await page.locator("svg .wf-sequence[data-pointer]").evaluateAll((all) => all.map((one) => one.dataset.pointer));
    const [folded] = sequences;
    assert.ok(folded, "the example has a Sequence");
    await page.getByRole("button", { name: "Larger" }).click();
    await label(page, folded).click();
    await page.locator(".peek").getByRole("button", { name: "Fold" }).click();
    const before = await top(page, folded);
    const workflow = JSON.parse(text);
    const inserted = { ...structuredClone(workflow.activities[0]), name: "Inserted before the others" };
    workflow.activities.unshift(inserted);
    writeFileSync(file, JSON.stringify(workflow, null, 2));
    await page.locator("svg", { hasText: "Inserted before the others" }).waitFor();
    const moved = folded.replace(/^\/activities\/(\d+)/, (_, index) => `/activities/${Number(index) + 1}`);
    assert.ok(Math.abs((await top(page, moved)) - before) < 2, "what the reader looks at has not moved");
    assert.match(await at(page, moved).getAttribute("class"), /is-folded/);
    assert.match(await at(page, moved).getAttribute("class"), /is-chosen/);
    assert.equal(await page.getByRole("button", { name: /^Actual size/ }).innerText(), "125%");
    writeFileSync(file, text);
    await page.locator("svg", { hasText: "Inserted before the others" }).waitFor({ state: "detached" }).catch(() => undefined);
    assert.deepEqual(page.noise, []);
    await page.context().close();
  });
}

async function played(browser, url) {
  await check("panel: each end is played to its outcome", async () => {
    const page = await openPanel(browser, url);
    await page.getByRole("button", { name: /^Play/ }).click();
    await page.locator("[data-play][data-outcome]").first().waitFor();
    const ends = await page.locator("[data-play][data-outcome]").evaluateAll((all) => all.map(({ dataset }) => [dataset.play, dataset.outcome]));
    for (const [id, outcome] of ends) {
      await page.locator(`[data-play="${id}"]`).click();
      const player = page.locator("[data-player]");
      await player.locator('[data-action="step"]').click();
      assert.equal(await page.locator("svg.is-played").count(), 1);
      await player.locator('[data-action="end"]').click();
      assert.equal(await player.locator(".now .badge").innerText(), outcome);
      await player.getByRole("button", { name: "Close" }).click();
      assert.equal(await page.locator("svg.is-played").count(), 0);
    }
    assert.deepEqual(page.noise, []);
    await page.context().close();
  });
}

async function forms(browser, url) {
  for (const colorScheme of ["light", "dark"]) {
    await check(`panel: axe-core finds nothing, ${colorScheme}`, async () => {
      const page = await openPanel(browser, url, { colorScheme });
      assert.deepEqual(await violations(page), []);
      await label(page, "/activities/0").click();
      await page.getByRole("button", { name: /^Findings/ }).click();
      assert.deepEqual(await violations(page), []);
      await page.getByRole("button", { name: /^Play/ }).click();
      await page.locator("[data-play]").first().click();
      await page.locator("[data-player]").waitFor();
      assert.deepEqual(await violations(page), []);
      await page.context().close();
    });
  }
  await check("panel: 320 px without horizontal scroll", async () => {
    const page = await openPanel(browser, url, { viewport: { width: 320, height: 640 } });
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    assert.equal(await width(), 320);
    await page.getByRole("button", { name: /^Findings/ }).click();
    assert.equal(await width(), 320);
    assert.ok((await page.locator(".canvas").boundingBox()).height >= 96, "the drawing can be seen");
    await page.context().close();
  });
}

async function states(browser, url, file, text, server) {
  await check("panel: names of a document are not markup", async () => {
    const page = await openPanel(browser, url);
    const name = "</text><script>alert(1)</script><img src=x onerror=alert(1)>";
    writeFileSync(file, text.replace('"Find the manager"', JSON.stringify(name)));
    await page.locator("svg title", { hasText: "</text><script>" }).first().waitFor({ state: "attached" });
    await label(page, "/activities/0").click();
    assert.equal(await page.locator("svg script, svg img, .peek script, .peek img").count(), 0);
    writeFileSync(file, text);
    assert.deepEqual(page.noise, []);
    await page.context().close();
  });
  await check("panel: invalid JSON, no workflow, and a server that has ended are said", async () => {
    const page = await openPanel(browser, url);
    writeFileSync(file, text.slice(0, -20));
    await page.getByText("Invalid JSON").waitFor();
    assert.ok((await page.locator("svg [data-pointer]").count()) > 0, "the last drawing is there");
    writeFileSync(file, '{ "name": "no workflow" }');
    await page.locator(".live.is-old, .live.is-empty").waitFor();
    await page.getByText("Invalid JSON").waitFor({ state: "hidden" });
    assert.notEqual(await page.locator(".live-notice").first().innerText(), "");
    writeFileSync(file, text);
    await page.locator(".live-notice").first().waitFor({ state: "hidden" });
    server.kill();
    await page.getByText("does not answer").waitFor();
    await page.context().close();
  });
}
