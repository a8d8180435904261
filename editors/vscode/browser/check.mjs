// A folder of exports in a real Visual Studio Code, in a browser, with the extension and without settings.
//
//   node check.mjs MODULES URL FOLDER REPORT STARTED PICTURES
//
// MODULES is the folder of installed packages, FOLDER the one that URL opens, REPORT what `wflint --format json` says
// about it, STARTED a file that the program in the folder writes when it is started, PICTURES a folder for pictures.

import { existsSync, readFileSync } from "node:fs";
import process from "node:process";

import { Session } from "./session.mjs";

const [modules, url, folder, reportFile, started, pictures] = process.argv.slice(2);
const WORKFLOW = "order.workflow.json";
const text = readFileSync(`${folder}/${WORKFLOW}`, "utf8");
const report = JSON.parse(readFileSync(reportFile, "utf8")).diagnostics.filter(({ file }) => file.endsWith(WORKFLOW));
const expected = report.map(({ code, range }) => `${code} ${range.start.line}:${range.start.column}`).sort();

/** The line and the column of a string, counted from 1, and so many characters further. */
function place(wanted, inside) {
  const lines = text.slice(0, text.indexOf(wanted) + inside).split("\n");
  return [lines.length, lines.at(-1).length + 1];
}

/** Before the user trusts the folder, the program in it is not started, though nothing else is there to start. */
async function withoutTrust(session) {
  await session.openFile(WORKFLOW);
  await session.page.locator(".notification-toast", { hasText: "In an untrusted workspace" }).waitFor();
  if (existsSync(started)) {
    throw new Error("a program of an untrusted folder was started");
  }
  await session.page.locator(".statusbar-item", { hasText: "Restricted Mode" }).click();
  await session.page.locator(".workspace-trust-editor .monaco-button", { hasText: "Trust" }).first().click();
  await session.until("trust", () => session.texts(".statusbar-item"), (shown) => !shown.join().includes("Restricted"));
  await session.page.keyboard.press("Escape");
  await session.command("View: Close All Editors");
  await session.command("Notifications: Clear All Notifications");
  await session.command("View: Toggle Secondary Side Bar Visibility");
  console.log("without trust, nothing of the folder is started");
}

async function findings(session) {
  await session.openFile(WORKFLOW);
  await session.page.keyboard.press("Control+Shift+m");
  await session.until(
    `${expected.join(", ")} expected`,
    () => session.problems(),
    (shown) => JSON.stringify(shown) === JSON.stringify(expected),
  );
  if (!existsSync(started)) {
    throw new Error("the program of a trusted folder was not started");
  }
  await session.command("View: Toggle Panel Visibility");
  await session.shrink();
  await session.goTo(...place('"Manger"', 2));
  await session.hover((part) => part.includes("WF301"));
  await session.picture(`${pictures}/findings.png`);
  await session.page.keyboard.press("Escape");
  console.log(`${expected.length} findings, as the program reports them`);
}

async function hover(session) {
  await session.openFile(WORKFLOW);
  await session.goTo(...place('"boundTo": "Urgency"', 13));
  await session.hover((part) => part.includes("Urgency"));
  await session.picture(`${pictures}/hover.png`);
  await session.page.keyboard.press("Escape");
  console.log("hover");
}

/** The editor itself completes JSON with the strings of the document, in quotes. */
async function completion(session) {
  await session.openFile(WORKFLOW);
  await session.goTo(...place('"boundTo": "Urgency"', 12));
  await session.page.keyboard.press("Control+Space");
  await session.page.keyboard.type("R");
  await session.until(
    "completion",
    () => session.texts(".suggest-widget.visible .monaco-list-row .label-name"),
    (shown) => shown.includes("Requester"),
  );
  await session.picture(`${pictures}/completion.png`);
  await session.page.locator(".suggest-widget.visible .label-name", { hasText: /^Requester$/ }).first().click();
  const completed = '"boundTo": "Requester", "boundToId": 7001 }';
  await session.until(
    "completed binding",
    () => session.texts(".view-line"),
    (lines) => lines.filter((line) => line.replaceAll("\u00a0", " ").includes(completed)).length === 1,
  );
  for (let undone = 0; undone < 3; undone += 1) {
    await session.page.keyboard.press("Control+z");
  }
  console.log("completion");
}

/** The lens over a workflow runs its scenarios; the result is a document that is not a file. */
async function runs(session) {
  await session.openFile(WORKFLOW);
  await session.goTo(1, 1);
  const lens = (title) => session.page.locator(".codelens-decoration a", { hasText: title });
  await lens("explore").waitFor();
  await lens("run 1 scenario").click();
  await session.page.locator(".tab", { hasText: "runs.txt" }).waitFor();
  await session.until(
    "timeline",
    () => session.texts(".monaco-editor .view-line"),
    (shown) => shown.some((line) => line.replace(/\s/g, " ").includes("The manager approves")),
  );
  console.log("scenarios run, and their timeline is shown");
}

/** The drawing beside the text follows what is typed, and leads to it. */
async function drawing(session) {
  await session.command("View: Close All Editors");
  await session.page.setViewportSize({ width: 1240, height: 720 });
  await session.openFile(WORKFLOW);
  await session.command("View: Toggle Primary Side Bar Visibility");
  await session.page.locator('.editor-actions [aria-label^="Show Drawing"]').click();
  const panel = session.panel();
  await panel.locator("svg [data-pointer]").first().waitFor();
  await follows(session, panel);
  await leads(session, panel);
  await plays(session, panel);
  await goesStale(session, panel);
}

/** A mistake that is typed and not saved is on the drawing, and so is its correction. */
async function follows(session, panel) {
  const marks = panel.locator("svg .wf-code-text", { hasText: "WF101" });
  const before = await marks.count();
  await session.goTo(...place('"boundTo": "Urgency"', 19));
  await session.page.keyboard.type("x");
  const typed = Date.now();
  await session.until("a mark of the mistake", () => marks.count(), (now) => now > before, 20);
  const taken = Date.now() - typed;
  await session.page.keyboard.press("Control+z");
  await session.until("no mark of the mistake", () => marks.count(), (now) => now === before);
  console.log(`a mistake is on the drawing after ${taken} ms`);
}

/** The cursor marks its activity, and a click on an activity or a finding moves the cursor. */
async function leads(session, panel) {
  const here = panel.locator("svg .is-here");
  await session.goTo(...place('"Find the manager"', 2));
  await session.until("the activity at the cursor", () => here.getAttribute("data-pointer"), (shown) => shown === "/activities/0");
  await panel.locator('svg [data-pointer="/activities/1"] > .wf-name').click();
  const line = text.slice(0, text.indexOf('"Ask the manager"')).split("\n").length;
  const cursor = () => session.texts(".line-numbers.active-line-number");
  await session.until(`a line before ${line}`, cursor, ([shown]) => Number(shown) <= line && Number(shown) > line - 3);
  await session.until("the activity that was clicked", () => here.getAttribute("data-pointer"), (shown) => shown === "/activities/1");
  await panel.locator(".peek").getByRole("button", { name: "Close" }).click();
  await panel.getByRole("button", { name: /^Findings/ }).click();
  const finding = panel.locator("[data-finding]", { hasText: "ESingId" }).first();
  const pointer = await finding.getAttribute("data-finding");
  await finding.click();
  await session.until("the activity of the finding", () => here.getAttribute("data-pointer"), (shown) => shown === pointer);
  await session.page.waitForTimeout(2000);
  await session.picture(`${pictures}/drawing.png`);
  await panel.getByRole("button", { name: /^Findings/ }).click();
  console.log("cursor and drawing follow each other");
}

/** The panel shows the workflow that is active; its scenarios are played. */
async function plays(session, panel) {
  await session.goToFile("access/order.workflow.json");
  await panel.locator("svg title", { hasText: "Get approvers" }).first().waitFor({ state: "attached" });
  await panel.getByRole("button", { name: /^Play/ }).click();
  await panel.getByRole("button", { name: "Play One of two approvers is enough" }).click();
  const player = panel.locator("[data-player]");
  await player.locator('[data-action="end"]').click();
  await player.locator(".now .badge").waitFor();
  await player.locator('[data-action="start"]').click();
  for (let step = 0; step < 10; step += 1) {
    await player.locator('[data-action="step"]').click();
  }
  await panel.locator('svg [aria-current="step"]').waitFor();
  await session.picture(`${pictures}/drawing-played.png`);
  await session.page.locator(".tab", { hasText: WORKFLOW }).first().click();
  await panel.locator("svg title", { hasText: "Find the manager" }).first().waitFor({ state: "attached" });
  console.log("a scenario is played on the drawing");
}

async function goesStale(session, panel) {
  await session.goTo(1, 1);
  await session.page.keyboard.type("[");
  await panel.getByText("Invalid JSON").waitFor();
  await session.page.keyboard.press("Control+z");
  await panel.getByText("Invalid JSON").waitFor({ state: "hidden" });
  await session.command("wflint: Restart Server");
  await follows(session, panel);
  console.log("the last drawing stays while the text is invalid, and a server that starts again goes on with it");
}

/** A window that is loaded again has its panel again. */
async function reloads(session) {
  await session.page.reload();
  await session.panel().locator("svg title", { hasText: "Find the manager" }).first().waitFor({ state: "attached" });
  console.log("the drawing is there again when the window is");
}

const session = await Session.open(modules, url);
try {
  for (const step of [withoutTrust, findings, hover, completion, runs, drawing, reloads]) {
    await step(session);
  }
} catch (error) {
  await session.page.screenshot({ path: `${pictures}/failed.png` });
  throw error;
} finally {
  await session.close();
}
