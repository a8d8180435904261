import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { test } from "node:test";
import { fromFragment, isShared, MAX_FRAGMENT, toFragment } from "../src/share";

const packed = (text: string): string => `#v1.${deflateRawSync(text).toString("base64url")}`;

test("documents come back from an address as they were", async () => {
  const files = new Map([["sign/order.workflow.json", '{ "activities": [] }\n'], ["sign/überall.form.json", "ش\u0000😀"]]);
  const fragment = await toFragment({ files, active: "sign/überall.form.json" });
  assert.ok(fragment !== undefined && isShared(fragment));
  assert.match(fragment, /^#v1\.[A-Za-z0-9_-]+$/);
  assert.deepEqual(await fromFragment(fragment), { files, active: "sign/überall.form.json" });
});

test("what is too long for an address is not put into one", async () => {
  const noise = Array.from({ length: 3_000 }, (_, at) => createHash("sha256").update(String(at)).digest("hex")).join("");
  const fragment = await toFragment({ files: new Map([["a.json", noise]]), active: "a.json" });
  assert.ok(fragment === undefined, `${fragment?.length} characters`);
});

test("an unknown document in front gives way to the first", async () => {
  assert.equal((await fromFragment(packed('{"files":{"a.json":"{}"},"active":"../b"}'))).active, "a.json");
});

test("what anybody can write into an address is refused in words", async () => {
  const refused: [string, RegExp][] = [
    ["#v1.", /damaged/],
    ["#v1.%00%00", /damaged/],
    ["#v1.AAAA", /damaged/],
    [`#v1.${"A".repeat(MAX_FRAGMENT)}`, /too long/],
    [packed("[]"), /damaged/],
    [packed('{"files":{}}'), /damaged/],
    [packed('{"files":{"a.json":1}}'), /damaged/],
    [packed('{"files":{"../a.json":""}}'), /relative/],
    [packed('{"files":{"/etc/passwd":""}}'), /relative/],
    [packed('{"files":{"a\\u202egpj.json":""}}'), /cannot be seen/],
    [packed('{"files":{"a":"","a/b":""}}'), /folder/],
    [packed(JSON.stringify({ files: Object.fromEntries(Array.from({ length: 301 }, (_, at) => [`${at}.json`, ""])) })), /At most 300/],
  ];
  for (const [fragment, why] of refused) await assert.rejects(fromFragment(fragment), why, fragment.slice(0, 80));
});

test("a small address that holds a lot is left while it is unpacked", async () => {
  const bomb = packed(`{"files":{"a.json":"${"0".repeat(30_000_000)}"}}`);
  assert.ok(bomb.length < MAX_FRAGMENT, `${bomb.length}`);
  await assert.rejects(fromFragment(bomb), /more than 2 million bytes/);
});

test("a name of the language's own is a name like any other", async () => {
  const { files } = await fromFragment(packed('{"files":{"__proto__":"x","constructor":"y"}}'));
  assert.deepEqual([...files], [["__proto__", "x"], ["constructor", "y"]]);
});
