/** The editor: a document in front, the others behind it, each with its own history of changes. */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import {
  bidiIsolates, bracketMatching, codeFolding, foldGutter, foldKeymap, StreamLanguage, syntaxHighlighting,
} from "@codemirror/language";
import { javascript } from "@codemirror/legacy-modes/mode/javascript";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { yaml } from "@codemirror/legacy-modes/mode/yaml";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorSelection, EditorState, type Extension, type StateEffect, type Text } from "@codemirror/state";
import {
  drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers,
} from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import type { Files } from "./files";
import type { Change } from "./program";
import { theme } from "./theme";

export interface Watcher {
  changed: () => void;
  moved: (path: string, offset: number) => void;
}

export class Editor {
  private readonly view: EditorView;
  private readonly states = new Map<string, EditorState>();
  /** Where each was scrolled to. */
  private readonly scrolled = new Map<string, StateEffect<unknown>>();
  private path = "";
  /** Documents whose texts were asked for: a document that did not change is not joined from its lines again. */
  private readonly joined = new WeakMap<Text, string>();
  private isQuiet = false;

  constructor(
    host: HTMLElement,
    private readonly diagnosticsOf: (path: string) => Diagnostic[],
    private readonly watcher: Watcher,
  ) {
    // In a shadow tree, its styles are sheets, not elements: the page's policy allows no others.
    const root = host.attachShadow({ mode: "open" });
    this.view = new EditorView({
      parent: root,
      root,
      dispatchTransactions: (transactions, view) => {
        view.update(transactions);
        if (this.isQuiet) return;
        if (transactions.some((it) => it.docChanged)) this.watcher.changed();
        if (transactions.some((it) => it.selection !== undefined)) {
          this.watcher.moved(this.path, view.state.selection.main.head);
        }
      },
    });
  }

  get active(): string {
    return this.path;
  }

  texts(): Map<string, string> {
    this.keep();
    return new Map(Array.from(this.states, ([path, { doc }]) => [path, this.text(doc)]));
  }

  /** Replaces everything. */
  load(files: Files, active: string): void {
    this.states.clear();
    this.scrolled.clear();
    this.path = "";
    for (const [path, text] of files) this.add(path, text);
    this.open(active);
    this.watcher.changed();
  }

  add(path: string, text: string): void {
    this.states.set(path, EditorState.create({ doc: text, extensions: extensions(path) }));
  }

  rename(from: string, to: string): void {
    const text = this.texts().get(from);
    if (text === undefined || from === to) return;
    this.states.delete(from);
    this.add(to, text);
    if (this.path === from) this.open(to);
    this.watcher.changed();
  }

  remove(path: string, next: string): void {
    this.keep();
    this.states.delete(path);
    if (this.path === path) this.open(next);
    this.watcher.changed();
  }

  open(path: string): void {
    this.keep();
    if (this.states.has(this.path)) this.scrolled.set(this.path, this.view.scrollSnapshot());
    const state = this.states.get(path);
    if (!state) return;
    this.path = path;
    const effects = this.scrolled.get(path) ?? EditorView.scrollIntoView(0, { y: "start" });
    this.quietly(() => {
      this.view.scrollDOM.scrollTop = 0;
      this.view.setState(state);
      this.view.dispatch({ effects });
    });
    this.mark();
  }

  /** Shows the findings of the document in front. */
  mark(): void {
    const { state } = this.view;
    const inside = this.diagnosticsOf(this.path).filter(({ to }) => to <= state.doc.length);
    this.quietly(() => this.view.dispatch(setDiagnostics(state, inside)));
  }

  /** Goes to a place, which is selected if it is a range. */
  reveal(path: string, from: number, to: number, focuses: boolean): void {
    if (path !== this.path) this.open(path);
    const end = this.view.state.doc.length;
    const selection = EditorSelection.single(Math.min(from, end), Math.min(to, end));
    this.view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.main, { y: "center", x: "nearest" }) });
    if (focuses) this.view.focus();
  }

  /** Changes documents, each as one step of its history. */
  change(changes: ReadonlyMap<string, readonly Change[]>): void {
    this.keep();
    for (const [path, all] of changes) {
      const state = this.states.get(path);
      if (!state) continue;
      const spec = { changes: all as Change[], userEvent: "input.fix" };
      if (path === this.path) this.quietly(() => this.view.dispatch(spec));
      else this.states.set(path, state.update(spec).state);
    }
    this.watcher.changed();
  }

  focus(): void {
    this.view.focus();
  }

  private text(doc: Text): string {
    const known = this.joined.get(doc) ?? doc.toString();
    this.joined.set(doc, known);
    return known;
  }

  /** The state in front is the view's. */
  private keep(): void {
    if (!this.states.has(this.path)) return;
    this.states.set(this.path, this.view.state);
  }

  private quietly(how: () => void): void {
    this.isQuiet = true;
    try {
      how();
    } finally {
      this.isQuiet = false;
    }
  }
}

function language(path: string): Extension {
  if (path.endsWith(".json")) return json();
  if (/\.ya?ml$/.test(path)) return StreamLanguage.define(yaml);
  if (path.endsWith(".toml")) return StreamLanguage.define(toml);
  return path.endsWith(".js") ? StreamLanguage.define(javascript) : [];
}

function extensions(path: string): Extension {
  return [
    lineNumbers(),
    lintGutter(),
    foldGutter(),
    codeFolding(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSpecialChars(),
    highlightSelectionMatches(),
    bracketMatching(),
    bidiIsolates(),
    search({ top: true }),
    syntaxHighlighting(classHighlighter),
    language(path),
    // On a small screen, to the side is out of sight.
    matchMedia("(max-width: 40rem)").matches ? EditorView.lineWrapping : [],
    keymap.of([...lintKeymap, ...defaultKeymap, ...historyKeymap, ...searchKeymap, ...foldKeymap]),
    EditorState.tabSize.of(2),
    EditorView.contentAttributes.of({ "aria-label": `Text of ${path}`, spellcheck: "false", autocapitalize: "off", tabindex: "0" }),
    theme,
  ];
}
