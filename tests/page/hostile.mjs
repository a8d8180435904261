// What no text of a document may do, and how large a page may be.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { check, open } from "./browser.mjs";
import { report } from "./wflint.mjs";

const MARKUP = `</script></style></textarea><img src=x onerror="alert(1)"><svg onload=alert(2)>`;
const BIDI = "\u202egnp.exe\u2066 \u0007\u200b";
const LONG = "x".repeat(10_000);

/** Replaces the texts of a document that people read, wherever they are. */
function poison(value, key = "") {
  if (Array.isArray(value)) return value.map((one) => poison(one, key));
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, poison(one, name)]));
  }
  if (typeof value !== "string" || value === "") return value;
  if (key === "en-US" || key === "description") return `${MARKUP}${BIDI}${value}`;
  if (key === "name" && / /.test(value)) return `${value}${MARKUP}${BIDI}`;
  return value;
}

export async function hostile(browser, work) {
  const folder = path.join(work, "hostile", `a"><b onclick=x>`);
  mkdirSync(path.dirname(folder), { recursive: true });
  cpSync("examples/sign-upload", folder, { recursive: true });
  for (const name of ["order.workflow.json", "order.form.json"]) {
    const file = path.join(folder, name);
    const text = JSON.stringify(poison(JSON.parse(readFileSync(file, "utf8"))), null, 2);
    writeFileSync(file, text.replace("Document was rejected", `${LONG}${"{{ESignStatus}}"}</script>`));
  }
  const output = path.join(work, "hostile.html");
  await check("nothing that a document contains runs", async () => {
    report(output, path.dirname(folder), "--title", MARKUP);
    const page = await open(browser, output, { viewport: { width: 320, height: 640 }, reducedMotion: "reduce" });
    for (const button of await page.locator("[data-play]").all()) await button.click();
    for (const choice of await page.locator("[data-try] button[data-choice]").all()) await choice.click({ timeout: 2000 }).catch(() => {});
    assert.deepEqual(page.noise, []);
    assert.equal(await page.locator("img, [onerror], [onload], [onclick], b[onclick]").count(), 0);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    assert.equal(await page.title(), await page.locator("h1").textContent());
    await page.context().close();
  });
  await check("the policy forbids everything but the page's own style and script", async () => {
    const html = readFileSync(output, "utf8");
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? "";
    for (const part of ["default-src 'none'", "base-uri 'none'", "form-action 'none'"]) assert.ok(policy.includes(part), part);
    assert.ok(!/unsafe|\*/.test(policy), policy);
    const turning = /.{0,80}[\u202a-\u202e\u2066-\u2069\u0007].{0,20}/.exec(html);
    assert.equal(turning, null, `characters that hide or turn text: ${JSON.stringify(turning?.[0])}`);
  });
}

/** A workflow with so many activities, in Ifs and a loop. */
function large(count) {
  const workflow = JSON.parse(readFileSync("examples/sign-upload/order.workflow.json", "utf8"));
  const status = workflow.activities.find((one) => one.type === "Status");
  for (let index = 0; workflow.activities.length < count; index += 1) {
    workflow.activities.push({ ...structuredClone(status), id: 10_000 + index, name: `${status.name} ${index}` });
  }
  return workflow;
}

/** A workflow that asks for signatures again and again, with so many activities: each request can end the order. */
function repeated(count) {
  const workflow = JSON.parse(readFileSync("examples/sign-upload/order.workflow.json", "utf8"));
  const block = workflow.activities;
  const renamed = (activities, number) =>
    activities.map((one) => ({
      ...one,
      name: `${one.name} ${number}`,
      id: one.id + 10_000 * number,
      activities: renamed(one.activities ?? [], number),
    }));
  for (let number = 1; number * 13 < count; number += 1) workflow.activities = [...workflow.activities, ...renamed(block, number)];
  return workflow;
}

export async function sizes(browser, work, page) {
  const kilobytes = (file) => statSync(file).size / 1024;
  await check("one service has under 300 KB", async () => {
    for (const name of ["approval", "mailbox", "sign-upload", "sign-json", "sign-directory", "sign-local-file"]) {
      const output = report(path.join(work, `${name}.html`), `examples/${name}`);
      assert.ok(kilobytes(output) < 300, `${name}: ${kilobytes(output)} KB`);
      console.log(`        ${name}: ${kilobytes(output).toFixed(0)} KB`);
    }
  });
  await check("ten services have under 1 MB", async () => {
    const folder = path.join(work, "ten");
    for (const copy of ["one", "two"]) {
      cpSync("examples", path.join(folder, copy), { recursive: true });
    }
    const output = report(path.join(work, "ten.html"), folder);
    const services = (readFileSync(output, "utf8").match(/<section[^>]* data-service=/g) ?? []).length;
    assert.ok(services >= 10, `${services} services`);
    assert.ok((kilobytes(output) * 10) / services < 1024, `${services} services: ${kilobytes(output)} KB`);
    console.log(`        ${services} services: ${kilobytes(output).toFixed(0)} KB`);
  });
  await check("a service of 1,000 activities opens", async () => {
    const folder = path.join(work, "large");
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, "order.workflow.json"), JSON.stringify(large(1000)));
    cpSync("examples/sign-upload/order.form.json", path.join(folder, "order.form.json"));
    const output = report(path.join(work, "large.html"), folder);
    const opened = await open(browser, output);
    const milliseconds = await opened.evaluate(() => performance.getEntriesByType("navigation")[0].loadEventEnd);
    console.log(`        ${kilobytes(output).toFixed(0)} KB, loaded in ${milliseconds.toFixed(0)} ms`);
    assert.ok((await opened.locator("svg [data-pointer]").count()) >= 1000);
    // Nothing is laid out for paper before it is printed.
    assert.equal(await opened.locator(".paper-only").count(), 0);
    await opened.emulateMedia({ media: "print" });
    await opened.locator(".paper-only svg use").first().waitFor({ state: "attached" });
    assert.deepEqual(opened.noise, []);
    await opened.context().close();
    const still = await open(browser, output, { javaScriptEnabled: false });
    await still.emulateMedia({ media: "print" });
    assert.ok((await still.locator(".paper-only svg").count()) > 10, "printed without a script, too");
    await still.context().close();
  });
  await check("runs that share what happens are told once", async () => {
    const folder = path.join(work, "repeated");
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, "order.workflow.json"), JSON.stringify(repeated(130)));
    cpSync("examples/sign-upload/order.form.json", path.join(folder, "order.form.json"));
    const output = report(path.join(work, "repeated.html"), folder);
    const json = /id="wflint-data">(.*?)<\/script>/s.exec(readFileSync(output, "utf8"))[1];
    const [{ runs, events }] = JSON.parse(json).services;
    const happened = runs.flatMap((run) => run.events).reduce((sum, [, , count]) => sum + count, 0);
    console.log(`        ${runs.length} runs, ${happened} events, ${events.length} of them different, ${(json.length / 1024).toFixed(0)} KB`);
    assert.ok(runs.length >= 40 && json.length < happened * 20, `${json.length} bytes for ${happened} events`);
    const opened = await open(browser, output, { reducedMotion: "reduce" });
    await opened.locator("[data-end] [data-play]").nth(40).click();
    await opened.locator('[data-player] button[data-action="end"]').click();
    const [ended] = await opened.locator("[data-player] [data-clock]").allTextContents();
    assert.match(ended, /^after /);
    assert.deepEqual(opened.noise, []);
    await opened.context().close();
  });
}
