// The ten questions that a reader must be able to answer from the page alone.
import assert from "node:assert/strict";
import { check } from "./browser.mjs";

/** What the page of the examples answers: by question, places with texts that must be visible there. */
const ANSWERS = {
  "sign-upload": {
    "what it asks for and does": [["[data-part=glance]", /Mail address/], ["[data-part=words]", /signature[\s\S]*Finished[\s\S]*Rejected/]],
    "who is asked, who gets mail": [["[data-part=people]", /Mail address[\s\S]*sign/]],
    "how an order ends": [["[data-end][data-outcome=completed]", /signs/], ["[data-end][data-outcome=terminated]", /rejects/]],
    "whether it hangs, and on whom": [["[data-end][data-outcome=waits]", /Email[\s\S]*never acts/]],
    "what is wrong": [["[data-part=findings]", /nothing wrong/]],
    "whether scenarios cover it": [["[data-part=scenarios]", /Nobody signs[\s\S]*/], ["[data-part=scenarios]", /of 13/]],
    "which personal data": [['[data-variable="PersonalId"]', /Request signature/], ['[data-variable="PersonalId"]', /personal id/i]],
    "which laws hold": [['[data-law="ends"][data-holds=true]', /./]],
  },
  broken: {
    "what is wrong": [["[data-finding][data-severity=error]", /WF\d+/]],
  },
};

export async function questions(page) {
  for (const [name, answers] of Object.entries(ANSWERS)) {
    for (const [question, places] of Object.entries(answers)) {
      await check(`${name}: ${question}`, async () => {
        for (const [place, text] of places) {
          const found = page.locator(`section[data-service="${name}"]`).locator(place).first();
          assert.match(await found.innerText({ timeout: 2000 }), text, place);
        }
      });
    }
  }
  await check("my order says `Document status - Sent`: where it stands", async () => {
    const section = page.locator('section[data-service="sign-upload"]');
    await section.locator('input[data-search="status"]').fill("Document status - Sent");
    const visible = section.locator("[data-status]:not([hidden])");
    assert.ok((await visible.count()) >= 1);
    assert.match(await visible.first().innerText(), /Document status -[\s\S]*completed/);
    await section.locator('input[data-search="status"]').fill("no such text");
    assert.equal(await visible.count(), 0);
    await section.locator('input[data-search="status"]').fill("");
  });
  await check("the overview is sorted, searched, and has services with errors first", async () => {
    const rows = page.locator("[data-row]");
    assert.match(await rows.first().innerText(), /broken/);
    await page.locator('input[data-search="service"]').fill("mailbox");
    assert.equal(await page.locator("[data-row]:visible").count(), 1);
    await page.locator('input[data-search="service"]').fill("");
  });
}

export async function changes(page) {
  await check("what changed since the last release", async () => {
    const part = page.locator('section[data-service="sign-upload"] [data-part=changes]');
    assert.match(await part.innerText(), /Document was refused/);
  });
}
