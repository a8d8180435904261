import assert from "node:assert/strict";
import { test } from "node:test";
import { filesProblem, freePath, kindOf, pathProblem, sorted } from "../src/files";
import { nameOf, withLineFeeds } from "../src/open";

test("paths stay in the folder of the documents", () => {
  for (const path of ["order.workflow.json", "sign/order form.json", "ü/order.json"]) assert.equal(pathProblem(path), undefined, path);
  for (const path of ["", "/a", "a/", "a//b", "..", "a/../b", "./a", "a\\b", "C:a", "a\nb", "a\u200bb", "x".repeat(201)]) {
    assert.notEqual(pathProblem(path), undefined, path);
  }
});

test("two files of one path, and a file that is a folder, are refused", () => {
  assert.match(filesProblem([["a", ""], ["a", ""]]) ?? "", /Two files/);
  assert.match(filesProblem([["a/b/c", ""], ["a/b", ""]]) ?? "", /a\/b is a file/);
});

test("a document is known by its name, or by its keys", () => {
  assert.equal(kindOf("x.json", '{ "activities": [] }'), "workflow");
  assert.equal(kindOf("x.json", '{ "fields": [] }'), "form");
  assert.equal(kindOf("order.workflow.json", "{ broken"), "workflow");
  assert.equal(kindOf("sign/wflint.toml", ""), "configuration");
  assert.equal(kindOf("a.scenario.yaml", "activities: 1"), "scenario");
});

test("workflows come first in their folder", () => {
  const paths = ["b/order.workflow.json", "wflint.toml", "a.scenario.yaml", "order.form.json", "order.workflow.json"];
  const files = new Map(paths.map((path) => [path, "{}"]));
  assert.deepEqual(sorted(files), ["order.workflow.json", "order.form.json", "a.scenario.yaml", "wflint.toml", "b/order.workflow.json"]);
});

test("a pasted text gets the name of what it is", () => {
  assert.equal(nameOf('{ "activities": [] }'), "order.workflow.json");
  assert.equal(nameOf("name: x\nexpect:\n  outcome: completed\n"), "pasted.scenario.yaml");
  assert.equal(freePath(new Map([["order.form.json", ""]]), "order.form.json"), "order-2.form.json");
  assert.equal(withLineFeeds("a\r\nb\rc"), "a\nb\nc");
});
