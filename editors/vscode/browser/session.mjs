// A real Visual Studio Code in a browser, with the keys and the mouse of a user.

import { createRequire } from "node:module";
import process from "node:process";

/** Milliseconds that an answer of the editor may take. */
const PATIENCE = 60_000;

export class Session {
  /** Opens a folder; `modules` is the folder of installed packages. */
  static async open(modules, url) {
    const { chromium } = createRequire(`${modules}/`)("playwright-core");
    const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
    const page = await browser.newPage({ viewport: { width: 1280, height: 2000 } });
    page.setDefaultTimeout(PATIENCE);
    await page.goto(url);
    return new Session(browser, page);
  }

  constructor(browser, page) {
    this.browser = browser;
    this.page = page;
  }

  async close() {
    await this.browser.close();
  }

  async openFile(name) {
    await this.page.locator(".explorer-folders-view .monaco-list-row", { hasText: name }).first().dblclick();
    await this.page.locator(".tab.active", { hasText: name }).first().waitFor();
    await this.page.waitForSelector(".monaco-editor .view-line");
  }

  /** Opens a file by its path in the folder. */
  async goToFile(path) {
    await this.page.keyboard.press("Control+p");
    await this.page.waitForSelector(".quick-input-widget input");
    await this.page.keyboard.type(path);
    const [name] = path.split("/").slice(-1);
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().waitFor();
    await this.page.waitForTimeout(500);
    await this.page.keyboard.press("Enter");
    await this.page.locator(".quick-input-widget input").waitFor({ state: "hidden" });
  }

  /** Runs a command by its title; some are there only when the editor has started. */
  async command(title) {
    const row = this.page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first();
    const isListed = async () => {
      await this.page.keyboard.press("F1");
      const input = this.page.locator(".quick-input-widget input").first();
      await input.waitFor({ timeout: 3000 }).catch(() => undefined);
      if (!(await input.isVisible())) {
        await this.page.keyboard.press("Escape");
        return false;
      }
      await input.fill(`>${title}`);
      await this.page.waitForTimeout(500);
      const isThere = await row.isVisible();
      await (isThere ? row.click() : this.page.keyboard.press("Escape"));
      return isThere;
    };
    await this.until(title, isListed, (isThere) => isThere);
  }

  /** Puts the cursor on a place, counted from 1. */
  async goTo(line, column) {
    await this.page.keyboard.press("Control+g");
    await this.page.waitForSelector(".quick-input-widget input");
    await this.page.keyboard.type(`${line}:${column}`);
    await this.page.keyboard.press("Enter");
    await this.page.locator(".quick-input-widget input").waitFor({ state: "hidden" });
  }

  /** Waits until something that is shown is as it should be; returns it. */
  async until(what, look, isWanted, pause = 300) {
    const end = Date.now() + PATIENCE;
    let seen;
    do {
      seen = await look();
      if (isWanted(seen)) {
        return seen;
      }
      await this.page.waitForTimeout(pause);
    } while (Date.now() < end);
    throw new Error(`${what}: the editor shows ${JSON.stringify(seen)}`);
  }

  /** The findings in the list of problems, as `CODE LINE:COLUMN`. The list has only the rows that can be seen. */
  async problems() {
    const rows = await this.page.locator(".markers-panel .monaco-list-row").allInnerTexts();
    const places = rows.map((text) => /wflint\s*(WF\d{3})\s*\[Ln (\d+), Col (\d+)\]/.exec(text.replace(/\s+/g, " ")));
    return places.filter(Boolean).map(([, code, line, column]) => `${code} ${line}:${column}`).sort();
  }

  texts(selector) {
    return this.page.locator(selector).allInnerTexts();
  }

  /** Shows what is known of the place of the cursor. */
  async hover(isWanted) {
    await this.command("Show or Focus Hover");
    await this.until(
      "hover",
      () => this.texts(".monaco-hover:not(.hidden) .hover-contents"),
      (shown) => shown.some(isWanted),
    );
  }

  /** The document of the webview. */
  panel() {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
  }

  /** Makes the window as small as pictures of it should be. */
  async shrink() {
    await this.page.setViewportSize({ width: 1240, height: 500 });
  }

  /** Takes a picture of the editor. */
  async picture(file) {
    const clip = await this.page.locator(".part.editor").boundingBox();
    await this.page.screenshot({ path: file, clip, caret: "initial" });
  }
}
