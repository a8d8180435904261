/** The window on a drawing: zoom, pan, fit. The canvas scrolls as any element does, so touch and keys work without script. */
import { button, isStill, make, one } from "./dom";

const LEAST = 0.1;
const MOST = 3;
const STEP = 1.25;
const READABLE = 0.55;

export class View {
  private scale = 1;
  private begins: IntersectionObserver | undefined;
  private width = 0;
  private height = 0;
  private readonly shown = button("100%", { title: "Actual size" }, () => this.zoom(1));
  /** Whether the last press of the pointer moved the drawing: then it chose nothing. */
  wasDragged = false;

  constructor(
    readonly canvas: HTMLElement,
    public svg: SVGSVGElement,
    name: string,
  ) {
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "group");
    canvas.setAttribute("aria-label", `Drawing of ${name}. Arrow keys move it, + and - change its size.`);
    this.wheel();
    this.pinch();
    this.drag();
    canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const scale = { "+": this.scale * STEP, "=": this.scale * STEP, "-": this.scale / STEP, "0": 1 }[event.key];
      if (scale === undefined) return;
      event.preventDefault();
      this.zoom(scale);
    });
    this.measure();
    // Measured when it comes into sight: a page of many services would be laid out for each of them.
    this.begins = new IntersectionObserver(([entry]) => entry?.isIntersecting && this.begin(), { rootMargin: "50%" });
    this.begins.observe(canvas);
  }

  /** Never larger than it is drawn, and no wider than the canvas while it can be read. */
  private begin(): void {
    if (!this.begins) return;
    this.begins.disconnect();
    this.begins = undefined;
    this.set(Math.min(1, Math.max(READABLE, (this.canvas.clientWidth - 2) / this.width)));
    // The line from the start is in the middle of a narrow drawing, and at the left of a wide one.
    const start = one(this.svg, ".wf-terminal");
    if (start) this.reveal(start);
  }

  buttons(): HTMLElement {
    return make(
      "span",
      { class: "zoom", role: "group", "aria-label": "Size of the drawing" },
      button("−", { "aria-label": "Smaller" }, () => this.zoom(this.scale / STEP)),
      this.shown,
      button("+", { "aria-label": "Larger" }, () => this.zoom(this.scale * STEP)),
      button("Fit", { title: "Show the whole drawing" }, () => this.fit()),
    );
  }

  /** Shows another drawing in the place of this one, at the same size. */
  replace(svg: SVGSVGElement): void {
    this.svg.replaceWith(svg);
    this.svg = svg;
    this.measure();
    if (!this.begins) this.set(this.scale);
  }

  /** Takes the size of the drawing, which may have changed. */
  resize(): void {
    this.begin();
    this.measure();
    this.set(this.scale);
  }

  fit(): void {
    this.begin();
    const { clientWidth, clientHeight } = this.canvas;
    this.set(Math.min(1, (clientWidth - 2) / this.width, (clientHeight - 2) / this.height));
  }

  /** Keeps the point in the middle, or under the pointer, where it is. */
  zoom(scale: number, x?: number, y?: number): void {
    this.begin();
    const box = this.canvas.getBoundingClientRect();
    const at = [(x ?? box.left + box.width / 2) - box.left, (y ?? box.top + box.height / 2) - box.top] as const;
    const before = this.svg.getBoundingClientRect();
    const point = [(box.left + at[0] - before.left) / this.scale, (box.top + at[1] - before.top) / this.scale] as const;
    this.set(scale);
    const after = this.svg.getBoundingClientRect();
    this.canvas.scrollLeft += after.left + point[0] * this.scale - (box.left + at[0]);
    this.canvas.scrollTop += after.top + point[1] * this.scale - (box.top + at[1]);
  }

  /** Where the shape of an activity is on the screen. */
  place(element: Element): DOMRect {
    return (one(element, ":scope > .wf-shape, :scope > .wf-band") ?? element).getBoundingClientRect();
  }

  /** Scrolls the canvas so that a shape is at a place. */
  move(element: Element, to: DOMRect): void {
    const now = this.place(element);
    this.canvas.scrollLeft += now.left - to.left;
    this.canvas.scrollTop += now.top - to.top;
  }

  /** Scrolls the canvas, and only the canvas, so that a part of the drawing is in sight. */
  reveal(element: Element): void {
    this.begin();
    const [box, part] = [this.canvas.getBoundingClientRect(), this.place(element)];
    const margin = Math.min(48, box.height / 6);
    const isSeen =
      part.top >= box.top + margin &&
      part.bottom <= box.bottom - margin &&
      part.left >= box.left &&
      part.right <= box.right;
    if (isSeen) return;
    this.canvas.scrollBy({
      left: part.left >= box.left && part.right <= box.right ? 0 : (part.left + part.right - box.left - box.right) / 2,
      top: (part.top + part.bottom - box.top - box.bottom) / 2,
      behavior: isStill() ? "auto" : "smooth",
    });
  }

  private measure(): void {
    this.width = Number(this.svg.getAttribute("width")) || 300;
    this.height = Number(this.svg.getAttribute("height")) || 300;
  }

  private set(scale: number): void {
    this.scale = Math.min(MOST, Math.max(LEAST, scale || 1));
    this.svg.style.width = `${this.width * this.scale}px`;
    this.svg.style.height = `${this.height * this.scale}px`;
    this.shown.textContent = `${Math.round(this.scale * 100)}%`;
    this.shown.setAttribute("aria-label", `Actual size; now ${this.shown.textContent}`);
  }

  /** A pinch on a trackpad arrives as a wheel with Ctrl. */
  private wheel(): void {
    const turned = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      this.zoom(this.scale * Math.exp(-Math.max(-50, Math.min(50, event.deltaY)) / 150), event.clientX, event.clientY);
    };
    this.canvas.addEventListener("wheel", turned, { passive: false });
  }

  private pinch(): void {
    let [start, scale] = [0, 1];
    const spread = ({ touches: [a, b] }: TouchEvent): [number, number, number] | undefined =>
      a && b && [Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY), (a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2];
    this.canvas.addEventListener("touchstart", (event) => {
      [start, scale] = [spread(event)?.[0] ?? 0, this.scale];
    }, { passive: true });
    this.canvas.addEventListener("touchmove", (event) => {
      const now = spread(event);
      if (!now || start === 0) return;
      event.preventDefault();
      this.zoom((scale * now[0]) / start, now[1], now[2]);
    }, { passive: false });
  }

  /** With a mouse; fingers scroll. */
  private drag(): void {
    let from: { x: number; y: number; left: number; top: number } | undefined;
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => {
      this.wasDragged = false;
      if (event.pointerType !== "mouse" || event.button !== 0) return;
      from = { x: event.clientX, y: event.clientY, left: canvas.scrollLeft, top: canvas.scrollTop };
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!from) return;
      const [x, y] = [event.clientX - from.x, event.clientY - from.y];
      if (!this.wasDragged && Math.hypot(x, y) < 5) return;
      if (!this.wasDragged) canvas.setPointerCapture(event.pointerId);
      this.wasDragged = true;
      canvas.classList.add("is-dragged");
      canvas.scrollLeft = from.left - x;
      canvas.scrollTop = from.top - y;
    });
    const released = (): void => {
      from = undefined;
      canvas.classList.remove("is-dragged");
    };
    for (const name of ["pointerup", "pointercancel"] as const) canvas.addEventListener(name, released);
  }
}
