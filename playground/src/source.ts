/** What the picture asks for, answered from what the program said last. */
import type { Play, Position, Range, Source } from "../../frontend/src/panel/source";
import type { Drawing } from "../../frontend/src/drawing";
import { TryIt } from "../../frontend/src/try";
import type { Files } from "./files";
import { Outline, type Span } from "./pointers";
import { Lines } from "./lines";
import type { Finding } from "./program";
import type { Report, Told } from "./report";

/** A drawing with the text that it is of. */
interface Drawn {
  version: number;
  workflow: string;
  svg: string;
  text: string;
}

export class Picture implements Source {
  private drawn: Drawn | undefined;
  private findings: readonly Finding[] = [];
  private isStale = false;
  private report: Report | undefined;
  private version = 0;
  /** Why there is no report. */
  private why = "";
  private begun: () => void = () => undefined;
  /** Until the first answer, there is nothing to say. */
  private readonly first = new Promise<void>((resolve) => (this.begun = resolve));
  private readonly waiting: ((isThere: boolean) => void)[] = [];
  private changed: () => void = () => undefined;
  private moved: (position: Position | undefined) => void = () => undefined;

  constructor(private readonly show: (path: string, from: number, to: number, hasFocus: boolean) => void) {}

  /** Findings of the documents, and the drawing of a workflow; without one, the last is shown as stale. */
  update(workflow: string | undefined, svg: string | undefined, files: Files, findings: readonly Finding[]): void {
    const text = workflow === undefined ? undefined : files.get(workflow);
    if (workflow === undefined || text === undefined) this.drawn = undefined;
    else if (svg !== undefined) this.drawn = { version: ++this.version, workflow, svg, text };
    else if (this.drawn?.workflow !== workflow) this.drawn = undefined;
    this.isStale = svg === undefined;
    if (!this.isStale) this.findings = findings.filter(({ file }) => file === workflow);
    this.begun();
    this.changed();
  }

  /** The documents have changed: their runs are not known yet. */
  outdated(): void {
    this.report = undefined;
    this.why = "";
  }

  reported(report: Report | undefined, why = ""): void {
    [this.report, this.why] = [report, why];
    for (const resolve of this.waiting.splice(0)) resolve(report !== undefined);
  }

  /** The service of the workflow that is drawn. */
  get told(): Told | undefined {
    return this.drawn && this.report?.of(this.drawn.workflow);
  }

  cursor(path: string, offset: number, text: string): void {
    this.moved(path === this.drawn?.workflow ? new Lines(text).cursor(offset) : undefined);
  }

  async drawing(): Promise<unknown> {
    await this.first;
    const { drawn } = this;
    if (!drawn) return null;
    const outline = new Outline(drawn.text);
    const lines = new Lines(drawn.text);
    const range = ({ from, to }: Span): Range => ({ start: lines.cursor(from), end: lines.cursor(to) });
    const pointers = Array.from(drawn.svg.matchAll(/ data-pointer="([^"]*)"/g), ([, pointer]) => unescaped(pointer ?? ""));
    const activities = pointers.map((pointer) => {
      const span = outline.span(pointer);
      return { pointer, name: outline.name(pointer)?.name ?? "", range: span && range(span) };
    });
    const findings = this.findings.map((finding) => ({
      ...finding,
      pointer: activityAround(finding.pointer, pointers),
      range: range({ from: lines.offset(finding.range.start), to: lines.offset(finding.range.end) }),
    }));
    const name = drawn.workflow;
    return { version: drawn.version, name, svg: drawn.svg, activities, findings, stale: this.isStale };
  }

  async plays(): Promise<unknown> {
    const { service } = await this.known();
    const scenarios = service.runs.filter((run) => run.kind === "scenario" && run.outcome !== "refused");
    const ends = service.runs.filter((run) => run.kind === "end");
    return {
      scenarios: scenarios.map(({ id, title }) => ({ id, name: title })),
      ends: ends.map(({ id, title, outcome }) => ({ id, title, outcome })),
    };
  }

  async run(play: Play): Promise<unknown> {
    const { data } = await this.known();
    const id = "scenario" in play ? play.scenario : play.end;
    const service = data as { runs?: { id?: unknown }[] };
    return { ...service, runs: (service.runs ?? []).filter((run) => run.id === id) };
  }

  /** "Try it" on the drawing. */
  async tryIt(drawing: Drawing | undefined, play: (end: string) => void): Promise<HTMLElement> {
    const { service } = await this.known();
    if (!service.try) throw new Error("What can happen in this workflow was not explored.");
    return new TryIt(service, service.try, drawing, { begun: () => undefined, play }).element;
  }

  reveal({ start, end }: Range, hasFocus: boolean): void {
    const { drawn } = this;
    if (!drawn) return;
    const lines = new Lines(drawn.text);
    const range = { from: lines.at(start), to: lines.at(end) };
    const outline = new Outline(drawn.text);
    // Of an activity as a whole, the name: it is what stands on the drawing.
    const { from, to } = (drawn.text[range.from] === "{" && outline.name(outline.at(range.from))) || range;
    this.show(drawn.workflow, from, to, hasFocus);
  }

  onChanged(listener: () => void): void {
    this.changed = listener;
  }

  onCursor(listener: (position: Position | undefined) => void): void {
    this.moved = listener;
  }

  /** What the report says of the workflow, once it is there. */
  async known(): Promise<Told> {
    if (!this.report && this.why === "") await new Promise<boolean>((resolve) => this.waiting.push(resolve));
    const told = this.told;
    if (!told) throw new Error(this.why || "The orders of this workflow could not be played.");
    return told;
  }
}

/** The innermost activity around a place of the document; empty for the workflow itself. */
export function activityAround(pointer: string, activities: readonly string[]): string {
  const around = activities.filter((it) => pointer === it || pointer.startsWith(`${it}/`));
  return around.sort((a, b) => b.length - a.length)[0] ?? "";
}

/** A JSON Pointer from an attribute of the drawing. */
const unescaped = (text: string): string =>
  text.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&quot;/g, '"').replace(/&#39;/g, "'").replace(/&amp;/g, "&");
