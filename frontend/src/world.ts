/**
 * "Try it" without its elements: the explored states, with the reader as the world. A choice is a move; moves without a
 * choice follow by themselves; an order that comes back to where it was has closed a cycle, and may stay there forever.
 */
import type { End, Move, RunEvent, State, Try } from "./data";

/** Moves that follow by themselves; more are a mistake in the data. */
const MAX_MOVES = 10_000;

export interface Situation {
  /** Everything that happened, with the time since the submission. */
  events: RunEvent[];
  /** The time since the submission, which the last event may be long before. */
  at: number;
  /** Where the order waits for a choice. */
  state: State | undefined;
  end: End | undefined;
  /** How many choices were made. */
  choices: number;
  /** The masked scenario that is this run. */
  scenario: unknown;
}

export class World {
  private readonly made: Move[] = [];

  constructor(private readonly data: Try) {}

  /** Takes an alternative of the state where the order waits. */
  choose(move: Move): void {
    this.made.push(move);
  }

  undo(): void {
    this.made.pop();
  }

  restart(): void {
    this.made.length = 0;
  }

  /** Plays the choices from the submission. */
  situation(): Situation {
    const path: number[] = [];
    const result: Situation = {
      events: [],
      at: 0,
      state: undefined,
      end: undefined,
      choices: this.made.length,
      scenario: merge({}, this.data.scenario),
    };
    let made = 0;
    let move: Move | undefined = this.data.start;
    for (let moves = 0; move && moves < MAX_MOVES; moves++) {
      for (const event of move.events()) result.events.push({ ...event, at: result.at + event.at });
      result.at += move.elapsed;
      result.scenario = merge(result.scenario, move.scenario);
      result.end = move.end === undefined ? undefined : this.data.ends[move.end];
      result.state = move.to === undefined ? undefined : this.data.states[move.to];
      if (result.end || !result.state || move.to === undefined) return result;
      const seen = path.lastIndexOf(move.to);
      if (seen >= 0) {
        result.end = this.endOf(path.slice(seen), lastStatus(result.events));
        if (result.end) return result;
      }
      path.push(move.to);
      const [first]: Move[] = result.state.moves;
      move = first && first.choice === undefined && result.state.moves.length === 1 ? first : this.made[made++];
    }
    return result;
  }

  /** The end of an order that stays in these states, if one can. */
  private endOf(loop: number[], status: string | undefined): End | undefined {
    const fits = this.data.cycles.filter((cycle) => {
      const states = new Set(cycle.states);
      return loop.every((state) => states.has(state));
    });
    const shows = (end: number): number => (this.data.ends[end]?.status === status ? 0 : 1);
    fits.sort((a, b) => shows(a.end) - shows(b.end) || a.states.length - b.states.length);
    return this.data.ends[fits[0]?.end ?? -1];
  }
}

/** The text that the order shows. */
export function lastStatus(events: readonly RunEvent[]): string | undefined {
  const published = events.filter((event) => event.kind === "published");
  return published[published.length - 1]?.value;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Objects are merged, arrays are put behind each other, the rest is replaced. */
export function merge(base: unknown, more: unknown): unknown {
  if (more === undefined) return base;
  if (Array.isArray(base) && Array.isArray(more)) return [...base, ...more];
  if (!isObject(base) || !isObject(more)) return more;
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(more)) merged.set(key, merge(merged.get(key), value));
  return Object.fromEntries(merged);
}
