/** The drawing of a document in Visual Studio Code: the extension answers, by messages. */
import { parsePosition, type Play, type Position, type Range, type Source } from "./source";

interface Host {
  postMessage: (message: unknown) => void;
  setState: (state: unknown) => void;
}

declare function acquireVsCodeApi(): Host;

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (reason: Error) => void;
}

export class EditorSource implements Source {
  private readonly host = acquireVsCodeApi();
  private readonly waiting = new Map<number, Waiting>();
  private asked = 0;
  private changed: () => void = () => undefined;
  private moved: (position: Position | undefined) => void = () => undefined;

  /** `document` is kept when the window is loaded again: the extension opens the panel for it. */
  constructor(document: string) {
    this.host.setState(document);
    addEventListener("message", ({ data }: MessageEvent<Record<string, unknown>>) => this.received(data));
  }

  drawing(): Promise<unknown> {
    return this.ask("drawing");
  }

  plays(): Promise<unknown> {
    return this.ask("plays");
  }

  run(play: Play): Promise<unknown> {
    return this.ask("run", play);
  }

  reveal(range: Range, hasFocus: boolean): void {
    this.host.postMessage({ method: "reveal", range, hasFocus });
  }

  onChanged(listener: () => void): void {
    this.changed = listener;
  }

  onCursor(listener: (position: Position | undefined) => void): void {
    this.moved = listener;
  }

  private ask(method: string, parameters: object = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = ++this.asked;
      this.waiting.set(id, { resolve, reject });
      this.host.postMessage({ method, id, ...parameters });
    });
  }

  private received(data: Record<string, unknown>): void {
    if (data["event"] === "changed") this.changed();
    if (data["event"] === "cursor") this.moved(parsePosition(data["position"]));
    const id = Number(data["id"]);
    const waiting = this.waiting.get(id);
    if (!waiting) return;
    this.waiting.delete(id);
    if (typeof data["error"] === "string") waiting.reject(new Error(data["error"]));
    else waiting.resolve(data["result"]);
  }
}
