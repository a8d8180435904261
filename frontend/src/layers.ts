/** What lies on the drawing and can be taken off: findings, coverage, the run that is played, the ends. */
import type { Service } from "./data";
import type { Drawing } from "./drawing";
import { all, make, one, toggle } from "./dom";

const SVG = "http://www.w3.org/2000/svg";

export function layers(service: Service, drawing: Drawing): HTMLElement {
  const { svg } = drawing.view;
  const host = make("span", { class: "layers", role: "group", "aria-label": "On the drawing" });
  const add = (label: string, name: string, pressed: boolean): void => {
    const hide = (now: boolean): void => {
      svg.classList.toggle(`hide-${name}`, !now);
    };
    hide(pressed);
    host.append(toggle(label, pressed, hide));
  };
  if (one(svg, ".wf-code-text")) add("Findings", "findings", true);
  if (coverage(service, drawing)) add("Coverage", "coverage", false);
  if (ends(service, drawing)) add("Ends", "ends", false);
  if (service.runs.length > 0) add("Run", "run", true);
  return host;
}

/** How often scenarios began each activity. */
function coverage(service: Service, drawing: Drawing): boolean {
  let some = false;
  for (const activity of service.activities) {
    const group = drawing.groups.get(activity.pointer);
    if (!group || activity.begun === undefined) continue;
    some = true;
    group.classList.add(activity.begun > 0 ? "is-covered" : "is-uncovered");
    mark(group, "coverage", activity.begun > 0 ? `×${activity.begun}` : "never", "top");
  }
  return some;
}

/** Where orders end, and how. */
function ends(service: Service, drawing: Drawing): boolean {
  const outcomes = new Map<Element, Set<string>>();
  const terminals = all<SVGGElement>(drawing.view.svg, ".wf-terminal");
  for (const run of service.runs) {
    if (run.kind !== "end") continue;
    const last = run.events.map((event) => event.activity).filter((it) => it !== undefined).pop();
    const pointer = service.activities[last ?? -1]?.pointer ?? "";
    const group = run.outcome === "completed" ? terminals[terminals.length - 1] : drawing.groups.get(pointer);
    if (group) outcomes.set(group, (outcomes.get(group) ?? new Set()).add(run.outcome));
  }
  for (const [group, words] of outcomes) mark(group as SVGGElement, "end", Array.from(words).join(", "), "bottom");
  return outcomes.size > 0;
}

/** A word at the right corner of a shape. */
function mark(group: SVGGElement, name: string, word: string, edge: "top" | "bottom"): void {
  const shape = one<SVGGraphicsElement>(group, ":scope > .wf-shape, :scope > .wf-band");
  const box = shape?.getBBox() ?? { x: -132, y: 0, width: 264, height: 36 };
  const width = word.length * 7 + 12;
  const x = box.x + box.width - width + 10;
  const y = edge === "top" ? box.y - 9 : box.y + box.height - 9;
  const element = draw("g", { class: `layer-${name}`, "aria-hidden": "true" });
  const text = draw("text", { x: String(x + width / 2), y: String(y + 13) });
  text.textContent = word;
  element.append(draw("rect", { x: String(x), y: String(y), width: String(width), height: "18", rx: "9" }), text);
  group.append(element);
}

function draw(name: string, attributes: Record<string, string>): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
