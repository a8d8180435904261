/** What lies on the drawing and can be taken off: findings, coverage, the run that is played, the ends. */
import type { Service } from "./data";
import type { Drawing } from "./drawing";
import { all, make, one, toggle } from "./dom";

const SVG = "http://www.w3.org/2000/svg";

/** A word at a shape: what a layer adds to an activity. */
type Mark = [SVGGElement, string];

export function layers(service: Service, drawing: Drawing): HTMLElement {
  const { svg } = drawing.view;
  const host = make("span", { class: "layers", role: "group", "aria-label": "On the drawing" });
  const add = (label: string, name: string, pressed: boolean, marks?: () => Mark[]): void => {
    let waiting = marks;
    const change = (now: boolean): void => {
      svg.classList.toggle(`hide-${name}`, !now);
      if (!now || !waiting) return;
      draw(waiting(), name);
      waiting = undefined;
    };
    change(pressed);
    host.append(toggle(label, pressed, change));
  };
  if (one(svg, ".wf-code-text")) add("Findings", "findings", true);
  const covered = coverage(service, drawing);
  if (covered.length > 0) add("Coverage", "coverage", false, () => covered);
  if (service.runs.some((run) => run.kind === "end")) add("Ends", "ends", false, () => ends(service, drawing));
  if (service.runs.length > 0) add("Run", "run", true);
  return host;
}

/** How often scenarios began each activity. */
function coverage(service: Service, drawing: Drawing): Mark[] {
  const marks: Mark[] = [];
  for (const { pointer, begun } of service.activities) {
    const group = drawing.groups.get(pointer);
    if (!group || begun === undefined) continue;
    group.classList.add(begun > 0 ? "is-covered" : "is-uncovered");
    marks.push([group, begun > 0 ? `×${begun}` : "never"]);
  }
  return marks;
}

/** Where orders end, and how. */
function ends(service: Service, drawing: Drawing): Mark[] {
  const outcomes = new Map<SVGGElement, Set<string>>();
  const terminals = all<SVGGElement>(drawing.view.svg, ".wf-terminal");
  for (const run of service.runs) {
    if (run.kind !== "end") continue;
    const last = run.events.map((event) => event.activity).filter((it) => it !== undefined).pop();
    const pointer = service.activities[last ?? -1]?.pointer ?? "";
    const group = run.outcome === "completed" ? terminals[terminals.length - 1] : drawing.groups.get(pointer);
    if (group) outcomes.set(group, (outcomes.get(group) ?? new Set()).add(run.outcome));
  }
  return Array.from(outcomes, ([group, words]) => [group, Array.from(words).join(", ")]);
}

function boxOf(group: SVGGElement): { x: number; y: number; width: number; height: number } {
  const shape = one<SVGGraphicsElement>(group, ":scope > .wf-shape, :scope > .wf-band");
  return shape?.getBBox() ?? { x: -132, y: 0, width: 264, height: 36 };
}

/** At the left of a shape. */
export function point(group: SVGGElement): void {
  const { x, y, height } = boxOf(group);
  group.append(node("path", { class: "layer-here", "aria-hidden": "true", d: `M${x - 17} ${y + height / 2 - 8}l12 8l-12 8z` }));
}

/** At the right corners of shapes. All are measured before one is drawn: a drawing is laid out once. */
export function draw(marks: readonly Mark[], name: string): void {
  const boxes = marks.map(([group]) => boxOf(group));
  marks.forEach(([group, word], place) => {
    const box = boxes[place];
    if (!box) return;
    const width = word.length * 7 + 12;
    const x = box.x + box.width - width + 10;
    const y = box.y - 9 + (name === "ends" ? box.height : 0);
    const element = node("g", { class: `layer-${name}`, "aria-hidden": "true" });
    const text = node("text", { x: String(x + width / 2), y: String(y + 13) });
    text.textContent = word;
    element.append(node("rect", { x: String(x), y: String(y), width: String(width), height: "18", rx: "9" }), text);
    group.append(element);
  });
}

function node(name: string, attributes: Record<string, string>): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
