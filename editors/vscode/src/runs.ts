// Runs of scenarios and searches, by the server.

import * as path from "node:path";
import * as vscode from "vscode";

import type { Results } from "./results";

/** The commands of the server whose results are timelines. */
const TITLES: Readonly<Record<string, { readonly progress: string; readonly name: string }>> = {
  "wflint.run": { progress: "wflint: running scenarios", name: "runs" },
  "wflint.explore": { progress: "wflint: exploring", name: "ends" },
};

/** What is needed of the language client. */
export interface Sender {
  sendRequest(method: string, parameters: unknown, token: vscode.CancellationToken): Promise<unknown>;
}

/** Whether a command of the server returns a timeline. */
export function showsTimeline(command: string): boolean {
  return command in TITLES;
}

/** Runs a command on a document, by its URI, and shows the timeline. The user sees that it runs, and can cancel it. */
export async function runCommand(sender: Sender, results: Results, command: string, uri: string): Promise<void> {
  const titles = TITLES[command];
  if (titles === undefined) {
    return;
  }
  const progress = { location: vscode.ProgressLocation.Notification, title: titles.progress, cancellable: true };
  await vscode.window.withProgress(progress, async (_, token) => {
    // The result is shown here: the server shows no message.
    const parameters = { command, arguments: [uri, { showMessage: false }] };
    try {
      const result = await sender.sendRequest("workspace/executeCommand", parameters, token);
      if (typeof result === "string" && !token.isCancellationRequested) {
        await results.show(resultName(uri, titles.name), result);
      }
    } catch (error) {
      if (!token.isCancellationRequested) {
        // Not waited for: the progress ends now.
        void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
      }
    }
  });
}

/** `order.workflow.json: ends.txt` for the results of a document. */
function resultName(uri: string, name: string): string {
  return `${path.posix.basename(vscode.Uri.parse(uri).path)}: ${name}.txt`;
}
