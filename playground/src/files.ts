/** The documents of a visitor: texts by path, in the page's memory alone. */

export type Files = ReadonlyMap<string, string>;

/** More is no service, but somebody's whole disk. */
export const MAX_FILES = 300;
export const MAX_CHARACTERS = 8_000_000;
const MAX_PATH = 200;

/** Why a path cannot be that of a document; nothing if it can. */
export function pathProblem(path: string): string | undefined {
  if (path === "") return "A file needs a name.";
  if (path.length > MAX_PATH) return `A path has at most ${MAX_PATH} characters.`;
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\\:*?"<>|]/.test(path)) {
    return "A path contains none of \\ : * ? \" < > | and no character that cannot be seen.";
  }
  if (path.split("/").some((part) => part === "" || part === "." || part === "..")) return "A path is relative, without . and ..";
  return undefined;
}

/** Why these files are not taken; nothing if they are. */
export function filesProblem(files: Iterable<readonly [string, string]>): string | undefined {
  const seen = new Set<string>();
  let characters = 0;
  for (const [path, text] of files) {
    const problem = pathProblem(path);
    if (problem !== undefined) return problem;
    if (seen.has(path)) return `Two files have the path ${path}.`;
    seen.add(path);
    characters += text.length;
  }
  for (const path of seen) {
    for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
      if (seen.has(path.slice(0, end))) return `${path.slice(0, end)} is a file, and cannot be a folder, too.`;
    }
  }
  if (seen.size > MAX_FILES) return `At most ${MAX_FILES} files are taken.`;
  if (characters > MAX_CHARACTERS) return `At most ${MAX_CHARACTERS / 1_000_000} million characters are taken.`;
  return undefined;
}

type Kind = "workflow" | "form" | "scenario" | "configuration" | "other";

/** What a file is, by its name and its outermost keys. wflint itself looks closer. */
export function kindOf(path: string, text: string): Kind {
  if (/(^|\/)wflint\.toml$/.test(path)) return "configuration";
  if (/\.scenario\.(ya?ml|json)$/.test(path)) return "scenario";
  if (/\.workflow\.json$/.test(path)) return "workflow";
  if (/\.form\.json$/.test(path)) return "form";
  if (!path.endsWith(".json")) return "other";
  const keys = outermostKeys(text);
  if (keys.includes("activities")) return "workflow";
  return keys.includes("fields") ? "form" : "other";
}

function outermostKeys(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  } catch {
    return [];
  }
}

const ORDER: Kind[] = ["workflow", "form", "other", "scenario", "configuration"];

/** The order of the tabs: a folder's files together, workflows first. */
export function sorted(files: Files): string[] {
  const folder = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);
  const rank = new Map(Array.from(files, ([path, text]) => [path, ORDER.indexOf(kindOf(path, text))]));
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return Array.from(files.keys()).sort(
    (a, b) => compare(folder(a), folder(b)) || (rank.get(a) ?? 0) - (rank.get(b) ?? 0) || compare(a, b),
  );
}

/** A path that is free, made from a wished one: `order.workflow.json`, `order-2.workflow.json`. */
export function freePath(files: Files, wished: string): string {
  if (!files.has(wished)) return wished;
  const [, stem = "file", ending = ""] = /^(.*?)((?:\.[^./]*)*)$/.exec(wished) ?? [];
  for (let number = 2; ; number++) {
    const path = `${stem}-${number}${ending}`;
    if (!files.has(path)) return path;
  }
}
