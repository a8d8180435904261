// Tests of the playground, in a real browser: `node run.mjs`, from the root of the project, with PLAYGROUND and WFLINT set.
import { finish, launch } from "../page/browser.mjs";
import { first } from "./first.mjs";
import { form } from "./form.mjs";
import { hostile } from "./hostile.mjs";
import { same } from "./same.mjs";
import { serve } from "./site.mjs";

const parts = { first, same, form, hostile };
const wanted = process.argv.slice(2);
const browser = await launch();
const site = await serve();
try {
  for (const [name, part] of Object.entries(parts)) if (wanted.length === 0 || wanted.includes(name)) await part(browser, site);
} finally {
  await browser.close();
  await site.close();
}
finish("the playground");
