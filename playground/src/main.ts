/** The page: the documents, what is said of them, and what the visitor does with them. */
import type { Run, Service } from "../../frontend/src/data";
import { make, one } from "../../frontend/src/dom";
import { panel, type PanelHandle } from "../../frontend/src/panel/panel";
import { Below } from "./below";
import type { Checked, Checker } from "./checker";
import { tell } from "./dialogs";
import { Documents, save } from "./documents";
import { Editor } from "./editor";
import type { Example } from "./examples";
import { type Files, kindOf, sorted } from "./files";
import { Lines } from "./lines";
import { List } from "./list";
import { changesOf, type Finding, type Fix } from "./program";
import { type Report, runAt } from "./report";
import { diagnostics } from "./said";
import { fromFragment, isShared } from "./share";
import { Picture } from "./source";
import { Story } from "./story";
import { Tabs } from "./tabs";

/** A pause in typing, after which documents are checked, in milliseconds. */
const PAUSE = 15;

const place = (id: string): HTMLElement => document.getElementById(id) ?? document.body.appendChild(make("div", { id }));

export class Playground {
  private readonly editor: Editor;
  private readonly documents: Documents;
  private readonly tabs: Tabs;
  private readonly list: List;
  private readonly story: Story;
  private readonly below: Below;
  private readonly picture: Picture;
  private readonly panel: PanelHandle;
  private findings: readonly Finding[] = [];
  /** Whether the findings are those of these documents, with all that their scripts show. */
  private isWhole = false;
  private report: Report | undefined;
  /** The workflow that is drawn: the one in front, or the last that was. */
  private workflow: string | undefined;
  private example: Example | undefined;
  /** The finding of the example's story is shown once, when it is there. */
  private isNew = false;
  /** The texts before and after the last fix. */
  private fixed: { before: Files; after: Files } | undefined;
  private timer: number | undefined;

  constructor(
    private readonly examples: readonly Example[],
    private readonly checker: Checker,
  ) {
    const own = { reveal: (finding: Finding) => this.reveal(finding), apply: (finding: Finding, fix: Fix) => this.apply(finding, fix) };
    this.editor = new Editor(place("editor"), (path) => this.underlined(path), {
      changed: () => this.changed(),
      moved: (path, offset) => this.picture.cursor(path, offset, this.editor.texts().get(path) ?? ""),
    });
    this.documents = new Documents(this.editor, {
      load: (files, active, said) => this.load(files, active, said),
      open: (path) => this.open(path),
      say: (text) => this.say(text),
      changed: () => this.changed(),
    });
    this.tabs = new Tabs({
      open: (path) => this.open(path),
      create: () => void this.documents.create(),
      rename: () => void this.documents.rename(),
      remove: () => void this.documents.remove(),
    });
    this.list = new List({ ...own, play: (finding) => this.playing(finding), fixAll: (isUnsafeToo) => void this.fixAll(isUnsafeToo) });
    this.story = new Story({
      ...own,
      play: (finding) => void this.playSoon((service) => runAt(service, finding.pointer)),
      playMended: () => void this.playSoon(({ runs }) => runs.find((run) => run.kind === "end" && run.outcome === "terminated")),
      restore: () => this.restore(),
      next: () => this.next(),
    });
    this.picture = new Picture((path, from, to, hasFocus) => this.editor.reveal(path, from, to, hasFocus));
    this.below = new Below({
      play: (run) => this.play(run),
      reveal: (pointer) => this.onPicture(() => this.panel.choose(pointer)),
      tryIt: () => this.onPicture(() => this.panel.tryIt()),
      save: () => this.report && save("report.html", this.report.html, "text/html"),
    });
    place("tabs").replaceWith(this.tabs.element);
    place("findings").replaceWith(this.list.element);
    place("story").replaceWith(this.story.element);
    place("below").replaceWith(this.below.element);
    this.panel = panel(place("picture"), this.picture, (drawing, play) => this.picture.tryIt(drawing, play));
    this.checker.listen({
      checked: (checked) => this.checked(checked),
      failed: (problem) => this.failed(problem),
      reported: (report) => this.reported(report, ""),
      unreported: (why) => this.reported(undefined, why),
    });
    this.controls();
  }

  async begin(): Promise<void> {
    if (!isShared(location.hash)) return this.show(this.examples[0]);
    try {
      const { files, active } = await fromFragment(location.hash);
      this.load(files, active, "These documents came with the address that you opened.");
    } catch (error) {
      this.show(this.examples[0]);
      void tell("This address cannot be opened", make("p", {}, error instanceof Error ? error.message : String(error)));
    }
  }

  private show(example: Example | undefined): void {
    if (!example) return;
    this.example = example;
    this.isNew = example.finding !== undefined;
    this.documents.isOwn = false;
    const choice = one<HTMLSelectElement>(document, "#example");
    if (choice) choice.value = example.id;
    this.story.begin(example);
    this.editor.load(new Map(Object.entries(example.files)), example.open);
    this.say("");
  }

  /** Documents that are no example. */
  private load(files: Files, active: string, said: string): void {
    this.example = undefined;
    this.documents.isOwn = true;
    const choice = one<HTMLSelectElement>(document, "#example");
    if (choice) choice.value = "";
    this.story.begin(undefined);
    this.editor.load(files, active);
    this.say(said);
  }

  private say(text: string): void {
    place("said").textContent = text;
  }

  private next(): void {
    const at = this.examples.findIndex((it) => it === this.example);
    this.show(this.examples[(at + 1) % this.examples.length]);
  }

  // What the program says

  private changed(): void {
    for (const part of ["checked", "reported"]) delete document.documentElement.dataset[part];
    this.checker.outdate();
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.check(), this.findings.length === 0 && this.report === undefined ? 0 : PAUSE);
  }

  private check(): void {
    const files = this.editor.texts();
    this.workflow = this.drawn(files);
    this.isWhole = false;
    this.picture.outdated();
    this.checker.check(files, this.workflow);
    this.showTabs();
  }

  /** The workflow in front; else the one that was drawn last, if it is still there; else the first. */
  private drawn(files: Files): string | undefined {
    const isWorkflow = (path: string): boolean => kindOf(path, files.get(path) ?? "") === "workflow";
    const { active } = this.editor;
    if (isWorkflow(active) || (active === this.workflow && active.endsWith(".json"))) return active;
    const folder = active.slice(0, active.lastIndexOf("/") + 1);
    const all = sorted(files).filter(isWorkflow);
    const near = all.filter((path) => path.startsWith(folder));
    const possible = near.length > 0 ? near : all;
    return this.workflow !== undefined && possible.includes(this.workflow) ? this.workflow : possible[0];
  }

  private checked({ findings, svg, isWhole, note, isNew }: Checked): void {
    this.isWhole = isWhole;
    if (isNew) {
      this.findings = findings;
      this.editor.mark();
      this.list.say(note);
      this.picture.update(this.workflow, svg, this.editor.texts(), findings);
      this.showTabs();
    }
    this.follow(isNew);
    const told = findings.find(({ code }) => code === this.example?.finding?.code);
    if (this.isNew && told) this.reveal(told, false);
    this.isNew = false;
    document.documentElement.dataset["checked"] = isWhole ? "whole" : "soon";
  }

  private failed(problem: string): void {
    this.list.say(problem);
  }

  private reported(report: Report | undefined, why: string): void {
    this.report = report;
    document.documentElement.dataset["reported"] = String(report !== undefined);
    this.picture.reported(report, why);
    this.below.show(this.workflow === undefined ? undefined : report?.of(this.workflow));
    this.below.say(why);
    this.follow();
  }

  private follow(isNew = true): void {
    if (isNew) this.list.show(this.findings);
    this.story.follow(this.findings, this.isWhole);
  }

  private showTabs(): void {
    this.tabs.show(sorted(this.editor.texts()), this.editor.active, this.findings);
  }

  private underlined(path: string): ReturnType<typeof diagnostics> {
    const text = this.editor.texts().get(path) ?? "";
    return diagnostics(this.findings, path, text, (finding, fix) => this.apply(finding, fix));
  }

  // What the visitor does

  private open(path: string): void {
    this.editor.open(path);
    this.showTabs();
    const workflow = this.drawn(this.editor.texts());
    if (workflow !== this.workflow) this.check();
  }

  private reveal({ file, range }: Finding, hasFocus = true): void {
    const text = this.editor.texts().get(file);
    if (text === undefined) return;
    const lines = new Lines(text);
    const from = lines.offset(range.start);
    this.open(file);
    this.editor.reveal(file, from, hasFocus ? lines.offset(range.end) : from, hasFocus);
  }

  private apply(finding: Finding, fix: Fix): void {
    const before = this.editor.texts();
    const changes = changesOf(finding, fix, before);
    this.editor.change(changes);
    this.fixed = { before, after: this.editor.texts() };
    const [[path, [first] = []] = ["", []]] = Array.from(changes);
    if (first) this.editor.reveal(path, first.from, first.from + first.insert.length, false);
    this.open(path);
  }

  private async fixAll(isUnsafeToo: boolean): Promise<void> {
    const files = this.editor.texts();
    try {
      const after = await this.checker.fixed(files, isUnsafeToo);
      this.fixed = { before: files, after };
      this.replace(files, after);
    } catch (error) {
      this.failed(error instanceof Error ? error.message : String(error));
    }
  }

  /** Takes the last fix back, from documents that have not changed since. */
  private restore(): void {
    const now = this.editor.texts();
    const { before, after } = this.fixed ?? { before: now, after: now };
    const same = Array.from(before).filter(([path]) => now.get(path) === after.get(path));
    this.replace(now, new Map(same));
    if (same.length < before.size) this.say("What has changed since the fix stays: Ctrl+Z takes it back step by step.");
  }

  /** Puts other texts into the documents, as one step of their histories. */
  private replace(now: Files, texts: Files): void {
    const changes = Array.from(texts).flatMap(([path, text]) => {
      const before = now.get(path);
      return before === undefined || before === text ? [] : [[path, [difference(before, text)]] as const];
    });
    this.editor.change(new Map(changes));
  }

  private playing(finding: Finding): (() => void) | undefined {
    const told = finding.file === this.workflow ? this.picture.told : undefined;
    const run = told && runAt(told.service, finding.pointer);
    return run && (() => this.play(run.id));
  }

  /** Plays a run once the orders of these documents are known. */
  private async playSoon(choose: (service: Service) => Run | undefined): Promise<void> {
    try {
      const run = choose((await this.picture.known()).service);
      if (run) this.play(run.id);
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error));
    }
  }

  private play(id: string): void {
    const run = this.picture.told?.service.runs.find((it) => it.id === id);
    if (run) this.onPicture(() => this.panel.play(run.kind === "scenario" ? { scenario: id } : { end: id }));
  }

  private onPicture(how: () => void): void {
    place("picture").scrollIntoView({ block: "nearest" });
    how();
  }

  private controls(): void {
    const choice = one<HTMLSelectElement>(document, "#example");
    choice?.append(...this.examples.map(({ id, title }) => make("option", { value: id }, title)));
    choice?.addEventListener("change", () => this.show(this.examples.find(({ id }) => id === choice.value)));
    addEventListener("hashchange", () => isShared(location.hash) && void this.begin());
  }
}

/** The one change between two texts. */
function difference(before: string, after: string): { from: number; to: number; insert: string } {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from += 1;
  let same = 0;
  while (same < most - from && before[before.length - 1 - same] === after[after.length - 1 - same]) same += 1;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}
