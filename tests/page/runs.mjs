// The player and "Try it", held to the simulator: each end of each example is played, and reached by its buttons.
import assert from "node:assert/strict";
import { check } from "./browser.mjs";
import { simulateEnds } from "./wflint.mjs";

const texts = (locator) => locator.evaluateAll((all) => all.map((one) => one.dataset.published || one.textContent.trim()));

const textsOf = (scenario) => scenario.statuses.map((status) => status.text ?? status);

/** Whether texts can be those of a scenario, of whose rounds only the first are played. */
function fits(published, scenario) {
  const expected = textsOf(scenario);
  if (scenario.outcome !== "stuck") return String(published) === String(expected);
  return published.at(-1) === expected.at(-1) && String(published) === String(expected.slice(0, published.length));
}

/** Rounds of a cycle are played once, so of a stuck run only the texts up to then are shown. */
function assertStatuses(shown, scenario, what) {
  const expected = textsOf(scenario);
  if (scenario.outcome === "stuck") {
    assert.deepEqual(shown, expected.slice(0, shown.length), what);
    assert.equal(shown.at(-1), expected.at(-1), what);
  } else {
    assert.deepEqual(shown, expected, what);
  }
}

export async function runs(page, work, name, workflow, ends) {
  const section = page.locator(`section[data-service="${name}"]`);
  const scenarios = simulateEnds(work, workflow, ends);
  const data = JSON.parse(await page.locator("#wflint-data").textContent());
  const service = data.services.find((one) => one.id === name);

  for (const [index, end] of ends.entries()) {
    const id = `end-${index + 1}`;
    await check(`${name}: ${id} (${end.outcome}) is played as it is simulated`, async () => {
      await section.locator(`[data-end][data-id="${id}"] [data-play]`).click();
      const player = section.locator("[data-player]");
      await player.locator('button[data-action="end"]').click();
      assertStatuses(await texts(player.locator("[data-published]")), scenarios[index], id);
      const seek = player.locator('input[data-action="seek"]');
      assert.equal(await seek.inputValue(), await seek.getAttribute("max"));
      await player.locator('button[data-action="start"]').click();
      assert.equal(await seek.inputValue(), await seek.getAttribute("min"));
      await player.locator('button[data-action="step"]').click();
      await seek.focus();
      await page.keyboard.press("End");
      assert.equal(await seek.inputValue(), await seek.getAttribute("max"));
      await page.keyboard.press("Home");
      assert.equal(await seek.inputValue(), await seek.getAttribute("min"));
    });
    await check(`${name}: ${id} (${end.outcome}) is reached by its buttons`, async () => {
      const choices = wayTo(service, index, (published) => fits(published, scenarios[index]));
      assert.ok(choices, "no way to this end");
      const area = section.locator("[data-try]");
      const restart = area.locator('[data-action="restart"]');
      if (await restart.isVisible()) await restart.click();
      for (const alternative of choices) await area.locator("button[data-choice][data-alternative]").nth(alternative).click();
      assert.equal(await area.locator("[data-outcome]").getAttribute("data-outcome"), end.outcome);
      if (choices.length > 0) {
        assertStatuses(await texts(area.locator("[data-published]")), scenarios[index], id);
        await area.locator('[data-action="undo"]').click();
        assert.equal(await area.locator("[data-outcome]").count(), 0);
      }
    });
  }
}

/** The choices of the shortest way to an end whose texts are as wanted: breadth first, as the page goes on, states that are met again close cycles. */
export function wayTo({ try: graph, events, texts: table }, wanted, isRight) {
  if (!graph) return null;
  const happened = (move) => move.events.flatMap(([, first, count]) => events.slice(first, first + count));
  const start = { path: [], choices: [], move: graph.start, before: [] };
  const queue = [start];
  for (let count = 0; queue.length > 0 && count < 20_000; count += 1) {
    const { path, choices, move, before } = queue.shift();
    const published = happened(move).filter(([kind]) => kind === "published");
    const texts = [...before, ...published.map(([, , , , value]) => table[value])];
    if (move.end !== undefined) {
      if (move.end === wanted && isRight(texts)) return choices;
      continue;
    }
    if (move.to === undefined) continue;
    const seen = path.indexOf(move.to);
    if (seen >= 0) {
      const loop = path.slice(seen);
      const around = graph.cycles.filter((cycle) => loop.every((state) => cycle.states.includes(state)));
      if (around.length > 0) {
        around.sort((one, other) => one.states.length - other.states.length);
        const best = around.find((cycle) => graph.ends[cycle.end].status === texts.at(-1)) ?? around[0];
        if (best.end === wanted && isRight(texts)) return choices;
        continue;
      }
      if (path.filter((state) => state === move.to).length > 1) continue;
    }
    const state = graph.states[move.to];
    state.moves.forEach((next, index) => {
      const chosen = state.question === undefined ? choices : [...choices, index];
      queue.push({ path: [...path, move.to], choices: chosen, move: next, before: texts });
    });
  }
  return null;
}
