// The chart with 5,000 candles and 100 drawings: what panning and zooming cost the page, without a
// graphics card.
import type { Page } from "@playwright/test";
import { candles, expect, iso, type Json, record, test } from "../support/chart-module.ts";
import { add, percentile } from "./figures.ts";
import { frames as inFrames } from "./tasks.ts";
import { countFrames, seen, watch } from "./watch.ts";

const GROUP = "chart, 5,000 candles, 100 drawings";
const DRAWINGS = 100;
/** Moves of the pointer or the wheel in a row. */
const STEPS = 200;
const MADE = candles("2016-01-04T00:00:00Z", 5_000);

test.use({ viewport: { width: 1_440, height: 900 } });

/** A drawing among the newest candles, where most of the others are in view too. */
function shape(number: number): Json {
  const place = (back: number, price: number) => ({
    time: iso(MADE[MADE.length - 1 - back]?.[0] ?? 0),
    price: Number(price.toFixed(5)),
  });
  const price = 1.056 + (number % 25) * 0.0003;
  const [from, to] = [place(180 - number, price), place(110 - number, price + 0.001)];
  switch (number % 4) {
    case 0:
      return { kind: "horizontal_line", price: from.price };
    case 1:
      return { kind: "trendline", from, to, extent: "segment" };
    case 2:
      return { kind: "rectangle", from, to, fill: "light" };
    default:
      return { kind: "fibonacci", from, to, levels: [0, 0.382, 0.5, 0.618, 1] };
  }
}

/** Waits until the page has drawn what has come. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done))));
}

test("a chart that is panned and zoomed", async ({ browser, chart }) => {
  test.setTimeout(600_000);
  const { page } = chart;
  await chart.open(MADE);
  for (let number = 0; number < DRAWINGS; number += 1) {
    // Locked, so that the pointer drags the chart and no drawing.
    await chart.call("putDrawing", record(`d${number}`, shape(number), { locked: true }));
  }
  const state = await chart.state();
  expect([state.candles, state.drawings.length]).toEqual([MADE.length, DRAWINGS]);
  await watch(page);
  const box = await page.locator("#chart").boundingBox();
  if (!box) throw new Error("there is no chart");
  const [left, y] = [box.x + 60, box.y + state.pane.y + state.pane.height / 2];
  const middle = { x: box.x + box.width / 2, y };

  const acts: [string, (step: number) => Promise<void>][] = [
    ["pan", (step) => page.mouse.move(left + step * 3, y)],
    ["zoom", (step) => page.mouse.wheel(0, step % 40 < 20 ? -60 : 60)],
  ];
  for (const [name, act] of acts) {
    const begin = async () => {
      const at = name === "pan" ? { x: left, y } : middle;
      await page.mouse.move(at.x, at.y);
      if (name === "pan") await page.mouse.down();
      await drawn(page);
    };
    const end = async () => {
      if (name === "pan") await page.mouse.up();
      await chart.call("scrollTo", { time: null });
    };

    // A few, to see that they do something.
    const seenBefore = (await chart.state()).newest;
    await begin();
    for (let step = 1; step <= 10; step += 1) {
      await act(step);
      await drawn(page);
    }
    expect((await chart.state()).newest.x, `${name} moves the chart`).not.toBe(seenBefore.x);
    await end();

    // In a row, as a hand does it, once for the frames and once with the browser's trace for what they cost: a
    // frame in which nothing moved costs next to nothing, so only as many as there were moves count.
    await begin();
    await countFrames(page);
    await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline"] });
    for (let step = 1; step <= STEPS; step += 1) await act(step);
    await drawn(page);
    const work = inFrames(await browser.stopTracing());
    await end();
    const moved = work.sort((a, b) => b - a).slice(0, STEPS);
    await add(GROUP, `${name}: main thread a frame`, moved);
    await add(GROUP, `${name}: main thread a frame, p95`, { value: percentile(moved, 0.95), unit: "ms" });

    await seen(page);
    await begin();
    await countFrames(page);
    for (let step = 1; step <= STEPS; step += 1) await act(step);
    const { frames } = await seen(page);
    await end();
    const mean = frames.reduce((sum, time) => sum + time, 0) / Math.max(1, frames.length);
    await add(GROUP, `${name}: time between frames`, frames);
    await add(GROUP, `${name}: frames`, { value: mean > 0 ? 1_000 / mean : 0, unit: "1/s" });
  }
});
