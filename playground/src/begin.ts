/**
 * The first script: the program is loaded, and asked about the first example, while the page is loaded and built, which takes
 * as long as the answer.
 */
import { Checker } from "./checker";
import { loadExamples, program, stayOffline, workerAddress } from "./load";
import { isShared } from "./share";

async function begin(): Promise<void> {
  const checker = new Checker(workerAddress(), program);
  const page = import("./main");
  const examples = await loadExamples();
  const [first] = examples;
  if (first && !isShared(location.hash)) checker.ahead(new Map(Object.entries(first.files)), first.open);
  const { Playground } = await page;
  await documentIsThere();
  await new Playground(examples, checker).begin();
  stayOffline();
}

async function documentIsThere(): Promise<void> {
  if (document.readyState !== "loading") return;
  await new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve));
}

begin().catch(async (error: unknown) => {
  await documentIsThere();
  const said = document.getElementById("said");
  if (said) said.textContent = `The playground could not be loaded: ${String(error)}`;
});
