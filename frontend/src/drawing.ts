/** Activities on the drawing: chosen, found, linked with their words, and marked as an order goes through them. */
import type { Service } from "./data";
import { all, button, make, newId, one, toggle } from "./dom";
import { Folding } from "./folding";
import type { Standing } from "./run";
import type { View } from "./view";

type Group = SVGGElement;

export class Drawing {
  /** By JSON Pointer, in the order of the document. */
  readonly groups = new Map<string, Group>();
  private readonly steps = new Map<string, HTMLElement[]>();
  private readonly panel = make("aside", { class: "peek", hidden: true, "aria-label": "Activity", tabindex: "-1" });
  private readonly folding: Folding;
  private chosen: string | undefined;
  private marked: Element[] = [];

  constructor(
    private readonly section: HTMLElement,
    private readonly service: Service,
    readonly view: View,
  ) {
    for (const group of all<Group>(view.svg, "[data-pointer]")) this.groups.set(group.dataset["pointer"] ?? "", group);
    for (const step of all(section, "li[data-pointer]")) {
      const pointer = step.dataset["pointer"] ?? "";
      if (step.closest(".outline")) this.steps.set(pointer, [...(this.steps.get(pointer) ?? []), step]);
    }
    this.folding = new Folding(view);
    const frame = make("div", { class: "view" });
    view.canvas.replaceWith(frame);
    frame.append(view.canvas, this.panel);
    this.makeFocusable();
    this.link();
    this.panel.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
  }

  /** The innermost activity around a place in the document. */
  around(pointer: string): string | undefined {
    let place = pointer;
    while (place !== "") {
      if (this.groups.has(place)) return place;
      place = parentOf(place);
    }
    return undefined;
  }

  /** Shows what is known of an activity, and marks it in drawing and words. */
  choose(pointer: string): void {
    const group = this.groups.get(pointer);
    if (!group) return;
    this.unmark("is-chosen");
    this.chosen = pointer;
    for (const element of [group, ...(this.steps.get(pointer) ?? [])]) element.classList.add("is-chosen");
    this.fillPanel(pointer);
    this.rove(group);
    this.reveal(group);
  }

  /** Brings the drawing itself into sight, from elsewhere in the page. */
  show(pointer: string): void {
    this.choose(pointer);
    this.view.canvas.scrollIntoView({ block: "nearest" });
    this.groups.get(pointer)?.focus({ preventScroll: true });
  }

  /** Marks where an order stands and what it has been through; without a standing, nothing is marked. */
  follow(standing: Standing | undefined): void {
    this.unmark("is-visited", "is-passed");
    for (const element of this.marked) element.removeAttribute("aria-current");
    this.marked = [];
    this.view.svg.classList.toggle("is-played", standing !== undefined);
    const terminals = all(this.view.svg, ".wf-terminal");
    const last = terminals[terminals.length - 1];
    last?.classList.toggle("is-reached", standing?.outcome === "completed");
    if (!standing) return;
    if (last && standing.outcome === "completed") this.view.reveal(last);
    const pointer = (index: number): string => this.service.activities[index]?.pointer ?? "";
    for (const index of standing.visited) {
      // Who is inside of an activity has been to it.
      for (let place = this.around(pointer(index)); place !== undefined; place = this.around(parentOf(place))) {
        this.groups.get(place)?.classList.add("is-visited");
      }
    }
    for (const index of standing.passed) this.groups.get(pointer(index))?.classList.add("is-passed");
    const current = standing.activity === undefined ? "" : pointer(standing.activity);
    const group = this.groups.get(current);
    this.marked = [...(group ? [group] : []), ...(this.steps.get(current) ?? [])];
    for (const element of this.marked) element.setAttribute("aria-current", "step");
    this.reveal(group);
  }

  private reveal(group: Group | undefined): void {
    if (!group) return;
    this.folding.show(group);
    this.view.reveal(group);
  }

  /** Folds all Sequences; none if there are none. */
  folder(): HTMLElement | undefined {
    const { sequences } = this.folding;
    if (sequences.length === 0) return undefined;
    addEventListener("beforeprint", () => this.folding.fold(sequences, false));
    const all = toggle("Fold Sequences", false, (now) => this.folding.fold(sequences, now));
    this.folding.changed = () => all.setAttribute("aria-pressed", String(sequences.every((it) => this.folding.isFolded(it))));
    return all;
  }

  /** An input that goes from match to match. */
  finder(): HTMLElement {
    const count = make("span", { class: "soft small", role: "status" });
    const label = `Find an activity of ${this.service.name}`;
    const input = make("input", { type: "search", placeholder: "Find an activity", "aria-label": label });
    let matches: string[] = [];
    let place = -1;
    const mark = (): void => {
      const wanted = input.value.trim().toLowerCase();
      this.unmark("is-found");
      matches = wanted === "" ? [] : Array.from(this.groups.keys()).filter((it) => this.textOf(it).includes(wanted));
      for (const pointer of matches) this.groups.get(pointer)?.classList.add("is-found");
      place = -1;
      count.textContent = wanted === "" ? "" : matches.length === 0 ? "no match" : `${matches.length} found`;
      const [first] = matches;
      if (first !== undefined) this.reveal(this.groups.get(first));
    };
    input.addEventListener("input", mark);
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || matches.length === 0) return;
      event.preventDefault();
      place = (place + (event.shiftKey ? -1 : 1) + matches.length) % matches.length;
      count.textContent = `${place + 1} of ${matches.length}`;
      this.choose(matches[place] ?? "");
    });
    return make("span", { class: "find" }, input, count);
  }

  private textOf(pointer: string): string {
    const group = this.groups.get(pointer);
    const activity = this.service.activities.find((it) => it.pointer === pointer);
    const own = group ? all<SVGElement>(group, ":scope > title, :scope > desc").map((it) => it.textContent) : [];
    return [activity?.word, activity?.name, ...own].join(" ").toLowerCase();
  }

  /** Takes classes from the drawing and the outline. */
  private unmark(...names: string[]): void {
    const elements = [...this.groups.values(), ...Array.from(this.steps.values()).flat()];
    for (const element of elements) element.classList.remove(...names);
  }

  private fillPanel(pointer: string): void {
    const known = all(this.section, "[data-panel]").find((it) => it.dataset["panel"] === pointer);
    const activity = this.service.activities.find((it) => it.pointer === pointer);
    const heading = make(
      "p",
      { class: "peek-title" },
      make("span", { class: "soft small" }, activity?.word ?? ""),
      make("b", { dir: "auto" }, activity?.name ?? one(this.groups.get(pointer) ?? this.view.svg, "title")?.textContent ?? pointer),
    );
    const close = button("×", { class: "close", "aria-label": "Close" }, () => this.close());
    const copy = known?.cloneNode(true) as HTMLElement | undefined;
    // What programs rely on is in the page once; ids are unique.
    for (const element of copy ? [copy, ...all(copy, "*")] : []) {
      for (const { name } of Array.from(element.attributes)) {
        if (name === "id" || (name.startsWith("data-") && name !== "data-label")) element.removeAttribute(name);
      }
    }
    const body = copy ? Array.from(copy.childNodes).filter((node) => node.nodeName !== "SUMMARY") : [];
    const group = this.folding.sequences.find((it) => it.dataset["pointer"] === pointer);
    const fold = group && toggle("Fold", this.folding.isFolded(group), (now) => this.folding.fold([group], now));
    this.panel.replaceChildren(close, heading, ...(fold ? [fold] : []), ...body);
    this.panel.hidden = false;
  }

  private close(): void {
    this.panel.hidden = true;
    this.unmark("is-chosen");
    if (this.chosen !== undefined) this.groups.get(this.chosen)?.focus({ preventScroll: true });
    this.chosen = undefined;
  }

  /** One activity is reached by Tab, the others by arrow keys. */
  private makeFocusable(): void {
    const described = newId();
    const hint = "Up and down go to the activities before and after, left to the one around it, Enter shows it.";
    this.panel.before(make("p", { id: described, class: "vh" }, hint));
    for (const group of this.groups.values()) group.setAttribute("tabindex", "-1");
    const [first] = this.groups.values();
    first?.setAttribute("tabindex", "0");
    this.view.canvas.setAttribute("aria-describedby", described);
    this.view.svg.addEventListener("keydown", (event) => this.keyPressed(event));
  }

  private keyPressed(event: KeyboardEvent): void {
    const pointer = pointerOf(event.target);
    if (pointer === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const shown = Array.from(this.groups.entries()).filter(([, group]) => !this.folding.hides(group));
    const order = shown.map(([key]) => key);
    const place = order.indexOf(pointer);
    const to: Record<string, string | undefined> = {
      ArrowDown: order[place + 1],
      ArrowUp: order[place - 1],
      ArrowLeft: this.around(parentOf(pointer)),
      ArrowRight: order[place + 1]?.startsWith(`${pointer}/`) ? order[place + 1] : undefined,
      Home: order[0],
      End: order[order.length - 1],
    };
    if (event.key === "Enter" || event.key === " ") this.choose(pointer);
    else if (event.key === "Escape" && this.chosen !== undefined) this.close();
    else if (!(event.key in to)) return;
    event.preventDefault();
    event.stopPropagation();
    const group = this.groups.get(to[event.key] ?? "");
    if (!group) return;
    this.rove(group);
    group.focus({ preventScroll: true });
    this.reveal(group);
  }

  private rove(group: Group): void {
    for (const other of this.groups.values()) other.setAttribute("tabindex", other === group ? "0" : "-1");
  }

  /** What is under the pointer, or has the focus, stands out in the drawing and in words. */
  private link(): void {
    const outline = one(this.section, ".outline");
    // Elsewhere in the section, the name of an activity leads to it: with its panel, it is all that the link leads to.
    this.section.addEventListener("click", (event) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLElement>("a[data-activity]") : null;
      const pointer = link?.dataset["activity"];
      if (pointer === undefined || !this.groups.has(pointer) || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.show(pointer);
    });
    const over = (event: Event): void => {
      const pointer = pointerOf(event.target);
      this.unmark("is-linked");
      if (pointer === undefined || event.type === "mouseleave") return;
      const elements = [this.groups.get(pointer), ...(this.steps.get(pointer) ?? [])];
      for (const element of elements) element?.classList.add("is-linked");
    };
    for (const root of [this.view.svg, outline]) {
      for (const name of ["mouseover", "mouseleave", "focusin"]) root?.addEventListener(name, over);
      root?.addEventListener("click", (event) => {
        const pointer = pointerOf(event.target);
        const isLink = event.target instanceof Element && event.target.closest("a, button, summary");
        if (pointer !== undefined && !this.view.wasDragged && !isLink) this.choose(pointer);
      });
    }
  }
}

const parentOf = (pointer: string): string => pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));

function pointerOf(target: EventTarget | null): string | undefined {
  const element = target instanceof Element ? target.closest<HTMLElement | SVGElement>("[data-pointer]") : null;
  return element?.dataset["pointer"];
}
