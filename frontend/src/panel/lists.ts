/** What can be chosen beside the drawing: findings, scenarios and ends; and what is said of an activity. */
import { badge, button, type Child, make, words } from "../dom";
import type { Picture, PicturedFinding, Play, Plays, Range } from "./source";

const SEVERITIES = ["error", "warning", "info"];

const isKnown = (severity: string): boolean => SEVERITIES.includes(severity);
const mark = (severity: string, text: string): HTMLElement =>
  make("span", { class: `badge ${isKnown(severity) ? severity : "plain"}` }, text);
const many = (number: number, one: string): string => `${number} ${one}${number === 1 ? "" : "s"}`;

/** How many findings there are of each severity, in marks and in words. */
export function counted(findings: readonly PicturedFinding[]): { marks: Node[]; words: string } {
  const here = SEVERITIES.map((severity) => ({ severity, number: findings.filter((it) => it.severity === severity).length }));
  const some = here.filter(({ number }) => number > 0);
  return {
    marks: some.map(({ severity, number }) => mark(severity, String(number))),
    words: some.length === 0 ? "none" : some.map(({ severity, number }) => (severity === "info" ? `${number} info` : many(number, severity))).join(", "),
  };
}

const line = (range: Range | undefined): string => (range ? `line ${range.start.line + 1}` : "");

/** What a finding says; below it, what to do about it. */
function said({ message }: PicturedFinding): Node[] {
  const [what = "", ...help] = message.split("\n");
  const parts = help.map((part) => make("span", { class: "soft small", dir: "auto" }, ...words(part)));
  return [make("span", { dir: "auto" }, ...words(what)), ...parts];
}

/** A list whose items are pressed. */
function choices(items: readonly HTMLElement[]): HTMLElement {
  return make("ul", { class: "live-list" }, ...items.map((item) => make("li", {}, item)));
}

function choice(attributes: Record<string, string>, pressed: () => void, ...content: Child[]): HTMLButtonElement {
  const element = button("", { class: "live-item", ...attributes }, pressed);
  element.append(...content.filter((child): child is Node | string => child !== undefined));
  return element;
}

export function findingsList(picture: Picture, chosen: (pointer: string, range: Range | undefined) => void): HTMLElement {
  if (picture.findings.length === 0) return make("p", { class: "soft" }, "No findings.");
  const names = new Map(picture.activities.map(({ pointer, name }) => [pointer, name]));
  const items = picture.findings.map((finding) => {
    const place = [names.get(finding.pointer), line(finding.range)].filter((it) => it !== undefined && it !== "").join(", ");
    return choice(
      { "data-code": finding.code, "data-severity": finding.severity, "data-finding": finding.pointer },
      () => chosen(finding.pointer, finding.range),
      mark(finding.severity, `${finding.severity} ${finding.code}`),
      ...said(finding),
      make("span", { class: "soft small", dir: "auto" }, place),
    );
  });
  return choices(items);
}

export function playsList({ scenarios, ends }: Plays, play: (play: Play) => void): HTMLElement {
  const list = make("div", {});
  const add = (title: string, none: string, items: HTMLElement[]): void => {
    list.append(make("h2", {}, title), items.length > 0 ? choices(items) : make("p", { class: "soft" }, none));
  };
  const scenario = ({ id, name }: Plays["scenarios"][number]): HTMLElement =>
    choice({ "data-play": id, "aria-label": `Play ${name}` }, () => play({ scenario: id }), make("span", { dir: "auto" }, name));
  const end = ({ id, title, outcome }: Plays["ends"][number]): HTMLElement => {
    // The badge says the outcome.
    const rest = title.startsWith(outcome) ? title.slice(outcome.length).replace(/^: /, "") : title;
    const named = { "data-play": id, "data-outcome": outcome, "aria-label": `Play ${[outcome, rest].filter((it) => it !== "").join(": ")}` };
    return choice(named, () => play({ end: id }), badge(outcome), rest === "" ? undefined : make("span", { dir: "auto" }, rest));
  };
  add("Scenarios", "No scenario is written for this workflow.", scenarios.map(scenario));
  add("Ends", "No end was found.", ends.map(end));
  return list;
}

/** What is known of an activity. */
export function details(
  picture: Picture,
  pointer: string,
  reveal: ((range: Range | undefined, hasFocus: boolean) => void) | undefined,
): Node[] {
  const range = picture.activities.find((it) => it.pointer === pointer)?.range;
  const findings = picture.findings.filter((it) => it.pointer === pointer);
  const told = findings.map((it) => make("p", { class: "live-said" }, mark(it.severity, `${it.severity} ${it.code}`), ...said(it)));
  const place = line(range);
  const go = reveal && range && button("Go to the text", {}, () => reveal(range, true));
  return [...(place === "" ? [] : [make("p", { class: "soft" }, place.replace("l", "L"))]), ...told, ...(go ? [go] : [])];
}
