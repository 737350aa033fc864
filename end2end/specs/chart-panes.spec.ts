// The chart's module on its own: the values beside its scale, and the panes of indicators on a phone.
import { type Candle, HOURS, MARKET, expect, test } from "../support/chart-module.ts";

test("the values beside the scale are even steps of 1, 2 or 5", async ({ chart }) => {
  await chart.open();
  for (const [digits, factor] of [
    [5, 1],
    [3, 106],
    [2, 40_000],
  ] as const) {
    const given = HOURS.map(([time, ...prices]): Candle => {
      const [open = 0, high = 0, low = 0, close = 0] = prices.map((price) => price * factor);
      return [time, open, high, low, close, 100];
    });
    await chart.call("setMarket", { ...MARKET, symbol: `TEST${digits}`, digits });
    await chart.call("setCandles", { candles: given, more: false });
    for (const scale of ["linear", "log"]) {
      await chart.call("setScale", scale);
      const { ticks } = await chart.state();
      const shown = JSON.stringify(ticks);
      const steps = ticks.slice(1).map(({ value }, index) => value - (ticks[index]?.value ?? 0));
      const step = steps[0] ?? 0;
      expect(steps.length, shown).toBeGreaterThanOrEqual(4);
      for (const other of steps) expect(other / step, shown).toBeCloseTo(1, 5);
      expect(step.toExponential(4)[0], shown).toMatch(/[125]/);
      for (const { value, text } of ticks) if (text !== "") expect(text).toBe(value.toFixed(digits));
    }
  }
});

test("a value that the tag of the last price would cut is not written, wherever that goes", async ({ chart }) => {
  await chart.open();
  const { ticks, pane } = await chart.state();
  const [time = 0, open = 0] = HOURS.at(-1) ?? [];
  const written = async () => (await chart.state()).ticks.filter(({ text }) => text !== "");
  // Where the price of now may go within the range of the other candles.
  const inside = ticks.filter(({ coord }) => coord > pane.height * 0.3 && coord < pane.height * 0.8);
  expect(inside.length).toBeGreaterThan(3);
  for (const { value } of inside) {
    await chart.call("pushCandle", [time, open, Math.max(open, value), Math.min(open, value), value, 100]);
    await expect.poll(async () => (await written()).length).toBe(ticks.length - 1);
    expect((await written()).map((tick) => tick.value)).not.toContain(value);
  }
});

test("the scale has one width, whatever comes with the candles", async ({ chart, page }) => {
  await chart.open();
  const { width } = (await chart.state()).pane;
  // A price of now may come before they are painted.
  await chart.open([]);
  await page.evaluate(
    ([page, newest]) => {
      window.chart.setCandles(window.handle, page);
      window.chart.pushCandle(window.handle, newest);
    },
    [JSON.stringify({ candles: HOURS, more: false }), JSON.stringify(HOURS.at(-1))] as const,
  );
  await chart.settle();
  expect((await chart.state()).pane.width).toBe(width);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 380, height: 640 } });

  test("candles have most of the chart with three panes below, and begin below the legend", async ({ chart, page }) => {
    await chart.open();
    await chart.call("setIndicators", "EMA RSI MACD VOL");
    await chart.settle();
    const { pane, legend, bar, newest, candles } = await chart.state();
    const box = await page.locator("#chart").boundingBox();
    expect(pane.height / (box?.height ?? 1)).toBeGreaterThan(0.5);
    // One row of prices, and one of the averages.
    expect(legend.height).toBeLessThan(50);
    const inView = HOURS.map(([, , high], index) => ({ high, index })).filter(({ index }) => {
      return newest.x - (candles - 1 - index) * bar >= 0;
    });
    expect(inView.length).toBeGreaterThan(10);
    const highest = inView.reduce((one, other) => (other.high > one.high ? other : one));
    const { y } = await chart.where(highest.index, highest.high);
    expect(y - (box?.y ?? 0) - pane.y).toBeGreaterThan(legend.height);
  });
});
