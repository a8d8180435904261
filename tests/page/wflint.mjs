// Runs wflint, whose answers the page must agree with.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

export const program = path.resolve(process.env.WFLINT ?? "target/debug/wflint");

/** Standard output; findings (exit code 1) are no failure. */
export function wflint(...args) {
  return wflintIn(".", ...args);
}

export function wflintIn(cwd, ...args) {
  try {
    return execFileSync(program, args, { cwd, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    if (error.status === 1) return error.stdout;
    throw new Error(`wflint ${args.join(" ")}: ${error.status}\n${error.stderr}`);
  }
}

export function report(output, ...args) {
  wflint("report", ...args, "--output", output);
  return output;
}

/** The ends of each workflow below a folder, by file. */
export function explore(folder) {
  const services = JSON.parse(wflint("explore", folder, "--format", "json")).services;
  return new Map(services.map((service) => [service.file, service.ends]));
}

/** Simulates the scenario of each end of a workflow, with the real documents beside it. */
export function simulateEnds(work, workflow, ends) {
  const folder = path.join(work, "ends", path.basename(path.dirname(workflow)));
  mkdirSync(path.dirname(folder), { recursive: true });
  execFileSync("cp", ["-r", path.dirname(workflow), folder]);
  execFileSync("cp", ["examples/people.ldif", path.dirname(folder)]);
  execFileSync("find", [folder, "-name", "*.scenario.*", "-delete"]);
  ends.forEach((end, index) => {
    const name = `end-${String(index + 1).padStart(3, "0")}.scenario.json`;
    writeFileSync(path.join(folder, name), JSON.stringify(end.scenario));
  });
  return JSON.parse(wflint("--simulate", folder, "--format", "json")).scenarios;
}
