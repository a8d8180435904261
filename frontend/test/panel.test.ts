import assert from "node:assert/strict";
import { test } from "node:test";
import { locator } from "../src/panel/locate";
import { activityAt, parsePicture, parsePlays, type PicturedActivity } from "../src/panel/source";
import { isAllowedAttribute, isAllowedElement, takeStyle } from "../src/panel/svg";

const titles = (...names: string[]): Map<string, string> => new Map(names.map((name, at) => [`/activities/${at}`, name]));

test("an activity is found where it has moved to", () => {
  const find = locator(titles("Status: a", "Status: b", "Status: b"), titles("If: new", "Status: a", "Status: b", "Status: b"));
  assert.equal(find("/activities/0"), "/activities/1");
  assert.equal(find("/activities/2"), "/activities/2");
});

test("an activity that is called otherwise is at its place, and one that is gone nowhere", () => {
  const find = locator(titles("Status: a", "Status: b", "Status: c"), titles("Status: a", "Status: new"));
  assert.deepEqual(["/activities/1", "/activities/2", "/other"].map(find), ["/activities/1", undefined, undefined]);
});

test("of equal activities, the nearest is meant", () => {
  const find = locator(titles("If: x", "Status: a", "Status: y"), titles("Status: a", "If: x", "If: z", "Status: a", "Status: y"));
  assert.equal(find("/activities/1"), "/activities/0");
  assert.equal(find("/activities/2"), "/activities/4");
});

const picture = {
  version: 3,
  name: "order.workflow.json",
  svg: "<svg/>",
  activities: [{ pointer: "/activities/0", name: "a", range: { start: { line: 1, character: 2 }, end: { line: 3, character: 4 } } }],
  findings: [{ pointer: "", code: "WF101", severity: "error", message: "m", range: null }],
  stale: false,
};

test("an answer is read, and what is damaged in it is left out", () => {
  const read = parsePicture({ ...picture, activities: [...picture.activities, 5, null], findings: "none" });
  assert.deepEqual(read?.activities, picture.activities);
  assert.deepEqual(read?.findings, []);
  assert.equal(parsePicture(picture)?.findings[0]?.range, undefined);
  for (const none of [null, undefined, 5, [], { version: 1 }]) assert.equal(parsePicture(none), undefined);
  assert.deepEqual(parsePlays(null), { scenarios: [], ends: [] });
  assert.deepEqual(parsePlays({ ends: [{ id: "end-1" }] }).ends, [{ id: "end-1", title: "", outcome: "" }]);
});

test("the cursor is in the innermost activity around it", () => {
  const range = (from: number, to: number): PicturedActivity["range"] => ({ start: { line: from, character: 4 }, end: { line: to, character: 5 } });
  const activities = [
    { pointer: "/activities/0", name: "outer", range: range(1, 9) },
    { pointer: "/activities/0/activities/0", name: "inner", range: range(3, 5) },
    { pointer: "/activities/1", name: "unplaced", range: undefined },
  ];
  const at = (line: number, character: number): string | undefined => activityAt(activities, { line, character });
  assert.deepEqual([at(2, 0), at(4, 0), at(5, 5)], ["/activities/0", "/activities/0/activities/0", "/activities/0/activities/0"]);
  assert.deepEqual([at(1, 3), at(9, 6), at(0, 0)], [undefined, undefined, undefined]);
});

test("a drawing brings no script, no foreign element and no address", () => {
  const svg = "http://www.w3.org/2000/svg";
  assert.ok(["g", "path", "text"].every((name) => isAllowedElement(svg, name)));
  assert.ok(["script", "style", "foreignObject", "a", "use", "image", "animate", "set"].every((name) => !isAllowedElement(svg, name)));
  assert.ok(!isAllowedElement("http://www.w3.org/1999/xhtml", "text"));
  const refused = [["onload", "x"], ["onClick", "x"], ["style", "x"], ["href", "https://x"], ["xlink:href", "javascript:x"], ["fill", "url(https://x)"], ["d", " javascript:x"]];
  assert.ok(refused.every(([name = "", value = ""]) => !isAllowedAttribute(name, value)));
  const kept = [["href", "#a"], ["fill", "url(#a)"], ["class", "wf-if"], ["data-pointer", "/activities/0"], ["aria-labelledby", "a b"]];
  assert.ok(kept.every(([name = "", value = ""]) => isAllowedAttribute(name, value)));
});

test("the style of a drawing is taken from it, a text about styles is not", () => {
  assert.deepEqual(takeStyle("<svg><style>.wf{}</style><text>&lt;style>a&lt;/style></text></svg>"), [
    "<svg><text>&lt;style>a&lt;/style></text></svg>",
    ".wf{}",
  ]);
});
