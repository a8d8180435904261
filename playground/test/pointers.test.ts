import assert from "node:assert/strict";
import { test } from "node:test";
import { Outline } from "../src/pointers";
import { activityAround } from "../src/source";
import { Lines } from "../src/lines";
import { changesOf, type Finding } from "../src/program";

const TEXT = `{ "activities": [ { "name": "A" }, { "name": "😀 \\"B\\"", "a/b~": [1, {}] } ] }`;
const outline = new Outline(TEXT);
const at = (pointer: string): string => {
  const span = outline.span(pointer);
  return span ? TEXT.slice(span.from, span.to) : "none";
};

test("a pointer leads to its value, and a place to its pointer", () => {
  assert.equal(at("/activities/0"), '{ "name": "A" }');
  assert.equal(at("/activities/1/a~1b~0/0"), "1");
  assert.equal(at("/activities/2"), "none");
  assert.equal(at(""), TEXT);
  assert.equal(outline.name("/activities/1")?.name, '😀 "B"');
  assert.equal(outline.at(TEXT.indexOf("1, {}")), "/activities/1/a~1b~0/0");
});

test("a broken text still has the places in front of the break", () => {
  const broken = new Outline('{ "activities": [ { "name": "A" }, { "name": "B", ] ');
  assert.equal(broken.name("/activities/0")?.name, "A");
});

test("a finding belongs to the activity around it", () => {
  const pointers = ["/activities/1", "/activities/1/activities/0", "/activities/10"];
  assert.equal(activityAround("/activities/1/activities/0/result", pointers), "/activities/1/activities/0");
  assert.equal(activityAround("/activities/10/name", pointers), "/activities/10");
  assert.equal(activityAround("/variables/0", pointers), "");
});

test("columns count characters, changes count UTF-16 units", () => {
  const lines = new Lines("a\n😀b");
  assert.equal(lines.offset({ line: 2, column: 2 }), 4);
  assert.deepEqual(lines.cursor(4), { line: 1, character: 2 });
  assert.equal(lines.at({ line: 1, character: 2 }), 4);
  assert.deepEqual([lines.offset({ line: 9, column: 1 }), lines.at({ line: 0, character: 99 })], [5, 5]);
  const position = (line: number, column: number): Finding["range"]["start"] => ({ line, column });
  const fix = { applicability: "safe" as const, title: "t", edits: [
    { range: { start: position(2, 2), end: position(2, 3) }, newText: "c" },
    { file: "b", range: { start: position(1, 1), end: position(1, 1) }, newText: "d" },
  ] };
  const finding = { file: "a" } as Finding;
  const changes = changesOf(finding, fix, new Map([["a", "a\n😀b"], ["b", ""]]));
  assert.deepEqual([...changes], [["a", [{ from: 4, to: 5, insert: "c" }]], ["b", [{ from: 0, to: 0, insert: "d" }]]]);
});
