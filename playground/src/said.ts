/** A finding in words: in the editor's tooltip, and in the list. */
import type { Diagnostic } from "@codemirror/lint";
import { badge as outcomeBadge, make, words } from "../../frontend/src/dom";
import { Lines } from "./lines";
import { type Finding, type Fix, fixes, type Severity } from "./program";

export const severityBadge = (severity: Severity): HTMLElement => {
  const element = outcomeBadge(severity);
  element.className = `badge ${severity}`;
  return element;
};

/** The code, as a link to the rule's page where the documentation is beside this page. */
export function code({ code, name }: Finding): HTMLElement {
  const rules = document.documentElement.dataset["rules"];
  if (rules === undefined || !/^WF\d{3}$/.test(code)) return make("b", {}, code);
  const link = make("a", { href: `${rules}${code}-${name}.html`, target: "_blank", rel: "noopener", title: `The page of ${code}` }, code);
  return link;
}

/** The message with its help. */
export function said(finding: Finding): HTMLElement[] {
  const message = make("p", {}, code(finding), " ", ...words(finding.message));
  const help = finding.help === null ? [] : [make("p", { class: "soft" }, "Help: ", ...words(finding.help))];
  return [message, ...help];
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What a button that fixes says. */
export const fixLabel = (fix: Fix): Node[] => words(capital(fix.title));

/** What the editor underlines, with its tooltip. */
export function diagnostics(
  findings: readonly Finding[],
  path: string,
  text: string,
  apply: (finding: Finding, fix: Fix) => void,
): Diagnostic[] {
  const lines = new Lines(text);
  const own = findings.filter((finding) => finding.file === path);
  return own.map((finding) => {
    const from = lines.offset(finding.range.start);
    return {
      from,
      to: Math.max(from, lines.offset(finding.range.end)),
      severity: finding.severity,
      message: finding.message,
      renderMessage: () => make("div", { class: "cm-said" }, ...said(finding)),
      actions: fixes(finding).map((fix) => ({
        name: capital(fix.title).replace(/`/g, ""),
        apply: () => apply(finding, fix),
      })),
    };
  });
}
