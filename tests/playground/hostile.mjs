// What no document and no address may do.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { deflateRawSync } from "node:zlib";
import { check } from "../page/browser.mjs";
import { checked, choose, folder, replaceText, reported, until, visit } from "./site.mjs";

const MARKUP = `</script></style></textarea><img src=x onerror="alert(1)"><svg onload=alert(2)>`;
const BIDI = "\u202egnp.exe\u2066 \u0007\u200b שלום";
const LONG = "x".repeat(10_000);

const example = (id) => JSON.parse(readFileSync(path.join(folder, "examples.json"), "utf8")).find((one) => one.id === id).files;
const fragment = (value) => `#v1.${deflateRawSync(JSON.stringify(value), { level: 9 }).toString("base64url")}`;

/** Replaces the texts that people read. */
function poison(value, key = "") {
  if (Array.isArray(value)) return value.map((one) => poison(one, key));
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, poison(one, name)]));
  }
  if (typeof value !== "string" || value === "") return value;
  return key === "en-US" || (key === "name" && / /.test(value)) ? `${value}${MARKUP}${BIDI}` : value;
}

export async function hostile(browser, site) {
  await check("nothing that a document contains runs, at 320 px", async () => {
    const files = example("rejected");
    for (const name of ["order.workflow.json", "order.form.json"]) {
      files[name] = JSON.stringify(poison(JSON.parse(files[name])), null, 2).replace("The contract is signed", `${LONG}{ESignStatus}`);
    }
    files[`${MARKUP.replace(/[\\/:*?"<>|]/g, "")} ش.scenario.yaml`] = `name: ${JSON.stringify(MARKUP)}\n`;
    const address = site.address + fragment({ files, active: "order.workflow.json" });
    const page = await visit(browser, address, { viewport: { width: 320, height: 640 } });
    await reported(page);
    for (const tab of await page.locator(".tabs [role=tab], .below [role=tab]").all()) await tab.click();
    for (const play of await page.locator("[data-below=ends] [data-play]").all()) {
      await page.locator('[data-tab="ends"]').click();
      await play.click();
    }
    await page.locator('.below [data-action="try"]').click();
    await page.locator("[data-choice]").first().click();
    const found = await page.evaluate(() => {
      const roots = [document, document.querySelector("#editor").shadowRoot];
      const foreign = ":is(main, .cm-editor) :is(img:not(.cm-widgetBuffer), script, iframe, [onerror], [onload])";
      return roots.flatMap((root) => [...root.querySelectorAll(foreign)]).map((one) => one.outerHTML.slice(0, 200));
    });
    assert.deepEqual(found, []);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    assert.deepEqual(page.noise, []);
    await page.context().close();
  });

  await check("an address shares documents, after a question", async () => {
    const page = await visit(browser, site.address);
    await checked(page);
    await replaceText(page, '{ "activities": [], "variables": [], "note": "שלום 😀" }');
    await page.locator("#share").click();
    await page.locator('dialog [data-answer="Cancel"]').click();
    assert.equal(new URL(page.url()).hash, "", "not before the answer");
    await page.locator("#share").click();
    await page.locator('dialog [data-answer="Make the address"]').click();
    await until(page, () => location.hash.startsWith("#v1."));
    const other = await visit(browser, page.url());
    await checked(other);
    assert.match(await other.locator("#editor .cm-content").textContent(), /שלום 😀/);
    assert.equal(await other.locator(".tabs [role=tab]").count(), await page.locator(".tabs [role=tab]").count());
    assert.deepEqual([...page.noise, ...other.noise], []);
    await page.context().close();
    await other.context().close();
  });

  await check("a hostile address is refused in words, and the page stays", async () => {
    const bomb = fragment({ files: { "a.json": "0".repeat(20_000_000) } });
    const outside = fragment({ files: { "../a": "" } });
    for (const hash of ["#v1.", "#v1.%", "#v1.AAAA", bomb, outside, fragment([]), `#v1.${"A".repeat(70_000)}`]) {
      const page = await visit(browser, site.address + hash);
      await page.locator("dialog h2").waitFor();
      assert.match(await page.locator("dialog h2").textContent(), /cannot be opened/, hash.slice(0, 40));
      await page.locator("dialog button").click();
      await page.locator('[data-finding][data-code="WF404"]').waitFor();
      assert.deepEqual(page.noise, []);
      await page.context().close();
    }
  });

  await check("a script that nothing interrupts is ended, and findings are there without it", async () => {
    const page = await visit(browser, site.address);
    await choose(page, "sign-json");
    const text = example("sign-json")["order.workflow.json"];
    const value = JSON.parse(text);
    const visited = (activities) => activities.some((one) => {
      if (one.type !== "Code") return visited(one.activities ?? []);
      const key = Object.keys(one).find((name) => /script|code/i.test(name) && typeof one[name] === "string");
      one[key] = `new Array(2 ** 32 - 1).reverse(); ${one[key]}`;
      return true;
    });
    assert.ok(visited(value.activities));
    await replaceText(page, JSON.stringify(value, null, 2));
    await page.locator(".findings p:not([hidden])", { hasText: "were stopped" }).waitFor({ timeout: 30_000 });
    // The page answers meanwhile, and afterwards.
    await replaceText(page, text);
    await checked(page);
    assert.equal(await page.locator(".findings p:not([hidden])").count(), 0);
    assert.deepEqual(page.noise, []);
    await page.context().close();
  });

  await check("documents are pasted, dropped, made, renamed and deleted, and sent nowhere", async () => {
    const page = await visit(browser, site.address);
    await reported(page);
    const asked = site.requests.length;
    const files = example("broken");
    await page.evaluate((text) => {
      const data = new DataTransfer();
      data.setData("text/plain", text);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }, files["order.workflow.json"]);
    await page.locator('[data-finding][data-code="WF101"]').waitFor();
    const paths = await page.locator(".tabs [role=tab]").evaluateAll((all) => all.map((one) => one.dataset.path));
    assert.deepEqual(paths, ["order.workflow.json"]);
    const buffer = Buffer.from(files["order.form.json"]);
    await page.locator("#files").setInputFiles([{ name: "order.form.json", mimeType: "application/json", buffer }]);
    await page.locator('.tabs [data-path="order.form.json"]').waitFor();
    await page.locator('[data-action="new"]').click();
    await page.locator("dialog input").fill("../x");
    await page.locator("dialog .primary").click();
    await page.locator("dialog .problem:not(:empty)").waitFor();
    await page.locator("dialog input").fill("wflint.toml");
    await page.keyboard.press("Enter");
    await page.locator('.tabs [data-path="wflint.toml"][aria-selected=true]').waitFor();
    await page.keyboard.type('ignore = ["WF101"]');
    await page.locator('[data-finding][data-code="WF101"]').waitFor({ state: "detached" });
    await page.locator('[data-action="delete"]').click();
    await page.locator('dialog [data-answer="Delete"]').click();
    await page.locator('[data-finding][data-code="WF101"]').waitFor();
    assert.deepEqual(site.requests.slice(asked).filter((one) => !one.startsWith("GET ")), []);
    assert.deepEqual(page.noise, []);
    await page.context().close();
  });
}
