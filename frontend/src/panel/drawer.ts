/** What lies below the drawing: one list at a time, opened and closed by a button for each. */
import { make, newId, toggle } from "../dom";

export interface Content {
  name: string;
  label: string;
  fill: (body: HTMLElement) => void;
}

interface Tab {
  content: Content;
  button: HTMLButtonElement;
  count: HTMLElement;
}

export class Drawer {
  readonly tabs = make("span", { class: "live-tabs" });
  readonly element = make("div", { class: "live-drawer", hidden: true, role: "region", id: newId() });
  private readonly all = new Map<string, Tab>();
  private current: string | undefined;
  /** The list that was shown has gone. */
  closed: () => void = () => undefined;

  constructor(contents: readonly Content[]) {
    for (const content of contents) {
      const count = make("span", { class: "live-count" });
      const button = toggle(content.label, false, (isOpen) => (isOpen ? this.open(content.name) : this.close()));
      button.append(count);
      button.setAttribute("aria-controls", this.element.id);
      this.all.set(content.name, { content, button, count });
      this.tabs.append(button);
    }
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      const tab = this.all.get(this.current ?? "");
      this.close();
      tab?.button.focus();
    });
  }

  open(name: string): void {
    const tab = this.all.get(name);
    if (!tab) return;
    this.closed();
    const hadFocus = this.element.contains(document.activeElement);
    this.current = name;
    this.element.hidden = false;
    this.element.setAttribute("aria-label", tab.content.label);
    this.press();
    tab.content.fill(this.element);
    if (hadFocus) tab.button.focus({ preventScroll: true });
  }

  /** A list's place, for something that is shown instead of it. */
  empty(name: string): HTMLElement {
    if (this.current !== name) this.open(name);
    return this.element;
  }

  close(): void {
    if (this.current === undefined) return;
    this.current = undefined;
    this.element.hidden = true;
    this.element.replaceChildren();
    this.press();
    this.closed();
  }

  /** Fills a list anew, if it is shown. The reader's place in it stays. */
  refresh(name: string): void {
    if (this.current !== name) return;
    const [top, focused] = [this.element.scrollTop, this.place()];
    this.all.get(name)?.content.fill(this.element);
    this.element.scrollTop = top;
    if (focused >= 0) Array.from(this.element.querySelectorAll("button"))[focused]?.focus({ preventScroll: true });
  }

  /** Shows how many there are, beside the name. */
  count(name: string, counted: { marks: Node[]; words: string }): void {
    const tab = this.all.get(name);
    tab?.count.replaceChildren(...counted.marks);
    tab?.button.setAttribute("aria-label", `${tab.content.label}: ${counted.words}`);
  }

  private place(): number {
    const focused = document.activeElement;
    return focused instanceof HTMLButtonElement ? Array.from(this.element.querySelectorAll("button")).indexOf(focused) : -1;
  }

  private press(): void {
    for (const [name, { button }] of this.all) {
      button.setAttribute("aria-pressed", String(name === this.current));
      button.setAttribute("aria-expanded", String(name === this.current));
    }
  }
}
