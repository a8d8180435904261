/**
 * Where the panel has its drawing from: an editor, or a server. What arrives is read here, and what does not have its
 * form is left out, so that the other files can rely on the types.
 */

/** A place in the text; lines and characters are counted from 0. */
export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export interface PicturedActivity {
  pointer: string;
  name: string;
  range: Range | undefined;
}

export interface PicturedFinding {
  /** The activity that it belongs to; empty for the workflow itself. */
  pointer: string;
  code: string;
  severity: string;
  message: string;
  range: Range | undefined;
}

/** A version of a workflow. */
export interface Picture {
  version: number;
  name: string;
  svg: string;
  activities: PicturedActivity[];
  findings: PicturedFinding[];
  /** The text is invalid JSON: this is its last valid version. */
  stale: boolean;
}

export interface PlayedScenario {
  name: string;
  id: string;
}

export interface PlayedEnd {
  id: string;
  title: string;
  outcome: string;
}

export interface Plays {
  scenarios: PlayedScenario[];
  ends: PlayedEnd[];
}

export type Play = { scenario: string } | { end: string };

/** The answers are those of `wflint/drawing`, `wflint/plays` and `wflint/run`. A rejection says why in its message. */
export interface Source {
  drawing: () => Promise<unknown>;
  plays: () => Promise<unknown>;
  run: (play: Play) => Promise<unknown>;
  /** Shows a range of the text; with the focus, the reader goes on there. */
  reveal?: (range: Range, hasFocus: boolean) => void;
  /** The workflow has changed, or may be had again: the panel asks. */
  onChanged: (listener: () => void) => void;
  /** The cursor is somewhere else in the text; undefined if it is in no text of the workflow. */
  onCursor?: (listener: (position: Position | undefined) => void) => void;
}

type Members = Record<string, unknown>;

const members = (value: unknown): Members | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
const list = (value: unknown): Members[] =>
  Array.isArray(value) ? value.map(members).filter((it) => it !== undefined) : [];
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const count = (value: unknown): number => (typeof value === "number" && Number.isInteger(value) ? Math.max(0, value) : 0);

export function parsePosition(value: unknown): Position | undefined {
  const it = members(value);
  return it && { line: count(it["line"]), character: count(it["character"]) };
}

function parseRange(value: unknown): Range | undefined {
  const [start, end] = [parsePosition(members(value)?.["start"]), parsePosition(members(value)?.["end"])];
  return start && end && { start, end };
}

/** Undefined if there is no workflow. */
export function parsePicture(value: unknown): Picture | undefined {
  const it = members(value);
  if (!it || typeof it["svg"] !== "string") return undefined;
  return {
    version: count(it["version"]),
    name: text(it["name"]),
    svg: it["svg"],
    activities: list(it["activities"]).map((activity) => ({
      pointer: text(activity["pointer"]),
      name: text(activity["name"]),
      range: parseRange(activity["range"]),
    })),
    findings: list(it["findings"]).map((finding) => ({
      pointer: text(finding["pointer"]),
      code: text(finding["code"]),
      severity: text(finding["severity"]),
      message: text(finding["message"]),
      range: parseRange(finding["range"]),
    })),
    stale: it["stale"] === true,
  };
}

export function parsePlays(value: unknown): Plays {
  const it = members(value) ?? {};
  return {
    scenarios: list(it["scenarios"]).map((scenario) => ({ name: text(scenario["name"]), id: text(scenario["id"]) })),
    ends: list(it["ends"]).map((end) => ({ id: text(end["id"]), title: text(end["title"]), outcome: text(end["outcome"]) })),
  };
}

const isBefore = (a: Position, b: Position): boolean => a.line < b.line || (a.line === b.line && a.character < b.character);

/** The innermost activity around a place in the text. */
export function activityAt(activities: readonly PicturedActivity[], position: Position): string | undefined {
  const around = activities.filter(({ range }) => range && !isBefore(position, range.start) && !isBefore(range.end, position));
  // What is inside of another has the longer pointer.
  return around.sort((a, b) => b.pointer.length - a.pointer.length)[0]?.pointer;
}
