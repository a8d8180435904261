/**
 * Where the page has its parts from: files beside it, or, when the page is one file, elements in it. The worker's code is a part
 * of the script either way, so that it works without a server, and under the page's policy, which allows it no address.
 */
import code from "worker-code";
import type { Example } from "./examples";

const embedded = (id: string): string | undefined => document.getElementById(id)?.textContent ?? undefined;

export function workerAddress(): string {
  return URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
}

/** The program, compiled once for all workers. It is the largest part, and begins to load with the page. */
export const program = load();

async function load(): Promise<WebAssembly.Module> {
  const packed = embedded("wflint-program");
  if (packed !== undefined) return WebAssembly.compile(await unpacked(packed));
  const response = await fetch("wflint.wasm");
  if (!response.ok) throw new Error(`wflint.wasm could not be loaded: ${response.status}`);
  const isTyped = response.headers.get("content-type") === "application/wasm";
  // A server that does not know the type is no reason to fail.
  return isTyped ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

async function unpacked(base64: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(base64.trim()), (one) => one.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

export async function loadExamples(): Promise<Example[]> {
  const text = embedded("wflint-examples");
  if (text !== undefined) return JSON.parse(text) as Example[];
  const response = await fetch("examples.json");
  if (!response.ok) throw new Error(`examples.json: ${response.status}`);
  return (await response.json()) as Example[];
}

/** Keeps the files of this page for the next visit, with or without a network. */
export function stayOffline(): void {
  if (location.protocol !== "https:" && location.hostname !== "localhost" && location.hostname !== "127.0.0.1") return;
  navigator.serviceWorker?.register("offline.js").catch(() => undefined);
}
