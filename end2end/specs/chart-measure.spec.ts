// The chart's module on its own: the tool that measures.
import { HOURS, MARKET, expect, point, test } from "../support/chart-module.ts";

test("a drag measures prices, percent, bars and time, and moves nothing", async ({ chart }) => {
  await chart.open();
  // A drawing under the drag stays where it is.
  const line = { kind: "horizontal_line", price: 1.058 };
  await chart.put("h", line);
  const from = await chart.where(160, 1.058);
  const to = await chart.where(190, 1.062);
  const range = (await chart.state()).range;
  await chart.call("startDrawing", "measure");
  await chart.drag(from, to);
  await chart.settle();
  const { measure } = await chart.state();
  expect(measure.isTaken).toBe(false);
  const [prices = "", times] = measure.result ?? [];
  const [, change = "", percent = "", pips = ""] = /^\+(\S+) \(\+(\S+) %\) · \+(\S+) pips$/.exec(prices) ?? [];
  // To a pixel.
  expect(Number(change)).toBeCloseTo(0.004, 4);
  expect(Number(percent)).toBeCloseTo(0.38, 1);
  expect(Number(pips)).toBeCloseTo(Number(change) / MARKET.pip, 5);
  const hours = ((HOURS[190]?.[0] ?? 0) - (HOURS[160]?.[0] ?? 0)) / 3_600;
  const days = Math.floor(hours / 24);
  expect(times).toBe(`30 bars · ${days > 0 ? `${days} d ` : ""}${hours % 24} h`);
  expect(await chart.heard("measured")).toHaveLength(1);
  expect(await chart.heard("drawn")).toEqual([]);
  expect(await chart.heard("dragged")).toEqual([]);
  expect((await chart.state()).range).toEqual(range);
  expect((await chart.drawing("h")).shape).toEqual(line);
  expect(await chart.coloured(await chart.where(160, 1.06), await chart.where(160, 1.06), "--green")).toBe(1);

  await chart.page.keyboard.press("Escape");
  expect((await chart.state()).measure.result).toBeNull();

  // Back and down, and gone with the next press; Escape puts the tool down as well.
  await chart.call("startDrawing", "measure");
  await chart.drag(to, from);
  expect((await chart.state()).measure.result?.[1]).toMatch(/^-30 bars · -/);
  await chart.page.mouse.click(from.x + 40, from.y - 40);
  expect((await chart.state()).measure.result).toBeNull();
  await chart.call("startDrawing", "measure");
  await chart.page.keyboard.press("Escape");
  await expect.poll(() => chart.heard("cancelled")).toHaveLength(1);

  // Another tool takes its place and stays taken.
  await chart.call("startDrawing", "measure");
  await chart.call("startDrawing", "trendline");
  const { measure: none, sketching } = await chart.state();
  expect([none.isTaken, sketching]).toEqual([false, "trendline"]);
  expect(await chart.heard("cancelled")).toHaveLength(1);
});

test("a measurement stays at its bars when older ones come", async ({ chart }) => {
  await chart.open(HOURS.slice(100));
  await chart.call("setCandles", { candles: HOURS.slice(100), more: true });
  await chart.call("startDrawing", "measure");
  await chart.drag(await chart.where(60, 1.058), await chart.where(90, 1.062));
  const measured = (await chart.state()).measure.result;
  expect(measured?.[1]).toContain("30 bars");
  await chart.call("scrollTo", { time: point(100, 1).time });
  await expect.poll(() => chart.heard("need_older")).toHaveLength(1);
  await chart.call("prependCandles", { candles: HOURS.slice(0, 100), more: false });
  expect((await chart.state()).measure.result).toEqual(measured);
});
