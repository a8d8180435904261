/** A worker that runs the program. It has no network: the page compiles the program, and sends it. */
import { load, type Wflint } from "@wflint/wasm";
import type { Answer, Question } from "./machine";

let program: Promise<Wflint> | undefined;

onmessage = ({ data }: MessageEvent<WebAssembly.Module | Question>): void => {
  if (data instanceof WebAssembly.Module) program = load(data);
  else void answer(data).then((result) => postMessage(result));
};

async function answer({ id, commands, files }: Question): Promise<Answer> {
  try {
    const wflint = await program;
    if (!wflint) throw new Error("the program is not loaded");
    const began = performance.now();
    const outputs = [];
    for (const command of commands) outputs.push(await wflint.run(command, files));
    return { id, outputs, milliseconds: performance.now() - began };
  } catch (error) {
    return { id, problem: error instanceof Error ? error.message : String(error) };
  }
}
