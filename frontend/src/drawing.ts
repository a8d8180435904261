/** Activities on the drawing: chosen, found, linked with their words, and marked as an order goes through them. */
import type { Activity, Service } from "./data";
import { all, button, make, newId, one, toggle } from "./dom";
import { Folding } from "./folding";
import type { Standing } from "./run";
import type { View } from "./view";

type Group = SVGGElement;

/** What somebody else has to say or to do when an activity is chosen. */
export interface Hooks {
  /** What is known of an activity, below its name. Without it, what the page says of it. */
  details?: (pointer: string) => Node[];
  chosen?: (pointer: string) => void;
}

export class Drawing {
  /** By JSON Pointer, in the order of the document. */
  groups = new Map<string, Group>();
  private readonly steps = new Map<string, HTMLElement[]>();
  protected readonly panel = make("aside", { class: "peek", hidden: true, "aria-label": "Activity", tabindex: "-1" });
  protected folding: Folding;
  protected foldingChanged: () => void = () => undefined;
  protected chosen: string | undefined;
  private marked: Element[] = [];
  /** What the drawing follows, with the activities that it names. */
  protected followed: { standing: Standing; activities: readonly Activity[] } | undefined;
  /** Finds again what was looked for. */
  protected find: () => void = () => undefined;

  constructor(
    private readonly section: HTMLElement,
    protected service: Service,
    readonly view: View,
    private readonly hooks: Hooks = {},
  ) {
    this.groups = groupsOf(view.svg);
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
    this.mark(pointer);
    this.rove(group);
    this.reveal(group);
  }

  protected mark(pointer: string): void {
    this.unmark("is-chosen");
    this.chosen = pointer;
    for (const element of [this.groups.get(pointer), ...(this.steps.get(pointer) ?? [])]) element?.classList.add("is-chosen");
    this.fillPanel(pointer);
  }

  /** The reader chose an activity here. */
  private activate(pointer: string): void {
    this.choose(pointer);
    this.hooks.chosen?.(pointer);
  }

  /** Brings the drawing itself into sight, from elsewhere in the page. */
  show(pointer: string): void {
    this.choose(pointer);
    this.view.canvas.scrollIntoView({ block: "nearest" });
    this.groups.get(pointer)?.focus({ preventScroll: true });
  }

  /** Marks where an order stands and what it has been through; without a standing, nothing is marked. */
  follow(standing: Standing | undefined, activities: readonly Activity[] = []): void {
    this.followed = standing && { standing, activities };
    this.reveal(this.markFollowed());
  }

  /** Returns where the order stands. */
  protected markFollowed(): Group | undefined {
    this.unmark("is-visited", "is-passed");
    for (const element of this.marked) element.removeAttribute("aria-current");
    this.marked = [];
    this.view.svg.classList.toggle("is-played", this.followed !== undefined);
    const terminals = all<Group>(this.view.svg, ".wf-terminal");
    const last = terminals[terminals.length - 1];
    const isCompleted = this.followed?.standing.outcome === "completed";
    last?.classList.toggle("is-reached", isCompleted);
    if (!this.followed) return undefined;
    const { standing, activities } = this.followed;
    const pointer = (index: number): string => activities[index]?.pointer ?? "";
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
    return isCompleted ? last : group;
  }

  private reveal(group: Group | undefined): void {
    if (!group) return;
    this.folding.show(group);
    this.view.reveal(group);
  }

  /** Folds all Sequences; hidden while there are none. */
  folder(): HTMLElement {
    const fold = (isFolded: boolean): void => this.folding.fold(this.folding.sequences, isFolded);
    addEventListener("beforeprint", () => fold(false));
    const all = toggle("Fold Sequences", false, fold);
    this.foldingChanged = () => {
      const { sequences } = this.folding;
      all.hidden = sequences.length === 0;
      all.setAttribute("aria-pressed", String(sequences.every((it) => this.folding.isFolded(it))));
    };
    this.folding.changed = this.foldingChanged;
    this.foldingChanged();
    return all;
  }

  /** An input that goes from match to match. */
  finder(): HTMLElement {
    const count = make("span", { class: "soft small", role: "status" });
    const label = `Find an activity of ${this.service.name}`;
    const input = make("input", { type: "search", placeholder: "Find an activity", "aria-label": label });
    let matches: string[] = [];
    let place = -1;
    this.find = () => {
      const wanted = input.value.trim().toLowerCase();
      this.unmark("is-found");
      matches = wanted === "" ? [] : Array.from(this.groups.keys()).filter((it) => this.textOf(it).includes(wanted));
      for (const pointer of matches) this.groups.get(pointer)?.classList.add("is-found");
      place = -1;
      count.textContent = wanted === "" ? "" : matches.length === 0 ? "no match" : `${matches.length} found`;
    };
    input.addEventListener("input", () => {
      this.find();
      const [first] = matches;
      if (first !== undefined) this.reveal(this.groups.get(first));
    });
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || matches.length === 0) return;
      event.preventDefault();
      place = (place + (event.shiftKey ? -1 : 1) + matches.length) % matches.length;
      count.textContent = `${place + 1} of ${matches.length}`;
      this.activate(matches[place] ?? "");
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
    const activity = this.service.activities.find((it) => it.pointer === pointer);
    const heading = make(
      "p",
      { class: "peek-title" },
      make("span", { class: "soft small" }, activity?.word ?? ""),
      make("b", { dir: "auto" }, activity?.name ?? one(this.groups.get(pointer) ?? this.view.svg, "title")?.textContent ?? pointer),
    );
    const close = button("×", { class: "close", "aria-label": "Close" }, () => this.close());
    const body = this.hooks.details?.(pointer) ?? this.copied(pointer);
    const group = this.folding.sequences.find((it) => it.dataset["pointer"] === pointer);
    const fold = group && toggle("Fold", this.folding.isFolded(group), (now) => this.folding.fold([group], now));
    this.panel.replaceChildren(close, heading, ...(fold ? [fold] : []), ...body);
    this.panel.hidden = false;
  }

  /** What the page says of an activity. */
  private copied(pointer: string): Node[] {
    const known = all(this.section, "[data-panel]").find((it) => it.dataset["panel"] === pointer);
    const copy = known?.cloneNode(true) as HTMLElement | undefined;
    // What programs rely on is in the page once; ids are unique.
    for (const element of copy ? [copy, ...all(copy, "*")] : []) {
      for (const { name } of Array.from(element.attributes)) {
        if (name === "id" || (name.startsWith("data-") && name !== "data-label")) element.removeAttribute(name);
      }
    }
    return copy ? Array.from(copy.childNodes).filter((node) => node.nodeName !== "SUMMARY") : [];
  }

  /** Chooses nothing. The focus goes back to the activity. */
  close(): void {
    const hadFocus = this.panel.contains(document.activeElement);
    this.panel.hidden = true;
    this.unmark("is-chosen");
    if (this.chosen !== undefined && hadFocus) this.groups.get(this.chosen)?.focus({ preventScroll: true });
    this.chosen = undefined;
  }

  /** One activity is reached by Tab, the others by arrow keys. */
  private makeFocusable(): void {
    const described = newId();
    const hint = "Up and down go to the activities before and after, left to the one around it, Enter shows it.";
    this.panel.before(make("p", { id: described, class: "vh" }, hint));
    this.makeReachable(undefined);
    this.view.canvas.setAttribute("aria-describedby", described);
    this.view.canvas.addEventListener("keydown", (event) => this.keyPressed(event));
  }

  /** The one that had the focus has it again. */
  protected makeReachable(focused: string | undefined): void {
    const [first] = this.groups.values();
    const group = this.groups.get(focused ?? "");
    this.rove(group ?? first);
    group?.focus({ preventScroll: true });
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
    if (event.key === "Enter" || event.key === " ") this.activate(pointer);
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

  private rove(group: Group | undefined): void {
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
    for (const root of [this.view.canvas, outline]) {
      for (const name of ["mouseover", "mouseleave", "focusin"]) root?.addEventListener(name, over);
      root?.addEventListener("click", (event) => {
        const pointer = pointerOf(event.target);
        const isLink = event.target instanceof Element && event.target.closest("a, button, summary");
        if (pointer !== undefined && !this.view.wasDragged && !isLink) this.activate(pointer);
      });
    }
  }
}

const parentOf = (pointer: string): string => pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));

export function pointerOf(target: EventTarget | null): string | undefined {
  const element = target instanceof Element ? target.closest<HTMLElement | SVGElement>("[data-pointer]") : null;
  return element?.dataset["pointer"];
}

export const groupsOf = (svg: SVGSVGElement): Map<string, Group> =>
  new Map(all<Group>(svg, "[data-pointer]").map((group) => [group.dataset["pointer"] ?? "", group]));
