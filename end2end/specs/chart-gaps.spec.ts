// Candles that are missing within a session: the chart says so between the bars on both sides.
import { type Candle, HOURS, MARKET, at, candles, expect, test } from "../support/chart-module.ts";

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

  // Candles that come later close it.
  await chart.call("setMarket", MARKET);
  await chart.call("setCandles", { candles: HOURS, more: false });
  expect(await gaps()).toEqual([]);
  await chart.call("setMarket", { ...MARKET, timeframe: "D1" });
  await chart.call("setCandles", { candles: candles("2017-01-02T22:00:00Z", 30, 86_400), more: false });
  expect(await gaps()).toEqual([]);
});

test("longer candles have gaps in open sessions too, and none where all was closed", async ({ chart }) => {
  const HOUR = 3_600;
  const DAY = 24 * HOUR;
  await chart.open(HOURS);
  const gaps = async (timeframe: string, given: Candle[], session: object | null = MARKET.session) => {
    await chart.call("setMarket", { ...MARKET, timeframe, session });
    await chart.call("setCandles", { candles: given, more: false });
    return (await chart.state()).gaps;
  };
  const without = (all: Candle[], missing: number[]) => all.filter((_, index) => !missing.includes(index));

  // Two weeks of the symbol: the weekend is none, a bar that is missing within it is one.
  const fours = candles("2017-01-09T22:00:00Z", 60, 4 * HOUR);
  expect(await gaps("H4", fours)).toEqual([]);
  const [before, after] = [fours[2]?.[0], fours[4]?.[0]];
  expect(await gaps("H4", without(fours, [3]))).toEqual([{ from: before, to: after, label: "No data for 4 h" }]);

  // The sessions of Saturday and Sunday are not missing, that of a Wednesday is.
  const days = candles("2017-01-02T22:00:00Z", 12, DAY);
  const weekend = [4, 5, 11];
  expect(await gaps("D1", without(days, weekend))).toEqual([]);
  const one = await gaps("D1", without(days, [1, ...weekend]));
  expect(one).toEqual([{ from: days[0]?.[0], to: days[2]?.[0], label: "No data for 1 d" }]);
  // What is always traded has no weekends.
  expect(await gaps("D1", without(days, weekend), null)).toHaveLength(1);

  // Where clocks change, the day from Sunday on opens an hour later in UTC.
  const autumn = candles("2017-11-01T21:00:00Z", 2, DAY);
  const later = candles("2017-11-05T22:00:00Z", 3, DAY);
  expect(await gaps("D1", [...autumn, ...later])).toEqual([]);

  const weeks = candles("2017-01-01T22:00:00Z", 10, 7 * DAY);
  expect(await gaps("W1", weeks)).toEqual([]);
  expect((await gaps("W1", without(weeks, [4]))).map(({ label }) => label)).toEqual(["No data for 7 d"]);

  const months = ["01", "02", "03", "05"].map((month, index): Candle => {
    const time = at(`2017-${month}-01T22:00:00Z`);
    return [time, 1.06, 1.07, 1.05, 1.06 + index / 1_000, 100];
  });
  expect((await gaps("MN", months)).map(({ label }) => label)).toEqual(["No data for 31 d"]);
});
