// Tests of the page of `wflint report` and of the live picture, in a real browser: `node run.mjs [short|pictures]`, from the root of the project.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { check, finish, launch, open } from "./browser.mjs";
import { form } from "./form.mjs";
import { hostile, sizes } from "./hostile.mjs";
import { panel } from "./panel.mjs";
import { pictures } from "./pictures.mjs";
import { changes, questions } from "./questions.mjs";
import { runs } from "./runs.mjs";
import { explore, report, wflintIn } from "./wflint.mjs";

const mode = process.argv[2] ?? "all";
const work = mkdtempSync(path.join(tmpdir(), "wflint-page-"));
const browser = await launch();
try {
  const file = report(path.join(work, "examples.html"), "examples");
  if (mode === "pictures") {
    await pictures(browser, file);
    process.exit(0);
  }
  const page = await open(browser, file, { reducedMotion: "reduce" });
  await questions(page);
  const ends = explore("examples");
  const names = [...ends.keys()].map((name) => path.basename(path.dirname(name)));
  for (const [workflow, all] of ends) {
    const name = path.basename(path.dirname(workflow));
    if (mode === "all" || name === "sign-upload") await runs(page, work, name, workflow, all);
  }
  await check("no message in the console, no request", () => {
    if (page.noise.length > 0) throw new Error(page.noise.join("\n"));
  });
  await form(browser, file, names);
  await panel(browser, work);
  if (mode === "all") {
    await hostile(browser, work);
    await sizes(browser, work);
    const folder = path.join(work, "changed");
    cpSync("examples", folder, { recursive: true });
    const git = (...args) => execFileSync("git", ["-C", folder, "-c", "user.name=A", "-c", "user.email=a@example.com", ...args]);
    git("init", "--quiet");
    git("add", ".");
    git("commit", "--quiet", "--message", "x");
    const workflow = path.join(folder, "sign-upload", "order.workflow.json");
    writeFileSync(workflow, readFileSync(workflow, "utf8").replaceAll("Document was rejected", "Document was refused"));
    const changed = path.join(work, "changed.html");
    wflintIn(folder, "report", "--since", "HEAD", "--output", changed);
    await changes(await open(browser, changed));
  }
} finally {
  await browser.close();
  rmSync(work, { recursive: true, force: true });
}
finish();
