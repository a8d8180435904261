/** What the program prints, as `wflint schema report` and `wflint schema explore` describe it. */
import { Lines } from "./lines";
import type { Output } from "./machine";

export interface Position {
  /** From 1. */
  line: number;
  /** In Unicode scalar values, from 1. */
  column: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export interface Edit {
  /** The file, if it is not the finding's. */
  file?: string;
  range: Range;
  newText: string;
}

export interface Fix {
  applicability: "safe" | "unsafe";
  title: string;
  edits: Edit[];
}

export interface Place {
  file: string;
  pointer: string;
  range: Range;
  message: string;
}

export type Severity = "error" | "warning" | "info";

export interface Finding extends Place {
  code: string;
  name: string;
  severity: Severity;
  activity: string | null;
  help: string | null;
  related: Place[];
  fix: Fix | null;
  alternatives: Fix[];
}

/** The command that lints everything. */
export const lint = (...options: string[]): string[] => ["--format", "json", ...options, "."];

/** The findings that `lint` printed; an error with what the program says if it could not lint. */
export function findings(output: Output): Finding[] {
  if (output.code > 1 || output.stdout === "") throw new Error(problemOf(output));
  return (JSON.parse(output.stdout) as { diagnostics: Finding[] }).diagnostics;
}

/** What the program says when it cannot answer. */
export const problemOf = (output: Output): string =>
  output.stderr.trim() || output.stdout.trim() || `wflint ended with the code ${output.code}`;

/** All fixes that a finding offers, the likeliest first. */
export const fixes = (finding: Finding): Fix[] => [...(finding.fix ? [finding.fix] : []), ...finding.alternatives];

/** A replacement in a text, in UTF-16 units. */
export interface Change {
  from: number;
  to: number;
  insert: string;
}

/** The changes of a fix, by file. */
export function changesOf(finding: Finding, fix: Fix, files: ReadonlyMap<string, string>): Map<string, Change[]> {
  const changes = new Map<string, Change[]>();
  for (const edit of fix.edits) {
    const file = edit.file ?? finding.file;
    const text = files.get(file);
    if (text === undefined) continue;
    const { start, end } = edit.range;
    const lines = new Lines(text);
    const change = { from: lines.offset(start), to: lines.offset(end), insert: edit.newText };
    changes.set(file, [...(changes.get(file) ?? []), change]);
  }
  return changes;
}
