// What a client and its workers say to each other.
import type { Reason, Wflint } from "./types.js";

/** A function of {@link Wflint} by its name. */
export type Method = keyof Wflint;

/** To a worker: first the module, then calls, each when the last one is answered. */
export type Request = { module: WebAssembly.Module } | { method: Method; args: readonly unknown[] };

/** From a worker. An error is sent by its parts, because its class gets lost. */
export type Reply = { value: unknown } | { error: { reason: Reason | undefined; message: string } };
