/** What is below the picture: how orders can end, scenarios, and the rest of the report, as `wflint report` has it. */
import { all, button, make, newId, one } from "../../frontend/src/dom";
import { statuses } from "../../frontend/src/statuses";
import type { Told } from "./report";

export interface Actions {
  play: (run: string) => void;
  reveal: (pointer: string) => void;
  tryIt: () => void;
  save: () => void;
}

/** Parts of the report, and what their tabs say. */
const PARTS: [part: string, label: string][] = [
  ["ends", "How orders end"],
  ["scenarios", "Scenarios"],
  ["words", "In words"],
  ["statuses", "Statuses"],
  ["laws", "Laws"],
  ["people", "People and mails"],
  ["data", "Data"],
  ["forms", "Forms"],
];

export class Below {
  readonly element = make("section", { class: "below", "aria-label": "Runs" });
  private readonly list = make("div", { class: "tab-list", role: "tablist", "aria-label": "Runs" });
  private readonly note = make("p", { class: "soft note-line", role: "status" });
  private readonly panels = new Map<string, HTMLElement>();
  private readonly tabs = new Map<string, HTMLButtonElement>();
  private selected = "ends";

  constructor(private readonly actions: Actions) {
    const save = button("Save this report", { class: "save", title: "One HTML file, as wflint report writes it" }, () => actions.save());
    const tryIt = button("Try it: you decide what happens", { class: "primary", "data-action": "try" }, () => actions.tryIt());
    // The report's headings begin below it.
    this.element.append(make("h2", { class: "vh" }, "What can happen"));
    this.element.append(make("div", { class: "below-head" }, this.list, make("span", { class: "buttons" }, tryIt, save)), this.note);
    for (const [part, label] of PARTS) {
      const id = newId();
      const panel = make("div", { role: "tabpanel", id, "aria-label": label, "data-below": part });
      const tab = button(label, { role: "tab", "aria-controls": id, "data-tab": part }, () => this.select(part));
      this.tabs.set(part, tab);
      this.panels.set(part, panel);
      this.list.append(tab);
      this.element.append(panel);
    }
    this.list.addEventListener("keydown", (event) => this.keyPressed(event));
    this.element.addEventListener("click", (event) => this.followed(event));
    this.select(this.selected);
  }

  /** Why there is nothing, or nothing new. */
  say(text: string): void {
    if (this.note.textContent !== text) this.note.textContent = text;
    this.note.hidden = text === "";
  }

  show(told: Told | undefined): void {
    this.element.classList.toggle("is-empty", told === undefined);
    for (const [part, panel] of this.panels) {
      const opened = new Set(all<HTMLDetailsElement>(panel, "details").flatMap((it, place) => (it.open ? [place] : [])));
      const from = told && one(told.section, `[data-part="${part}"]`);
      panel.replaceChildren(...(from ? [this.adopted(from, told)] : []));
      all<HTMLDetailsElement>(panel, "details").forEach((it, place) => (it.open = opened.has(place)));
    }
    this.count(told);
  }

  select(part: string): void {
    this.selected = part;
    for (const [name, tab] of this.tabs) {
      tab.setAttribute("aria-selected", String(name === part));
      tab.tabIndex = name === part ? 0 : -1;
    }
    for (const [name, panel] of this.panels) panel.hidden = name !== part;
  }

  /** A part of the report in this page, with its play buttons. */
  private adopted(from: HTMLElement, { service }: Told): HTMLElement {
    const part = document.importNode(from, true);
    const runs = new Map(service.runs.map((run) => [run.id, run]));
    for (const host of all(part, "[data-play-host]")) {
      const run = runs.get(host.dataset["playHost"] ?? "");
      if (!run || run.outcome === "refused") continue;
      host.append(button("Play", { "data-play": run.id, "aria-label": `Play ${run.title}` }, () => this.actions.play(run.id)));
    }
    statuses(part);
    return part;
  }

  /** How many scenarios failed, on their tab. */
  private count(told: Told | undefined): void {
    const scenarios = told ? all(told.section, "[data-scenario]") : [];
    const failed = scenarios.filter((it) => it.dataset["passed"] === "false").length;
    const ends = told ? all(told.section, "[data-end]").length : 0;
    this.tabs.get("ends")?.replaceChildren("How orders end", ...(ends > 0 ? [make("span", { class: "count" }, String(ends))] : []));
    const [word, kind] = failed > 0 ? [`${failed} failed`, "error"] : [`${scenarios.length} passed`, "good"];
    const mark = scenarios.length > 0 ? [make("span", { class: `count ${kind}` }, word)] : [];
    this.tabs.get("scenarios")?.replaceChildren("Scenarios", ...mark);
  }

  /** Links of the report lead to the drawing, or to another part; the address stays. */
  private followed(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href^='#']") : null;
    if (!link) return;
    event.preventDefault();
    const pointer = link.dataset["activity"];
    if (pointer !== undefined) return this.actions.reveal(pointer);
    const id = decodeURIComponent(link.hash.slice(1));
    for (const [part, panel] of this.panels) {
      const target = all(panel, "[id]").find((it) => it.id === id);
      if (!target) continue;
      this.select(part);
      target.scrollIntoView({ block: "start" });
      return;
    }
  }

  private keyPressed(event: KeyboardEvent): void {
    const names = Array.from(this.tabs.keys());
    const place = names.indexOf(this.selected);
    const to = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: names.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const name = names[(to + names.length) % names.length] ?? "ends";
    this.select(name);
    this.tabs.get(name)?.focus();
  }
}
