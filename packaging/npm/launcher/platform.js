"use strict";

// The names of platforms are the keys of `platforms.json`.
const platforms = require("./platforms.json");

/** Whether the C library of this system is musl. */
function isMusl() {
  if (process.platform !== "linux") return false;
  // Without it, the report waits for the names of open connections.
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime === undefined;
}

/** The name of this platform, or `undefined` where no package of it exists. */
function thisPlatform() {
  const name = `${process.platform}-${process.arch}${isMusl() ? "-musl" : ""}`;
  return Object.hasOwn(platforms, name) ? name : undefined;
}

const packageOf = (platform) => `@wflint/${platform}`;
const programOf = (platform) => (platform.startsWith("win32") ? "wflint.exe" : "wflint");

module.exports = { platforms, thisPlatform, packageOf, programOf };
