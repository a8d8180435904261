import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import type { Results } from "../src/results";
import { runCommand, showsTimeline } from "../src/runs";
import { user } from "./vscode";

const URI = "file:///orders/new%20order.workflow.json";

const shown: string[][] = [];
const results = { show: (title: string, text: string) => Promise.resolve(shown.push([title, text])) } as unknown as Results;

function sender(answer: () => Promise<unknown>, sent: unknown[] = []) {
  return { sendRequest: (...request: unknown[]) => { sent.push(request); return answer(); } };
}

beforeEach(() => {
  shown.length = 0;
  Object.assign(user, { cancels: false, titles: [], errors: [] });
});

test("timelines are shown under the name of their document", async () => {
  const sent: unknown[] = [];
  await runCommand(sender(() => Promise.resolve("timeline"), sent), results, "wflint.run", URI);
  await runCommand(sender(() => Promise.resolve("ends")), results, "wflint.explore", URI);
  assert.deepEqual(shown, [["new order.workflow.json: runs.txt", "timeline"], ["new order.workflow.json: ends.txt", "ends"]]);
  assert.deepEqual(user.titles, ["wflint: running scenarios", "wflint: exploring"]);
  const [method, parameters, token] = sent[0] as [string, unknown, { isCancellationRequested: boolean }];
  assert.equal(method, "workspace/executeCommand");
  assert.deepEqual(parameters, { command: "wflint.run", arguments: [URI, { showMessage: false }] });
  assert.equal(token.isCancellationRequested, false);
});

test("the reason of a failure is shown, unless the user has canceled", async () => {
  const fails = () => Promise.reject(new Error("no scenario of order.workflow.json found"));
  await runCommand(sender(fails), results, "wflint.run", URI);
  assert.deepEqual(user.errors, ["no scenario of order.workflow.json found"]);
  user.cancels = true;
  await runCommand(sender(fails), results, "wflint.run", URI);
  assert.equal(user.errors.length, 1);
  await runCommand(sender(() => Promise.resolve("late")), results, "wflint.run", URI);
  assert.deepEqual(shown, []);
});

test("other commands are left to the client", async () => {
  assert.equal(showsTimeline("wflint.explain"), false);
  assert.equal(showsTimeline("wflint.run"), true);
  await runCommand(sender(() => Promise.resolve("page")), results, "wflint.explain", URI);
  assert.deepEqual(user.titles, []);
});
