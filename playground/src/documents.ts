/** Documents come and go: from the visitor's disk, as new files, by an address, and back. */
import { make, one } from "../../frontend/src/dom";
import { askPath, confirmed, tell } from "./dialogs";
import type { Editor } from "./editor";
import { type Files, filesProblem, freePath, kindOf, pathProblem, sorted } from "./files";
import { fromDrop, fromInput, nameOf, type Taken, withLineFeeds } from "./open";
import { MAX_FRAGMENT, toFragment } from "./share";

export interface Host {
  /** Shows other documents, and says where they are from. */
  load: (files: Files, active: string, said: string) => void;
  open: (path: string) => void;
  say: (text: string) => void;
  changed: () => void;
}

export class Documents {
  /** The visitor's own documents are added to; those of an example make room. */
  isOwn = false;

  constructor(
    private readonly editor: Editor,
    private readonly host: Host,
  ) {
    for (const input of [one<HTMLInputElement>(document, "#files"), one<HTMLInputElement>(document, "#folder")]) {
      input?.addEventListener("change", () => {
        // The list is emptied with the input.
        if (input.files) void fromInput(Array.from(input.files)).then((taken) => this.take(taken));
        input.value = "";
      });
    }
    const pressed = (id: string, how: () => void): void => document.getElementById(id)?.addEventListener("click", how);
    pressed("open", () => one<HTMLInputElement>(document, "#files")?.click());
    pressed("open-folder", () => one<HTMLInputElement>(document, "#folder")?.click());
    pressed("share", () => void this.share());
    pressed("download", () => this.download());
    this.drops();
    addEventListener("paste", (event) => this.pasted(event));
  }

  async create(): Promise<void> {
    const files = this.editor.texts();
    const problem = (path: string): string | undefined => pathProblem(path) ?? filesProblem([...files, [path, ""]]);
    const path = await askPath("New file", freePath(files, "order.scenario.yaml"), problem);
    if (path === "") return;
    this.editor.add(path, "");
    this.isOwn = true;
    this.host.open(path);
    this.host.changed();
    this.editor.focus();
  }

  async rename(): Promise<void> {
    const { active } = this.editor;
    const others = Array.from(this.editor.texts()).filter(([path]) => path !== active);
    const path = await askPath(`Rename ${active}`, active, (it) => pathProblem(it) ?? filesProblem([...others, [it, ""]]));
    if (path !== "") this.editor.rename(active, path);
  }

  async remove(): Promise<void> {
    const { active } = this.editor;
    const paths = sorted(this.editor.texts()).filter((path) => path !== active);
    const [next] = paths;
    if (next === undefined) return tell("The last file stays", make("p", {}, "Open other files, or choose an example."));
    const isSure = await confirmed(`Delete ${active}?`, "The file on your disk, if it came from there, stays.", "Delete");
    if (isSure) this.editor.remove(active, next);
  }

  private take({ files, left }: Taken): void {
    if (files.size === 0) {
      void tell("Nothing to read", make("p", {}, "wflint reads .json, .yaml, .toml, .ldif, .js and .md files."));
      return;
    }
    const before = this.isOwn ? this.editor.texts() : new Map<string, string>();
    const all = new Map([...before, ...files]);
    const problem = filesProblem(all);
    if (problem !== undefined) return void tell("These files are not taken", make("p", {}, problem));
    const paths = sorted(files);
    const workflow = paths.find((path) => kindOf(path, files.get(path) ?? "") === "workflow");
    const said = `${counted(files.size)} opened, on this page alone.`;
    const skipped = left.length === 0 ? "" : ` Left out: ${counted(left.length)} of another kind.`;
    this.host.load(all, workflow ?? paths[0] ?? "", said + skipped);
  }

  private async share(): Promise<void> {
    const files = this.editor.texts();
    const fragment = await toFragment({ files, active: this.editor.active });
    if (fragment === undefined) {
      const limit = `These documents do not fit into an address of ${MAX_FRAGMENT} characters. Send the files themselves.`;
      return tell("Too much for an address", make("p", {}, limit));
    }
    const text =
      `The address will hold the full text of ${counted(files.size)}, compressed: names, mail addresses and secrets, too. ` +
      "Browsers do not send that part of an address to a server, but everybody who gets the address can read it.";
    if (!(await confirmed("Share by an address?", text, "Make the address"))) return;
    history.replaceState(null, "", fragment);
    const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    this.host.say(copied ? "The address is copied." : "The address is in the address bar.");
  }

  private download(): void {
    const { active } = this.editor;
    save(active.split("/").pop() ?? "file", this.editor.texts().get(active) ?? "", "text/plain");
  }

  private drops(): void {
    addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      document.body.classList.add("is-dropping");
    });
    addEventListener("dragleave", (event) => event.relatedTarget === null && document.body.classList.remove("is-dropping"));
    const dropped = (event: DragEvent): void => {
      document.body.classList.remove("is-dropping");
      if (!event.dataTransfer || event.dataTransfer.files.length === 0) return;
      event.preventDefault();
      event.stopPropagation();
      void fromDrop(event.dataTransfer).then((taken) => this.take(taken));
    };
    // The editor would put the text of a file into its own.
    addEventListener("drop", dropped, { capture: true });
  }

  /** Pasted beside the editor, a text is a document of its own. */
  private pasted(event: ClipboardEvent): void {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const isElsewhere = event.target instanceof Element && event.target.closest("#editor, input, dialog") !== null;
    if (isElsewhere || text.trim() === "") return;
    event.preventDefault();
    const files = this.isOwn ? this.editor.texts() : new Map<string, string>();
    this.take({ files: new Map([[freePath(files, nameOf(text)), withLineFeeds(text)]]), left: [] });
  }
}

const counted = (files: number): string => `${files} ${files === 1 ? "file" : "files"}`;

/** Gives a file to the visitor. */
export function save(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = make("a", { href: address, download: name });
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
