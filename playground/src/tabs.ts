/** The documents as tabs, each with how many errors and warnings it has. */
import { button, make } from "../../frontend/src/dom";
import type { Finding } from "./program";

export interface Actions {
  open: (path: string) => void;
  create: () => void;
  rename: () => void;
  remove: () => void;
}

export class Tabs {
  readonly element = make("div", { class: "tabs" });
  private readonly list = make("div", { class: "tab-list", role: "tablist", "aria-label": "Documents" });
  private shown = "";

  constructor(private readonly actions: Actions) {
    const tools = make(
      "span",
      { class: "tab-tools" },
      button("+", { title: "New file", "aria-label": "New file", "data-action": "new" }, () => actions.create()),
      button("Rename", { "data-action": "rename" }, () => actions.rename()),
      button("Delete", { "data-action": "delete" }, () => actions.remove()),
    );
    this.element.append(this.list, tools);
    this.list.addEventListener("keydown", (event) => this.keyPressed(event));
  }

  show(paths: readonly string[], active: string, findings: readonly Finding[]): void {
    const worst = new Map<string, { errors: number; warnings: number }>();
    for (const { file, severity } of findings) {
      const count = worst.get(file) ?? { errors: 0, warnings: 0 };
      if (severity === "error") count.errors += 1;
      if (severity === "warning") count.warnings += 1;
      worst.set(file, count);
    }
    const key = JSON.stringify([paths, active, paths.map((path) => worst.get(path))]);
    if (key === this.shown) return;
    this.shown = key;
    const hadFocus = this.list.contains(document.activeElement);
    this.list.replaceChildren(...paths.map((path) => this.tab(path, path === active, worst.get(path))));
    const selected = this.list.querySelector<HTMLElement>("[aria-selected=true]");
    if (hadFocus) selected?.focus();
    if (selected) this.list.scrollTo({ left: selected.offsetLeft - this.list.clientWidth / 3 });
  }

  private tab(path: string, isActive: boolean, count: { errors: number; warnings: number } | undefined): HTMLElement {
    const slash = path.lastIndexOf("/") + 1;
    const attributes = { role: "tab", "aria-selected": String(isActive), "aria-controls": "editor", title: path, "data-path": path };
    const element = button("", attributes, () => this.actions.open(path));
    element.tabIndex = isActive ? 0 : -1;
    const folder = slash > 0 ? make("span", { class: "soft" }, path.slice(0, slash)) : undefined;
    element.append(make("bdi", {}, folder ?? "", path.slice(slash)));
    const worst = count && (count.errors > 0 ? "error" : count.warnings > 0 ? "warning" : undefined);
    if (count && worst) {
      const number = worst === "error" ? count.errors : count.warnings;
      const word = number === 1 ? worst : `${worst}s`;
      element.append(make("span", { class: `count ${worst}` }, String(number), make("span", { class: "vh" }, ` ${word}`)));
    }
    return element;
  }

  private keyPressed(event: KeyboardEvent): void {
    const all = Array.from(this.list.querySelectorAll<HTMLButtonElement>("[role=tab]"));
    const place = all.findIndex((tab) => tab === document.activeElement);
    const to = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: all.length - 1 }[event.key];
    if (place < 0 || to === undefined) return;
    event.preventDefault();
    all[(to + all.length) % all.length]?.click();
  }
}
