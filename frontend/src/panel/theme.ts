/** The style of the drawing, light or dark as what is around it. */

const sheet = new CSSStyleSheet();
let known = "";

/** Takes the style that came with a drawing. A sheet that a script makes is no style of the document: its policy holds. */
export function dress(style: string): void {
  if (style === known) return;
  known = style;
  sheet.replaceSync(style);
  shade();
  if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** The theme of Visual Studio Code may not be that of the system, which the style asks for. */
function shade(): void {
  const kind = document.body.dataset["vscodeThemeKind"];
  if (kind === undefined) return;
  const isDark = kind === "vscode-dark" || kind === "vscode-high-contrast";
  for (const rule of Array.from(sheet.cssRules)) {
    if (rule instanceof CSSMediaRule) rule.media.mediaText = isDark ? "screen" : "not all";
  }
}

/** Follows the theme as it changes. */
export function followTheme(): void {
  new MutationObserver(shade).observe(document.body, { attributeFilter: ["data-vscode-theme-kind"] });
}
