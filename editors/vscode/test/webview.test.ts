import assert from "node:assert/strict";
import { test } from "node:test";

import { html, parseMessage } from "../src/webview";

const parts = {
  script: "https://files/dist/panel.js",
  style: "https://files/dist/panel.css",
  source: "https://files",
  nonce: "bm9uY2U=",
  document: "file:///orders/a.json",
};

test("the document allows its script and its style, and nothing else", () => {
  const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(html(parts)) ?? [];
  assert.equal(
    policy,
    "default-src 'none'; style-src https://files; script-src 'nonce-bm9uY2U='; base-uri 'none'; form-action 'none'",
  );
  assert.equal(html(parts).match(/<script/g)?.length, 1);
});

test("the name of a document is not markup", () => {
  const page = html({ ...parts, document: 'file:///"><script>a&b' });
  assert.ok(page.includes('data-document="file:///&quot;&gt;&lt;script&gt;a&amp;b"'));
});

test("the panel asks what it may ask, and nothing else is sent along", () => {
  assert.deepEqual(parseMessage({ method: "drawing", id: 1 }), { kind: "ask", id: 1, method: "wflint/drawing", parameters: {} });
  const run = parseMessage({ method: "run", id: 2, scenario: "one", end: 5, textDocument: { uri: "file:///other" } });
  assert.deepEqual(run, { kind: "ask", id: 2, method: "wflint/run", parameters: { scenario: "one" } });
  for (const other of [null, 5, {}, { method: "shutdown", id: 1 }, { method: "constructor", id: 1 }, { method: "drawing" }]) {
    assert.equal(parseMessage(other), undefined);
  }
});

test("a place to reveal is one in a text", () => {
  const [start, end] = [{ line: 1, character: 2 }, { line: 3, character: 4 }];
  const reveal = (range: unknown) => parseMessage({ method: "reveal", range, hasFocus: true });
  assert.deepEqual(reveal({ start, end }), { kind: "reveal", start, end, hasFocus: true });
  for (const range of [undefined, {}, { start }, { start, end: { line: -1, character: 0 } }, { start, end: { line: 0.5, character: 0 } }]) {
    assert.equal(reveal(range), undefined);
  }
});
