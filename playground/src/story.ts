/**
 * The strip above the documents: what this example is about. An example with a defect has three steps, so that a visitor sees in
 * seconds what wflint does: the finding, the run that shows it, the fix.
 */
import { button, make } from "../../frontend/src/dom";
import type { Example } from "./examples";
import { type Finding, type Fix, fixes } from "./program";

export interface Actions {
  reveal: (finding: Finding) => void;
  /** Plays the run that shows the finding, once it is known. */
  play: (finding: Finding) => void;
  /** Plays how orders end now, after the fix. */
  playMended: () => void;
  apply: (finding: Finding, fix: Fix) => void;
  restore: () => void;
  next: () => void;
}

export class Story {
  readonly element = make("section", { class: "story-strip", "aria-label": "This example" });
  private readonly title = make("h2", {});
  private readonly text = make("p", { class: "story-text" });
  private readonly steps = make("div", { class: "steps" });
  private readonly status = make("p", { class: "vh", role: "status" });
  private example: Example | undefined;
  private isMended = false;

  constructor(private readonly actions: Actions) {
    this.element.append(make("div", { class: "story-words" }, this.title, this.text), this.steps, this.status);
  }

  begin(example: Example | undefined): void {
    this.example = example;
    this.isMended = false;
    this.element.hidden = example === undefined;
    this.say(example);
    this.steps.replaceChildren();
  }

  /** Follows the findings: the steps that are possible now. */
  follow(findings: readonly Finding[], isChecked: boolean): void {
    const told = this.example?.finding;
    if (!told) return;
    const finding = findings.find(({ code }) => code === told.code);
    if (!finding && !isChecked) return;
    this.say(finding ? this.example : told.mended);
    this.show(finding ? this.defect(finding) : this.mended());
    if (!finding && !this.isMended) this.status.textContent = told.mended.headline;
    this.isMended = finding === undefined;
  }

  private say(words: { headline?: string; title?: string; story?: string } | undefined): void {
    this.title.textContent = words?.headline ?? words?.title ?? "";
    this.text.textContent = words?.story ?? "";
  }

  private defect(finding: Finding): Node[] {
    const [fix] = fixes(finding);
    const found = button("", { class: "found", "data-story": "found", title: finding.message }, () => this.actions.reveal(finding));
    found.append(make("span", { class: "badge error" }, "Found"), `${finding.code}, line ${finding.range.start.line}`);
    const playing = button("Play what happens", { class: "primary", "data-story": "play" }, () => this.actions.play(finding));
    const mend = fix && button("Mend it", { "data-story": "mend", title: fix.title }, () => this.actions.apply(finding, fix));
    return [found, playing, ...(mend ? [mend] : [])];
  }

  private mended(): Node[] {
    return [
      make("p", { class: "found" }, make("span", { class: "badge good" }, "Mended")),
      button("Play it now", { class: "primary", "data-story": "play-mended" }, () => this.actions.playMended()),
      button("Undo", { "data-story": "undo" }, () => this.actions.restore()),
      button("Next example", { "data-story": "next" }, () => this.actions.next()),
    ];
  }

  /** Keeps the focus on the button that stands in the place of the one that had it. */
  private show(nodes: Node[]): void {
    const place = Array.from(this.steps.querySelectorAll("button")).findIndex((it) => it === document.activeElement);
    this.steps.replaceChildren(...nodes);
    if (place >= 0) (this.steps.querySelectorAll("button")[Math.min(place, 1)] ?? this.steps.querySelector("button"))?.focus();
  }
}
