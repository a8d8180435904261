// The system that the program sees: its arguments, its streams, and files in memory.
import { Directory, Fd, File, PreopenDirectory, WASI, wasi as defs } from "@bjorn3/browser_wasi_shim";
import { type ExitCode, type Files, type Output, type Reason, WflintError } from "./types.js";

/** The folder of the files, in which the program runs. Its name shows where a report names a folder. */
const ROOT = "project";

const encoder = new TextEncoder();
/** Keeps a byte-order mark. */
const TEXT = { ignoreBOM: true };
const decoder = new TextDecoder("utf-8", TEXT);

/** Standard input, or an output. */
class Stream extends Fd {
  private readonly chunks: Uint8Array[] = [];
  private offset = 0;

  constructor(private readonly input: Uint8Array = new Uint8Array()) {
    super();
  }

  override fd_fdstat_get() {
    return { ret: defs.ERRNO_SUCCESS, fdstat: new defs.Fdstat(defs.FILETYPE_UNKNOWN, 0) };
  }

  override fd_read(size: number) {
    const data = this.input.subarray(this.offset, this.offset + size);
    this.offset += data.length;
    return { ret: defs.ERRNO_SUCCESS, data };
  }

  override fd_write(data: Uint8Array) {
    this.chunks.push(data);
    return { ret: defs.ERRNO_SUCCESS, nwritten: data.byteLength };
  }

  text(): string {
    const streaming = new TextDecoder("utf-8", TEXT);
    return this.chunks.map((chunk) => streaming.decode(chunk, { stream: true })).join("") + streaming.decode();
  }
}

function folder(): Directory {
  return new Directory(new Map());
}

/** The parts of a path. */
function parts(path: string): string[] {
  const found = path.split("/");
  if (found.some((part) => part === "" || part === "." || part === ".." || part.includes("\0"))) {
    throw new TypeError(`not a relative path: ${JSON.stringify(path)}`);
  }
  return found;
}

function mount(files: Files): Directory {
  const root = folder();
  for (const [path, text] of Object.entries(files)) {
    const names = parts(path);
    const name = names.pop() ?? "";
    let inside = root;
    for (const part of names) {
      const next = inside.contents.get(part) ?? folder();
      if (!(next instanceof Directory)) throw new TypeError(`a file and a folder have the same path: ${JSON.stringify(path)}`);
      inside.contents.set(part, next);
      inside = next;
    }
    if (inside.contents.has(name)) throw new TypeError(`a file and a folder have the same path: ${JSON.stringify(path)}`);
    inside.contents.set(name, new File(encoder.encode(text)));
  }
  return root;
}

/** The files below a folder that are not as they were. */
function changed(inside: Directory, before: Files, prefix = "", found: Files = {}): Files {
  for (const [name, inode] of inside.contents) {
    const path = prefix + name;
    if (inode instanceof Directory) {
      changed(inode, before, `${path}/`, found);
    } else if (inode instanceof File) {
      const text = decoder.decode(inode.data);
      if (!Object.hasOwn(before, path) || before[path] !== text) found[path] = text;
    }
  }
  return found;
}

/** Why an instance ended in the middle. */
function failure(error: unknown, stderr: string): WflintError {
  const message = error instanceof Error ? error.message : String(error);
  const told = stderr.trimEnd().split("\n").at(-1) ?? "";
  let reason: Reason = "fault";
  if (error instanceof RangeError && /call stack|recursion/i.test(message)) reason = "stack";
  else if (/memory/i.test(told) || (error instanceof RangeError && /memory/i.test(message))) reason = "memory";
  const words = { stack: "nested too deep", memory: "not enough memory", fault: "wflint failed" };
  return new WflintError(reason, `${words[reason]}: ${told === "" ? message : told}`);
}

/** Runs the program in an instance of its own. */
export function run(module: WebAssembly.Module, args: readonly string[], files: Files, stdin: string): Output {
  const project = mount(files);
  const root = new Map([["tmp", folder()], [ROOT, project]]);
  const [input, stdout, stderr] = [new Stream(encoder.encode(stdin)), new Stream(), new Stream()];
  const all = ["wflint", ...args];
  const fds = [input, stdout, stderr, new PreopenDirectory("/", root)];
  const system = new WASI(all, [`PWD=/${ROOT}`], fds, { debug: false });
  // The library counts the characters of arguments, not their bytes.
  const args_sizes_get = (count: number, size: number): number => {
    const view = new DataView(system.inst.exports.memory.buffer);
    view.setUint32(count, all.length, true);
    view.setUint32(size, all.reduce((sum, argument) => sum + encoder.encode(argument).length + 1, 0), true);
    return defs.ERRNO_SUCCESS;
  };
  try {
    const imports = { wasi_snapshot_preview1: { ...system.wasiImport, args_sizes_get } };
    const instance = new WebAssembly.Instance(module, imports as unknown as WebAssembly.Imports);
    const code = system.start(instance as unknown as Parameters<WASI["start"]>[0]);
    return { code: code as ExitCode, stdout: stdout.text(), stderr: stderr.text(), files: changed(project, files) };
  } catch (error) {
    throw failure(error, stderr.text());
  }
}
