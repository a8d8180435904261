import assert from "node:assert/strict";
import { test } from "node:test";

import { findBinary, type Search } from "../src/binary";

/** A search in which these files exist. */
function search(files: string[], changes: Partial<Search> = {}): Search {
  return {
    setting: "",
    folders: ["/srv/orders"],
    trusted: true,
    extension: "/extensions/wflint",
    path: "/usr/local/bin:/usr/bin",
    platform: "linux",
    exists: (file) => files.includes(file),
    real: (file) => file,
    ...changes,
  };
}

const everywhere = [
  "/srv/orders/node_modules/.bin/wflint",
  "/srv/orders/.venv/bin/wflint",
  "/usr/bin/wflint",
  "/extensions/wflint/bin/wflint",
];

test("the setting comes first", () => {
  const found = findBinary(search(everywhere, { setting: "/opt/wflint" }));
  assert.equal(found?.command, "/opt/wflint");
});

test("then the workspace, PATH and the extension", () => {
  const found: (string | undefined)[] = [];
  for (let files = everywhere; files.length > 0; files = files.slice(1)) {
    found.push(findBinary(search(files))?.command);
  }
  assert.deepEqual(found, everywhere);
  assert.equal(findBinary(search([])), undefined);
});

test("an untrusted workspace chooses no program", () => {
  assert.equal(findBinary(search(everywhere, { trusted: false }))?.command, "/usr/bin/wflint");
});

test("neither by a folder in PATH", () => {
  const inside = ["/srv/orders/bin/wflint", "bin/wflint"];
  const path = "/srv/orders/bin:bin:.";
  assert.equal(findBinary(search(inside, { trusted: false, path })), undefined);
  assert.equal(findBinary(search(["bin/wflint"], { path })), undefined);
});

test("nor by a link", () => {
  const real = (file: string) => (file === "/usr/bin/wflint" ? "/srv/orders/tools/wflint" : file);
  assert.equal(findBinary(search(["/usr/bin/wflint"], { trusted: false, real })), undefined);
});

test("a folder beside the workspace is not in it", () => {
  const path = "/srv/orders-tools:/srv/..orders";
  const files = ["/srv/orders-tools/wflint"];
  assert.equal(findBinary(search(files, { trusted: false, path }))?.command, files[0]);
});

test("programs of Windows", () => {
  const windows = { platform: "win32", folders: ["C:\\orders"], path: "C:\\tools;D:\\bin", extension: "C:\\e" } as const;
  assert.equal(findBinary(search(["D:\\bin\\wflint.exe"], windows))?.command, "D:\\bin\\wflint.exe");
  const files = ["C:\\orders\\node_modules\\.bin\\wflint.cmd"];
  assert.equal(findBinary(search(files, windows))?.command, files[0]);
});
