// The examples of the playground: the one with a story, then folders of `examples/`, the broken one first.
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

const root = path.join(import.meta.dirname, "..");

const EXAMPLES = [
  {
    id: "rejected",
    folder: "playground/examples/rejected",
    title: "The signer rejects",
    headline: "This order never ends when the signer rejects",
    story:
      "Every five minutes, the workflow asks whether the contract is signed. Once it is rejected, it never will be: the order " +
      "asks forever, and nobody is told.",
    finding: {
      code: "WF404",
      mended: {
        headline: "Now the order ends, and says why",
        story: "A rejected contract ends it with a status. The scenario that failed passes, and nothing else has changed.",
      },
    },
  },
  {
    id: "broken",
    title: "Typical mistakes",
    story: "Mistakes that nobody sees in JSON: mistyped names, a lost result, a status that never comes. Five have a fix.",
  },
  {
    id: "sign-upload",
    title: "Sign an uploaded document",
    story: "Requests a signature, waits for it, and handles every answer. Break it, and see what happens.",
  },
  {
    id: "approval",
    title: "Approval by a group",
    story: "Several approvers are asked, one is enough. Each scenario is a test of the whole order.",
  },
  {
    id: "sign-json",
    title: "A signing case from a script",
    story: "A script builds the case to sign. It runs in a sandbox, on sample values, to check what it builds.",
  },
  {
    id: "sign-directory",
    title: "A signer from the directory",
    story: "The signer is looked up in the directory. In “Try it”, let the lookup find nobody.",
  },
  {
    id: "sign-local-file",
    title: "Sign a file from a path",
    story: "The document comes from a file share. What if the address of the signer is wrong?",
  },
  {
    id: "mailbox",
    title: "A plug-in of your own",
    story: "A catalog describes the methods of a plug-in, so that calls of it are checked, too.",
  },
];

const TAKEN = /\.(json|ya?ml|toml|ldif|md)$/;

/** The files of a folder, with paths as they are in it. */
function filesOf(folder, inside = "") {
  return readdirSync(path.join(folder, inside)).sort().flatMap((name) => {
    const file = path.posix.join(inside, name);
    if (statSync(path.join(folder, file)).isDirectory()) return filesOf(folder, file);
    return TAKEN.test(name) ? [[file, readFileSync(path.join(folder, file), "utf8")]] : [];
  });
}

export function examples() {
  return EXAMPLES.map(({ id, folder = `examples/${id}`, ...example }) => {
    const files = Object.fromEntries(filesOf(path.join(root, folder)));
    // The directory that several examples share stands above them.
    for (const [name, text] of Object.entries(files)) {
      if (!text.includes("directory: ../people.ldif")) continue;
      files[name] = text.replace("directory: ../people.ldif", "directory: people.ldif");
      files["people.ldif"] = readFileSync(path.join(root, "examples/people.ldif"), "utf8");
    }
    return { id, ...example, open: "order.workflow.json", files };
  });
}
