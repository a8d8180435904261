// Form: complete without JavaScript, readable at 320 px, on paper, in light and dark, with a keyboard and a screen reader.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { check, open } from "./browser.mjs";

const axe = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

export async function violations(page) {
  // The page's policy forbids other scripts, so this one is evaluated by the browser's debugger.
  await page.evaluate(axe);
  const result = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return result.violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
}

export async function form(browser, file, services) {
  for (const colorScheme of ["light", "dark"]) {
    await check(`axe-core finds nothing, ${colorScheme}`, async () => {
      const page = await open(browser, file, { colorScheme, reducedMotion: "reduce" });
      await page.locator("[data-end] [data-play]").first().click();
      assert.deepEqual(await violations(page), []);
      assert.deepEqual(page.noise, []);
      await page.context().close();
    });
  }
  await check("320 px without horizontal scroll", async () => {
    const page = await open(browser, file, { viewport: { width: 320, height: 640 } });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    await page.locator("[data-end] [data-play]").first().click();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    await page.context().close();
  });
  await check("complete without JavaScript", async () => {
    const page = await open(browser, file, { javaScriptEnabled: false });
    for (const name of services) {
      const section = page.locator(`section[data-service="${name}"]`);
      for (const part of ["[data-end]", "[data-status]", "[data-law]", "[data-variable]", "svg [data-pointer]"]) {
        assert.ok((await section.locator(part).count()) > 0, `${name}: ${part}`);
      }
    }
    assert.equal(await page.locator("button:visible, input:visible").count(), 0, "controls that do nothing");
    assert.deepEqual(page.noise, []);
    await page.context().close();
  });
  await check("prints", async () => {
    const page = await open(browser, file);
    const pdf = await page.pdf({ format: "A4" });
    const pages = pdf.toString("latin1").match(/\/Type\s*\/Page[^s]/g) ?? [];
    assert.ok(pages.length >= services.length, `${pages.length} pages`);
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator(".canvas:visible").count(), 0, "a drawing that pages would cut");
    const strips = page.locator(".paper-only svg");
    const drawn = await strips.evaluateAll((all) => all.map((one) => [one.getBoundingClientRect().height, one.children.length]));
    assert.ok(drawn.length > services.length && drawn.every(([height, parts]) => height > 0 && height < 1000 && parts > 0), String(drawn));
    assert.equal(await page.locator(":not(th) > button:visible, input:visible").count(), 0, "controls on paper");
    await page.context().close();
  });
  await check("reduced motion opens a run without starting it", async () => {
    const page = await open(browser, file, { reducedMotion: "reduce" });
    const end = page.locator("[data-end]").first();
    await end.locator("[data-play]").click();
    const seek = page.locator('[data-player] input[data-action="seek"]').first();
    assert.equal(await seek.inputValue(), await seek.getAttribute("min"));
    await page.context().close();
  });
  await check("the fragment opens a run at a step, and holds no value", async () => {
    const page = await open(browser, file, { reducedMotion: "reduce" });
    await page.locator("[data-end] [data-play]").first().click();
    await page.locator('[data-player] button[data-action="step"]').first().click();
    const { hash } = new URL(page.url());
    assert.match(hash, /^#[^/]+(\/[^/]+)?\/end-1\/\d+$/);
    const other = await open(browser, file, { reducedMotion: "reduce" }, hash);
    const value = (one) => one.locator('[data-player] input[data-action="seek"]').first().inputValue();
    assert.equal(await value(other), await value(page));
    await page.context().close();
    await other.context().close();
  });
  await check("keys: everything that can be clicked has the focus in turn, and it is visible", async () => {
    const page = await open(browser, file);
    for (let step = 0; step < 12; step += 1) await page.keyboard.press("Tab");
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.notEqual(outline, "none");
    await page.context().close();
  });
}
