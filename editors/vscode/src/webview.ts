// The document of the panel, and what it asks: nothing here needs the editor.

/** What the document of the panel is made of. */
export interface Parts {
  /** Addresses of the script and the style. */
  readonly script: string;
  readonly style: string;
  /** Where styles may come from. */
  readonly source: string;
  /** Allows the script, once. */
  readonly nonce: string;
  /** The URI of the workflow, which is kept when the window is loaded again. */
  readonly document: string;
}

/** The document. Nothing but its script runs in it, and it reaches no address but that of its style. */
export function html({ script, style, source, nonce, document }: Parts): string {
  const policy = `default-src 'none'; style-src ${source}; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escape(policy)}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>Drawing</title>
<link rel="stylesheet" href="${escape(style)}">
</head>
<body>
<div id="panel" data-source="vscode" data-document="${escape(document)}"></div>
<script nonce="${escape(nonce)}" src="${escape(script)}"></script>
</body>
</html>`;
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escape = (text: string): string => text.replace(/[&<>"]/g, (one) => ESCAPES[one] ?? one);

export interface Place {
  readonly line: number;
  readonly character: number;
}

export type Message =
  | { readonly kind: "ask"; readonly id: number; readonly method: string; readonly parameters: Record<string, string> }
  | { readonly kind: "reveal"; readonly start: Place; readonly end: Place; readonly hasFocus: boolean };

/** The requests of the server that the panel may make, and what of a message is sent with them. */
const METHODS: Readonly<Record<string, readonly string[]>> = { drawing: [], plays: [], run: ["scenario", "end"] };

/** Undefined if it is not a message of the panel. */
export function parseMessage(message: unknown): Message | undefined {
  if (!isObject(message)) {
    return undefined;
  }
  if (message.method === "reveal") {
    const [start, end] = isObject(message.range) ? [place(message.range.start), place(message.range.end)] : [];
    return start && end && { kind: "reveal", start, end, hasFocus: message.hasFocus === true };
  }
  const keys = typeof message.method === "string" && Object.hasOwn(METHODS, message.method) ? METHODS[message.method] : undefined;
  if (keys === undefined || typeof message.id !== "number") {
    return undefined;
  }
  const given = keys.map((key) => [key, message[key]]).filter(([, value]) => typeof value === "string");
  return {
    kind: "ask",
    id: message.id,
    method: `wflint/${String(message.method)}`,
    parameters: Object.fromEntries(given) as Record<string, string>,
  };
}

function place(value: unknown): Place | undefined {
  const isCount = (it: unknown): it is number => typeof it === "number" && Number.isSafeInteger(it) && it >= 0;
  return isObject(value) && isCount(value.line) && isCount(value.character)
    ? { line: value.line, character: value.character }
    : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
