// The commands as functions: each is a command line.
import { run } from "./system.js";
import type { Answer, DrawOptions, Drawing, Files, Fixed, Options, Output, RunOptions, Wflint } from "./types.js";

/** The arguments for paths, which are never taken for options. */
function paths(given: readonly string[] | undefined): string[] {
  return ["--", ...(given ?? ["."])];
}

function lintArguments(options: Options): string[] {
  const args = ["--format", "json"];
  for (const rule of options.select ?? []) args.push(`--select=${rule}`);
  for (const rule of options.ignore ?? []) args.push(`--ignore=${rule}`);
  if (options.unsafeFixes === true) args.push("--unsafe-fixes");
  if (options.scripts === false) args.push("--no-scripts");
  if (options.isolated === true) args.push("--isolated");
  return [...args, ...(options.args ?? []), ...paths(options.paths)];
}

function runArguments(options: RunOptions): string[] {
  const isolated = options.isolated === true ? ["--isolated"] : [];
  return ["--format", "json", ...isolated, ...(options.args ?? []), ...paths(options.paths)];
}

function drawArguments(file: string, options: DrawOptions): string[] {
  const args = ["--format", options.format ?? "svg"];
  if (options.activity !== undefined) args.push(`--activity=${options.activity}`);
  if (options.scripts === false) args.push("--no-scripts");
  if (options.isolated === true) args.push("--isolated");
  return [...args, ...(options.args ?? []), ...paths([file])];
}

function answer(output: Output): Answer {
  return { code: output.code, json: output.stdout, stderr: output.stderr };
}

/** The commands of a compiled module. */
export function commands(module: WebAssembly.Module): Wflint {
  const command = (args: readonly string[], files: Files, stdin = ""): Output => run(module, args, files, stdin);
  return {
    lint: (files, options = {}): Answer => answer(command(["check", ...lintArguments(options)], files)),
    fix(files, options = {}): Fixed {
      const output = command(["check", "--fix", ...lintArguments(options)], files);
      return { ...answer(output), files: output.files };
    },
    simulate: (files, options = {}): Answer => answer(command(["simulate", ...runArguments(options)], files)),
    explore: (files, options = {}): Answer => answer(command(["explore", ...runArguments(options)], files)),
    draw(file, files, options = {}): Drawing {
      const { code, stdout, stderr } = command(["graph", ...drawArguments(file, options)], files);
      return { code, text: stdout, stderr };
    },
    run: command,
  };
}
