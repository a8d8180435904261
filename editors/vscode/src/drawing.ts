// The panel beside the text: the drawing of the workflow that is being written.

import { randomBytes } from "node:crypto";
import * as path from "node:path";
import * as vscode from "vscode";

import type { Server } from "./server";
import { html, type Message, parseMessage } from "./webview";

const VIEW = "wflint.drawing";
/** How long a revealed activity stands out, in milliseconds. */
const HIGHLIGHT = 1500;

/** At most one panel. It follows the active workflow, as the preview of Markdown does. */
export class DrawingPanel implements vscode.Disposable, vscode.WebviewPanelSerializer {
  private panel: vscode.WebviewPanel | undefined;
  private shown: vscode.Uri | undefined;
  private readonly files: vscode.Uri;
  private readonly icon: vscode.Uri;
  private readonly highlight = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor("editor.rangeHighlightBackground"),
    isWholeLine: true,
  });
  private readonly registrations: { dispose(): unknown }[];

  constructor(
    context: vscode.ExtensionContext,
    private readonly server: Server,
  ) {
    this.files = vscode.Uri.joinPath(context.extensionUri, "dist");
    this.icon = vscode.Uri.joinPath(context.extensionUri, "icon.png");
    this.registrations = [
      this.highlight,
      vscode.window.registerWebviewPanelSerializer(VIEW, this),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => { this.sendCursor(textEditor); }),
      server.onDidDraw((uri) => { this.sendChanged(uri); }),
      server.onDidChangeState(() => { this.sendChanged(this.shown); }),
    ];
  }

  /** Opens the panel beside the text, or shows it. */
  show(uri: vscode.Uri): void {
    if (this.panel === undefined) {
      const options = { enableScripts: true, retainContextWhenHidden: true };
      const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      this.take(vscode.window.createWebviewPanel(VIEW, "Drawing", place, options), uri);
    } else {
      this.follow(uri);
      this.panel.reveal(undefined, true);
    }
  }

  /** Shows another workflow, if the panel is open. */
  follow(uri: vscode.Uri): void {
    if (this.panel !== undefined && this.shown?.toString() !== uri.toString()) {
      this.fill(this.panel, uri);
    }
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const uri = typeof state === "string" ? state : vscode.window.activeTextEditor?.document.uri.toString();
    if (uri === undefined || this.panel !== undefined) {
      panel.dispose();
    } else {
      this.take(panel, vscode.Uri.parse(uri));
    }
    await Promise.resolve();
  }

  dispose(): void {
    this.panel?.dispose();
    vscode.Disposable.from(...this.registrations).dispose();
  }

  private take(panel: vscode.WebviewPanel, uri: vscode.Uri): void {
    this.panel = panel;
    panel.iconPath = this.icon;
    panel.webview.options = { enableScripts: true, localResourceRoots: [this.files] };
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.shown = undefined;
    });
    panel.webview.onDidReceiveMessage(async (data) => {
      const message = parseMessage(data);
      if (message !== undefined) {
        await this.received(message);
      }
    });
    this.fill(panel, uri);
  }

  private fill(panel: vscode.WebviewPanel, uri: vscode.Uri): void {
    this.shown = uri;
    const address = (name: string) => panel.webview.asWebviewUri(vscode.Uri.joinPath(this.files, name)).toString();
    panel.title = `Drawing ${path.posix.basename(uri.path)}`;
    panel.webview.html = html({
      script: address("panel.js"),
      style: address("panel.css"),
      source: panel.webview.cspSource,
      nonce: randomBytes(16).toString("base64"),
      document: uri.toString(),
    });
  }

  private async received(message: Message): Promise<void> {
    const [panel, uri] = [this.panel, this.shown];
    if (panel === undefined || uri === undefined) {
      return;
    }
    if (message.kind === "reveal") {
      await this.reveal(uri, message);
      return;
    }
    const answer = await this.ask(uri, message).then(
      (result: unknown) => ({ id: message.id, result }),
      (error: unknown) => ({ id: message.id, error: error instanceof Error ? error.message : String(error) }),
    );
    await panel.webview.postMessage(answer);
    const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
    if (message.method === "wflint/drawing" && editor !== undefined) {
      this.sendCursor(editor);
    }
  }

  private async ask(uri: vscode.Uri, { method, parameters }: Message & { kind: "ask" }): Promise<unknown> {
    const client = this.server.running;
    if (client === undefined) {
      throw new Error("wflint is not running. The command “wflint: Restart Server” starts it.");
    }
    const experimental = client.initializeResult?.capabilities.experimental as { wflintDrawing?: boolean } | undefined;
    if (experimental?.wflintDrawing !== true) {
      throw new Error("This version of wflint has no drawing for editors.");
    }
    const textDocument = { uri: client.code2ProtocolConverter.asUri(uri) };
    return client.sendRequest(method, { textDocument, ...parameters });
  }

  private async reveal(uri: vscode.Uri, { start, end, hasFocus }: Message & { kind: "reveal" }): Promise<void> {
    const range = new vscode.Range(start.line, start.character, end.line, end.character);
    const visible = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), {
      viewColumn: visible?.viewColumn ?? vscode.ViewColumn.One,
      preserveFocus: !hasFocus,
      selection: new vscode.Range(range.start, range.start),
    });
    editor.setDecorations(this.highlight, [range]);
    setTimeout(() => { editor.setDecorations(this.highlight, []); }, HIGHLIGHT);
  }

  private sendCursor({ document, selection }: vscode.TextEditor): void {
    if (document.uri.toString() === this.shown?.toString()) {
      const { line, character } = selection.active;
      void this.panel?.webview.postMessage({ event: "cursor", position: { line, character } });
    }
  }

  private sendChanged(uri: vscode.Uri | undefined): void {
    if (uri !== undefined && uri.toString() === this.shown?.toString()) {
      void this.panel?.webview.postMessage({ event: "changed" });
    }
  }
}
