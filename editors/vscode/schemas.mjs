// Copies the schemas that the extension contributes, so that they are those of this version.

import { cpSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const from = fileURLToPath(new URL("../../schemas/", import.meta.url));
const to = fileURLToPath(new URL("./schemas/", import.meta.url));

mkdirSync(to, { recursive: true });
for (const name of ["config", "scenario", "catalog"]) {
  cpSync(`${from}${name}.schema.json`, `${to}${name}.schema.json`);
}
