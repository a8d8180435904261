/** The drawing that `wflint graph --serve` serves, under the address of the page. */
import type { Play, Source } from "./source";

/** Between attempts to reach a server that does not answer, in milliseconds. */
const PAUSE = 2000;
const STOPPED = "The server does not answer. Start `wflint graph --serve` again.";

async function ask(address: string): Promise<Response> {
  const response = await fetch(address, { cache: "no-store" }).catch(() => {
    throw new Error(STOPPED);
  });
  if (response.ok) return response;
  const why = await response.text().catch(() => "");
  throw new Error(why === "" ? `The server answered ${response.status}.` : why);
}

const json = async (address: string): Promise<unknown> => (await ask(address)).json();

export class HttpSource implements Source {
  /** The version that the panel has. */
  private version = 0;

  async drawing(): Promise<unknown> {
    const picture = await json("drawing");
    const version = typeof picture === "object" && picture !== null && "version" in picture ? picture.version : undefined;
    if (typeof version === "number") this.version = version;
    return picture;
  }

  plays(): Promise<unknown> {
    return json("plays");
  }

  run(play: Play): Promise<unknown> {
    return json(`run?${new URLSearchParams(Object.entries(play))}`);
  }

  onChanged(listener: () => void): void {
    void this.poll(listener);
  }

  /** Each answer arrives when there is something new, or after a time. */
  private async poll(listener: () => void): Promise<never> {
    for (let isReached = true; ; ) {
      try {
        const response = await ask(`changes?after=${this.version}`);
        if (!isReached || response.status !== 204) listener();
        if (response.status !== 204) this.version = ((await response.json()) as { version: number }).version;
        isReached = true;
      } catch {
        if (isReached) listener();
        isReached = false;
        await new Promise((resolve) => window.setTimeout(resolve, PAUSE));
      }
    }
  }
}
