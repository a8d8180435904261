// The extension: it starts `wflint lsp`, which does the work, and shows what commands return.

import * as vscode from "vscode";

import { DrawingPanel } from "./drawing";
import { Results } from "./results";
import { runCommand } from "./runs";
import { Server, settings } from "./server";
import { Workflows } from "./workflows";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("wflint", { log: true });
  const results = new Results();
  const started = new Server(context, log, results);
  server = started;
  const drawing = new DrawingPanel(context, started);
  const command = (name: string, run: (argument: unknown) => unknown) => vscode.commands.registerCommand(`wflint.${name}`, run);
  context.subscriptions.push(
    log,
    results,
    drawing,
    new Workflows(started, drawing),
    command("restart", () => started.restart()),
    command("showLog", () => { log.show(); }),
    command("fixAll", () =>
      vscode.commands.executeCommand("editor.action.codeAction", { kind: "source.fixAll.wflint", apply: "first" }),
    ),
    command("runScenarios", () => onServer(started, results, "wflint.run")),
    command("exploreService", () => onServer(started, results, "wflint.explore")),
    command("showDrawing", (uri: unknown) => { showDrawing(drawing, uri); }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => started.restart()),
    vscode.workspace.onDidCloseTextDocument((document) => { results.forget(document); }),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("wflint.path")) {
        await started.restart();
      } else if (change.affectsConfiguration("wflint")) {
        await started.running?.sendNotification("workspace/didChangeConfiguration", { settings: { wflint: settings() } });
      }
    }),
  );
  await started.restart();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

/** The button in the title bar gives the document that it belongs to. */
function showDrawing(drawing: DrawingPanel, argument: unknown): void {
  const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
  if (uri === undefined) {
    void vscode.window.showWarningMessage("No document is open.");
  } else {
    drawing.show(uri);
  }
}

/** Runs a command of the server on the document of the active editor. */
async function onServer(started: Server, results: Results, command: string): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  const client = started.running;
  if (document === undefined || client === undefined) {
    await vscode.window.showWarningMessage("wflint is not running, or no document is open.");
    return;
  }
  const known = client.initializeResult?.capabilities.executeCommandProvider?.commands ?? [];
  if (!known.includes(command)) {
    await vscode.window.showWarningMessage("This version of wflint cannot do that in an editor.");
    return;
  }
  await runCommand(client, results, command, client.code2ProtocolConverter.asUri(document.uri));
}
