/** A drawing that is replaced while somebody writes, and that shows where they write. */
import type { Service } from "../data";
import { one } from "../dom";
import { Drawing, groupsOf, pointerOf } from "../drawing";
import { Folding } from "../folding";
import { point } from "../layers";
import { locator } from "./locate";

export class LiveDrawing extends Drawing {
  /**
   * Shows another version of the drawing. What the reader sees stays where it is, and what was folded, chosen, found,
   * focused or followed stays so, though activities may have moved in the document.
   */
  replace(svg: SVGSVGElement, service: Service): void {
    const [folded, top, groups] = [this.folding.folded(), this.topmost(), groupsOf(svg)];
    const find = locator(titlesOf(this.groups), titlesOf(groups));
    const moved = (pointer: string | undefined): string | undefined => pointer && find(pointer);
    const focused = this.view.svg.contains(document.activeElement) ? moved(pointerOf(document.activeElement)) : undefined;
    this.view.replace(svg);
    [this.groups, this.service, this.chosen] = [groups, service, moved(this.chosen)];
    this.fold(new Set(folded.map(moved)));
    this.makeReachable(focused);
    const anchor = groups.get(moved(top?.pointer) ?? "");
    if (top && anchor) this.view.move(anchor, top.at);
    if (this.chosen !== undefined) this.mark(this.chosen);
    else this.panel.hidden = true;
    this.find();
    if (!this.followed) return;
    const activities = this.followed.activities.map((it) => ({ ...it, pointer: moved(it.pointer) ?? "" }));
    this.followed = { standing: this.followed.standing, activities };
    this.markFollowed();
  }

  /** Folds the Sequences of another version. */
  private fold(folded: ReadonlySet<string | undefined>): void {
    this.folding = new Folding(this.view);
    const again = this.folding.sequences.filter((it) => folded.has(it.dataset["pointer"]));
    if (again.length > 0) this.folding.fold(again, true);
    this.folding.changed = this.foldingChanged;
    this.foldingChanged();
  }

  /** The first activity that can be seen, and where. */
  private topmost(): { pointer: string; at: DOMRect } | undefined {
    const box = this.view.canvas.getBoundingClientRect();
    for (const [pointer, group] of this.groups) {
      if (this.folding.hides(group)) continue;
      const at = this.view.place(group);
      if (at.bottom > box.top && at.top < box.bottom) return { pointer, at };
    }
    return undefined;
  }

  /** Marks where the cursor of an editor is; a folded Sequence stands for what is inside of it. */
  pointAt(pointer: string | undefined, isRevealed: boolean): void {
    for (const group of this.groups.values()) {
      if (group.getAttribute("aria-current") === "location") group.removeAttribute("aria-current");
      group.classList.remove("is-here");
    }
    one(this.view.svg, ".layer-here")?.remove();
    let group = pointer === undefined ? undefined : this.groups.get(pointer);
    while (group && this.folding.hides(group)) group = group.parentElement?.closest<SVGGElement>("[data-pointer]") ?? undefined;
    if (!group) return;
    group.classList.add("is-here");
    point(group);
    if (!group.hasAttribute("aria-current")) group.setAttribute("aria-current", "location");
    if (isRevealed) this.view.reveal(group);
  }
}

/** What activities are called on a drawing: their kind and name. */
const titlesOf = (groups: Map<string, SVGGElement>): Map<string, string> =>
  new Map(Array.from(groups, ([pointer, group]) => [pointer, one(group, ":scope > title")?.textContent ?? ""]));
