// The script of a worker, in browsers and in Node: calls wflint for a client, one call after the other.
import { commands } from "./commands.js";
import type { Reply, Request } from "./messages.js";
import { type Wflint, WflintError } from "./types.js";

/** The other end of the messages: a browser's worker is one itself, Node's has one. */
interface Port {
  postMessage(reply: Reply): void;
}

interface NodeWorker {
  parentPort: Port & { on(event: "message", listener: (request: Request) => void): void };
}

let wflint: Wflint | undefined;

function answer(request: Request): Reply | undefined {
  if ("module" in request) {
    wflint = commands(request.module);
    return undefined;
  }
  try {
    if (wflint === undefined) throw new Error("there is no module yet");
    const called = wflint[request.method] as (...args: readonly unknown[]) => unknown;
    return { value: called(...request.args) };
  } catch (error) {
    const reason = error instanceof WflintError ? error.reason : undefined;
    return { error: { reason, message: error instanceof Error ? error.message : String(error) } };
  }
}

function serve(port: Port, request: Request): void {
  const reply = answer(request);
  if (reply !== undefined) port.postMessage(reply);
}

declare const self: (Port & { onmessage: ((event: { data: Request }) => void) | null }) | undefined;

if (typeof self === "object" && typeof self.postMessage === "function") {
  const port = self;
  port.onmessage = (event) => serve(port, event.data);
} else {
  const name = "node:worker_threads";
  void import(/* webpackIgnore: true */ /* @vite-ignore */ name).then(({ parentPort }: NodeWorker) => {
    parentPort.on("message", (request) => serve(parentPort, request));
  });
}
