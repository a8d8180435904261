/** Findings by severity, and from a finding to its activity. */
import { all, button, make, toggle } from "./dom";
import type { Drawing } from "./drawing";

const SEVERITIES = ["error", "warning", "info"];

export function findings(section: HTMLElement, drawing: Drawing | undefined): void {
  const items = all(section, "[data-finding]");
  const [first] = items;
  if (!first) return;
  const here = SEVERITIES.filter((severity) => items.some((it) => it.dataset["severity"] === severity));
  if (here.length > 1) {
    const filter = make("div", { class: "tools", role: "group", "aria-label": "Severities that are shown" });
    for (const severity of here) {
      const own = items.filter((it) => it.dataset["severity"] === severity);
      const show = (pressed: boolean): void => own.forEach((it) => (it.hidden = !pressed));
      filter.append(toggle(`${severity} (${own.length})`, true, show));
    }
    const host = section.querySelector("[data-finding-tools]");
    if (host) host.replaceWith(filter);
  }
  for (const item of items) {
    const pointer = drawing?.around(item.dataset["pointer"] ?? "");
    if (!drawing || pointer === undefined) continue;
    const show = button("Show on the drawing", { "data-show": pointer }, () => drawing.show(pointer));
    item.querySelector("[data-show-host]")?.append(show);
  }
}
