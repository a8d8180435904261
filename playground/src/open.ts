/** Files from the visitor's disk: chosen, dropped or pasted. They are read into the page, and go nowhere else. */
import { filesProblem, kindOf, MAX_FILES } from "./files";

/** What the program reads; other files of a folder are left out. */
const TAKEN = /\.(json|ya?ml|toml|ldif|js|md)$/i;
const SKIPPED_FOLDERS = /(^|\/)(node_modules|\.[^/]+)(\/|$)/;
const MAX_DEPTH = 12;

export interface Taken {
  files: Map<string, string>;
  /** Files that are not taken, in words. */
  left: string[];
}

export async function fromInput(list: readonly File[]): Promise<Taken> {
  return read(list.map((file) => [file.webkitRelativePath || file.name, file]));
}

export async function fromDrop(transfer: DataTransfer): Promise<Taken> {
  // The entries are gone once the event is over: all are taken first.
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const found: [string, File][] = [];
  for (const entry of entries) await collect(entry, found, 0);
  return read(found);
}

async function collect(entry: FileSystemEntry, found: [string, File][], depth: number): Promise<void> {
  const path = entry.fullPath.replace(/^\//, "");
  if (found.length > 4 * MAX_FILES || depth > MAX_DEPTH || SKIPPED_FOLDERS.test(path)) return;
  if (entry.isFile) {
    found.push([path, await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))]);
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return;
    for (const inner of part) await collect(inner, found, depth + 1);
  }
}

async function read(all: [string, File][]): Promise<Taken> {
  const taken: Taken = { files: new Map(), left: [] };
  for (const [path, file] of withoutCommonFolder(all)) {
    if (SKIPPED_FOLDERS.test(path) || !TAKEN.test(path)) {
      taken.left.push(path);
      continue;
    }
    const text = decoded(await file.arrayBuffer());
    if (text === undefined || filesProblem([...taken.files, [path, text]]) !== undefined) taken.left.push(path);
    else taken.files.set(path, text);
  }
  return taken;
}

/** Of a dropped folder `sign`, the files are `order.workflow.json`, not `sign/order.workflow.json`. */
function withoutCommonFolder(all: [string, File][]): [string, File][] {
  const [first] = all;
  const folder = first?.[0].slice(0, first[0].indexOf("/") + 1) ?? "";
  if (folder === "" || !all.every(([path]) => path.startsWith(folder))) return all;
  return all.map(([path, file]) => [path.slice(folder.length), file]);
}

/** The editor's lines end with a line feed. */
export const withLineFeeds = (text: string): string => text.replace(/\r\n?/g, "\n");

function decoded(bytes: ArrayBuffer): string | undefined {
  const start = new Uint8Array(bytes.slice(0, 2));
  const encoding = start[0] === 0xff && start[1] === 0xfe ? "utf-16le" : start[0] === 0xfe && start[1] === 0xff ? "utf-16be" : "utf-8";
  try {
    return withLineFeeds(new TextDecoder(encoding, { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** The name that a pasted text gets. */
export function nameOf(text: string): string {
  const kind = kindOf("pasted.json", text);
  if (kind === "workflow" || kind === "form") return `order.${kind}.json`;
  if (/^\s*[[{]/.test(text)) return "pasted.json";
  return /^(expect|submit|workflow):/m.test(text) ? "pasted.scenario.yaml" : "pasted.json";
}
