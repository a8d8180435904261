/**
 * The live picture: the drawing of a workflow that somebody is writing, with its findings, scenarios and ends. The
 * drawing and the player are those of the page.
 */
import { emptyService, parseData, type Service } from "../data";
import { button, make } from "../dom";
import type { Drawing } from "../drawing";
import { LiveDrawing } from "./live";
import { Player } from "../player";
import { View } from "../view";
import { Drawer } from "./drawer";
import { counted, details, findingsList, playsList } from "./lists";
import { activityAt, parsePicture, parsePlays, type Picture, type Play, type Position, type Range, type Source } from "./source";
import { adopt } from "./svg";
import { dress, followTheme } from "./theme";

/** What the page around the panel can do with it. */
export interface PanelHandle {
  play: (play: Play) => void;
  tryIt: () => void;
  /** Shows an activity on the drawing. */
  choose: (pointer: string) => void;
}

/** Makes "Try it" on a drawing, where there is one. `play` plays the run to an end. */
export type Trying = (drawing: Drawing | undefined, play: (end: string) => void) => Promise<HTMLElement>;

/** Mounts the panel in an element, which gives it its size. What was in it goes. */
export function panel(host: HTMLElement, source: Source, trying?: Trying): PanelHandle {
  return new Panel(host, source, trying).begin();
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

class Panel {
  private readonly name = make("h1", { class: "live-name", dir: "auto" });
  private readonly notice = make("p", { class: "live-notice", role: "status" });
  private readonly tools = make("div", { class: "tools" });
  private readonly stage = make("div", { class: "live-stage" });
  private readonly drawer = new Drawer([
    { name: "findings", label: "Findings", fill: (body) => this.fillFindings(body) },
    { name: "plays", label: "Play", fill: (body) => void this.fillPlays(body) },
    ...(this.trying ? [{ name: "try", label: "Try it", fill: (body: HTMLElement) => void this.fillTry(body) }] : []),
  ]);
  private readonly root = make(
    "div",
    { class: "live js" },
    make("div", { class: "live-head" }, this.name, this.drawer.tabs),
    this.tools,
    this.notice,
    this.stage,
    this.drawer.element,
  );
  private drawing: LiveDrawing | undefined;
  private picture: Picture | undefined;
  private player: Player | undefined;
  private isTrying = false;
  /** The version of the run that is played, and what says that it is an old one. */
  private outdated: { version: number | undefined; note: HTMLElement } | undefined;
  private position: Position | undefined;
  private isAsking = false;
  private hasChanged = false;

  constructor(
    private readonly host: HTMLElement,
    private readonly source: Source,
    private readonly trying: Trying | undefined,
  ) {}

  begin(): PanelHandle {
    this.host.replaceChildren(this.root);
    this.drawer.closed = () => this.leave();
    followTheme();
    this.say("Loading…");
    this.source.onChanged(() => void this.refresh());
    this.source.onCursor?.((position) => {
      this.position = position;
      this.pointAtCursor(!this.player && !this.isTrying);
    });
    void this.refresh();
    return {
      play: (play) => void this.play(play, this.drawer.empty("plays")),
      tryIt: () => this.drawer.open("try"),
      choose: (pointer) => this.drawing?.choose(pointer),
    };
  }

  /** One question at a time: what changes meanwhile is asked for after it. */
  private async refresh(): Promise<void> {
    this.hasChanged = true;
    if (this.isAsking) return;
    this.isAsking = true;
    while (this.hasChanged) {
      this.hasChanged = false;
      try {
        this.show(parsePicture(await this.source.drawing()));
      } catch (error) {
        this.root.classList.add("is-old");
        this.say(reason(error));
      }
    }
    this.isAsking = false;
  }

  private show(picture: Picture | undefined): void {
    const adopted = picture && adopt(picture.svg);
    this.root.classList.toggle("is-empty", !adopted);
    this.root.classList.toggle("is-old", picture?.stale === true);
    if (!picture || !adopted) {
      this.picture = undefined;
      this.drawer.close();
      this.say(picture ? "The drawing cannot be read." : "This document is not a workflow.");
      return;
    }
    this.say(picture.stale ? "Invalid JSON: the drawing shows the last valid version." : "");
    const before = this.picture;
    this.picture = picture;
    this.name.textContent = picture.name;
    dress(adopted.style);
    const service = { ...emptyService("panel", picture.name), activities: picture.activities.map(activity) };
    if (!this.drawing) this.draw(adopted.svg, service);
    else if (before?.svg !== picture.svg) this.drawing.replace(adopted.svg, service);
    this.pointAtCursor(false);
    this.drawer.count("findings", counted(picture.findings));
    this.drawer.refresh("findings");
    this.compareRun();
  }

  private draw(svg: SVGSVGElement, service: Service): void {
    const canvas = make("div", { class: "canvas" });
    canvas.append(svg);
    this.stage.replaceChildren(canvas);
    const view = new View(canvas, svg, service.name);
    this.drawing = new LiveDrawing(this.root, service, view, {
      details: (pointer) => (this.picture ? details(this.picture, pointer, this.source.reveal && this.reveal) : []),
      chosen: (pointer) => this.reveal(this.rangeOf(pointer), false),
    });
    this.tools.replaceChildren(view.buttons(), this.drawing.folder(), this.drawing.finder());
  }

  private readonly reveal = (range: Range | undefined, hasFocus: boolean): void => {
    if (range) this.source.reveal?.(range, hasFocus);
  };

  private rangeOf(pointer: string): Range | undefined {
    return this.picture?.activities.find((it) => it.pointer === pointer)?.range;
  }

  private pointAtCursor(isRevealed: boolean): void {
    const here = this.position && this.picture && activityAt(this.picture.activities, this.position);
    this.drawing?.pointAt(here, isRevealed);
  }

  private say(what: string): void {
    if (this.notice.textContent !== what) this.notice.textContent = what;
    this.notice.hidden = what === "";
  }

  private fillFindings(body: HTMLElement): void {
    const { picture } = this;
    if (!picture) return;
    const chosen = (pointer: string, range: Range | undefined): void => {
      if (pointer !== "") this.drawing?.choose(pointer);
      this.reveal(range, false);
    };
    body.replaceChildren(findingsList(picture, chosen));
  }

  private async fillPlays(body: HTMLElement): Promise<void> {
    const wait = make("p", { class: "soft", role: "status" }, "Looking for scenarios and ends…");
    body.replaceChildren(wait);
    try {
      const plays = parsePlays(await this.source.plays());
      if (wait.isConnected) body.replaceChildren(playsList(plays, (play) => void this.play(play, body)));
    } catch (error) {
      wait.textContent = reason(error);
    }
  }

  private async play(play: Play, body: HTMLElement): Promise<void> {
    const wait = make("p", { class: "soft", role: "status" }, "Running…");
    this.leave();
    body.replaceChildren(wait);
    const version = this.picture?.version;
    const [service] = await this.source.run(play).then(
      (data) => parseData(JSON.stringify({ services: [data] })),
      (error: unknown) => {
        wait.textContent = reason(error);
        return [];
      },
    );
    // The reader may have gone on to something else.
    if (!wait.isConnected) return;
    const run = service?.runs[0];
    if (!service || !run) {
      if (wait.textContent === "Running…") wait.textContent = "Nothing happens in this run.";
      wait.after(button("Back", {}, () => this.drawer.open("plays")));
      return;
    }
    this.player = new Player(service, run, this.drawing, { stopped: () => undefined, closed: () => this.drawer.open("plays") });
    this.showRun(version, body, this.player.element, button("Run again", {}, () => void this.play(play, body)));
    this.player.open(0);
    this.player.element.focus({ preventScroll: true });
  }

  /** The reader decides what happens. */
  private async fillTry(body: HTMLElement): Promise<void> {
    const wait = make("p", { class: "soft", role: "status" }, "Looking for what can happen…");
    body.replaceChildren(wait);
    const version = this.picture?.version;
    try {
      const play = (end: string): void => void this.play({ end }, this.drawer.empty("plays"));
      const element = await this.trying?.(this.drawing, play);
      // The reader may have gone on to something else.
      if (!wait.isConnected || !element) return;
      this.isTrying = true;
      this.showRun(version, body, element, button("Begin again", {}, () => this.drawer.open("try")));
    } catch (error) {
      wait.textContent = reason(error);
    }
  }

  /** Shows a run, and says when it is no longer one of this workflow. */
  private showRun(version: number | undefined, body: HTMLElement, run: HTMLElement, again: HTMLElement): void {
    const note = make("p", { class: "live-notice", hidden: true }, "The workflow has changed since this run. ", again);
    this.outdated = { version, note };
    this.compareRun();
    body.replaceChildren(note, run);
    this.drawing?.close();
  }

  /** Takes the run from the drawing. */
  private leave(): void {
    this.player?.dispose();
    if (this.isTrying) this.drawing?.follow(undefined);
    this.isTrying = false;
    this.player = undefined;
    this.outdated = undefined;
  }

  /** Says when the run that is played is of another version. */
  private compareRun(): void {
    if (this.outdated) this.outdated.note.hidden = this.outdated.version === this.picture?.version;
  }
}

/** An activity as the drawing and the player know it. */
const activity = ({ pointer, name }: { pointer: string; name: string }): Service["activities"][number] => ({
  pointer,
  name,
  word: "",
  begun: undefined,
});
