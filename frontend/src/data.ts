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
  events: [number, number][];
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
  events: RunEvent[];
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
const index = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
const time = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) ? Math.max(0, value) : 0;

/** An event of the service's table, which does not say when it happens. */
function event(value: unknown): RunEvent {
  const it = members(value);
  return {
    at: 0,
    activity: index(it["activity"]),
    kind: text(it["kind"]),
    text: text(it["text"]),
    variable: someText(it["variable"]),
    value: someText(it["value"]),
  };
}

/** A run, whose events are made when it is played: a page of many ends opens without them. */
class Lazy implements Run {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly outcome: string;
  private made: RunEvent[] | undefined;

  constructor(private readonly run: Members, private readonly table: readonly RunEvent[]) {
    this.id = text(run["id"]);
    this.kind = text(run["kind"]);
    this.title = text(run["title"]);
    this.outcome = text(run["outcome"]);
  }

  get events(): RunEvent[] {
    this.made ??= happenings(this.run["events"]).flatMap(([at, index]) => {
      const event = this.table[index];
      return event ? [{ ...event, at }] : [];
    });
    return this.made;
  }

  get isEmpty(): boolean {
    return !list(this.run["events"]).some((pair) => this.table[index(list(pair)[1]) ?? -1]);
  }
}

/** What happens when: pairs of milliseconds and an index of the table. */
const happenings = (value: unknown): [number, number][] =>
  list(value).map((pair) => [time(list(pair)[0]), index(list(pair)[1]) ?? -1]);

function move(value: unknown): Move {
  const it = members(value);
  return {
    choice: someText(it["choice"]),
    to: index(it["to"]),
    end: index(it["end"]),
    elapsed: time(it["elapsed"]),
    events: happenings(it["events"]),
    scenario: it["scenario"],
  };
}

function tryData(value: unknown, events: RunEvent[]): Try | undefined {
  const it = members(value);
  if (!Array.isArray(it["states"])) return undefined;
  return {
    events,
    states: list(it["states"]).map((state) => ({
      question: someText(members(state)["question"]),
      activity: index(members(state)["activity"]),
      moves: list(members(state)["moves"]).map(move),
    })),
    start: move(it["start"]),
    ends: list(it["ends"]).map((end) => ({
      outcome: text(members(end)["outcome"]),
      run: text(members(end)["run"]),
      status: someText(members(end)["status"]),
    })),
    cycles: list(it["cycles"]).map((cycle) => ({
      end: index(members(cycle)["end"]) ?? -1,
      states: list(members(cycle)["states"]).map((state) => index(state) ?? -1),
    })),
    complete: it["complete"] === true,
    scenario: it["scenario"],
  };
}

function service(value: unknown): Service {
  const it = members(value);
  const events = list(it["events"]).map(event);
  const runs = list(it["runs"]).map((run) => new Lazy(members(run), events));
  return {
    id: text(it["id"]),
    name: text(it["name"]),
    activities: list(it["activities"]).map((activity) => ({
      pointer: text(members(activity)["pointer"]),
      name: text(members(activity)["name"]),
      word: text(members(activity)["word"]),
      begun: index(members(activity)["begun"]),
    })),
    runs: runs.filter((run) => run.id !== "" && !run.isEmpty),
    try: tryData(it["try"], events),
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
