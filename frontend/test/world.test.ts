import assert from "node:assert/strict";
import { test } from "node:test";
import { parseData, type Try } from "../src/data";
import { merge, World } from "../src/world";

/** A document is signed, rejected, or nobody acts: every five minutes the order looks again. */
const data: Try = parse({
  start: { to: 0, elapsed: 0, events: [[0, 0, 1]] },
  states: [
    { moves: [{ to: 1, elapsed: 1000, events: [] }] },
    {
      question: "Who acts?",
      moves: [
        { choice: "signs", end: 0, elapsed: 0, events: [], scenario: { acts: [1] } },
        { choice: "rejects", to: 2, elapsed: 0, events: [[500, 1, 1]], scenario: { acts: [2], form: { a: 1 } } },
        { choice: "nobody acts", to: 0, elapsed: 0, events: [] },
        { choice: "is not kept", elapsed: 0, events: [] },
      ],
    },
    { question: "Again?", moves: [{ choice: "yes", to: 1, elapsed: 0, events: [], scenario: { acts: [3] } }] },
  ],
  ends: [
    { outcome: "completed", run: "end-1" },
    { outcome: "waits", run: "end-2", status: "Sent" },
    { outcome: "waits", run: "end-3", status: "Rejected" },
    { outcome: "endless", run: "end-4", status: "Rejected" },
  ],
  cycles: [
    { end: 1, states: [0, 1] },
    { end: 3, states: [0, 1, 2] },
    { end: 2, states: [0, 1] },
  ],
  complete: false,
  scenario: { form: { b: 2 }, acts: [] },
});

function parse(value: unknown): Try {
  const texts = ["Sent", "Rejected"];
  const events = texts.map((_, index) => ["published", index, null, null, index]);
  const found = parseData(JSON.stringify({ services: [{ id: "s", texts, events, try: value }] }))[0]?.try;
  assert(found);
  return found;
}

function choose(world: World, choice: string): void {
  const move = world.situation().state?.moves.find((it) => it.choice === choice);
  assert(move, choice);
  world.choose(move);
}

function after(...choices: string[]): ReturnType<World["situation"]> {
  const world = new World(data);
  choices.forEach((choice) => choose(world, choice));
  return world.situation();
}

test("moves without a choice follow by themselves", () => {
  const now = after();
  assert.equal(now.state?.question, "Who acts?");
  assert.deepEqual(now.events.map((event) => [event.at, event.value]), [[0, "Sent"]]);
});

test("events keep the time since the submission", () => {
  assert.deepEqual(after("rejects").events.map((event) => event.at), [0, 1500]);
  assert.equal(after("is not kept").at, 1000);
});

test("choices add to the scenario", () => {
  assert.deepEqual(after("rejects", "yes").scenario, { form: { b: 2, a: 1 }, acts: [2, 3] });
  assert.deepEqual(data.scenario, { form: { b: 2 }, acts: [] });
});

test("a cycle ends the order as its set says: by the text that it shows, then by size", () => {
  assert.equal(after("nobody acts").end?.run, "end-2");
  assert.equal(after("rejects", "yes").end?.run, "end-4");
});

test("undo and restart take choices back", () => {
  const world = new World(data);
  choose(world, "rejects");
  choose(world, "yes");
  world.undo();
  assert.equal(world.situation().state?.question, "Again?");
  world.restart();
  assert.deepEqual(world.situation(), after());
  world.undo();
  assert.deepEqual(world.situation(), after());
});

test("what is not kept is neither a state nor an end", () => {
  const now = after("is not kept");
  assert.equal(now.state, undefined);
  assert.equal(now.end, undefined);
});

test("a cycle that no set names and nobody leaves stops", () => {
  const endless = parse({ start: { to: 0 }, states: [{ moves: [{ to: 0 }] }] });
  assert.equal(new World(endless).situation().end, undefined);
});

test("a name of a scenario is a name, whatever it is", () => {
  const merged = merge({}, JSON.parse('{"__proto__": {"a": 1}}'));
  assert.equal(Object.getPrototypeOf(merged), Object.prototype);
  assert.equal(({} as Record<string, unknown>)["a"], undefined);
});
