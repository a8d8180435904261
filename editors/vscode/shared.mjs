// Copies what the extension shares with the rest of the project, so that it is that of this version: the schemas that it
// contributes, and the panel with the drawing.

import { cpSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const path = (address) => fileURLToPath(new URL(address, import.meta.url));

for (const folder of ["schemas", "dist"]) {
  mkdirSync(path(`./${folder}/`), { recursive: true });
}
for (const name of ["config", "scenario", "catalog"]) {
  cpSync(path(`../../schemas/${name}.schema.json`), path(`./schemas/${name}.schema.json`));
}
for (const name of ["panel.js", "panel.css"]) {
  cpSync(path(`../../frontend/dist/${name}`), path(`./dist/${name}`));
}
