// The results of commands, as documents that are not files.

import * as vscode from "vscode";

const SCHEME = "wflint-result";

/** Shows the text that a command returned beside the editor. A further result of the same command replaces it. */
export class Results implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly registration: vscode.Disposable;
  readonly onDidChange = this.changed.event;

  constructor() {
    this.registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  async show(title: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title}` });
    this.texts.set(uri.toString(), text);
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true });
  }

  /** Forgets the text of a document that was closed. */
  forget(document: vscode.TextDocument): void {
    this.texts.delete(document.uri.toString());
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}
