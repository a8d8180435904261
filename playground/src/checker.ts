/**
 * Asks the program about the documents, as they are typed. Three workers: one lints without scripts and draws, so that what it
 * says is there at once; one runs the scripts, too; one plays all orders. Scripts that do not end cost only theirs.
 */
import type { Files } from "./files";
import { Late, Machine, type Output, Replaced } from "./machine";
import { type Finding, findings, lint, problemOf } from "./program";
import { command, Report } from "./report";

/** How long a worker may take, in milliseconds. */
const QUICK = 20_000;
const SCRIPTS = 5_000;
const RUNS = 20_000;
/** What is not ready by then is shown without scripts, for the time being. */
const SOON = 70;
/** A pause in typing, after which orders are played. */
const PAUSE = 250;

export interface Checked {
  findings: Finding[];
  /** The drawing of the workflow in front; undefined if it cannot be drawn. */
  svg: string | undefined;
  /** Whether the scripts were run, or are not going to be. */
  isWhole: boolean;
  /** What is missing, in words. */
  note: string;
}

export interface Listener {
  checked: (checked: Checked) => void;
  /** The program cannot answer. */
  failed: (problem: string) => void;
  reported: (report: Report) => void;
  /** There is no report, or it is not current. */
  unreported: (why: string) => void;
}

const LATE = "The scripts of these documents did not end within 5 seconds and were stopped: what only their runs show is missing.";

export class Checker {
  private readonly quick: Machine;
  private readonly whole: Machine;
  private readonly runs: Machine;
  private version = 0;
  private timer: number | undefined;

  constructor(
    address: string,
    module: Promise<WebAssembly.Module>,
    private readonly listener: Listener,
  ) {
    this.quick = new Machine(address, module, QUICK, QUICK);
    this.whole = new Machine(address, module, SCRIPTS, 300);
    this.runs = new Machine(address, module, RUNS, 300);
  }

  /** How long the last lint took, in milliseconds. */
  get took(): number {
    return this.quick.took;
  }

  /** The documents have changed: answers about them come too late. */
  outdate(): void {
    this.version += 1;
  }

  /** Checks documents; `workflow` is drawn. */
  check(files: Files, workflow: string | undefined): void {
    const isFirst = this.version <= 1;
    const version = ++this.version;
    const draw = workflow === undefined ? [] : [["graph", workflow, "--format", "svg"]];
    const isCurrent = (): boolean => version === this.version;
    let isAnswered = false;
    const answer = (outputs: Output[], isWhole: boolean, note: string): void => {
      if (!isCurrent() || isAnswered) return;
      isAnswered = isWhole;
      this.answered(outputs, isWhole, note);
    };
    let soon: Output[] | undefined;
    let isLate = false;
    const shown = (): void => {
      if (soon && isCurrent()) answer(soon, isLate, isLate ? LATE : "");
    };
    this.quick.run([lint("--no-scripts"), ...draw], files).then((outputs) => {
      soon = outputs;
      window.setTimeout(shown, isLate ? 0 : Math.max(0, SOON - this.quick.took));
    }, this.failure(isCurrent));
    this.whole.run([lint(), ...draw], files).then(
      (outputs) => answer(outputs, true, ""),
      (error: unknown) => {
        if (!(error instanceof Late)) return this.failure(isCurrent)(error);
        isLate = true;
        shown();
      },
    );
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.report(files, isCurrent), isFirst ? 0 : PAUSE);
  }

  /** Fixes everything, as the command line does; returns the texts. */
  async fixed(files: Files, isUnsafeToo: boolean): Promise<Map<string, string>> {
    const options = ["--fix", ...(isUnsafeToo ? ["--unsafe-fixes"] : []), "--quiet", "."];
    const [output] = await this.whole.run([options], files);
    if (!output || output.code > 1) throw new Error(output ? problemOf(output) : "no answer");
    const changed = Array.from(files).map(([path, text]): [string, string] => [path, output.files[path] ?? text]);
    return new Map(changed);
  }

  private answered([linted, drawn]: Output[], isWhole: boolean, note: string): void {
    if (!linted) return;
    try {
      const svg = drawn?.code === 0 ? drawn.stdout : undefined;
      this.listener.checked({ findings: findings(linted), svg, isWhole, note });
    } catch (error) {
      this.listener.failed(error instanceof Error ? error.message : String(error));
    }
  }

  private report(files: Files, isCurrent: () => boolean): void {
    this.runs.run([command()], files).then(
      ([output]) => {
        if (!output || !isCurrent()) return;
        try {
          this.listener.reported(new Report(output));
        } catch (error) {
          this.listener.unreported(error instanceof Error ? error.message : String(error));
        }
      },
      (error: unknown) => {
        if (!isCurrent() || error instanceof Replaced) return;
        const why = error instanceof Late ? "Playing all orders took longer than 20 seconds, and was stopped." : String(error);
        this.listener.unreported(why);
      },
    );
  }

  private failure(isCurrent: () => boolean): (error: unknown) => void {
    return (error) => {
      if (isCurrent() && !(error instanceof Replaced)) this.listener.failed(error instanceof Error ? error.message : String(error));
    };
  }
}
