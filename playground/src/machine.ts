/**
 * A worker with a deadline. Scripts of documents can run forever, and nothing but its end stops a worker: one that is late is
 * ended, and the next question gets a new one. Only the latest question counts.
 */

/** What a command printed. */
export interface Output {
  code: number;
  stdout: string;
  stderr: string;
  files: Record<string, string>;
}

export interface Question {
  id: number;
  commands: string[][];
  files: Record<string, string>;
}

export interface Answer {
  id: number;
  outputs?: Output[];
  milliseconds?: number;
  problem?: string;
}

/** The worker did not answer in time, and was ended. */
export class Late extends Error {}
/** Another question came meanwhile. */
export class Replaced extends Error {}

interface Asked extends Question {
  resolve: (outputs: Output[]) => void;
  reject: (error: Error) => void;
}

export class Machine {
  private worker: Worker | undefined;
  private timer: number | undefined;
  private began = 0;
  private running: Asked | undefined;
  private next: Asked | undefined;
  private asked = 0;
  /** How long the last answer took in the worker, in milliseconds. */
  took = 0;

  /** `deadline` and `patience` in milliseconds: what runs longer than its patience gives way to the next question. */
  constructor(
    private readonly address: string,
    private readonly module: Promise<WebAssembly.Module>,
    private readonly deadline: number,
    private readonly patience: number,
  ) {}

  /** Starts the worker before there is a question. */
  prepare(): void {
    this.worker ??= this.start();
  }

  /** Runs commands on files, one after the other. */
  run(commands: string[][], files: ReadonlyMap<string, string>): Promise<Output[]> {
    return new Promise((resolve, reject) => {
      this.next?.reject(new Replaced());
      this.next = { id: ++this.asked, commands, files: Object.fromEntries(files), resolve, reject };
      if (this.running) this.hurry();
      else void this.begin();
    });
  }

  private async begin(): Promise<void> {
    const question = this.next;
    if (!question) return;
    [this.running, this.next] = [question, undefined];
    try {
      const worker = (this.worker ??= this.start());
      await this.module;
      if (this.running !== question) return;
      // The deadline counts from here: loading is not the documents' fault.
      this.timer = window.setTimeout(() => this.end(new Late()), this.deadline);
      this.began = performance.now();
      if (this.next) this.hurry();
      const { id, commands, files } = question;
      worker.postMessage({ id, commands, files });
    } catch (error) {
      this.end(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** The question that runs has its patience left, no more. */
  private hurry(): void {
    const left = this.began + Math.min(this.patience, this.deadline) - performance.now();
    if (this.timer === undefined) return;
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.end(new Replaced()), Math.max(0, left));
  }

  /** A worker begins while the program is still loaded. */
  private start(): Worker {
    const worker = new Worker(this.address);
    worker.onmessage = ({ data }: MessageEvent<Answer>) => this.answered(data);
    worker.onerror = (event) => this.end(new Error(event.message || "the worker failed"));
    void this.module.then((module) => worker.postMessage(module), () => undefined);
    return worker;
  }

  private answered(answer: Answer): void {
    const question = this.running;
    if (!question || answer.id !== question.id) return;
    this.stopClock();
    this.running = undefined;
    this.took = answer.milliseconds ?? 0;
    if (answer.outputs) question.resolve(answer.outputs);
    else question.reject(new Error(answer.problem ?? "no answer"));
    void this.begin();
  }

  private stopClock(): void {
    window.clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Ends the worker with what it does. */
  private end(error: Error): void {
    this.stopClock();
    this.worker?.terminate();
    this.worker = undefined;
    const question = this.running;
    this.running = undefined;
    question?.reject(error);
    void this.begin();
  }
}
