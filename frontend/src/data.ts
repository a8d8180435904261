/**
 * The data in the page, as `wflint schema page` describes it. What does not have its form is left out here, so that the
 * other files can rely on the types: a page with damaged data stays a page to read.
 */

export interface Activity {
  pointer: string;
  name: string;
  word: string;
  /** How often scenarios began it. */
  begun: number | undefined;
}

export interface RunEvent {
  /** Milliseconds since the order was submitted. */
  at: number;
  /** An index of activities. */
  activity: number | undefined;
  kind: string;
  text: string;
  variable: string | undefined;
  value: string | undefined;
}

export interface Run {
  id: string;
  kind: string;
  title: string;
  outcome: string;
  events: RunEvent[];
}

export interface Move {
  choice: string | undefined;
  to: number | undefined;
  end: number | undefined;
  elapsed: number;
  /** What happens, with the time since the move began. */
  events: () => RunEvent[];
  scenario: unknown;
}

export interface State {
  question: string | undefined;
  activity: number | undefined;
  moves: Move[];
}

export interface End {
  outcome: string;
  run: string;
  status: string | undefined;
}

export interface Try {
  states: State[];
  start: Move;
  ends: End[];
  cycles: { end: number; states: number[] }[];
  complete: boolean;
  scenario: unknown;
}

export interface Service {
  id: string;
  name: string;
  activities: Activity[];
  runs: Run[];
  try: Try | undefined;
}

type Members = Record<string, unknown>;

const members = (value: unknown): Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const someText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
const indexOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
const time = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) ? Math.max(0, value) : 0;

/** The events of a service, which are made when a run is played: a page of many opens without them. */
class Table {
  private readonly texts: readonly unknown[];
  private readonly events: readonly unknown[];

  constructor(service: Members) {
    this.texts = list(service["texts"]);
    this.events = list(service["events"]);
  }

  /** What happens in the steps of a run or a move, with the milliseconds since it began. */
  *of(steps: unknown): Generator<RunEvent> {
    let at = 0;
    for (const step of list(steps)) {
      const [wait, first, count] = list(step);
      at += time(wait);
      const begin = indexOf(first) ?? this.events.length;
      for (const event of this.events.slice(begin, begin + (indexOf(count) ?? 0))) yield this.event(at, event);
    }
  }

  private event(at: number, value: unknown): RunEvent {
    const [kind, words, activity, variable, own] = list(value);
    const [named, valued] = [this.text(variable), this.text(own)];
    return { at, activity: indexOf(activity), kind: text(kind), text: this.text(words) ?? "", variable: named, value: valued };
  }

  private text(index: unknown): string | undefined {
    return someText(this.texts[indexOf(index) ?? -1]);
  }
}

/** A run, whose events are made when it is played. */
class Lazy implements Run {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly outcome: string;
  private made: RunEvent[] | undefined;

  constructor(private readonly run: Members, private readonly table: Table) {
    this.id = text(run["id"]);
    this.kind = text(run["kind"]);
    this.title = text(run["title"]);
    this.outcome = text(run["outcome"]);
  }

  get events(): RunEvent[] {
    return (this.made ??= Array.from(this.table.of(this.run["events"])));
  }

  get isEmpty(): boolean {
    return this.table.of(this.run["events"]).next().done === true;
  }
}

function move(value: unknown, table: Table): Move {
  const it = members(value);
  return {
    choice: someText(it["choice"]),
    to: indexOf(it["to"]),
    end: indexOf(it["end"]),
    elapsed: time(it["elapsed"]),
    events: () => Array.from(table.of(it["events"])),
    scenario: it["scenario"],
  };
}

function tryData(value: unknown, table: Table): Try | undefined {
  const it = members(value);
  if (!Array.isArray(it["states"])) return undefined;
  return {
    states: list(it["states"]).map((state) => ({
      question: someText(members(state)["question"]),
      activity: indexOf(members(state)["activity"]),
      moves: list(members(state)["moves"]).map((made) => move(made, table)),
    })),
    start: move(it["start"], table),
    ends: list(it["ends"]).map((end) => ({
      outcome: text(members(end)["outcome"]),
      run: text(members(end)["run"]),
      status: someText(members(end)["status"]),
    })),
    cycles: list(it["cycles"]).map((cycle) => ({
      end: indexOf(members(cycle)["end"]) ?? -1,
      states: list(members(cycle)["states"]).map((state) => indexOf(state) ?? -1),
    })),
    complete: it["complete"] === true,
    scenario: it["scenario"],
  };
}

function service(value: unknown): Service {
  const it = members(value);
  const table = new Table(it);
  const runs = list(it["runs"]).map((run) => new Lazy(members(run), table));
  return {
    id: text(it["id"]),
    name: text(it["name"]),
    activities: list(it["activities"]).map((activity) => ({
      pointer: text(members(activity)["pointer"]),
      name: text(members(activity)["name"]),
      word: text(members(activity)["word"]),
      begun: indexOf(members(activity)["begun"]),
    })),
    runs: runs.filter((run) => run.id !== "" && !run.isEmpty),
    try: tryData(it["try"], table),
  };
}

export const emptyService = (id: string, name: string): Service => ({ id, name, activities: [], runs: [], try: undefined });

/** The services that a JSON text describes; none if it is no JSON. */
export function parseData(json: string): Service[] {
  try {
    return list(members(JSON.parse(json))["services"])
      .map(service)
      .filter((it) => it.id !== "");
  } catch {
    return [];
  }
}
