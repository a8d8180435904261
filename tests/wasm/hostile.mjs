// Inputs that ask for too much: each ends, as in the program or with an error, and the next call works.
import path from "node:path";
import { Worker } from "node:worker_threads";
import { check } from "../page/browser.mjs";
import { difference, expected, native, read } from "./cases.mjs";

const WORKFLOW = "order.workflow.json";

/** An example whose only script is another one. */
export function withScript(script) {
  const files = read("examples/sign-json");
  const workflow = JSON.parse(files[WORKFLOW]);
  const replace = (activities) => activities.forEach((activity) => {
    if (activity.type === "Code") activity.script = script;
    replace(activity.activities ?? []);
  });
  replace(workflow.activities);
  return { ...files, [WORKFLOW]: JSON.stringify(workflow) };
}

/** A workflow of so many nested Sequences. */
function nested(levels) {
  let activities = [];
  for (let level = levels; level > 0; level -= 1) activities = [{ name: `Level ${level}`, type: "Sequence", activities }];
  return { [WORKFLOW]: JSON.stringify({ activities, variables: [] }) };
}

function large(bytes) {
  const workflow = JSON.parse(read("examples/sign-upload")[WORKFLOW]);
  const one = workflow.activities;
  while (JSON.stringify(workflow.activities).length < bytes) workflow.activities = [...workflow.activities, ...workflow.activities];
  return { [WORKFLOW]: JSON.stringify({ ...workflow, activities: [...one, ...workflow.activities] }) };
}

const EQUAL = {
  "10,000 brackets": { [WORKFLOW]: `{"activities":${"[".repeat(10_000)}` },
  "10,000 objects": { [WORKFLOW]: '{"activities":'.repeat(10_000) },
  "Sequences nested to the limit": nested(62),
  "Sequences nested beyond it": nested(80),
  "a file of 10 MB": large(10e6),
  "names that are no ASCII": { "ä/ö 😀.workflow.json": '{"activities": [{"type": "Nöne"}]}' },
  "an endless script": withScript("while (true) {}"),
  "a script that calls itself forever": withScript("function again() { return again() + 1 }\nJson = again()"),
  "a regular expression that backtracks": withScript(`Json = String(/^(a+)+$/.test("${"a".repeat(40)}!"))`),
  "a script that takes all memory": withScript("var all = []; while (true) { all.push(new Array(1000).fill(all.length)) }"),
};

/** Ends by itself only after minutes. */
export function silent() {
  return withScript("Json = String(new Array(2 ** 32 - 1).reverse().length)");
}

export async function hostile(folder, wflint, linter) {
  const client = wflint.connect(() => new Worker(path.join(folder, "worker.js")), { deadline: 60_000 });
  for (const [name, files] of Object.entries(EQUAL)) {
    await check(`${name}: as the program`, async () => {
      const wanted = expected("lint", native(["check", "--format", "json", "."], files));
      const unlike = difference(wanted, await client.lint(files));
      if (unlike !== undefined) throw new Error(unlike);
    });
  }
  await check("arguments that are no ASCII", () => {
    const wanted = native(["check", "--format", "json", "ä/😀.json"], {});
    const unlike = difference(wanted, linter.run(["check", "--format", "json", "ä/😀.json"], {}));
    if (unlike !== undefined) throw new Error(unlike);
  });
  for (const [name, script] of Object.entries({
    "a script of nested functions": `Json = (${"a => ".repeat(12_000)}0)`,
    "a script of nested parentheses": `Json = ${"(".repeat(30_000)}0${")".repeat(30_000)}`,
    "a script of nested patterns": `Json = String(/${"(".repeat(20_000)}a${")".repeat(20_000)}/.test("a"))`,
  })) {
    await check(`${name} ends, with a report or the error for it`, async () => {
      const ended = await client.lint(withScript(script)).catch((error) => error);
      if (ended.code > 1 || (ended instanceof Error && ended.reason !== "stack")) throw ended;
      if ((await client.lint(read("examples/sign-json"))).code > 1) throw new Error("the next one fails");
    });
  }
  await check("a script that takes no steps is ended, and the answer without it stays", async () => {
    const answer = await client.lint(silent(), { deadline: 2000 });
    const without = linter.lint(silent(), { scripts: false });
    if (answer.scripts !== "ended" || answer.reason !== "deadline") throw new Error(`${answer.scripts} ${answer.reason}`);
    if (answer.json !== without.json) throw new Error("another answer");
  });
  await check("a canceled call is rejected, and the next one works", async () => {
    const cancel = new AbortController();
    const called = client.simulate(silent(), { signal: cancel.signal });
    setTimeout(() => cancel.abort(), 200);
    const reason = await called.then(() => "none", (error) => error.reason);
    if (reason !== "canceled") throw new Error(reason);
    if ((await client.simulate(read("examples/sign-json"))).code !== 0) throw new Error("the next one fails");
  });
  await check("paths that leave the root are refused", () => {
    for (const name of ["../a.json", "/a.json", "a//b.json", "", "a/./b", "a\0b"]) {
      let refused = false;
      try {
        linter.lint({ [name]: "{}" });
      } catch (error) {
        refused = error instanceof TypeError;
      }
      if (!refused) throw new Error(JSON.stringify(name));
    }
  });
  client.close();
}
