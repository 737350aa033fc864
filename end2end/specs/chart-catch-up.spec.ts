// An open chart that misses something: it gets the candles that came meanwhile, and invents no gap.
import type { Page } from "@playwright/test";
import { iso } from "../support/chart-module.ts";
import { ChartPage, type ChartState } from "../support/chart.ts";
import { test } from "../support/network.ts";
import { PriceFile } from "../support/price-file.ts";
import { expect } from "../support/test.ts";

/** Opening time in Unix seconds, open, high, low, close, volume. */
type Row = [number, number, number, number, number, number];

/** Seconds of a bar on the chart. */
const BAR = 300;
const SYMBOLS = { COINUSD: "Coin/USD", GEMUSD: "Gem/USD" };

const declared = Object.entries(SYMBOLS).map(
  ([name, label]) => `[[markets.symbols]]
name = "${name}"
label = "${label}"
kind = "crypto"
digits = 5
pip = 0.0001
quote = "USD"
timeframes = ["M1", "M5", "H1"]
`,
);

const prices = new PriceFile("catch-up-prices");
const options = prices.options(3_600);
test.use({ ...options, jarvisOptions: { ...options.jarvisOptions, config: declared.join("") } });
test.slow();

test.afterEach(() => {
  prices.remove();
});

/** The newest bars of a symbol, as the server has them. */
async function rows(page: Page, server: string, symbol: string, count: number): Promise<Row[]> {
  const answer = await page.context().request.post(`${server}/api/page`, {
    data: { board: "markets", kind: "chart", name: `${symbol}/M5`, part: `candles/${count}` },
    headers: { origin: server },
  });
  return ((await answer.json()) as { value: { candles: Row[] } }).value.candles;
}

/** Imports minutes before a time, as a program does. */
async function brings(page: Page, server: string, symbol: string, until: number, minutes: number): Promise<void> {
  const row = (_: unknown, n: number) => {
    const price = (1.06 + 0.002 * Math.sin(n / 40)).toFixed(5);
    return [iso(until - (minutes - n) * 60), price, price, price, price].join(",");
  };
  const answer = await page.context().request.post(
    `${server}/api/v1/markets/imports?what=candles&symbol=${symbol}&timeframe=M1`,
    { data: `${Array.from({ length: minutes }, row).join("\n")}\n`, headers: { origin: server } },
  );
  expect(await answer.json()).toEqual({ written: minutes, unchanged: 0 });
}

async function stateOf(chart: ChartPage): Promise<ChartState> {
  const state = await chart.state();
  if (!state) throw new Error("there is no chart");
  return state;
}

/** Drags the chart until its newest bars are out of view. */
async function toOlderBars(chart: ChartPage): Promise<void> {
  const newest = (await stateOf(chart)).range?.to ?? 0;
  const { pane } = await stateOf(chart);
  const from = await chart.at(pane.width * 0.3, pane.height / 2);
  await chart.page.mouse.move(from.x, from.y);
  await chart.page.mouse.down();
  await chart.page.mouse.move(from.x + pane.width * 0.5, from.y, { steps: 4 });
  await chart.page.mouse.up();
  await expect.poll(async () => (await stateOf(chart)).range?.to).toBeLessThan(newest);
}

/** Looks for gaps on the chart at each frame from now on; returns the most that were there at once. */
async function watchGaps(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(async () => {
    const watched = window as unknown as { mostGaps: number };
    const url = document.querySelector<HTMLMetaElement>("meta[name=jarvis-chart]")?.content ?? "";
    const script = await import(url);
    const gaps = (): number => {
      for (let handle = 9; handle > 0; handle--) {
        try {
          return JSON.parse(script.state(handle)).gaps.length;
        } catch {
          // Not that one.
        }
      }
      return 0;
    };
    watched.mostGaps = 0;
    const look = () => {
      watched.mostGaps = Math.max(watched.mostGaps, gaps());
      requestAnimationFrame(look);
    };
    look();
  });
  return () => page.evaluate(() => (window as unknown as { mostGaps: number }).mostGaps);
}

test("after a lost connection the bars in between are there, and nothing else has moved", async ({
  page,
  chat,
  line,
  jarvis,
}) => {
  // Long enough ago that many bars can pass, and no price of them is too old.
  const start = Math.floor(Date.now() / 1_000 / BAR) * BAR - 9 * BAR;
  for (const symbol of Object.keys(SYMBOLS)) await brings(page, jarvis.url, symbol, start, 1_000);
  let newest = start - BAR;
  let bid = "";
  /** Tells a price of each of the next bars, and waits until the server has it. */
  const passes = async (bars: number) => {
    for (let bar = 0; bar < bars; bar++) {
      newest += BAR;
      const ask = Number((1.06 + (newest - start) / 1_000_000).toFixed(5));
      bid = (ask - 0.0001).toFixed(5);
      const price = { bid: Number(bid), ask, at: iso(newest + 10) };
      prices.write(JSON.stringify({ COINUSD: price, GEMUSD: price }));
      const heard = async (symbol: string) => (await rows(page, jarvis.url, symbol, 1))[0]?.[4];
      await expect.poll(async () => [await heard("COINUSD"), await heard("GEMUSD")]).toEqual([ask, ask]);
    }
  };
  await passes(1);
  const chart = new ChartPage(page);
  await chart.open("/chart/COINUSD/M5");
  await page.getByRole("button", { name: "Coin/USD" }).click();
  await page.getByRole("radiogroup", { name: "Compare with" }).getByLabel("Gem/USD").check();
  await page.keyboard.press("Escape");
  await expect.poll(async () => (await stateOf(chart)).comparison?.label).toBe("Gem/USD");
  const price = page.locator(".desk__price");
  const last = page.locator(".desk__last");
  await expect(price).toContainText(bid);
  const mostGaps = await watchGaps(page);

  /** The network goes while three bars pass, and comes back. */
  const misses = async () => {
    const before = bid;
    line.leave();
    await expect(price).toHaveText("No known price: no connection to the server.");
    await expect(last).toHaveText(/^Last known: bid .+, ask .+ at .+, \d+ min ago\.$/);
    await expect(last).toContainText(before);
    await passes(3);
    line.back();
    // Faster than the page's own backoff.
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    await chat.alive();
    await expect(price).toContainText(bid);
    await expect(last).toHaveCount(0);
    const all = await rows(page, jarvis.url, "COINUSD", 1_000);
    await expect.poll(async () => (await stateOf(chart)).candles).toBe(all.length);
  };
  await misses();
  await expect.poll(async () => (await stateOf(chart)).range?.to).toBe(newest);
  // The second symbol has a place on each bar, up to the newest.
  const holes = async () => {
    const { candles, comparison } = await stateOf(chart);
    const indices = comparison?.places.map(({ index }) => index) ?? [];
    return indices.length > 3 ? candles - (indices[0] ?? 0) - indices.length : undefined;
  };
  await expect.poll(holes).toBe(0);

  await toOlderBars(chart);
  const { range } = await stateOf(chart);
  await misses();
  expect((await stateOf(chart)).range).toEqual(range);
  expect(await mostGaps()).toBe(0);
});

test("candles that somebody else imports come onto an open chart, and the view stays", async ({ page, jarvis }) => {
  const end = Math.floor(Date.now() / 1_000 / BAR) * BAR;
  // Three bars are missing before the newest three.
  await brings(page, jarvis.url, "COINUSD", end - 6 * BAR, 1_000);
  await brings(page, jarvis.url, "COINUSD", end, 15);
  const chart = new ChartPage(page);
  await chart.open("/chart/COINUSD/M5");
  const gaps = async () => (await stateOf(chart)).gaps.map(({ label }) => label);
  expect(await gaps()).toEqual(["No data for 15 min"]);
  await toOlderBars(chart);
  const { range, candles } = await stateOf(chart);
  await brings(page, jarvis.url, "COINUSD", end - 3 * BAR, 15);
  await expect.poll(gaps).toEqual([]);
  const after = await stateOf(chart);
  expect(after.candles).toBe(candles + 3);
  expect(Math.abs((after.range?.to ?? 0) - (range?.to ?? 0))).toBeLessThanOrEqual(BAR);
});
