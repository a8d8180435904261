/**
 * Documents in the address's fragment, which a browser sends to nobody: `#v1.` and the compressed files in base64url. What
 * comes back from an address was written by anybody, and is taken within limits.
 */
import { type Files, filesProblem } from "./files";

const MARK = "#v1.";
/** Longer addresses are cut off by programs that pass them on. */
export const MAX_FRAGMENT = 60_000;
/** Counted while it is decompressed: a short address can hold a lot of zeros. */
const MAX_BYTES = 2_000_000;

export interface Shared {
  files: Map<string, string>;
  active: string;
}

/** The fragment that holds these files; nothing if it would be too long. */
export async function toFragment({ files, active }: { files: Files; active: string }): Promise<string | undefined> {
  const json = JSON.stringify({ files: Object.fromEntries(files), active });
  const stream = new Blob([json]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const fragment = MARK + toBase64Url(bytes);
  return fragment.length > MAX_FRAGMENT ? undefined : fragment;
}

export const isShared = (fragment: string): boolean => fragment.startsWith(MARK);

/** The files in a fragment; an error that says what is wrong with it. */
export async function fromFragment(fragment: string): Promise<Shared> {
  if (!isShared(fragment)) throw new Error("The address holds no files.");
  if (fragment.length > MAX_FRAGMENT) throw new Error("The address is too long.");
  const bytes = fromBase64Url(fragment.slice(MARK.length));
  const text = await inflated(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("The address is damaged: it may have been cut off.");
  }
  return shared(value);
}

function shared(value: unknown): Shared {
  const known = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  const all = known["files"];
  const entries = typeof all === "object" && all !== null && !Array.isArray(all) ? Object.entries(all) : [];
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === "string");
  if (texts.length === 0 || texts.length < entries.length) throw new Error("The address is damaged: it holds no files.");
  const problem = filesProblem(texts);
  if (problem !== undefined) throw new Error(problem);
  const files = new Map(texts);
  const active = known["active"];
  return { files, active: typeof active === "string" && files.has(active) ? active : (texts[0]?.[0] ?? "") };
}

async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let count = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      count += value.byteLength;
      if (count > MAX_BYTES) break;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    throw new Error("The address is damaged: it may have been cut off.");
  }
  await reader.cancel().catch(() => undefined);
  throw new Error(`The address holds more than ${MAX_BYTES / 1_000_000} million bytes.`);
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw new Error("The address is damaged.");
  try {
    return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));
  } catch {
    throw new Error("The address is damaged: it may have been cut off.");
  }
}
