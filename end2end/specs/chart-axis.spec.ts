// The chart's module on its own: the times below the candles.
import { HOURS, MARKET, candles, expect, test } from "../support/chart-module.ts";

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
