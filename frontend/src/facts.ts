/** What is known of an order at a moment: shown by the player and by "Try it". */
import type { Service } from "./data";
import { badge, make, words } from "./dom";
import { clock, type Happened, type Standing } from "./run";

export interface Facts {
  now: HTMLElement;
  clock: HTMLElement;
  columns: HTMLElement;
  show: (standing: Standing) => void;
}

export function facts(service: Service): Facts {
  const now = make("p", { class: "now" });
  const time = make("span", { "data-clock": true });
  const columns = make("div", { class: "columns", role: "group", tabindex: "0", "aria-label": "What is known of the order" });
  const form = make("details", {});
  const show = (standing: Standing): void => {
    time.textContent = clock(standing.at);
    now.replaceChildren(...sentence(service, standing));
    columns.replaceChildren(
      column("Published", standing.published, true),
      values(standing.values, foldedForm(form, standing.filled)),
      ...(standing.asked.length > 0 ? [column("Asked", standing.asked, false)] : []),
      ...(standing.mailed.length > 0 ? [column("Mailed", standing.mailed, false)] : []),
    );
  };
  return { now, clock: time, columns, show };
}

function sentence(service: Service, { event, outcome }: Standing): Node[] {
  if (!event) return [document.createTextNode("The order is submitted.")];
  if (event.kind === "ended") return ending(outcome ?? "ended", event.text);
  const activity = event.activity === undefined ? undefined : service.activities[event.activity];
  const name = activity ? [make("b", { dir: "auto" }, activity.name), document.createTextNode(": ")] : [];
  return [...name, ...words(event.text)];
}

/** How an order ended: the outcome is a badge, and not said again. */
export function ending(outcome: string, text: string): Node[] {
  const rest = text.startsWith(outcome) ? text.slice(outcome.length) : ` ${text}`;
  return [badge(outcome), document.createTextNode(rest.slice(0, 1)), ...words(rest.slice(1))];
}

/** The same in words alone, for a screen reader. */
export function spoken(service: Service, standing: Standing): string {
  return sentence(service, standing).map((node) => node.textContent).join("");
}

function column(title: string, all: readonly Happened[], isStatus: boolean): HTMLElement {
  const items = all.map((it, place) =>
    make(
      "li",
      { "data-published": isStatus, class: isStatus && place === all.length - 1 ? "is-latest" : undefined },
      ...(isStatus ? [make("span", { dir: "auto" }, it.text)] : words(it.text)),
    ),
  );
  const none = make("p", { class: "soft" }, "nothing yet");
  const list = items.length > 0 ? make("ul", {}, ...items) : none;
  return make("div", {}, make("b", {}, title), list);
}

function values(all: readonly [string, string][], form: HTMLElement | undefined): HTMLElement {
  const none = form ? undefined : make("p", { class: "soft" }, "none yet");
  return make("div", {}, make("b", {}, "Values"), all.length > 0 ? listed(all) : none, form);
}

/** What was filled in does not change: it stays behind its number, open if the reader opened it. */
function foldedForm(form: HTMLDetailsElement, filled: readonly [string, string][]): HTMLElement | undefined {
  if (filled.length === 0) return undefined;
  const summary = `${filled.length} ${filled.length === 1 ? "value" : "values"} from the form`;
  form.replaceChildren(make("summary", {}, summary), listed(filled));
  return form;
}

function listed(all: readonly [string, string][]): HTMLElement {
  const items = all.map(([name, value]) =>
    make(
      "li",
      {},
      make("span", { class: "name", dir: "auto" }, name),
      " = ",
      value === "" ? make("span", { class: "soft" }, "empty") : make("span", { dir: "auto" }, value),
    ),
  );
  return make("ul", {}, ...items);
}
