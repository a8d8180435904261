/** "Where is my order?": from a text as a user sees it to the templates that can have produced it. */
import { all, make, one } from "./dom";

/** Literal parts, and `null` for each gap. */
export type Template = (string | null)[];

/** A longer text is no status: the comparison stays quick. */
const MAX_TEXT = 400;

/** Case and blanks do not count. */
export const normal = (text: string): string => text.toLowerCase().replace(/\s+/gu, " ").trim();

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
  // `null` is a gap. The blanks around and between parts are compared as one.
  const pattern = template.flatMap((part) => (part === null ? [null] : Array.from(part.toLowerCase().replace(/\s+/gu, " "))));
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

/** Gaps may be empty. */
function past(places: Set<number>, pattern: readonly (string | null)[]): Set<number> {
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
    let shown = 0;
    const wanted = wantedOf(input.value);
    for (const { element, template, seen, texts } of items) {
      element.hidden = !fits(template, seen, input.value);
      if (!element.hidden) shown++;
      const isSeen = texts.some(({ text }) => text.includes(wanted));
      for (const { line, text } of texts) line.hidden = isSeen && !text.includes(wanted);
    }
    const isEmpty = normal(input.value) === "";
    message.textContent = isEmpty ? "" : `${shown} of ${items.length} statuses fit.`;
    if (none) none.hidden = isEmpty || shown > 0;
  };
  input.addEventListener("input", search);
  // A browser keeps what was typed when it loads a page again.
  if (input.value !== "") search();
}
