// Candles that are missing within a session: the chart says so between the bars on both sides.
import { HOURS, MARKET, candles, expect, test } from "../support/chart-module.ts";

/** On the second Friday, which is in view, three hours are missing. */
const GAP = { first: 150, end: 153 };

test("a gap within a session is marked with its length, and a weekend is none", async ({ chart }) => {
  const some = HOURS.filter((_, index) => index < GAP.first || index >= GAP.end);
  const [from, to] = [HOURS[GAP.first - 1]?.[0], HOURS[GAP.end]?.[0]];
  await chart.open(some);
  const gaps = async () => (await chart.state()).gaps;
  expect(await gaps()).toEqual([{ from, to, label: "No data for 3 h" }]);
  const marked = await chart.picture();

  // The same bars without the mark look different: with these hours the pause is no gap.
  const closed = { ...MARKET.session, days: [0, 1, 2, 3] };
  await chart.call("setMarket", { ...MARKET, session: closed });
  await chart.call("setCandles", { candles: some, more: false });
  expect(await gaps()).toEqual([]);
  expect(await chart.picture()).not.toBe(marked);

  // What is always traded has no weekends.
  await chart.call("setMarket", { ...MARKET, symbol: "COINUSD", session: null });
  expect(await gaps()).toEqual([]);
  await chart.call("setCandles", { candles: some, more: false });
  expect((await gaps()).map(({ label }) => label)).toEqual(["No data for 2 d", "No data for 3 h", "No data for 2 d"]);

  // Candles that come later close it, and days are not counted by the hour.
  await chart.call("setMarket", MARKET);
  await chart.call("setCandles", { candles: HOURS, more: false });
  expect(await gaps()).toEqual([]);
  await chart.call("setMarket", { ...MARKET, timeframe: "D1" });
  await chart.call("setCandles", { candles: candles("2017-01-02T22:00:00Z", 30, 86_400), more: false });
  expect(await gaps()).toEqual([]);
});
