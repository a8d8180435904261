// Which open documents are workflows: only the server knows.

import * as vscode from "vscode";

import type { DrawingPanel } from "./drawing";
import type { Server } from "./server";

/**
 * The button in the title bar is there for the documents whose paths are in this key. On a remote host, the window knows
 * them by other URIs.
 */
const CONTEXT = "wflint.workflows";

/** Asks about each document that becomes active, and has the panel follow the workflows. */
export class Workflows implements vscode.Disposable {
  private readonly known = new Set<string>();
  private readonly registrations: vscode.Disposable[];

  constructor(
    private readonly server: Server,
    private readonly panel: DrawingPanel,
  ) {
    this.registrations = [
      vscode.window.onDidChangeActiveTextEditor((editor) => this.became(editor)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.set(uri, false)),
      server.onDidDraw((uri) => this.set(uri, true)),
      server.onDidChangeState(() => this.became(vscode.window.activeTextEditor)),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.registrations).dispose();
  }

  private async became(editor: vscode.TextEditor | undefined): Promise<void> {
    const client = this.server.running;
    if (editor === undefined || client === undefined || !["json", "jsonc"].includes(editor.document.languageId)) {
      return;
    }
    const { uri } = editor.document;
    const textDocument = { uri: client.code2ProtocolConverter.asUri(uri) };
    // An older server does not know the request: then there is no drawing.
    const drawing: unknown = await client.sendRequest("wflint/drawing", { textDocument }).catch(() => null);
    const isWorkflow = drawing !== null;
    await this.set(uri, isWorkflow);
    if (isWorkflow && vscode.window.activeTextEditor === editor) {
      this.panel.follow(uri);
    }
  }

  private async set(uri: vscode.Uri, isWorkflow: boolean): Promise<void> {
    const key = uri.scheme === "file" ? uri.fsPath : uri.path;
    if (this.known.has(key) === isWorkflow) {
      return;
    }
    if (isWorkflow) {
      this.known.add(key);
    } else {
      this.known.delete(key);
    }
    await vscode.commands.executeCommand("setContext", CONTEXT, Array.from(this.known));
  }
}
