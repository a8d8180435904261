// Validates files with Ajv: `ajv.mjs SCHEMA LIST [SCHEMA LIST]…`, each list a file of paths, one a line. Prints each file
// that is not valid; the exit code is 1 if there is one.
import { readFileSync } from "node:fs";
import Ajv from "ajv/dist/2020.js";

const read = (path) => JSON.parse(readFileSync(path, "utf8"));
const words = process.argv.slice(2);
for (let at = 0; at < words.length; at += 2) {
  const validate = new Ajv({ strict: false }).compile(read(words[at]));
  for (const path of readFileSync(words[at + 1], "utf8").split("\n")) {
    if (path && !validate(read(path))) {
      console.log(path, validate.errors);
      process.exitCode = 1;
    }
  }
}
