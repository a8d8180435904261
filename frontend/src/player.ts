/** A run on the drawing: an event at a time, forth and back. */
import type { Run, Service } from "./data";
import { announcer, badge, button, isStill, make, words } from "./dom";
import type { Drawing } from "./drawing";
import { facts, spoken } from "./facts";
import { standing } from "./run";

/** How long an event is shown, in milliseconds. */
const PACE = 900;

export interface Watcher {
  /** The reader stopped at an event: the address names it. */
  stopped: (step: number) => void;
  closed: () => void;
}

export class Player {
  readonly element: HTMLElement;
  private step = 0;
  private speed = 1;
  private timer: number | undefined;
  private readonly seek: HTMLInputElement;
  private readonly buttons: Record<string, HTMLButtonElement> = {};
  private readonly facts;
  private readonly voice = announcer();

  constructor(
    private readonly service: Service,
    readonly run: Run,
    private readonly drawing: Drawing | undefined,
    private readonly watcher: Watcher,
  ) {
    const last = run.events.length;
    this.facts = facts(service);
    this.seek = make("input", { type: "range", "data-action": "seek", min: "0", max: String(last), "aria-label": "Event" });
    this.seek.addEventListener("input", () => this.stopAt(Number(this.seek.value)));
    const close = button("Close", { class: "close" }, () => this.watcher.closed());
    // The badge says the outcome.
    const named = run.title.startsWith(run.outcome) ? run.title.slice(run.outcome.length).replace(/^: /, "") : run.title;
    // Names are in backticks where it is said in words; a status has its own.
    const said = run.kind === "law" ? words(named) : [named];
    const title = make("b", { class: "grow" }, run.kind === "scenario" ? "Scenario " : "", make("span", { dir: "auto" }, ...said));
    this.element = make(
      "div",
      { class: "player", "data-player": run.id, role: "group", tabindex: "-1", "aria-label": `Run: ${run.title}` },
      make("div", { class: "row" }, badge(run.outcome), title, close),
      make("div", { class: "controls" }, ...this.controls(last), this.facts.clock),
      this.seek,
      this.facts.now,
      this.facts.columns,
      this.voice.element,
    );
    this.element.addEventListener("keydown", (event) => this.keyPressed(event));
  }

  /** Shows the run from an event on. */
  open(step: number): void {
    this.go(step);
    if (step === 0 && !isStill()) this.play();
  }

  dispose(): void {
    this.halt();
    this.element.remove();
    this.drawing?.follow(undefined);
  }

  /** Goes to an event and stays there. */
  stopAt(step: number): void {
    this.halt();
    this.go(step);
    this.watcher.stopped(this.step);
  }

  private controls(last: number): HTMLElement[] {
    const control = (action: string, label: string, pressed: () => void): HTMLButtonElement =>
      (this.buttons[action] = button(label, { "data-action": action }, pressed));
    const speed = make("select", { "aria-label": "Speed" });
    for (const times of [0.5, 1, 2, 4]) {
      speed.append(make("option", { value: String(times), selected: times === 1 }, `${times}×`));
    }
    speed.addEventListener("change", () => (this.speed = Number(speed.value) || 1));
    const play = control("play", "Play", () => this.play());
    play.className = "primary";
    const pause = control("pause", "Pause", () => this.stopAt(this.step));
    pause.className = "primary";
    pause.hidden = true;
    return [
      control("start", "Start", () => this.stopAt(0)),
      control("back", "Back", () => this.stopAt(this.step - 1)),
      play,
      pause,
      control("step", "Step", () => this.stopAt(this.step + 1)),
      control("end", "End", () => this.stopAt(last)),
      speed,
    ];
  }

  private play(): void {
    if (this.step >= this.run.events.length) this.go(0);
    this.show("pause");
    this.wait();
  }

  private wait(): void {
    // What was filled in is there at once, for whoever looks at the drawing.
    const pace = this.run.events[this.step]?.kind === "filled" ? PACE / 6 : PACE;
    this.timer = window.setTimeout(() => {
      this.go(this.step + 1);
      if (this.step < this.run.events.length) this.wait();
      else this.stopAt(this.step);
    }, pace / this.speed);
  }

  private halt(): void {
    window.clearTimeout(this.timer);
    this.timer = undefined;
    this.show("play");
  }

  /** One of the two buttons is there, and keeps the focus of the other. */
  private show(action: "play" | "pause"): void {
    const { play, pause } = this.buttons;
    if (!play || !pause) return;
    const hadFocus = document.activeElement === play || document.activeElement === pause;
    play.hidden = action !== "play";
    pause.hidden = action !== "pause";
    if (hadFocus) (play.hidden ? pause : play).focus();
  }

  private go(step: number): void {
    const last = this.run.events.length;
    this.step = Math.max(0, Math.min(last, Math.floor(step) || 0));
    const now = standing(this.run.events, this.step, this.service.activities);
    this.seek.value = String(this.step);
    const said = spoken(this.service, now);
    this.seek.setAttribute("aria-valuetext", `Event ${this.step} of ${last}: ${said}`);
    this.facts.show(now);
    this.drawing?.follow(now, this.service.activities);
    if (document.activeElement !== this.seek) this.voice.say(`${this.facts.clock.textContent}: ${said}`);
    for (const [action, is] of [["start", 0], ["back", 0], ["step", last], ["end", last]] as const) {
      // Not `disabled`: a button that loses the focus loses the keyboard's place.
      this.buttons[action]?.setAttribute("aria-disabled", String(this.step === is));
    }
  }

  private keyPressed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLSelectElement) return;
    const to = { ArrowRight: this.step + 1, ArrowUp: this.step + 1, ArrowLeft: this.step - 1, ArrowDown: this.step - 1 };
    const step = { ...to, Home: 0, End: this.run.events.length }[event.key];
    // On a button, Space presses it.
    const isSpace = event.key === " " && !(event.target instanceof HTMLButtonElement);
    if (step === undefined && !isSpace && event.key !== "Escape") return;
    event.preventDefault();
    if (event.key === "Escape") this.watcher.closed();
    else if (step !== undefined) this.stopAt(step);
    else if (this.timer === undefined) this.play();
    else this.stopAt(this.step);
  }
}
