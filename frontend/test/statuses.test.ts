import assert from "node:assert/strict";
import { test } from "node:test";
import { fits, found, ownLetters, type Template } from "../src/statuses";

const status: Template = ["Document status - ", null];

test("a text fits the template that can have shown it", () => {
  for (const text of ["Document status - Sent", "document  STATUS - sent ", "Document status -", "doc", "status - x", "", "  "]) {
    assert(fits(status, [], text), text);
  }
  for (const text of ["Sent", "Document was rejected", "Document status + Sent"]) assert(!fits(status, [], text), text);
});

test("any part of what a template can show fits", () => {
  const ready: Template = ["Mailbox ", null, " is ready"];
  for (const text of ["is ready", "READY", "mailbox", "hr@example.com is", "box hr@example.com is ready", "box"]) {
    assert(fits(ready, [], text), text);
  }
  for (const text of ["created", "is ready now", "is not"]) assert(!fits(ready, [], text), text);
  assert(fits(["The mailbox could not be created"], [], "could not be created"));
  assert(fits(status, ["Document status - Sent"], "Sent") && !fits(status, ["Document status - Sent"], "Signed"));
});

test("gaps are any text, also none, and literal parts go on behind them", () => {
  const template: Template = ["Signed by ", null, " for ", null, "."];
  for (const text of ["signed by anna for bo.", "Signed by for .", "signed by for for for x", "signed by an"]) {
    assert(fits(template, [], text), text);
  }
  assert(!fits(["Signed by ", null, "."], [], "Signed on"));
  assert(!fits(["Done"], [], "Done and more"));
});

test("a template that begins with a gap fits texts that reach its own letters", () => {
  assert(fits([null, " approved"], [], "Anna appr"));
  assert(!fits([null, " approved"], [], "Anna"));
});

test("a template that is only a gap fits the texts that were seen", () => {
  for (const template of [[null], ["", null], [null, " ", null]] as Template[]) {
    assert(fits(template, ["Request: completed"], "request:"));
    assert(!fits(template, ["Request: completed"], "other"));
  }
});

test("a text that a template shows as a whole is no part of others", () => {
  const [flat, sent] = [["Lease of ", null], ["Lease of ", null, " sent to ", null]] as Template[];
  const items = [["Waiting for the manager"], [null, " buys ", null, " from ", null, " for ", null], flat, sent, ["Lease of ", null, ": ", null], [null]].map(
    (template) => ({ template: template as Template, seen: [] as string[] }),
  );
  const templates = (text: string): Template[] => found(items, text).shown.map(({ template }) => template);
  assert.deepEqual(templates("Waiting for the manager"), [["Waiting for the manager"]]);
  assert.deepEqual(templates("Lease of 12: Rejected"), [["Lease of ", null, ": ", null], flat]);
  assert.deepEqual(templates("lease of 12 sent to anna"), [sent, flat]);
  assert.deepEqual(templates("waiting for"), [["Waiting for the manager"], items[1]?.template]);
  assert.equal(found(items, "").shown.length, items.length);
  assert.deepEqual(found([{ template: [null], seen: ["Sent"] }, ...items], "sent").shown.length, 1);
  assert(ownLetters(["Done - ", null], [], "done -") > 0 && ownLetters([null], [], "done") === 0);
});

test("a long text is compared quickly", () => {
  const template: Template = Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? "a" : null));
  const begun = Date.now();
  fits(template, [], "a".repeat(100_000));
  assert(Date.now() - begun < 1000);
});
