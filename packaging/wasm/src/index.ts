/**
 * wflint in WebAssembly: lints, simulates, explores and draws workflows in memory, in browsers and in Node.
 *
 * @packageDocumentation
 */
import { commands } from "./commands.js";
import { compile, type Source } from "./compile.js";
import type { Wflint } from "./types.js";

export * from "./client.js";
export { compile, type Source } from "./compile.js";
export * from "./types.js";

/** Loads wflint. In browsers its functions are to be called in a worker: a long lint would hold up the page. */
export async function load(source?: Source): Promise<Wflint> {
  return commands(await compile(source));
}
