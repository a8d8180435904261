/** The address's fragment: `#service`, `#service/run`, `#service/run/step`. It never holds a value of an order. */
import type { Service } from "./data";

export interface Place {
  service: string;
  run: string | undefined;
  step: number;
}

/** What a fragment names; none if no service has the name. A service's id may contain a slash: the longest one counts. */
export function parsePlace(fragment: string, services: readonly Service[]): Place | undefined {
  let text = fragment.replace(/^#/, "");
  try {
    text = decodeURIComponent(text);
  } catch {
    // A fragment with a stray `%` is taken as it is.
  }
  const named = services.filter((service) => text === service.id || text.startsWith(`${service.id}/`));
  const [service] = named.sort((a, b) => b.id.length - a.id.length);
  if (!service) return undefined;
  const rest = text.slice(service.id.length + 1);
  // The step is what follows the last slash, if it is a number.
  const parts = /^(.*?)(?:\/(\d{1,7}))?$/s.exec(rest);
  const run = service.runs.find((run) => run.id === parts?.[1]);
  // A part of the section, or a run of another time.
  if (rest !== "" && !run) return undefined;
  const step = run ? Math.min(Number(parts?.[2] ?? 0), run.events.length) : 0;
  return { service: service.id, run: run?.id, step };
}

export function fragment(place: Place): string {
  const parts = [place.service];
  if (place.run !== undefined) parts.push(place.run, String(place.step));
  return `#${parts.map((part) => part.split("/").map(encodeURIComponent).join("/")).join("/")}`;
}

/** A new entry in the history, so that the back button leaves the run. */
export function go(place: Place): void {
  change(() => history.pushState(null, "", fragment(place)));
}

/** The same entry: each step of a run would fill the history. */
export function move(place: Place): void {
  change(() => history.replaceState(null, "", fragment(place)));
}

/** A browser refuses too many changes, and those of a document without an address. */
function change(how: () => void): void {
  try {
    how();
  } catch {
    // The page works without.
  }
}
