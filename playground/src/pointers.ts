/** Between places in a JSON text and JSON Pointers, by the tree that the editor has of it, which stands broken texts. */
import { jsonLanguage } from "@codemirror/lang-json";
import type { SyntaxNode, Tree } from "@lezer/common";

export interface Span {
  from: number;
  to: number;
}

export class Outline {
  private readonly tree: Tree;

  constructor(private readonly text: string) {
    this.tree = jsonLanguage.parser.parse(text);
  }

  /** The value at a pointer. */
  span(pointer: string): Span | undefined {
    let node: SyntaxNode | null = this.tree.topNode.firstChild;
    for (const part of pointer.split("/").slice(1)) {
      node = node && this.inside(node, part.replace(/~1/g, "/").replace(/~0/g, "~"));
    }
    return node ? { from: node.from, to: node.to } : undefined;
  }

  /** The name that an activity has, and its place: what stands for it in the text. */
  name(pointer: string): (Span & { name: string }) | undefined {
    const place = this.span(`${pointer}/name`);
    return place && { ...place, name: this.string(place) };
  }

  /** The pointer of the innermost value at a place. */
  at(offset: number): string {
    const parts: string[] = [];
    for (let node: SyntaxNode | null = this.tree.resolveInner(offset, 1); node; node = node.parent) {
      const parent: SyntaxNode | null = node.parent;
      if (node.name === "Property") {
        const key = node.firstChild;
        if (key) parts.push(this.string(key).replace(/~/g, "~0").replace(/\//g, "~1"));
      } else if (parent?.name === "Array" && isValue(node)) {
        let index = 0;
        for (let before = node.prevSibling; before; before = before.prevSibling) if (isValue(before)) index += 1;
        parts.push(String(index));
      }
    }
    return parts.reverse().map((part) => `/${part}`).join("");
  }

  private inside(node: SyntaxNode, part: string): SyntaxNode | null {
    let index = 0;
    for (let child = node.firstChild; child; child = child.nextSibling) {
      if (node.name === "Array" && isValue(child) && String(index++) === part) return child;
      const key = child.name === "Property" ? child.firstChild : null;
      if (key && this.string(key) === part) return isValue(child.lastChild) ? child.lastChild : null;
    }
    return null;
  }

  private string(place: Span): string {
    const text = this.text.slice(place.from, place.to);
    try {
      const value: unknown = JSON.parse(text);
      return typeof value === "string" ? value : text;
    } catch {
      return text;
    }
  }
}

const VALUES = ["Object", "Array", "String", "Number", "True", "False", "Null"];
const isValue = (node: SyntaxNode | null): node is SyntaxNode => node !== null && VALUES.includes(node.name);
