#!/usr/bin/env node
"use strict";

// Runs the program of this platform's package, with the same streams, exit code and signals.

const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const { thisPlatform, packageOf, programOf } = require("./platform.js");

/** Exit code of wflint when it cannot do what was asked. */
const FAILURE = 2;

function fail(message) {
  console.error(`wflint: ${message}`);
  process.exit(FAILURE);
}

function findProgram() {
  const platform = thisPlatform();
  if (platform === undefined) {
    fail(`no package for ${process.platform}-${process.arch}; \`cargo install wflint\` builds it from source`);
  }
  try {
    return require.resolve(`${packageOf(platform)}/${programOf(platform)}`);
  } catch {
    fail(`the package ${packageOf(platform)} is not installed; install wflint on this platform, without \`--omit=optional\``);
  }
}

const program = findProgram();

// Handlers are set before the program starts: a signal without one would end this process alone.
// A console of Windows sends Ctrl-C to both, and `kill` there would end the child at once.
const passed = process.platform === "win32" ? [] : ["SIGTERM", "SIGHUP", "SIGQUIT"];
for (const signal of passed) process.on(signal, () => child.kill(signal));
// A terminal sends it to both; from elsewhere it comes here alone. A second one is harmless.
process.on("SIGINT", () => process.platform === "win32" || child.kill("SIGINT"));

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => fail(`cannot run its program: ${error.message}`));
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  // Ends as the child did, so that a shell sees the signal.
  for (const name of passed.concat("SIGINT")) process.removeAllListeners(name);
  process.kill(process.pid, signal);
  // Only when the signal does not end this process.
  setTimeout(() => process.exit(128 + constants.signals[signal]), 1000);
});
