// The chart's module on its own: a second symbol in percent from the left edge of the view.
import { type Candle, HOURS, MARKET, expect, point, test } from "../support/chart-module.ts";

/** Another symbol at a hundred times the price, which moves by half as many percent; one bar is missing. */
const OTHER = HOURS.map(([time, , , , close]) => {
  const price = 106 * (1 + (close / 1.06 - 1) / 2);
  return [time, price, price, price, price, 1] satisfies Candle;
}).filter((_, index) => index !== 180);

test("the line has the percent since the left edge, and follows the view", async ({ chart }) => {
  await chart.open();
  expect((await chart.state()).comparison).toBeNull();
  const look = async () => {
    const { comparison } = await chart.state();
    if (!comparison) throw new Error("there is no second symbol");
    return comparison;
  };
  const check = async () => {
    const { comparison, newest, bar, range } = await chart.state();
    const { label, percent, places } = comparison ?? { label: "", percent: 0, places: [] };
    expect(label).toBe("GBP/USD");
    const first = places[0]?.index ?? 0;
    // It is the first bar in view, however much room there is right of the newest one, and the page is told so.
    const x = newest.x - (HOURS.length - 1 - first) * bar;
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x).toBeLessThan(bar + 1);
    expect(range?.from).toBe(HOURS[first]?.[0]);
    const of = (index: number) => OTHER.find(([time]) => time === HOURS[index]?.[0])?.[4] ?? Number.NaN;
    // At the left edge it is where the first symbol is.
    expect(places[0]?.price).toBeCloseTo(HOURS[first]?.[4] ?? 0, 9);
    expect(percent).toBeCloseTo((of(places.at(-1)?.index ?? 0) / of(first) - 1) * 100, 6);
    expect(places.map(({ index }) => index)).not.toContain(180);
    return first;
  };
  await chart.call("setComparison", { label: "GBP/USD", candles: OTHER });
  const first = await check();
  const from = await chart.where(first + 20, (await look()).places[20]?.price ?? 0);
  expect(await chart.coloured(from, from, "--yellow")).toBe(1);

  await chart.call("scrollTo", { time: point(80, 1).time });
  await expect.poll(async () => (await look()).places[0]?.index).not.toBe(first);
  await check();

  // A new candle moves the end; another timeframe and "" remove it.
  await chart.call("scrollTo", { time: null });
  const newest = OTHER.at(-1)?.[0] ?? 0;
  const { percent } = await look();
  await chart.call("pushComparison", [newest, 120, 120, 120, 120, 1]);
  expect((await look()).percent).toBeGreaterThan(percent + 10);
  // The scale takes it in.
  const { prices, comparison } = await chart.state();
  expect(prices.top).toBeGreaterThan(comparison?.places.at(-1)?.price ?? Number.POSITIVE_INFINITY);
  await chart.call("setComparison", "");
  expect((await chart.state()).comparison).toBeNull();
  expect((await chart.state()).prices.top).toBeLessThan(prices.top);
  await chart.call("setComparison", { label: "GBP/USD", candles: OTHER });
  await chart.call("setMarket", { ...MARKET, timeframe: "H4" });
  expect((await chart.state()).comparison).toBeNull();
});
