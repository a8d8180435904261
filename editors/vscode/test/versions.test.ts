import assert from "node:assert/strict";
import { test } from "node:test";

import { versionNote } from "../src/versions";

test("versions that fit together need no word", () => {
  assert.equal(versionNote("0.1.7", "0.1.0"), undefined);
  assert.equal(versionNote("1.9.0", "1.2.3"), undefined);
});

test("others are named", () => {
  assert.match(versionNote("0.1.0", "0.2.0") ?? "", /^wflint 0\.1\.0 is older .* Update wflint/);
  assert.match(versionNote("1.0.0", "0.9.0") ?? "", /^wflint 1\.0\.0 is newer .* Update the extension/);
  assert.match(versionNote(undefined, "0.9.0") ?? "", /does not say its version/);
});
