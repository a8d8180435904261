// A server of another version than the extension.

/** A word for the user if two versions may not fit together: those before 1.0 by their minor version. */
export function versionNote(server: string | undefined, extension: string): string | undefined {
  if (server === undefined) {
    return "This wflint does not say its version.";
  }
  const [theirs, ours] = [series(server), series(extension)];
  if (theirs === undefined || ours === undefined || theirs.key === ours.key) {
    return undefined;
  }
  const older = theirs.order < ours.order;
  const advice = older ? "Update wflint" : "Update the extension";
  return `wflint ${server} is ${older ? "older" : "newer"} than this extension (${extension}). ${advice} if something is missing.`;
}

function series(version: string): { key: string; order: number } | undefined {
  const match = /^(\d+)\.(\d+)/.exec(version);
  if (match === null) {
    return undefined;
  }
  const [major, minor] = [Number(match[1]), Number(match[2])];
  return { key: major === 0 ? `0.${String(minor)}` : String(major), order: major * 100_000 + minor };
}
