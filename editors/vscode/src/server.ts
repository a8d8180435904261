// Starting and stopping `wflint lsp`.

import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions, type StaticFeature } from "vscode-languageclient/node";

import { type Binary, findBinary } from "./binary";
import type { Results } from "./results";
import { runCommand, showsTimeline } from "./runs";
import { versionNote } from "./versions";

/** How often a server that has crashed is started again, within three minutes. */
const MAX_RESTARTS = 4;

const SETTINGS = ["configuration", "select", "ignore", "unsafeFixes", "runScripts", "ownRules", "inlayHints", "workspaceDiagnostics"] as const;

/** Says that this client wants to know of new drawings. */
const DRAWINGS: StaticFeature = {
  fillClientCapabilities: (capabilities) => {
    capabilities.experimental = { ...(capabilities.experimental as object | undefined), wflintDrawing: true };
  },
  initialize: () => undefined,
  getState: () => ({ kind: "static" }),
  clear: () => undefined,
};

/** The server of a window. */
export class Server {
  private client: LanguageClient | undefined;
  /** Starts and stops run one after the other. */
  private queue: Promise<void> = Promise.resolve();
  private readonly drawn = new vscode.EventEmitter<vscode.Uri>();
  private readonly stateChanged = new vscode.EventEmitter<void>();
  /** There is a new drawing of a workflow. */
  readonly onDidDraw = this.drawn.event;
  /** The server runs, or does not any more. */
  readonly onDidChangeState = this.stateChanged.event;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly results: Results,
  ) {}

  /** The client of a server that runs. */
  get running(): LanguageClient | undefined {
    return this.client?.isRunning() === true ? this.client : undefined;
  }

  restart(): Promise<void> {
    return this.enqueue(async () => {
      await this.halt();
      await this.launch();
    });
  }

  stop(): Promise<void> {
    return this.enqueue(() => this.halt());
  }

  private enqueue(task: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(task, task);
    return this.queue;
  }

  private async halt(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client?.needsStop() === true) {
      await client.stop();
    }
    await client?.dispose();
  }

  private async launch(): Promise<void> {
    const binary = this.find();
    if (binary === undefined) {
      this.log.warn("No wflint was found.");
      await this.reportMissing();
      return;
    }
    this.log.info(`Starting ${binary.command}, from ${binary.origin}`);
    const client = new LanguageClient("wflint", "wflint", serverOptions(binary), this.clientOptions());
    this.client = client;
    client.registerFeature(DRAWINGS);
    client.onNotification("wflint/drawingChanged", ({ uri }: { uri: string }) => {
      this.drawn.fire(client.protocol2CodeConverter.asUri(uri));
    });
    client.onDidChangeState(() => { this.stateChanged.fire(); });
    try {
      await client.start();
    } catch (error) {
      this.log.error(String(error));
      await this.reportFailure(binary);
      return;
    }
    const note = versionNote(client.initializeResult?.serverInfo?.version, extensionVersion(this.context));
    if (note !== undefined) {
      this.log.warn(note);
    }
  }

  private find(): Binary | undefined {
    const folders = vscode.workspace.workspaceFolders ?? [];
    return findBinary({
      setting: vscode.workspace.getConfiguration("wflint").get("path", ""),
      folders: folders.filter(({ uri }) => uri.scheme === "file").map(({ uri }) => uri.fsPath),
      trusted: vscode.workspace.isTrusted,
      extension: this.context.extensionPath,
      path: process.env.PATH ?? "",
      platform: process.platform,
      exists: existsSync,
      real: (file) => (existsSync(file) ? realpathSync(file) : file),
    });
  }

  private clientOptions(): LanguageClientOptions {
    const selector = [
      { language: "json" },
      { language: "jsonc" },
      { pattern: "**/wflint.toml" },
      { pattern: "**/*.scenario.{yaml,yml,json,toml}" },
    ];
    return {
      documentSelector: selector,
      initializationOptions: settings(),
      outputChannel: this.log,
      connectionOptions: { maxRestartCount: MAX_RESTARTS },
      middleware: {
        workspace: { configuration: (parameters) => parameters.items.map(() => settings()) },
        // The code lenses.
        executeCommand: async (command, parameters: unknown[], next): Promise<unknown> => {
          const [uri] = parameters;
          if (this.client === undefined || !showsTimeline(command) || typeof uri !== "string") {
            return next(command, parameters);
          }
          return runCommand(this.client, this.results, command, uri);
        },
      },
    };
  }

  private async reportMissing(): Promise<void> {
    const untrusted = vscode.workspace.isTrusted ? "" : " In an untrusted workspace it is not looked for in the workspace.";
    const message = `wflint was not found on PATH.${untrusted} Install it, or set wflint.path.`;
    await this.offer(message, "Open Settings", () => vscode.commands.executeCommand("workbench.action.openSettings", "wflint.path"));
  }

  private async reportFailure(binary: Binary): Promise<void> {
    const message = `${binary.command} could not be started as a language server. It may be too old for \`wflint lsp\`.`;
    await this.offer(message, "Show Log", () => { this.log.show(); });
  }

  /** Waits for no answer: the queue goes on. */
  private async offer(message: string, button: string, action: () => unknown): Promise<void> {
    void vscode.window.showErrorMessage(message, button).then((chosen) => (chosen === button ? action() : undefined));
    await Promise.resolve();
  }
}

/** The settings that the server reads. Scripts and rules of a workspace that is not trusted do not run. */
export function settings(): Record<string, unknown> {
  const configuration = vscode.workspace.getConfiguration("wflint");
  const values = Object.fromEntries(SETTINGS.map((name) => [name, configuration.get(name)]));
  return vscode.workspace.isTrusted ? values : { ...values, runScripts: false, ownRules: false };
}

function serverOptions(binary: Binary): ServerOptions {
  // Not in the workspace: Windows looks for libraries in the current folder first. A `.cmd` needs a shell.
  const shell = binary.command.endsWith(".cmd");
  return { command: shell ? `"${binary.command}"` : binary.command, args: ["lsp"], options: { cwd: homedir(), shell } };
}

function extensionVersion(context: vscode.ExtensionContext): string {
  const { version } = context.extension.packageJSON as { version: string };
  return version;
}
