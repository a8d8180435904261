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
/** An answer without scripts waits so long for the one with them, if they say more. */
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
  /** Whether it says anything else than the answer before about the same documents. */
  isNew: boolean;
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
  /** Whether the last documents had findings that only their scripts show. */
  private hasMore = false;
  private timer: number | undefined;
  /** What was asked before the page was there. */
  private first: { files: Files; workflow: string; soon: Promise<Output[]> } | undefined;

  /** `module` compiles; the page is the `listener` as soon as it is there. */
  constructor(address: string, module: Promise<WebAssembly.Module>, private listener?: Listener) {
    this.quick = new Machine(address, module, QUICK, QUICK);
    this.quick.prepare();
    this.whole = new Machine(address, module, SCRIPTS, 300);
    this.runs = new Machine(address, module, RUNS, 300);
  }

  /** Asks about documents while the page that shows the answer is built. */
  ahead(files: Files, workflow: string): void {
    const soon = this.quick.run(soonCommands(workflow), files);
    soon.catch(nothing);
    this.first = { files, workflow, soon };
  }

  listen(listener: Listener): void {
    this.listener = listener;
  }

  /** The answer without scripts. */
  private soon(files: Files, workflow: string | undefined): Promise<Output[]> {
    const { first } = this;
    this.first = undefined;
    const isAsked = first && first.workflow === workflow && isSame(first.files, files);
    return isAsked ? first.soon : this.quick.run(soonCommands(workflow), files);
  }

  /** The documents have changed: answers about them come too late. */
  outdate(): void {
    this.version += 1;
  }

  /** Checks documents; `workflow` is drawn. */
  check(files: Files, workflow: string | undefined): void {
    const version = ++this.version;
    const isCurrent = (): boolean => version === this.version;
    const soon = this.soon(files, workflow);
    // The first answer has the processor to itself, unless it waits for the second.
    const begin = this.hasMore ? Promise.resolve() : soon.then(nothing, nothing);
    const whole = begin.then(() => (isCurrent() ? this.withScripts(files, soon, draw(workflow)) : Promise.reject(new Replaced())));
    void this.show(soon, whole, isCurrent);
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void begin.then(() => (isCurrent() ? this.report(files, isCurrent) : undefined)), PAUSE);
  }

  /** The answer with scripts. The drawing is the same if the findings are. */
  private async withScripts(files: Files, soon: Promise<Output[]>, draw: string[][]): Promise<Output[]> {
    const [linted] = await this.whole.run([lint()], files);
    const [plain, drawn] = await soon.catch((): Output[] => []);
    if (!linted) return [];
    if (linted.stdout === plain?.stdout) return drawn ? [linted, drawn] : [linted];
    return [linted, ...(draw.length > 0 ? await this.whole.run(draw, files) : [])];
  }

  /** Shows the answer without scripts, then the one with them. */
  private async show(soon: Promise<Output[]>, whole: Promise<Output[]>, isCurrent: () => boolean): Promise<void> {
    let shown: string | undefined;
    const show = (outputs: Output[], isWhole: boolean, note: string): void => {
      const key = keyOf(outputs) + note;
      if (isCurrent()) this.answered(outputs, isWhole, note, key !== shown);
      shown = key;
    };
    const failed = (error: unknown): void => {
      if (isCurrent() && !(error instanceof Replaced)) this.listener?.failed(reason(error));
    };
    soon.then(async (outputs) => {
      // What only scripts show would go, and come again.
      if (this.hasMore) await pause(SOON - this.quick.took);
      if (shown === undefined) show(outputs, false, "");
    }).catch(failed);
    try {
      show(await whole, true, "");
      this.hasMore = keyOf(await whole) !== keyOf(await soon);
    } catch (error) {
      if (!(error instanceof Late)) failed(error);
      else await soon.then((outputs) => show(outputs, true, LATE), nothing);
    }
  }

  /** Fixes everything, as the command line does; returns the texts. */
  async fixed(files: Files, isUnsafeToo: boolean): Promise<Map<string, string>> {
    const options = ["--fix", ...(isUnsafeToo ? ["--unsafe-fixes"] : []), "--quiet", "."];
    const [output] = await this.whole.run([options], files);
    if (!output || output.code > 1) throw new Error(output ? problemOf(output) : "no answer");
    const changed = Array.from(files).map(([path, text]): [string, string] => [path, output.files[path] ?? text]);
    return new Map(changed);
  }

  private answered([linted, drawn]: Output[], isWhole: boolean, note: string, isNew: boolean): void {
    if (!linted) return;
    try {
      const svg = drawn?.code === 0 ? drawn.stdout : undefined;
      this.listener?.checked({ findings: findings(linted), svg, isWhole, note, isNew });
    } catch (error) {
      this.listener?.failed(reason(error));
    }
  }

  private async report(files: Files, isCurrent: () => boolean): Promise<void> {
    try {
      const [output] = await this.runs.run([command()], files);
      if (output && isCurrent()) this.listener?.reported(new Report(output));
    } catch (error) {
      if (!isCurrent() || error instanceof Replaced) return;
      this.listener?.unreported(error instanceof Late ? "Playing all orders took longer than 20 seconds, and was stopped." : reason(error));
    }
  }
}

const draw = (workflow: string | undefined, ...options: string[]): string[][] =>
  workflow === undefined ? [] : [["graph", ...options, "--format", "svg", "--", workflow]];
const soonCommands = (workflow: string | undefined): string[][] => [lint("--no-scripts"), ...draw(workflow, "--no-scripts")];
const isSame = (one: Files, other: Files): boolean =>
  one.size === other.size && Array.from(one).every(([path, text]) => other.get(path) === text);
const nothing = (): void => undefined;
const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const keyOf = (outputs: readonly Output[]): string => outputs.map((output) => output.stdout).join("\n");
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => window.setTimeout(resolve, milliseconds));
