// Form: a keyboard, a screen reader, small screens, light and dark; without a network, and without a server.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { check } from "../page/browser.mjs";
import { checked, choose, folder, reported, serve, visit } from "./site.mjs";

const axe = readFileSync(createRequire(new URL("../page/run.mjs", import.meta.url)).resolve("axe-core/axe.min.js"), "utf8");

async function violations(page) {
  await page.evaluate(axe);
  const result = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return result.violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 200)).join(" | ")}`);
}

const width = (page) => page.evaluate(() => document.documentElement.scrollWidth);

export async function form(browser, site) {
  for (const colorScheme of ["light", "dark"]) {
    await check(`axe-core finds nothing, ${colorScheme}`, async () => {
      const page = await visit(browser, site.address, { colorScheme });
      await reported(page);
      assert.deepEqual(await violations(page), []);
      await page.locator('[data-story="play"]').click();
      await page.locator("[data-player]").waitFor();
      assert.deepEqual(await violations(page), [], "with a run");
      await choose(page, "broken");
      await reported(page);
      await page.locator('[data-tab="scenarios"]').click();
      assert.deepEqual(await violations(page), [], "with many findings");
      await page.locator('[data-action="new"]').click();
      assert.deepEqual(await violations(page), [], "with a dialog");
      await page.context().close();
    });
  }

  await check("320 px without horizontal scroll", async () => {
    const page = await visit(browser, site.address, { viewport: { width: 320, height: 640 } });
    await reported(page);
    assert.equal(await width(page), 320);
    await page.locator('[data-story="play"]').click();
    await page.locator("[data-player]").waitFor();
    assert.equal(await width(page), 320, "with a run");
    for (const { id } of JSON.parse(readFileSync(path.join(folder, "examples.json"), "utf8"))) {
      await choose(page, id);
      await reported(page);
      for (const tab of await page.locator(".below [role=tab]").all()) {
        await tab.click();
        assert.equal(await width(page), 320, `${id}, ${await tab.textContent()}`);
      }
    }
    assert.deepEqual(page.noise, []);
    await page.context().close();
  });

  await check("a keyboard alone: to the defect, its run, its fix, another document", async () => {
    const page = await visit(browser, site.address);
    await reported(page);
    const focus = async (selector) => {
      for (let step = 0; step < 60; step += 1) {
        await page.keyboard.press("Tab");
        if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
      }
      assert.fail(`Tab does not come to ${selector}`);
    };
    await focus('[data-story="play"]');
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.notEqual(outline, "none");
    await page.keyboard.press("Enter");
    await page.locator("[data-player]").waitFor();
    await page.keyboard.press("End");
    assert.match(await page.locator("[data-player]").textContent(), /endless/);
    await page.evaluate(() => document.activeElement.blur());
    await focus(".tabs [role=tab][aria-selected=true]");
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-path")), "order.form.json");
    assert.deepEqual(page.noise, []);
    await page.context().close();
  });

  await check("after one visit, it works without a network", async () => {
    const own = await serve();
    const page = await visit(browser, own.address);
    await checked(page);
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await own.close();
    await page.context().setOffline(true);
    await page.reload();
    await page.locator('[data-finding][data-code="WF404"]').waitFor();
    await page.context().close();
  });

  await check("as one file, it works from the disk, without a request", async () => {
    const page = await visit(browser, `file://${path.join(folder, "wflint-playground.html")}`);
    await page.locator('[data-finding][data-code="WF404"]').waitFor();
    await reported(page);
    const policy = await page.locator("meta[http-equiv=Content-Security-Policy]").getAttribute("content");
    assert.ok(!/unsafe-inline|unsafe-eval'|connect-src|\*/.test(policy.replace("'wasm-unsafe-eval'", "")), policy);
    assert.deepEqual(page.noise, []);
    await page.context().close();
  });
}
