// The chart's module on its own: the scale of prices and the time zone.
import { HOURS, expect, line, point, test } from "../support/chart-module.ts";

/** The same wave over a range in which a logarithm is visible. */
const STEEP = HOURS.map(([time, open, high, low, close, volume], index) => {
  const factor = 2 ** (index / 100);
  const [o, h, l, c] = [open, high, low, close].map((price) => Number((price * factor).toFixed(5)));
  return [time, o, h, l, c, volume] as (typeof HOURS)[number];
});

test("on a logarithmic scale equal ratios are equally far apart", async ({ chart }) => {
  await chart.open(STEEP);
  await chart.put("low", line(1.5));
  await chart.put("middle", line(2));
  await chart.put("high", line(8 / 3));
  const gaps = async () => {
    const heights = await Promise.all(
      ["low", "middle", "high"].map(async (id) => (await chart.drawing(id)).places[0]?.y ?? 0),
    );
    const [low = 0, middle = 0, high = 0] = heights;
    return [low - middle, middle - high] as const;
  };
  const before = await gaps();
  expect(before[1] / before[0]).toBeCloseTo(4 / 3, 1);
  await chart.call("setScale", "log");
  expect((await chart.state()).scale).toBe("log");
  const after = await gaps();
  // The library rounds heights to pixels.
  expect(after[1] / after[0]).toBeCloseTo(1, 1);

  // The newest candle is where its price is, and so is the middle of a trendline.
  const from = { ...point(140, 1.5), price: 1.5 };
  const to = { ...point(190, 3.5), price: 3.5 };
  await chart.put("t", { kind: "trendline", from, to, extent: "segment" });
  const middle = await chart.where(165, 2.5);
  const around = [{ ...middle, y: middle.y - 3 }, { ...middle, y: middle.y + 3 }] as const;
  expect(await chart.coloured(...around, "--violet")).toBeGreaterThan(0);

  await chart.call("setScale", "linear");
  expect((await gaps())[1]).toBeCloseTo(before[1], 3);
});

test("the axis has times of the zone, and the drawings stay", async ({ chart }) => {
  await chart.open();
  await chart.put("t", { kind: "trendline", from: point(150, 1.058), to: point(190, 1.063), extent: "segment" });
  const places = async () => (await chart.drawing("t")).places;
  const [before, utc] = [await places(), await chart.picture()];
  for (const zone of ["Asia/Tokyo", "America/Los_Angeles"]) {
    await chart.call("setZone", zone);
    expect((await chart.state()).timezone).toBe(zone);
    expect(await chart.picture()).not.toBe(utc);
    expect(await places()).toEqual(before);
  }
  // The browser's own: whatever it says, for pages of other tests change it in the same process.
  await chart.call("setZone", "");
  const own = await chart.page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect((await chart.state()).timezone).toBe(own);
  await chart.call("setZone", "UTC");
  expect(await chart.picture()).toBe(utc);
});
