/** A service's section: its drawing, its lists, and one thing at a time that moves on the drawing. */
import { fragment, go, move } from "./address";
import type { Service } from "./data";
import { all, button, make, one } from "./dom";
import { Drawing } from "./drawing";
import { findings } from "./findings";
import { layers } from "./layers";
import { Player } from "./player";
import { statuses } from "./statuses";
import { TryIt } from "./try";
import { View } from "./view";

export class Section {
  private readonly drawing: Drawing | undefined;
  private readonly playerHost: HTMLElement | undefined;
  private readonly tryHost: HTMLElement | undefined;
  private player: Player | undefined;
  private tryIt: TryIt | undefined;

  constructor(
    private readonly element: HTMLElement,
    private readonly service: Service,
  ) {
    const svg = one<SVGSVGElement>(element, ".canvas svg");
    const canvas = svg?.closest<HTMLElement>(".canvas");
    const tools = one(element, "[data-drawing-tools]");
    if (svg && canvas) {
      const view = new View(canvas, svg, service.name);
      this.drawing = new Drawing(element, service, view);
      const bar = make("div", { class: "tools" }, view.buttons(), layers(service, this.drawing), this.drawing.folder(), this.drawing.finder());
      if (tools) tools.replaceWith(bar);
      else canvas.parentElement?.before(bar);
    }
    statuses(element);
    findings(element, this.drawing);
    this.playerHost = one(element, "[data-player-host]");
    this.tryHost = one(element, "[data-try-host]");
    // What moves on the drawing is below it.
    if (this.drawing && this.playerHost && this.tryHost) this.playerHost.after(this.tryHost);
    this.playButtons();
    if (service.try && this.tryHost) {
      const host = { begun: () => this.leave(), play: (run: string) => this.play(run) };
      this.tryIt = new TryIt(service, service.try, this.drawing, host);
      this.tryHost.append(this.tryIt.element);
      this.tryHost.hidden = false;
    }
  }

  get id(): string {
    return this.service.id;
  }

  /** Opens a run that the address names. */
  open(run: string, step: number): void {
    const found = this.service.runs.find((it) => it.id === run);
    if (!found || !this.playerHost) return;
    if (this.player?.run.id === run) {
      this.player.stopAt(step);
      return;
    }
    this.player?.dispose();
    this.player = new Player(this.service, found, this.drawing, {
      stopped: (at) => move({ service: this.id, run, step: at }),
      closed: () => {
        this.leave();
        go({ service: this.id, run: undefined, step: 0 });
      },
    });
    this.playerHost.hidden = false;
    this.playerHost.append(this.player.element);
    this.element.classList.add("is-playing");
    this.player.open(step);
    // A drawing that sticks beside the words is at the top where they begin.
    const stage = this.playerHost.closest(".stage");
    const isBeside = stage !== null && getComputedStyle(stage).position === "sticky";
    ((isBeside ? stage.parentElement : stage) ?? this.playerHost).scrollIntoView({ block: "start" });
    this.player.element.focus({ preventScroll: true });
  }

  /** Closes the player. */
  leave(): void {
    if (!this.player) return;
    this.player.dispose();
    this.player = undefined;
    this.element.classList.remove("is-playing");
    if (this.playerHost) this.playerHost.hidden = true;
    this.tryIt?.resume();
  }

  private play(run: string): void {
    const place = { service: this.id, run, step: 0 };
    if (fragment(place) !== location.hash) go(place);
    this.open(run, 0);
  }

  private playButtons(): void {
    const runs = new Map(this.service.runs.map((run) => [run.id, run]));
    for (const host of all(this.element, "[data-play-host]")) {
      const run = runs.get(host.dataset["playHost"] ?? "");
      if (!run || run.outcome === "refused") continue;
      const attributes = { "data-play": run.id, "aria-label": `Play ${run.title}` };
      host.append(button("Play", attributes, () => this.play(run.id)));
    }
  }
}
