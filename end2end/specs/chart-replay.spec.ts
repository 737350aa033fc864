// The chart's module on its own: a replay of the past.
import { HOURS, expect, line, point, test } from "../support/chart-module.ts";

const time = (candle: number) => HOURS[candle]?.[0] ?? 0;

test("a replay shows the past bar by bar, and live candles wait", async ({ chart }) => {
  await chart.open();
  await chart.put("h", line(1.0615));
  await chart.call("setIndicators", "EMA");
  const ends = async () => {
    const { replay, candles, newest } = await chart.state();
    return { replay, candles, newest: newest.time };
  };
  const at = (candle: number) => ({ replay: time(candle), candles: candle + 1, newest: time(candle) });
  const average = async () => (await chart.state()).indicators[0]?.last.ema1;
  const now = await average();

  await chart.call("setReplay", { until: time(150) });
  expect(await ends()).toEqual(at(150));
  const then = await average();
  expect(then).not.toBeCloseTo(now ?? 0, 6);
  // The scale has no price of the future, and the newest bar is in view.
  expect((await chart.state()).range?.to).toBe(time(150));

  const live = [time(199) + 3_600, 1.2, 1.2, 1.2, 1.2, 100];
  await chart.call("pushCandle", live);
  expect(await ends()).toEqual(at(150));
  await chart.call("setReplay", { until: time(151) });
  expect(await ends()).toEqual(at(151));
  // Step by step it is the same as at once.
  const stepped = await average();
  await chart.call("setReplay", { until: time(140) });
  await chart.call("setReplay", { until: time(151) });
  expect(await average()).toBeCloseTo(stepped ?? 0, 9);
  expect((await chart.drawing("h")).shown).toBe(true);

  await chart.call("setReplay", { until: null });
  expect(await ends()).toEqual({ replay: null, candles: 201, newest: live[0] });
  await chart.call("setReplay", { until: time(150) });
  await chart.call("setMarket", { symbol: "GBPUSD", digits: 5, pip: 0.0001, timeframe: "H1" });
  await chart.call("setCandles", { candles: HOURS, more: false });
  expect(await ends()).toEqual({ ...at(199), replay: null });
});

test("older candles come in a replay as well", async ({ chart }) => {
  await chart.open(HOURS.slice(100));
  await chart.call("setCandles", { candles: HOURS.slice(100), more: true });
  await chart.call("setReplay", { until: time(150) });
  await chart.call("scrollTo", { time: point(100, 1).time });
  await expect.poll(() => chart.heard("need_older")).not.toHaveLength(0);
  await chart.call("prependCandles", { candles: HOURS.slice(0, 100), more: false });
  expect((await chart.state()).candles).toBe(151);
});

test("a click picks a bar, and Escape gives up", async ({ chart }) => {
  await chart.open();
  await chart.call("startDrawing", "bar");
  const place = await chart.where(150, 1.061);
  await chart.page.mouse.move(place.x, place.y);
  await chart.settle();
  expect(await chart.coloured({ ...place, y: 60 }, { ...place, y: 500 }, "--amber")).toBeGreaterThan(0.4);
  await chart.page.mouse.click(place.x, place.y);
  await expect.poll(() => chart.heard("bar")).toEqual([{ type: "bar", time: time(150) }]);
  await chart.call("startDrawing", "bar");
  await chart.page.keyboard.press("Escape");
  await expect.poll(() => chart.heard("cancelled")).toHaveLength(1);
  await chart.page.mouse.click(place.x, place.y);
  await chart.settle();
  expect(await chart.heard("bar")).toHaveLength(1);
});
