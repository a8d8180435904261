// What a visitor sees first: a real defect, found, played, mended.
import assert from "node:assert/strict";
import { check } from "../page/browser.mjs";
import { checked, reported, visit } from "./site.mjs";

export async function first(browser, site) {
  await check("the first visit: a defect is found, played and mended", async () => {
    const page = await visit(browser, site.address);
    await page.locator('[data-finding][data-code="WF404"]').waitFor();
    const times = await page.evaluate(() => [performance.now(), performance.getEntriesByType("navigation")[0].loadEventEnd]);
    const [shown, loaded] = times.map((time) => (time / 1000).toFixed(2));
    console.log(`        first findings after ${shown} s; the page was loaded after ${loaded} s`);
    const found = page.locator('[data-story="found"]');
    assert.match(await found.textContent(), /WF404, line \d+/);
    const inView = await found.evaluate((one) => one.getBoundingClientRect().bottom < innerHeight);
    assert.ok(inView, "the finding is seen without scrolling");
    await page.locator("#editor .cm-lintRange-error").first().waitFor();
    await reported(page);
    assert.match(await page.locator('[data-tab="scenarios"]').textContent(), /1 failed/);

    await page.locator('[data-story="play"]').click();
    const player = page.locator("[data-player]");
    await player.locator('button[data-action="end"]').click();
    assert.match(await player.textContent(), /endless/);
    assert.equal(await page.locator('#picture svg [aria-current="step"]').count(), 1);

    const before = await page.locator("#picture svg [data-pointer]").count();
    await page.locator('[data-story="mend"]').click();
    await page.locator('[data-story="play-mended"]').waitFor();
    assert.equal(await page.locator('[data-finding][data-code="WF404"]').count(), 0);
    assert.ok((await page.locator("#picture svg [data-pointer]").count()) > before, "the drawing follows");
    await page.locator('[data-tab="scenarios"] .good').waitFor();
    await page.locator('[data-story="play-mended"]').click();
    await player.locator('button[data-action="end"]').click();
    assert.match(await player.textContent(), /terminated/);

    await page.locator('[data-story="undo"]').click();
    await page.locator('[data-finding][data-code="WF404"]').waitFor();
    assert.deepEqual(page.noise, []);
    await page.context().close();
  });

  await check("findings of the editor: underlined, said on hover, fixed by a key or a button", async () => {
    const page = await visit(browser, site.address);
    await checked(page);
    await page.locator("#editor .cm-lintRange-error").first().hover();
    const tooltip = page.locator("#editor .cm-tooltip-lint");
    await tooltip.waitFor();
    assert.match(await tooltip.textContent(), /never ends/);
    assert.match(await tooltip.locator("a").getAttribute("href"), /^\.\.\/rules\/WF404-[a-z-]+\.html$/);
    await tooltip.locator(".cm-diagnosticAction").first().click();
    await page.locator('[data-finding][data-code="WF404"]').waitFor({ state: "detached" });
    await page.locator("#editor .cm-content").click();
    await page.keyboard.press("ControlOrMeta+z");
    await page.locator('[data-finding][data-code="WF404"]').waitFor();
    assert.deepEqual(page.noise, []);
    await page.context().close();
  });

  await check("cursor and drawing follow each other", async () => {
    const page = await visit(browser, site.address);
    await checked(page);
    await page.locator('[data-finding] button.place').first().click();
    await page.locator("#picture svg .is-here").waitFor();
    await page.locator('#picture svg [data-pointer="/activities/2"]').click();
    const line = page.locator("#editor .cm-activeLine");
    assert.match(await line.textContent(), /Tell the orderer/);
    assert.deepEqual(page.noise, []);
    await page.context().close();
  });

  await check("Try it: the visitor decides, to an end", async () => {
    const page = await visit(browser, site.address);
    await reported(page);
    await page.locator('.below [data-action="try"]').click();
    const world = page.locator("#picture [data-try]");
    await world.locator("button[data-choice]").first().waitFor();
    for (let choices = 0; choices < 20 && (await world.locator("[data-outcome]").count()) === 0; choices += 1) {
      const reject = world.locator('button[data-alternative*="reject"]');
      await ((await reject.count()) > 0 ? reject : world.locator("button[data-choice]")).first().click();
    }
    assert.equal(await world.locator("[data-outcome]").getAttribute("data-outcome"), "endless");
    assert.deepEqual(page.noise, []);
    await page.context().close();
  });
}
