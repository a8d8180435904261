import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { type Answer, Late, Machine, type Question, Replaced } from "../src/machine";

/** A worker that answers after the milliseconds that its command says, or never. */
class Slow {
  static started = 0;
  static ended = 0;
  onmessage: ((event: { data: Answer }) => void) | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor() {
    Slow.started += 1;
  }

  postMessage(data: Question | WebAssembly.Module): void {
    if (!("commands" in data)) return;
    const [[wait = ""] = []] = data.commands;
    if (wait === "never") return;
    const output = { code: 0, stdout: wait, stderr: "", files: {} };
    this.timer = setTimeout(() => this.onmessage?.({ data: { id: data.id, outputs: [output], milliseconds: 1 } }), Number(wait));
  }

  terminate(): void {
    clearTimeout(this.timer);
    Slow.ended += 1;
  }
}

Object.assign(globalThis, { window: globalThis, Worker: Slow });
const module = WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
const machine = (deadline: number, patience: number): Machine => new Machine("", module, deadline, patience);
const ask = async (it: Machine, wait: string): Promise<string | undefined> => (await it.run([[wait]], new Map()))[0]?.stdout;

beforeEach(() => {
  Slow.started = Slow.ended = 0;
});

test("one worker answers question after question", async () => {
  const it = machine(500, 500);
  assert.equal(await ask(it, "1"), "1");
  assert.equal(await ask(it, "2"), "2");
  assert.deepEqual([Slow.started, Slow.ended], [1, 0]);
});

test("of questions that come meanwhile, the last is asked", async () => {
  const it = machine(500, 500);
  const all = await Promise.allSettled([ask(it, "30"), ask(it, "2"), ask(it, "3")]);
  assert.deepEqual(all.map((one) => (one.status === "fulfilled" ? one.value : one.reason instanceof Replaced)), ["30", true, "3"]);
});

test("a worker that is late is ended, and the next question gets another", async () => {
  const it = machine(40, 40);
  await assert.rejects(ask(it, "never"), Late);
  assert.equal(await ask(it, "1"), "1");
  assert.deepEqual([Slow.started, Slow.ended], [2, 1]);
});

test("what runs longer than its patience gives way to the next question", async () => {
  const it = machine(60_000, 20);
  const first = assert.rejects(ask(it, "never"), Replaced);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(await ask(it, "1"), "1");
  await first;
});
