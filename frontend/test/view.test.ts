import assert from "node:assert/strict";
import { test } from "node:test";
import { isOnePage } from "../src/view";

test("a drawing is printed on one page while it can be read there", () => {
  assert.equal(isOnePage(400, 900), true);
  assert.equal(isOnePage(400, 1_800), true);
  assert.equal(isOnePage(400, 1_900), false);
  // No page makes a wide drawing wider than itself.
  assert.equal(isOnePage(3_000, 900), true);
  assert.equal(isOnePage(3_000, 9_000), false);
});
