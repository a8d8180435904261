// What is run: the documents of the examples and corpora, each with the commands of the package, and what the program answers.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const program = path.resolve(process.env.WFLINT ?? "target/debug/wflint");

/** The texts below a folder. Those in other encodings than UTF-8 cannot be given to the package. */
export function read(folder) {
  const files = {};
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const entry of names) {
    const file = path.join(entry.parentPath, entry.name);
    try {
      files[path.relative(folder, file)] = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
    } catch {}
  }
  return files;
}

/** Runs the program on files, in a folder of the name that the package gives to its own. */
export function native(args, files) {
  const work = mkdtempSync(path.join(tmpdir(), "wflint-wasm-"));
  try {
    const folder = path.join(work, "project");
    mkdirSync(folder);
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    const ran = spawnSync(program, args, { cwd: folder, env: {}, input: "", encoding: "utf8", maxBuffer: 1 << 29 });
    const after = read(folder);
    const isChanged = ([name, text]) => files[name] !== text;
    const changed = Object.fromEntries(Object.entries(after).filter(isChanged));
    return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr, files: changed };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The functions of the package with the command lines that they stand for. */
export function calls(files) {
  const report = ["--format", "json"];
  const named = [
    ["lint", [files], ["check", ...report, "."]],
    ["lint", [files, { select: ["strict"], ignore: ["WF1"], scripts: false }],
      ["check", ...report, "--select", "strict", "--ignore", "WF1", "--no-scripts", "."]],
    ["fix", [files, { unsafeFixes: true }], ["check", "--fix", "--unsafe-fixes", ...report, "."]],
    ["simulate", [files], ["simulate", ...report, "."]],
    ["explore", [files], ["explore", ...report, "."]],
  ];
  for (const file of Object.keys(files).filter((name) => name.endsWith(".json") && !name.includes(".scenario."))) {
    named.push(["draw", [file, files], ["graph", "--format", "svg", file]]);
  }
  return named;
}

/** The folders that are run. */
export function folders(isShort) {
  const below = (folder) => readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory()).map((entry) => path.join(folder, entry.name));
  if (isShort) return ["examples/sign-upload", "examples/broken"];
  return ["examples", ...below("tests/corpus").flatMap(below), ...below("tests/explore")];
}

/** The part of an answer that a function of the package gives. */
export function expected(method, ran) {
  const { code, stdout, stderr, files } = ran;
  if (method === "draw") return { code, text: stdout, stderr };
  if (method === "fix") return { code, json: stdout, stderr, files };
  return method === "run" ? ran : { code, json: stdout, stderr };
}

/** Where two answers differ, in words; `undefined` if they are equal. */
export function difference(wanted, got) {
  const [a, b] = [sorted(wanted), sorted(got)];
  if (a === b) return undefined;
  let at = 0;
  while (a[at] === b[at]) at += 1;
  const around = (text) => text.slice(Math.max(0, at - 80), at + 160);
  return `the program: …${around(a)}…\n        the package: …${around(b)}…`;
}

function sorted(answer) {
  const { code, stderr, files = {} } = answer;
  return JSON.stringify([code, answer.json ?? answer.text ?? answer.stdout, stderr, Object.entries(files).sort()]);
}
