/** The list of findings below the editor. */
import { button, make } from "../../frontend/src/dom";
import { type Finding, type Fix, fixes } from "./program";
import { fixLabel, said, severityBadge } from "./said";

export interface Actions {
  reveal: (finding: Finding) => void;
  apply: (finding: Finding, fix: Fix) => void;
  fixAll: (isUnsafeToo: boolean) => void;
  /** Plays the run that shows a finding, if one is known. */
  play: (finding: Finding) => (() => void) | undefined;
}

/** More are not listed: they would be read by nobody. */
const MAX_SHOWN = 200;

export class List {
  readonly element = make("section", { class: "findings", "aria-label": "Findings" });
  private readonly heading = make("h2", {}, "Loading…");
  private readonly note = make("p", { class: "soft small", role: "status" });
  private readonly tools = make("span", { class: "fix-all" });
  private readonly items = make("ul", {});

  constructor(private readonly actions: Actions) {
    this.element.append(make("div", { class: "findings-head" }, this.heading, this.tools), this.note, this.items);
  }

  /** What keeps the findings from being complete. */
  say(text: string): void {
    if (this.note.textContent !== text) this.note.textContent = text;
    this.note.hidden = text === "";
  }

  show(findings: readonly Finding[]): void {
    this.heading.replaceChildren(summary(findings));
    this.items.replaceChildren(...findings.slice(0, MAX_SHOWN).map((finding) => this.item(finding)));
    if (findings.length > MAX_SHOWN) this.items.append(make("li", { class: "soft" }, `${findings.length - MAX_SHOWN} more`));
    const safe = findings.filter((finding) => finding.fix?.applicability === "safe").length;
    const all = findings.filter((finding) => finding.fix).length;
    const fixAll = (label: string, title: string, isUnsafeToo: boolean): HTMLElement =>
      button(label, { title, "data-fix-all": isUnsafeToo ? "all" : "safe" }, () => this.actions.fixAll(isUnsafeToo));
    this.tools.replaceChildren(
      ...(safe > 0 ? [fixAll(`Apply safe fixes (${safe})`, "Those that change nothing that runs", false)] : []),
      ...(all > safe && findings.length > 1 ? [fixAll(`Fix all (${all})`, "As `wflint --fix --unsafe-fixes` does", true)] : []),
    );
  }

  private item(finding: Finding): HTMLElement {
    const { line, column } = finding.range.start;
    const place = button(`${finding.file}:${line}:${column}`, { class: "place", dir: "auto" }, () => this.actions.reveal(finding));
    const play = this.actions.play(finding);
    const buttons = [
      ...(play ? [button("Play what happens", { class: "primary", "data-finding-play": true }, play)] : []),
      ...fixes(finding).map((fix) => {
        const element = button("", { "data-fix": fix.applicability }, () => this.actions.apply(finding, fix));
        element.append(...fixLabel(fix));
        return element;
      }),
    ];
    return make(
      "li",
      { "data-finding": true, "data-code": finding.code, "data-severity": finding.severity, "data-pointer": finding.pointer },
      make("div", { class: "row" }, severityBadge(finding.severity), place),
      make("div", { class: "said", dir: "auto" }, ...said(finding)),
      ...(buttons.length > 0 ? [make("div", { class: "buttons" }, ...buttons)] : []),
    );
  }
}

function summary(findings: readonly Finding[]): string {
  if (findings.length === 0) return "No findings";
  const count = (severity: string, one: string, many: string): string[] => {
    const number = findings.filter((finding) => finding.severity === severity).length;
    return number === 0 ? [] : [`${number} ${number === 1 ? one : many}`];
  };
  return [...count("error", "error", "errors"), ...count("warning", "warning", "warnings"), ...count("info", "info", "infos")].join(", ");
}
