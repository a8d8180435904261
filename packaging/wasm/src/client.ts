// Runs wflint in two workers, so that nothing holds up the page: the second one runs scripts, which may never end.
import { compile, type Source } from "./compile.js";
import type { Method, Reply, Request } from "./messages.js";
import {
  type Answer, type DrawOptions, type Drawing, type Files, type Fixed, type Options, type Output, type Reason, type RunOptions,
  WflintError,
} from "./types.js";

/** A worker with the script `worker.js` of the package: one of browsers, or of Node's `worker_threads`. */
export interface WorkerLike {
  postMessage(message: unknown): void;
  terminate(): unknown;
}

export interface ClientOptions {
  /** Where the module comes from; by default the one of the package. */
  source?: Source;
  /** Milliseconds that a call may run, 10,000 by default. */
  deadline?: number;
}

/** Options of a call. */
export interface CallOptions {
  /** Cancels the call: its promise is rejected. */
  signal?: AbortSignal;
  /** Milliseconds that this call may run. */
  deadline?: number;
}

/** What is known of the scripts of an answer. */
export interface Scripted {
  /** `run`; `off` when the options turn them off; `ended` when they were ended, and the answer is the one without them. */
  scripts: "run" | "off" | "ended";
  /** Why they were ended. */
  reason?: Reason;
}

export interface LintCallOptions extends Options, CallOptions {
  /** Gets the answer without scripts, which comes before the one with them. */
  early?(answer: Answer): void;
}

/** wflint in workers. The promises are rejected with a {@link WflintError}. */
export interface Client {
  lint(files: Files, options?: LintCallOptions): Promise<Answer & Scripted>;
  fix(files: Files, options?: Options & CallOptions): Promise<Fixed & Scripted>;
  draw(file: string, files: Files, options?: DrawOptions & CallOptions): Promise<Drawing & Scripted>;
  /** Without its scripts a scenario has no result: when they are ended, the promise is rejected. */
  simulate(files: Files, options?: RunOptions & CallOptions): Promise<Answer>;
  /** As {@link Client.simulate}. */
  explore(files: Files, options?: RunOptions & CallOptions): Promise<Answer>;
  run(args: readonly string[], files: Files, options?: CallOptions & { stdin?: string }): Promise<Output>;
  /** Ends the workers. */
  close(): void;
}

/** What a worker says, in browsers and in Node. */
interface Listening extends WorkerLike {
  onmessage?: ((event: { data: Reply }) => void) | null;
  onerror?: ((event: { message?: string }) => void) | null;
  on?(event: "message" | "error", listener: (value: never) => void): void;
}

function listen(worker: Listening, onReply: (reply: Reply) => void, onError: (message: string) => void): void {
  if (worker.on !== undefined) {
    worker.on("message", onReply);
    worker.on("error", (error: Error) => onError(error.message));
  } else {
    worker.onmessage = (event) => onReply(event.data);
    worker.onerror = (event) => onError(event.message ?? "the worker failed");
  }
}

/** A worker that answers one call after the other, and is started again after it was ended. */
class Lane {
  private worker: WorkerLike | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private settle: ((reply: Reply) => void) | undefined;

  constructor(
    private readonly start: () => WorkerLike,
    private readonly module: Promise<WebAssembly.Module>,
    private readonly deadline: number,
  ) {}

  call<T>(method: Method, args: readonly unknown[], options: CallOptions): Promise<T> {
    const called = this.last.then(() => this.run(method, args, options)) as Promise<T>;
    this.last = called.catch(() => undefined);
    return called;
  }

  close(): void {
    this.end("canceled", "wflint was closed");
  }

  /** Ends the worker, and the call that it runs. */
  private end(reason: Reason, message: string): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.settle?.({ error: { reason, message } });
  }

  private async run(method: Method, args: readonly unknown[], { signal, deadline = this.deadline }: CallOptions): Promise<unknown> {
    const module = await this.module;
    const cancel = (): void => this.end("canceled", "the call was canceled");
    if (signal?.aborted === true) throw new WflintError("canceled", "the call was canceled");
    signal?.addEventListener("abort", cancel);
    const timer = setTimeout(() => this.end("deadline", `wflint took longer than ${deadline} ms`), deadline);
    try {
      const reply = await new Promise<Reply>((resolve, reject) => {
        this.settle = resolve;
        try {
          const worker = (this.worker ??= this.started(module));
          worker.postMessage({ method, args } satisfies Request);
        } catch (error) {
          reject(error as Error);
        }
      });
      if ("value" in reply) return reply.value;
      throw reply.error.reason === undefined ? new Error(reply.error.message) : new WflintError(reply.error.reason, reply.error.message);
    } finally {
      this.settle = undefined;
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    }
  }

  private started(module: WebAssembly.Module): WorkerLike {
    const worker = this.start();
    listen(
      worker,
      // A worker that was ended may have answered before.
      (reply) => worker === this.worker && this.settle?.(reply),
      (message) => worker === this.worker && this.end("fault", message),
    );
    worker.postMessage({ module } satisfies Request);
    return worker;
  }
}

/** The options of a call that wflint itself gets: functions and signals cannot be sent. */
function sent<T extends CallOptions>(options: T): Omit<T, "signal" | "deadline" | "early"> {
  const { signal: _signal, deadline: _deadline, early: _early, ...rest } = options as T & { early?: unknown };
  return rest as Omit<T, "signal" | "deadline" | "early">;
}

/**
 * Runs wflint in two workers. `start` starts one, and is called again when one was ended at its deadline:
 * `() => new Worker(new URL("@wflint/wasm/worker.js", import.meta.url), { type: "module" })`.
 */
export function connect(start: () => WorkerLike, { source, deadline = 10_000 }: ClientOptions = {}): Client {
  const module = compile(source);
  module.catch(() => undefined);
  const [plain, scripted] = [new Lane(start, module, deadline), new Lane(start, module, deadline)];

  /** The answer with scripts; when they are ended, the one without. */
  async function withScripts<T>(method: Method, before: readonly unknown[], options: CallOptions & { scripts?: boolean }, without?: Promise<T>) {
    const quick = (): Promise<T> => without ?? plain.call<T>(method, [...before, { ...sent(options), scripts: false }], options);
    if (options.scripts === false) return { ...(await quick()), scripts: "off" as const };
    try {
      return { ...(await scripted.call<T>(method, [...before, sent(options)], options)), scripts: "run" as const };
    } catch (error) {
      if (!(error instanceof WflintError) || error.reason === "canceled") throw error;
      return { ...(await quick()), scripts: "ended" as const, reason: error.reason };
    }
  }

  return {
    async lint(files, options = {}) {
      const without = plain.call<Answer>("lint", [files, { ...sent(options), scripts: false }], options);
      without.then((answer) => options.early?.(answer), () => undefined);
      return withScripts("lint", [files], options, without);
    },
    fix: (files, options = {}) => withScripts<Fixed>("fix", [files], options),
    draw: (file, files, options = {}) => withScripts<Drawing>("draw", [file, files], options),
    simulate: (files, options = {}) => scripted.call("simulate", [files, sent(options)], options),
    explore: (files, options = {}) => scripted.call("explore", [files, sent(options)], options),
    run: (args, files, options = {}) => scripted.call("run", [args, files, options.stdin ?? ""], options),
    close() {
      plain.close();
      scripted.close();
    },
  };
}
