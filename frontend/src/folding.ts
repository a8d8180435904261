/**
 * Sequences that are folded to their title. The drawing is laid out by the program, from top to bottom: what is below a
 * folded Sequence moves up, in it and in everything around it, and nothing else changes.
 */
import { all, one } from "./dom";
import { draw } from "./layers";
import type { View } from "./view";

type Group = SVGGElement;

/** Between the lowest lane of an Approval and where its lanes join, as the program draws it. */
const JOIN = 18;

export class Folding {
  /** In the order of the document. */
  readonly sequences: Group[];
  private readonly closed = new Set<Group>();
  /** Attributes as the program wrote them. */
  private readonly written = new Map<Element, Map<string, string>>();

  /** After each change. */
  changed: () => void = () => undefined;

  constructor(private readonly view: View) {
    const groups = all<Group>(view.svg, ".wf-sequence");
    this.sequences = groups.filter((group) => one(group, ":scope > .wf-band") && one(group, ":scope > [data-pointer]"));
  }

  isFolded(group: Element): boolean {
    return this.closed.has(group as Group);
  }

  /** The pointers of those that are folded. */
  folded(): string[] {
    return Array.from(this.closed, (group) => group.dataset["pointer"] ?? "");
  }

  /** Whether an activity is inside of a folded Sequence. */
  hides(group: Element): boolean {
    return group.parentElement?.closest(".is-folded") != null;
  }

  fold(groups: readonly Group[], isFolded: boolean): void {
    for (const group of groups) {
      if (isFolded) this.closed.add(group);
      else this.closed.delete(group);
    }
    this.lay();
  }

  /** Unfolds what an activity is inside of. */
  show(group: Element): void {
    if (this.hides(group)) this.fold(this.sequences.filter((it) => it !== group && it.contains(group)), false);
  }

  private lay(): void {
    for (const [element, attributes] of this.written) {
      for (const [name, value] of attributes) element.setAttribute(name, value);
    }
    for (const group of this.sequences) group.classList.toggle("is-folded", this.closed.has(group));
    const unsaid = Array.from(this.closed).filter((group) => !one(group, ":scope > .layer-folded"));
    const marks = unsaid.map((group): [Group, string] => {
      const inside = all(group, "[data-pointer]").length;
      return [group, inside === 1 ? "1 step" : `${inside} steps`];
    });
    draw(marks, "folded");
    for (const group of this.closed) if (!this.hides(group)) this.raise(group);
    this.view.resize();
    this.changed();
  }

  /** Takes the height of what is inside from the Sequence, and from what is around it. */
  private raise(group: Group): void {
    const [frame, band] = [one(group, ":scope > .wf-frame"), one(group, ":scope > .wf-band")];
    if (!frame || !band) return;
    const height = number(frame, "height");
    let by = height - number(band, "height");
    let edge = placeOf(group)[1] + height;
    this.write(frame, "height", String(height - by));
    for (let child: Element = group; child !== this.view.svg && by > 0 && child.parentElement; ) {
      const parent: Element = child.parentElement;
      if (parent.matches(".wf-approval")) [edge, by] = this.join(parent, child, edge, by);
      else this.lift(parent, child, (y) => (y >= edge - 0.5 ? y - by : y));
      edge += placeOf(parent)[1];
      child = parent;
    }
  }

  /** The lanes of an Approval stand beside each other: what is below moves as far as the lowest of them allows. */
  private join(approval: Element, lane: Element, edge: number, by: number): [number, number] {
    const circle = one(approval, ":scope > circle");
    if (!circle) return [edge, 0];
    const join = number(circle, "cy");
    const bottoms = all<Group>(approval, ":scope > g[id]").map((it) => {
      const frame = one(it, ":scope > .wf-frame");
      const box = it.getBBox();
      return placeOf(it)[1] + (frame ? number(frame, "height") : box.y + box.height);
    });
    const less = Math.max(0, join - JOIN - Math.max(...bottoms));
    const [x] = placeOf(lane);
    this.lift(approval, lane, (y, at) => (y >= join - 0.5 ? y - less : at === x && y >= edge - 0.5 ? y - by : y));
    return [join, less];
  }

  /** Moves the elements of a group; `child` has changed already. */
  private lift(parent: Element, child: Element, to: (y: number, x?: number) => number): void {
    for (const element of Array.from(parent.children)) {
      if (element === child || element.matches("title, desc, style, [class^=layer-]")) continue;
      if (element.tagName === "g") {
        const [x, y] = placeOf(element);
        // A lane beside stays where it begins.
        this.write(element, "transform", `translate(${x} ${to(y)})`);
      } else if (element.tagName === "path") {
        this.write(element, "d", mapPath(element.getAttribute("d") ?? "", to));
      } else if (element.tagName === "rect") {
        const [top, height] = [number(element, "y"), number(element, "height")];
        this.write(element, "y", String(to(top)));
        this.write(element, "height", String(to(top + height) - to(top)));
      } else {
        const name = element.tagName === "circle" ? "cy" : "y";
        this.write(element, name, String(to(number(element, name))));
      }
    }
    if (parent !== this.view.svg) return;
    const box = (parent.getAttribute("viewBox") ?? "").split(" ").map(Number);
    const [x, y, width, height] = box;
    if (x === undefined || y === undefined || width === undefined || height === undefined) return;
    const now = to(y + height) - y;
    this.write(parent, "viewBox", `${x} ${y} ${width} ${now}`);
    this.write(parent, "height", String(now));
  }

  private write(element: Element, name: string, value: string): void {
    const before = element.getAttribute(name) ?? "";
    if (before === value) return;
    const known = this.written.get(element) ?? new Map<string, string>();
    if (!known.has(name)) known.set(name, before);
    this.written.set(element, known);
    element.setAttribute(name, value);
  }
}

const number = (element: Element, name: string): number => Number(element.getAttribute(name)) || 0;

/** Where a group stands in the one around it. */
function placeOf(group: Element): [number, number] {
  const found = /translate\((-?[\d.]+) (-?[\d.]+)\)/.exec(group.getAttribute("transform") ?? "");
  return [Number(found?.[1] ?? 0), Number(found?.[2] ?? 0)];
}

/** A path with other heights. Commands in small letters are relative to a point, and stay as they are. */
export function mapPath(path: string, to: (y: number, x?: number) => number): string {
  return path.replace(/([MLV])([^A-Za-z]*)/g, (_, command: string, rest: string) => {
    const numbers = rest.trim().split(/[\s,]+/).map(Number);
    const mapped = numbers.map((value, at) =>
      command === "V" ? to(value) : at % 2 === 1 ? to(value, command === "M" ? numbers[at - 1] : undefined) : value,
    );
    return command + mapped.join(" ");
  });
}
