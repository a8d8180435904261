/** "Try it": the reader is the world, and the drawing follows. */
import type { End, Service, Try } from "./data";
import { announcer, button, make, words } from "./dom";
import type { Drawing } from "./drawing";
import { ending, facts, spoken } from "./facts";
import { endedAt, standing, type Standing } from "./run";
import { type Situation, World } from "./world";

export interface Host {
  /** The reader begins: a run that is played gives way. */
  begun: () => void;
  play: (run: string) => void;
}

export class TryIt {
  readonly element: HTMLElement;
  private readonly world: World;
  private readonly facts;
  private readonly voice = announcer();
  private readonly asked = make("div", { class: "asked" });
  private readonly moved = make("div", { class: "moved" });
  private readonly undo = button("Undo", { "data-action": "undo" }, () => this.turn(() => this.world.undo()));
  private readonly restart = button("Start again", { "data-action": "restart" }, () =>
    this.turn(() => this.world.restart()),
  );

  constructor(
    private readonly service: Service,
    private readonly data: Try,
    private readonly drawing: Drawing | undefined,
    private readonly host: Host,
  ) {
    this.world = new World(data);
    this.facts = facts(service);
    this.element = make(
      "div",
      { class: "try player", "data-try": true, role: "group", "aria-label": "Try it" },
      make("div", { class: "row" }, make("b", { class: "grow" }, "Try it: you decide what happens"), this.facts.clock),
      this.asked,
      make("div", { class: "controls" }, this.undo, this.restart),
      this.moved,
      this.voice.element,
    );
    this.show(false);
  }

  /** Marks on the drawing where the order stands, if the reader has begun. */
  resume(): void {
    this.show(this.world.situation().choices > 0);
  }

  private turn(how: () => void): void {
    const hadFocus = this.element.contains(document.activeElement);
    this.host.begun();
    how();
    this.show(true);
    // The buttons are others now: the keyboard goes on at the first of them.
    if (hadFocus) (this.asked.querySelector<HTMLElement>("button, [tabindex]") ?? this.restart).focus({ preventScroll: true });
  }

  private show(isFollowed: boolean): void {
    const now = this.world.situation();
    const stands = standing(now.events, now.events.length, this.service.activities);
    stands.at = Math.max(stands.at, now.at);
    const activity = now.end ? undefined : now.state?.activity;
    stands.outcome = now.end?.outcome;
    if (stands.outcome === "completed") stands.activity = undefined;
    if (activity !== undefined) {
      stands.activity = activity;
      stands.visited.add(activity);
    }
    this.facts.show(stands);
    this.asked.replaceChildren(...(now.end ? this.outcome(now, now.end, stands.at) : this.question(now)));
    this.undo.hidden = this.restart.hidden = now.choices === 0;
    this.moved.replaceChildren(...(now.choices === 0 ? [] : [this.facts.columns]));
    if (!isFollowed) return;
    this.drawing?.follow(stands, this.service.activities);
    this.voice.say(this.said(now, stands));
  }

  private said(now: Situation, stands: Standing): string {
    const heading = this.asked.firstElementChild?.textContent ?? "";
    return `${this.facts.clock.textContent}. ${now.end ? "" : spoken(this.service, stands)} ${heading}`;
  }

  private question({ state }: Situation): Node[] {
    if (!state || state.moves.length === 0 || state.moves.every((move) => move.choice === undefined)) {
      const text = "The page holds no more of this order: only a part of what can happen was explored or kept.";
      return [make("p", { class: "now", "data-stopped": true }, text)];
    }
    const question = state.question ?? "How does it go on?";
    const choices = state.moves.map((move) => {
      const attributes = { "data-choice": question, "data-alternative": move.choice ?? "goes on", dir: "auto" };
      const choice = button("", attributes, () => this.turn(() => this.world.choose(move)));
      choice.append(...words(move.choice ?? "goes on"));
      return choice;
    });
    return [make("p", { class: "now" }, ...words(question)), make("div", { class: "choices" }, ...choices)];
  }

  private outcome(now: Situation, end: End, at: number): Node[] {
    const status = end.status ?? now.events.filter((event) => event.kind === "published").pop()?.value;
    const run = this.service.runs.find((it) => it.id === end.run);
    const ended = run?.events[run.events.length - 1];
    const summary = make(
      "p",
      { class: "now", "data-outcome": end.outcome, tabindex: "-1" },
      ...ending(end.outcome, ended?.kind === "ended" ? endedAt(ended.text, at) : end.outcome),
      status === undefined ? ", without a status" : ", with the status ",
      status === undefined ? undefined : make("b", { dir: "auto" }, status),
    );
    const play = run ? [button("Play the shortest run to this end", {}, () => this.host.play(run.id))] : [];
    return [summary, ...play, this.scenario(now.scenario)];
  }

  /** The scenario that is this run, masked as everything here: a file to run is written by the program. */
  private scenario(value: unknown): HTMLElement {
    return make(
      "details",
      {},
      make("summary", {}, "The scenario that is this run"),
      make(
        "p",
        { class: "small" },
        "Masked values are covered here. ",
        make("code", {}, "wflint explore --write"),
        " writes a scenario for each end that can be run.",
      ),
      make("pre", { tabindex: "0", dir: "auto", "data-scenario-text": true }, JSON.stringify(value, null, 2)),
    );
  }

  /** Whether the page holds everything that can happen. */
  get isComplete(): boolean {
    return this.data.complete;
  }
}
