// Gets the module and compiles it.

/** Where the module comes from: its address, a response, its bytes, or the module itself, compiled before. */
export type Source = string | URL | Response | PromiseLike<Response> | BufferSource | WebAssembly.Module;

/** Compiles the module; by default the one of the package. It can be sent to workers, which then need not compile it. */
export async function compile(source: Source = new URL("./wflint.wasm", import.meta.url)): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === "string" || source instanceof URL) {
    const address = new URL(source, import.meta.url);
    return address.protocol === "file:" && isNode() ? WebAssembly.compile(await readFile(address)) : compile(fetch(address));
  }
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  const response = await source;
  if (!response.ok) throw new Error(`cannot load wflint: ${response.status} ${response.statusText}`);
  // Only of this type do browsers compile what still arrives.
  return response.headers.get("Content-Type") === "application/wasm"
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

function isNode(): boolean {
  return typeof process === "object" && typeof process.versions?.node === "string";
}

declare const process: { versions?: { node?: string } } | undefined;

async function readFile(address: URL): Promise<Uint8Array<ArrayBuffer>> {
  // A name that bundlers for browsers do not see.
  const name = "node:fs/promises";
  const { readFile } = (await import(/* webpackIgnore: true */ /* @vite-ignore */ name)) as {
    readFile(file: URL): Promise<Uint8Array<ArrayBuffer>>;
  };
  return readFile(address);
}
