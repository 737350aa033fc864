// The chart's module on its own: the times below the candles.
import { type Candle, HOURS, MARKET, at, candles, expect, test } from "../support/chart-module.ts";

const MONTHS = /^(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)$/;

for (const zone of ["UTC", "America/New_York", "Asia/Kolkata"]) {
  test(`days begin at midnight in ${zone}, and round hours stand between them`, async ({ chart }) => {
    await chart.open();
    await chart.call("setZone", zone);
    const { axis, bar, newest } = await chart.state();
    const local = (index: number, options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat("en-GB", { timeZone: zone, ...options }).format((HOURS[index]?.[0] ?? 0) * 1_000);
    const inData = axis.filter(({ x }) => x <= newest.x);
    const days = inData.filter(({ text }) => !text.includes(":"));
    expect(days.length).toBeGreaterThanOrEqual(3);
    expect(inData.length).toBeGreaterThan(days.length);
    for (const { x, text } of inData) {
      const index = HOURS.length - 1 - Math.round((newest.x - x) / bar);
      if (text.includes(":")) {
        expect(local(index, { hour: "2-digit", minute: "2-digit" })).toBe(text);
      } else {
        expect(local(index, { day: "numeric", month: "short" })).toBe(text);
        expect(local(index - 1, { day: "numeric", month: "short" })).not.toBe(text);
      }
    }
    const gaps = axis.slice(1).map(({ x }, index) => x - (axis[index]?.x ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(60);
  });
}

test("days of a year are counted by months, and a year begins with its number", async ({ chart }) => {
  await chart.open(candles("2017-01-12T00:00:00Z", 400, 86_400), { ...MARKET, timeframe: "D1", session: null });
  const { axis } = await chart.state();
  const texts = axis.map(({ text }) => text);
  expect(texts).toContain("2018");
  expect(texts.filter((text) => text !== "2018").every((text) => MONTHS.test(text)), texts.join()).toBe(true);
});

test("a week and a month have the date of their first session, which opens on the evening before", async ({ chart, page }) => {
  // In the winter of New York, where a session opens at 22:00 UTC.
  const opened = (day: string): Candle => [at(`${day}T22:00:00Z`), 1.06, 1.07, 1.05, 1.06, 100];
  const months = ["2017-10-31", "2017-11-30", "2017-12-31", "2018-01-31", "2018-02-28"].map(opened);
  const weeks = ["2017-12-10", "2017-12-17", "2017-12-24", "2017-12-31", "2018-01-07"].map(opened);
  for (const [timeframe, bars, first, under] of [
    ["MN", months, 2, "2018-01"],
    ["W1", weeks, 3, "2018-01-01"],
  ] as const) {
    await chart.open(bars, { ...MARKET, timeframe });
    await chart.call("setZone", "UTC");
    const { axis, bar, newest } = await chart.state();
    const x = newest.x - (bars.length - 1 - first) * bar;
    const label = axis.find(({ text }) => /2018$/.test(text));
    expect(Math.abs((label?.x ?? 0) - x), `${timeframe}: ${JSON.stringify(axis)}`).toBeLessThan(bar / 2);
    const place = await chart.where(first, 1.06);
    await page.mouse.move(place.x, place.y);
    await expect.poll(async () => (await chart.state()).pointed, timeframe).toBe(under);
  }
});

test("the time under the pointer goes on in the sessions after the newest bar", async ({ chart, page }) => {
  // The last hour of a week, and two bars after it.
  await chart.open(candles("2017-01-12T00:00:00Z", 46));
  await chart.call("setZone", "UTC");
  const place = await chart.where(47, 1.06);
  await page.mouse.move(place.x, place.y);
  await expect.poll(async () => (await chart.state()).pointed).toBe("2017-01-15 23:00");
});
