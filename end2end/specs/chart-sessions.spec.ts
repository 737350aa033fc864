// Bars ahead of the newest one: they follow the hours of the symbol.
import { HOURS, MARKET, at, candles, expect, test } from "../support/chart-module.ts";

const SHARE = { zone: "America/New_York", opens: 570, closes: 960, days: [0, 1, 2, 3, 4] };

test("a drawing over a weekend has as many bars as its symbol's sessions", async ({ chart }) => {
  const friday = "2017-01-13T19:00:00Z";
  const hours = HOURS.filter(([time]) => time <= at(friday));
  await chart.open(hours);
  const ahead = async (market: object, from: string, to: string, given = hours) => {
    await chart.call("setMarket", { ...MARKET, ...market });
    await chart.call("setCandles", { candles: given, more: false });
    const anchor = (time: string) => ({ time, price: 1.06 });
    const shape = { kind: "trendline", from: anchor(from), to: anchor(to), extent: "segment" };
    await chart.put("t", shape);
    const { places } = await chart.drawing("t");
    const x = (name: string) => places.find((place) => place.name === name)?.x ?? Number.NaN;
    return Math.round((x("to") - x("from")) / (await chart.state()).bar);
  };
  const monday = "2017-01-16T15:00:00Z";
  // The hour from 15:00 in New York, then those from 09:00 and 10:00.
  expect(await ahead({ symbol: "ACME", session: SHARE }, friday, monday)).toBe(3);
  expect(await ahead({}, friday, monday)).toBe(20);
  expect(await ahead({ symbol: "COINUSD", session: null }, friday, monday)).toBe(68);
  const mars = { ...SHARE, zone: "Mars/Olympus" };
  expect(await ahead({ symbol: "MARS", session: mars }, friday, monday)).toBe(68);

  // The clocks in New York change on the weekend: its days open an hour later in UTC.
  const days = candles("2017-09-04T13:00:00Z", 61, 86_400);
  const share = { symbol: "ACME", session: SHARE, timeframe: "D1" };
  expect(await ahead(share, "2017-11-03T13:00:00Z", "2017-11-07T14:00:00Z", days)).toBe(2);

  const bad = { ...MARKET, session: { ...SHARE, days: [7] } };
  const refused = chart.call("setMarket", bad).catch(String);
  expect(await refused).toContain("session.days");
});
