import assert from "node:assert/strict";
import { test } from "node:test";
import { fragment, parsePlace } from "../src/address";
import { parseData, type Service } from "../src/data";
import { mapPath } from "../src/folding";
import { compare, sortKey } from "../src/overview";

const run = { id: "end-1", kind: "end", title: "t", outcome: "completed", events: [[0, 0, 1], [5, 0, 1]] };
const services: Service[] = parseData(
  JSON.stringify({ services: ["a", "a/b", "a b%", "end-1"].map((id) => ({ id, texts: ["t"], events: [["ended", 0]], runs: [run] })) }),
);

test("a place survives the address", () => {
  for (const { id: service } of services) {
    for (const step of [0, 2]) {
      const place = { service, run: "end-1", step };
      assert.deepEqual(parsePlace(fragment(place), services), place);
    }
    assert.deepEqual(parsePlace(fragment({ service, run: undefined, step: 0 }), services)?.service, service);
  }
});

test("an address that names nothing opens nothing", () => {
  for (const text of ["", "#", "#other", "#a-ends", "#%", "#%E0%A4%A", "#/", "#a//ends", "#a/end-9/1", "#a/end-1/x"]) assert.equal(parsePlace(text, services), undefined);
  assert.equal(parsePlace("#a/end-1/999", services)?.step, 2);
});

test("damaged data are left out, the rest stays", () => {
  for (const json of ["", "null", "[]", "{", '{"services": 5}', '{"services": [null, {"id": 5}]}']) {
    assert.deepEqual(parseData(json), []);
  }
  const [service] = parseData('{"services": [{"id": "s", "activities": [null, {"pointer": 1}], "runs": [5, {"id": "r"}], "try": []}]}');
  assert.equal(service?.activities.length, 2);
  assert.deepEqual([service?.runs, service?.try], [[], undefined]);
});

test("events of a step happen at once, and have the texts of the table", () => {
  const json = {
    id: "s",
    texts: ["sets a", "a", "1", "ended"],
    events: [["set", 0, 7, 1, 2], ["asked", 3], ["ended", 3, null, null, 2]],
    runs: [{ id: "r", events: [[10, 0, 2], [5, 2, 1], [1, 9, 3], [1, "x"]] }],
  };
  const [run] = parseData(JSON.stringify({ services: [json] }))[0]?.runs ?? [];
  assert.deepEqual(run?.events, [
    { at: 10, activity: 7, kind: "set", text: "sets a", variable: "a", value: "1" },
    { at: 10, activity: undefined, kind: "asked", text: "ended", variable: undefined, value: undefined },
    { at: 15, activity: undefined, kind: "ended", text: "ended", variable: undefined, value: "1" },
  ]);
});

test("columns are sorted by number, percentage or word", () => {
  assert.equal(sortKey(undefined, " 89.5%"), 89.5);
  assert.equal(sortKey(undefined, "6 ways"), 6);
  assert.equal(sortKey("3", "none"), 3);
  assert.equal(sortKey(undefined, " Approval "), "approval");
  const keys = ["b", 10, "a", 9].sort(compare);
  assert.deepEqual(keys, [9, 10, "a", "b"]);
});

test("a path moves from a height on", () => {
  const to = (y: number, x?: number): number => (y >= 100 && x !== 7 ? y - 50 : y);
  assert.equal(mapPath("M132 59H200V956H0V972", to), "M132 59H200V906H0V922");
  assert.equal(mapPath("M-4 -8h8l-4 8z", to), "M-4 -8h8l-4 8z");
  assert.equal(mapPath("M7 100V200L0 300z", to), "M7 100V150L0 250z");
});
