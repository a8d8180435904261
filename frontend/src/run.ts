/** Where an order stands after a number of events of its run: what the player and "Try it" show. */
import type { Activity, RunEvent } from "./data";

export interface Happened {
  at: number;
  text: string;
}

export interface Standing {
  /** The event that was the last one; none at the submission. */
  event: RunEvent | undefined;
  at: number;
  /** The activity where the order stands: an index. None before the first, and of a completed order. */
  activity: number | undefined;
  /** Variables with their values, the latest change first. */
  values: [string, string][];
  /** Those that still have the value from the form. */
  filled: [string, string][];
  published: Happened[];
  mailed: Happened[];
  asked: Happened[];
  /** Indices of activities that have begun. */
  visited: Set<number>;
  /** Those whose condition did not hold: the order went past what is inside. */
  passed: Set<number>;
  outcome: string | undefined;
}

/** The standing after `count` events. */
export function standing(events: readonly RunEvent[], count: number, activities: readonly Activity[]): Standing {
  const [values, filled] = [new Map<string, string>(), new Map<string, string>()];
  const result: Standing = {
    event: undefined,
    at: 0,
    activity: undefined,
    values: [],
    filled: [],
    published: [],
    mailed: [],
    asked: [],
    visited: new Set(),
    passed: new Set(),
    outcome: undefined,
  };
  const shown = events.slice(0, Math.max(0, count));
  shown.forEach((event, place) => {
    result.event = event;
    result.at = Math.max(result.at, event.at);
    if (event.activity !== undefined) {
      result.activity = event.activity;
      result.visited.add(event.activity);
      if (event.kind === "condition" && goesPast(events, place, activities)) result.passed.add(event.activity);
    }
    if (event.variable !== undefined && event.value !== undefined) {
      // Set anew, so that it is the latest in the order of the map.
      for (const map of [values, filled]) map.delete(event.variable);
      (event.kind === "filled" ? filled : values).set(event.variable, event.value);
    }
    const what = { at: event.at, text: event.kind === "published" ? (event.value ?? event.text) : event.text };
    if (event.kind === "published") result.published.push(what);
    if (event.kind === "mailed") result.mailed.push(what);
    if (event.kind === "asked" || event.kind === "case") result.asked.push(what);
    if (event.kind === "ended") {
      result.outcome = event.value;
      if (event.value === "completed") result.activity = undefined;
    }
  });
  result.values = Array.from(values).reverse();
  result.filled = Array.from(filled);
  return result;
}

/** Whether what follows a condition is outside of its activity. */
function goesPast(events: readonly RunEvent[], place: number, activities: readonly Activity[]): boolean {
  const own = events[place]?.activity;
  const next = events.slice(place + 1, place + 50).find((event) => event.activity !== undefined && event.activity !== own);
  if (!next) return events[events.length - 1]?.value === "completed";
  const [from, to] = [activities[own ?? -1]?.pointer, activities[next.activity ?? -1]?.pointer];
  return from !== undefined && to !== undefined && !to.startsWith(`${from}/`);
}

const UNITS: [number, string][] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "m"],
];

/** The time since the submission, as the other parts of the page write it: "after 6d 23h 50m". */
export function clock(milliseconds: number): string {
  let rest = Math.round(milliseconds);
  if (!(rest > 0)) return "at the submission";
  const parts: string[] = [];
  for (const [unit, name] of UNITS) {
    const number = Math.floor(rest / unit);
    rest %= unit;
    if (number > 0) parts.push(`${number}${name}`);
  }
  if (rest > 0) parts.push(`${rest / 1000}s`);
  return `after ${parts.join(" ")}`;
}

/** The words of an end, with the time of another run that comes to it. */
export const endedAt = (text: string, milliseconds: number): string =>
  text.replace(/^(\w+) after (?:\d+(?:\.\d+)?[dhms] ?\b ?)+(?=:|$)/, (_, outcome: string) => `${outcome} ${clock(milliseconds)}`);
