// Tries the launcher of the npm package, `launcher.js NODE_MODULES`: exit codes, streams and signals pass through it, and
// a platform without a package is named.
"use strict";

const assert = require("node:assert");
const { spawn, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const modules = path.resolve(process.argv[2]);
const launcher = path.join(modules, "wflint", "wflint.js");
const [platform] = fs.readdirSync(path.join(modules, "@wflint"));
const program = path.join(modules, "@wflint", platform, "wflint");
const run = (args, options) => spawnSync(process.execPath, [launcher, ...args], { encoding: "utf8", ...options });

// The real program: arguments, standard input and exit codes.
assert.strictEqual(run(["no such path"]).status, 2);
const formatted = run(["-", "--stdin-filename", "a b.json", "--format", "json"], { input: "{" });
assert.strictEqual(formatted.status, 1);
assert.strictEqual(JSON.parse(formatted.stdout).diagnostics[0].file, "a b.json");

// A program in its place: the launcher ends as it does.
fs.renameSync(program, `${program}.real`);
const replace = (script) => fs.writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
replace("exit 77");
assert.strictEqual(run([]).status, 77);
replace("kill -KILL $$");
assert.strictEqual(run([]).signal, "SIGKILL");
replace("kill -TERM $$");
assert.strictEqual(run([]).signal, "SIGTERM");

async function passes(signal, ending) {
  replace(`trap 'echo got; exit 5' ${signal}\necho ready\nwhile :; do sleep 0.05; done`);
  const child = spawn(process.execPath, [launcher], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  for await (const chunk of child.stdout) {
    output += chunk;
    if (output === "ready\n") child.kill(`SIG${signal}`);
  }
  assert.strictEqual(output, "ready\ngot\n");
  if (child.exitCode === null) await new Promise((resolve) => child.on("exit", resolve));
  assert.strictEqual(child.exitCode, ending);
}

(async () => {
  for (const signal of ["INT", "TERM", "HUP"]) await passes(signal, 5);
  fs.renameSync(`${program}.real`, program);

  // Platforms without a package, and a package that was left out.
  const pretend = (code) => run(["--version"], { env: { ...process.env, NODE_OPTIONS: `--require ${code}` } });
  const other = path.join(modules, "other.js");
  fs.writeFileSync(other, 'Object.defineProperty(process, "arch", { value: "riscv64" });');
  const unknown = pretend(other);
  assert.strictEqual(unknown.status, 2);
  assert.match(unknown.stderr, /^wflint: no package for linux-riscv64; `cargo install/);
  fs.writeFileSync(other, 'Object.defineProperty(process, "platform", { value: "win32" });');
  const left = pretend(other);
  assert.strictEqual(left.status, 2);
  assert.match(left.stderr, /^wflint: the package @wflint\/win32-\w+ is not installed; install wflint on this platform/);
  fs.rmSync(other);
  console.log("the launcher passes arguments, streams, exit codes and signals on");
})();
