/** The lines of a text: between offsets in UTF-16 units and the places that others count in. */
import type { Position as Cursor } from "../../frontend/src/panel/source";
import type { Position } from "./program";

export class Lines {
  /** Where each line begins. */
  private readonly starts = [0];

  constructor(private readonly text: string) {
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.starts.push(at + 1);
  }

  /** The offset of a place of the program: lines from 1, and characters, not units, from 1. */
  offset({ line, column }: Position): number {
    let at = this.starts[line - 1] ?? this.text.length;
    for (let passed = 1; passed < column && at < this.text.length; passed++) {
      at += (this.text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    }
    return at;
  }

  /** The offset of a place as editors have it: lines and units from 0. */
  at({ line, character }: Cursor): number {
    return Math.min(this.text.length, (this.starts[line] ?? this.text.length) + character);
  }

  /** The place of an offset, as editors have it. */
  cursor(offset: number): Cursor {
    let [low, high] = [0, this.starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.starts[middle] ?? Infinity) <= offset) low = middle;
      else high = middle;
    }
    return { line: low, character: offset - (this.starts[low] ?? 0) };
  }
}
