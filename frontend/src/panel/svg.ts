/**
 * The drawing as it arrives. It is made by wflint, which escapes the texts of documents; should one ever get through, it
 * still brings no script, no foreign element and no address.
 */
import { all } from "../dom";

const SVG = "http://www.w3.org/2000/svg";

/** The elements of a drawing. */
const ELEMENTS = new Set(["svg", "g", "title", "desc", "rect", "path", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan"]);

export const isAllowedElement = (namespace: string | null, name: string): boolean => namespace === SVG && ELEMENTS.has(name);

/** No handler, no style, no address but a fragment. */
export function isAllowedAttribute(name: string, value: string): boolean {
  const plain = name.toLowerCase();
  if (plain.startsWith("on") || plain === "style") return false;
  if (/(^|:)(href|src|base)$/.test(plain)) return value.startsWith("#");
  return !/url\((?!\s*["']?#)/i.test(value) && !/^\s*(javascript|data):/i.test(value);
}

/** A drawing for this document, and the style that came with it. */
export interface Adopted {
  svg: SVGSVGElement;
  style: string;
}

/** The style that the drawing brings, apart: as an element, it would need the consent of the page's policy. */
export function takeStyle(text: string): [svg: string, style: string] {
  const styles: string[] = [];
  const svg = text.replace(/<style>([^<]*)<\/style>/g, (_, style: string) => {
    styles.push(style);
    return "";
  });
  return [svg, styles.join("\n")];
}

/** Undefined if the text is no drawing. */
export function adopt(text: string): Adopted | undefined {
  const [markup, style] = takeStyle(text);
  const root = new DOMParser().parseFromString(markup, "image/svg+xml").documentElement;
  if (root.namespaceURI !== SVG || root.localName !== "svg") return undefined;
  for (const element of [root, ...all(root, "*")]) {
    if (!isAllowedElement(element.namespaceURI, element.localName)) {
      element.remove();
      continue;
    }
    for (const { name, value } of Array.from(element.attributes)) {
      if (!isAllowedAttribute(name, value)) element.removeAttribute(name);
    }
  }
  return { svg: document.adoptNode(root) as unknown as SVGSVGElement, style };
}
