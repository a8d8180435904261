// What the interface takes and gives.

/**
 * Texts of files by their paths. A path is relative to the root, with `/` between its parts, and without `.` and `..`:
 * `wflint.toml`, `sign/order.workflow.json`.
 */
export type Files = Record<string, string>;

/** Options of a lint, named as those of the command line. */
export interface Options {
  /** Rules, groups or presets that are selected, instead of those of the configuration. */
  select?: readonly string[];
  /** Rules or groups that are left out. */
  ignore?: readonly string[];
  /** Whether fixes are applied, too, that may change what a workflow does. */
  unsafeFixes?: boolean;
  /** Whether scripts of the documents, and rules of your own, are run; `true` by default. */
  scripts?: boolean;
  /** Whether all configuration files are ignored. */
  isolated?: boolean;
  /** Files and folders to lint; all files by default. */
  paths?: readonly string[];
  /** Further arguments, as on the command line. */
  args?: readonly string[];
}

/** Options of simulating and exploring. */
export interface RunOptions {
  /** Whether all configuration files are ignored. */
  isolated?: boolean;
  /** Files and folders; all files by default. */
  paths?: readonly string[];
  /** Further arguments, as on the command line. */
  args?: readonly string[];
}

/** Options of a drawing. */
export interface DrawOptions {
  /** `svg` by default. */
  format?: "svg" | "mermaid" | "dot" | "text";
  /** Draw only this activity, given by its name or JSON Pointer. */
  activity?: string;
  /** Whether scripts are run to find what the drawing shows; `true` by default. */
  scripts?: boolean;
  /** Whether all configuration files are ignored. */
  isolated?: boolean;
  /** Further arguments, as on the command line. */
  args?: readonly string[];
}

/**
 * How a run ended: 0 without findings at or above `fail-on`, 1 with such findings or failed scenarios, 2 when it could
 * not do what was asked; then `stderr` says why.
 */
export type ExitCode = 0 | 1 | 2;

/** A report. */
export interface Answer {
  code: ExitCode;
  /** What the command line prints with `--format json`, byte for byte; empty if `code` is 2. */
  json: string;
  /** Notes and errors, a line each. */
  stderr: string;
}

/** A report about what is left, with the files that were changed. */
export interface Fixed extends Answer {
  files: Files;
}

/** A drawing. */
export interface Drawing {
  code: ExitCode;
  text: string;
  stderr: string;
}

/** What a command wrote. */
export interface Output {
  code: ExitCode;
  stdout: string;
  stderr: string;
  /** Files that are new or changed. A file that was deleted is missing from them, too. */
  files: Files;
}

/** wflint, which keeps nothing between calls. Each throws a {@link WflintError} when it does not come to its end. */
export interface Wflint {
  /** As `wflint --format json`. */
  lint(files: Files, options?: Options): Answer;
  /** As `wflint --fix --format json`. */
  fix(files: Files, options?: Options): Fixed;
  /** As `wflint --simulate --format json`. */
  simulate(files: Files, options?: RunOptions): Answer;
  /** As `wflint explore --format json`. */
  explore(files: Files, options?: RunOptions): Answer;
  /** As `wflint graph --format svg FILE`. */
  draw(file: string, files: Files, options?: DrawOptions): Drawing;
  /** Any command, as on the command line, but for those that need processes or a network. `stdin` is its standard input. */
  run(args: readonly string[], files: Files, stdin?: string): Output;
}

/** Why a run did not come to its end. */
export type Reason =
  /** Documents or scripts are nested too deep for the stack of the thread. */
  | "stack"
  /** There is not enough memory. */
  | "memory"
  /** An error of the program. */
  | "fault"
  /** It took longer than its deadline. Only from a {@link Client}. */
  | "deadline"
  /** It was canceled. Only from a {@link Client}. */
  | "canceled";

export class WflintError extends Error {
  override readonly name = "WflintError";

  constructor(
    readonly reason: Reason,
    message: string,
  ) {
    super(message);
  }
}
