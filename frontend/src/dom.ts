/** Elements. Texts of documents get into the page here alone, as text nodes: never as markup, style, address or script. */

export type Child = Node | string | undefined;
type Properties = Record<string, string | boolean | undefined>;

/** An element with attributes; `true` stands for an attribute without a value. */
export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child): child is Node | string => child !== undefined));
  return element;
}

export function button(label: string, attributes: Properties, pressed: () => void): HTMLButtonElement {
  const element = make("button", { type: "button", ...attributes }, label);
  element.addEventListener("click", pressed);
  return element;
}

/** A button that stays pressed. */
export function toggle(label: string, pressed: boolean, changed: (pressed: boolean) => void): HTMLButtonElement {
  const element = button(label, { "aria-pressed": String(pressed) }, () => {
    const now = element.getAttribute("aria-pressed") !== "true";
    element.setAttribute("aria-pressed", String(now));
    changed(now);
  });
  return element;
}

export const all = <E extends Element = HTMLElement>(root: ParentNode, selector: string): E[] =>
  Array.from(root.querySelectorAll<E>(selector));

export const one = <E extends Element = HTMLElement>(root: ParentNode, selector: string): E | undefined =>
  root.querySelector<E>(selector) ?? undefined;

/** A text whose parts in backticks are names of the document. */
export function words(text: string): Node[] {
  const parts = text.split("`");
  // An odd number of backticks closes nothing: the text is shown as it is.
  if (parts.length % 2 === 0) return [make("bdi", {}, text)];
  return parts
    .map((part, at) => (at % 2 === 1 ? make("span", { class: "name", dir: "auto" }, part) : document.createTextNode(part)))
    .filter((node) => node.textContent !== "");
}

/** The class of an outcome's badge, the same as in the page. */
const BADGES = new Map([
  ["completed", "good"],
  ["terminated", "plain"],
  ["waits", "open"],
  ["endless", "error"],
  ["stuck", "error"],
  ["failed", "error"],
]);

export const badge = (outcome: string): HTMLElement =>
  make("span", { class: `badge ${BADGES.get(outcome) ?? "plain"}` }, outcome);

/** Whether the reader asked for less motion. */
export const isStill = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * A live region that speaks at most every second: a screen reader that is interrupted with each event says nothing.
 */
export function announcer(): { element: HTMLElement; say: (text: string) => void } {
  const element = make("p", { class: "vh", role: "status", "aria-live": "polite" });
  let waiting: number | undefined;
  let next = "";
  const say = (text: string): void => {
    next = text;
    waiting ??= window.setTimeout(() => {
      waiting = undefined;
      element.textContent = next;
    }, 1000);
  };
  return { element, say };
}

let ids = 0;
/** An id that no text of a document can have. */
export const newId = (): string => `~//js-${++ids}`;
