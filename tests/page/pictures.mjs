// The pictures of README and docs: `docs/pictures/page*.png`.
import { open } from "./browser.mjs";

export async function pictures(browser, file) {
  const page = await open(browser, file, { viewport: { width: 1280, height: 1000 }, reducedMotion: "reduce" });
  const section = page.locator('section[data-service="sign-upload"]');
  await section.locator('[data-end][data-outcome="terminated"] [data-play]').click();
  const seek = section.locator('[data-player] input[data-action="seek"]');
  await seek.fill(String(Number(await seek.getAttribute("max")) - 3));
  await section.locator("h2").scrollIntoViewIfNeeded();
  await page.evaluate(() => document.querySelector('section[data-service="sign-upload"]').scrollIntoView());
  await page.screenshot({ path: "docs/pictures/page.png" });
  await page.context().close();
}
