// Which `wflint` is started.

import * as path from "node:path";

/** Where a program was found, in words for the log. */
export interface Binary {
  readonly command: string;
  readonly origin: string;
}

export interface Search {
  /** The setting `wflint.path`, which an untrusted workspace cannot set. */
  readonly setting: string;
  /** The folders of the workspace, absolute. */
  readonly folders: readonly string[];
  /** Whether the user trusts the workspace: otherwise nothing in it is started. */
  readonly trusted: boolean;
  /** The folder of the extension, which may bring a program. */
  readonly extension: string;
  /** The variable `PATH`. */
  readonly path: string;
  readonly platform: NodeJS.Platform;
  /** Whether a file exists. */
  readonly exists: (file: string) => boolean;
  /** A path without links. */
  readonly real: (file: string) => string;
}

/** The program to start; undefined if none is found. */
export function findBinary(search: Search): Binary | undefined {
  const paths = search.platform === "win32" ? path.win32 : path.posix;
  if (search.setting !== "") {
    return { command: search.setting, origin: "the setting wflint.path" };
  }
  return candidates(search, paths).find(({ command }) => search.exists(command) && isAllowed(command, search, paths));
}

function candidates(search: Search, paths: path.PlatformPath): Binary[] {
  const windows = search.platform === "win32";
  const name = windows ? "wflint.exe" : "wflint";
  const scripts = windows ? "Scripts" : "bin";
  const inWorkspace = search.folders.flatMap((folder) => [
    // The launcher of the npm package is a script; on Windows only its `.cmd` can be started.
    { command: paths.join(folder, "node_modules", ".bin", windows ? "wflint.cmd" : "wflint"), origin: "node_modules" },
    ...[".venv", "venv"].map((environment) => ({
      command: paths.join(folder, environment, scripts, name),
      origin: `the virtual environment ${environment}`,
    })),
  ]);
  const bundled = { command: paths.join(search.extension, "bin", name), origin: "the extension" };
  // A relative folder in `PATH` would be one of the workspace.
  const folders = search.path.split(paths.delimiter).filter((folder) => paths.isAbsolute(folder));
  const onPath = folders.map((folder) => ({ command: paths.join(folder, name), origin: "PATH" }));
  return [...(search.trusted ? inWorkspace : []), ...onPath, bundled];
}

/** Whether a program may be started: without trust, none that is in the workspace, by `PATH` or by a link. */
function isAllowed(command: string, search: Search, paths: path.PlatformPath): boolean {
  if (search.trusted) {
    return true;
  }
  return [command, search.real(command)].every((file) =>
    search.folders.every((folder) => [folder, search.real(folder)].every((inside) => !isInside(file, inside, paths))),
  );
}

function isInside(file: string, folder: string, paths: path.PlatformPath): boolean {
  const relative = paths.relative(folder, file);
  return relative !== ".." && !relative.startsWith(`..${paths.sep}`) && !paths.isAbsolute(relative);
}
