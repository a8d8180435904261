import assert from "node:assert/strict";
import { test } from "node:test";
import type { Activity, RunEvent } from "../src/data";
import { clock, endedAt, standing } from "../src/run";

const activities: Activity[] = ["/activities/0", "/activities/0/activities/0", "/activities/1"].map((pointer) => ({
  pointer,
  name: pointer,
  word: "If",
  begun: undefined,
}));

function event(kind: string, more: Partial<RunEvent> = {}): RunEvent {
  return { at: 0, activity: undefined, kind, text: kind, variable: undefined, value: undefined, ...more };
}

test("values are those of the last change, the latest first", () => {
  const set = (variable: string, value: string): RunEvent => event("set", { variable, value });
  const now = standing([set("a", "1"), set("b", "2"), set("a", "3")], 3, activities);
  assert.deepEqual(now.values, [["a", "3"], ["b", "2"]]);
});

test("values from the form are apart until they change", () => {
  const filled = (variable: string): RunEvent => event("filled", { variable, value: "1" });
  const events = [filled("a"), filled("b"), event("set", { variable: "a", value: "2" })];
  assert.deepEqual(standing(events, 2, activities).filled, [["a", "1"], ["b", "1"]]);
  const now = standing(events, 3, activities);
  assert.deepEqual([now.values, now.filled], [[["a", "2"]], [["b", "1"]]]);
});

test("a step counts the events so far", () => {
  const events = [event("published", { value: "one", at: 5 }), event("published", { value: "two", at: 9 })];
  for (const [step, texts] of [[0, []], [1, ["one"]], [2, ["one", "two"]], [9, ["one", "two"]], [-1, []]] as const) {
    assert.deepEqual(standing(events, step, activities).published.map((it) => it.text), texts);
  }
  assert.equal(standing(events, 2, activities).at, 9);
});

test("an order passes what is inside of a condition that does not hold", () => {
  const taken = [event("condition", { activity: 0 }), event("set", { activity: 1 })];
  const passed = [event("condition", { activity: 0 }), event("set", { activity: 2 })];
  assert.deepEqual([...standing(taken, 2, activities).passed], []);
  assert.deepEqual([...standing(passed, 2, activities).passed], [0]);
});

test("a completed order stands nowhere, one that waits where it waits", () => {
  const at = (value: string): number | undefined =>
    standing([event("set", { activity: 2 }), event("ended", { value })], 2, activities).activity;
  assert.equal(at("completed"), undefined);
  assert.equal(at("waits"), 2);
});

test("the clock leaves out units that are zero", () => {
  assert.equal(clock(0), "at the submission");
  assert.equal(clock(300_000), "after 5m");
  assert.equal(clock(604_200_000), "after 6d 23h 50m");
  assert.equal(clock(1_500), "after 1.5s");
  assert.equal(clock(Number.NaN), "at the submission");
});

test("the words of an end say the time of the reader's own run", () => {
  const day = 86_400_000;
  assert.equal(endedAt("terminated after 1s", 2 * day), "terminated after 2d");
  assert.equal(endedAt("stuck after 14d 1h 0.5s: a loop after 2 rounds", day), "stuck after 1d: a loop after 2 rounds");
  assert.equal(endedAt("failed after 0s: `A` failed after 2d", 0), "failed at the submission: `A` failed after 2d");
  for (const text of ["waits forever: ann@example.com never acts", "failed", "never ends", "failed after all: 3d"]) {
    assert.equal(endedAt(text, day), text);
  }
});
