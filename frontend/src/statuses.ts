/** "Where is my order?": from a text as a user sees it to the templates that can have produced it. */
import { all, make, one } from "./dom";

/** Literal parts, and `null` for each gap. */
export type Template = (string | null)[];

/** A longer text is no status: the comparison stays quick. */
const MAX_TEXT = 400;

/** Case and blanks do not count. */
export const normal = (text: string): string => text.toLowerCase().replace(/\s+/gu, " ").trim();

/** The letters of a template; `null` is a gap. */
type Pattern = readonly (string | null)[];

/** The blanks around and between parts are compared as one. */
const patternOf = (template: Template): Pattern =>
  template.flatMap((part) => (part === null ? [null] : Array.from(part.toLowerCase().replace(/\s+/gu, " "))));

/** A text as it is compared. */
const wantedOf = (text: string): string => normal(text).slice(0, MAX_TEXT);

/** Whether a text is a part of what a template can show, or of a text that was seen. */
export function fits(template: Template, seen: readonly string[], text: string): boolean {
  const wanted = wantedOf(text);
  return wanted === "" || seen.some((it) => normal(it).includes(wanted)) || contains(template, wanted);
}

/**
 * All places of the template where the text so far can have arrived, a character at a time. It may begin anywhere, but must
 * have a letter of the template itself: a gap alone would fit everything.
 */
function contains(template: Template, wanted: string): boolean {
  const pattern = patternOf(template);
  // Places that only gaps lead to, and those behind a letter.
  let without = new Set(pattern.keys());
  let behind = new Set<number>();
  for (const character of wanted) {
    const [nextWithout, nextBehind] = [new Set<number>(), new Set<number>()];
    for (const [places, next] of [[without, nextWithout], [behind, nextBehind]] as const) {
      for (const place of places) {
        if (pattern[place] === null) next.add(place);
        else if (pattern[place] === character) (character === " " ? next : nextBehind).add(place + 1);
      }
    }
    without = past(nextWithout, pattern);
    behind = past(nextBehind, pattern);
    if (without.size + behind.size === 0) return false;
  }
  return behind.size > 0;
}

/** How many letters of its own a template has in the text that it shows as a whole; 0 if it cannot be the whole text. */
export function ownLetters(template: Template, seen: readonly string[], text: string): number {
  const wanted = wantedOf(text);
  const pattern = patternOf(template);
  const letters = pattern.filter((it) => it !== null && it !== " ").length;
  // What an order did show is as certain as a text without a gap.
  if (wanted !== "" && seen.some((it) => normal(it) === wanted)) return Math.max(letters, wanted.length);
  // Blanks at the ends, beside a gap that is empty, do not count.
  return [wanted, `${wanted} `, ` ${wanted}`].some((it) => isWhole(pattern, it)) ? letters : 0;
}

function isWhole(pattern: Pattern, wanted: string): boolean {
  let places = past(new Set([0]), pattern);
  for (const character of wanted) {
    const next = new Set<number>();
    for (const place of places) {
      if (pattern[place] === null) next.add(place);
      else if (pattern[place] === character) next.add(place + 1);
    }
    places = past(next, pattern);
    if (places.size === 0) return false;
  }
  return places.has(pattern.length);
}

/** What is shown for a text: those that can be the whole of it, the most literal first; only without any, those it is a part of. */
export function found<T extends { template: Template; seen: readonly string[] }>(items: readonly T[], text: string): { shown: T[]; more: number } {
  const fitting = items.filter(({ template, seen }) => fits(template, seen, text));
  const letters = new Map(fitting.map((item) => [item, ownLetters(item.template, item.seen, text)]));
  const of = (item: T): number => letters.get(item) ?? 0;
  const whole = fitting.filter((item) => of(item) > 0).sort((one, other) => of(other) - of(one));
  return whole.length > 0 ? { shown: whole, more: fitting.length - whole.length } : { shown: fitting, more: 0 };
}

/** Gaps may be empty. */
function past(places: Set<number>, pattern: Pattern): Set<number> {
  for (const place of places) if (pattern[place] === null) places.add(place + 1);
  return places;
}

/** The template as the page shows it: text, and an element for each gap. */
function templateOf(element: Element | undefined): Template {
  return Array.from(element?.childNodes ?? [], (node) => (node.nodeType === Node.TEXT_NODE ? node.textContent : null));
}

interface Item {
  element: HTMLElement;
  template: Template;
  seen: string[];
  /** What follows a single text. */
  texts: { line: HTMLElement; text: string }[];
}

export function statuses(section: HTMLElement): void {
  const input = one<HTMLInputElement>(section, 'input[data-search="status"]');
  if (!input) return;
  // Read when it is searched: a page has many.
  let items: Item[] | undefined;
  const none = one(section, '[data-search-empty="status"]');
  const message = make("p", { class: "soft small", role: "status" });
  input.after(message);
  const search = (): void => {
    items ??= all(section, "[data-status]").map((element) => ({
      element,
      template: templateOf(one(element, ".template")),
      seen: all(element, ".seen").map((it) => it.textContent ?? ""),
      texts: all(element, "[data-seen]").map((line) => ({ line, text: normal(one(line, ".seen")?.textContent ?? "") })),
    }));
    const wanted = wantedOf(input.value);
    const { shown, more } = found(items, input.value);
    for (const item of items) {
      item.element.hidden = !shown.includes(item);
      const isSeen = item.texts.some(({ text }) => text.includes(wanted));
      for (const { line, text } of item.texts) line.hidden = isSeen && !text.includes(wanted);
    }
    // Those that are shown come first, in their order.
    const order = [...shown, ...items.filter((item) => !shown.includes(item))];
    items[0]?.element.parentElement?.append(...order.map(({ element }) => element));
    const isEmpty = wanted === "";
    const longer = more === 0 ? "" : ` ${more} more only if the text goes on.`;
    message.textContent = isEmpty ? "" : `${shown.length} of ${items.length} statuses fit.${longer}`;
    if (none) none.hidden = isEmpty || shown.length > 0;
  };
  input.addEventListener("input", search);
  // A browser keeps what was typed when it loads a page again.
  if (input.value !== "") search();
}
