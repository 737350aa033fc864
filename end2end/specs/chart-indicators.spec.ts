// The chart's module on its own: the values of its indicators, against sums made here.
import { type Candle, HOURS, MARKET, expect, test } from "../support/chart-module.ts";

const closes = HOURS.map(([, , , , close]) => close);
const mean = (values: readonly number[]) => values.reduce((sum, it) => sum + it, 0) / values.length;

/** Exponential averages from the first full period on; earlier values are NaN. */
function exponential(values: readonly number[], period: number): number[] {
  const first = values.findIndex((value) => !Number.isNaN(value)) + period - 1;
  const averages = values.map(() => Number.NaN);
  averages[first] = mean(values.slice(first - period + 1, first + 1));
  for (let n = first + 1; n < values.length; n += 1) {
    averages[n] = ((values[n] ?? 0) * 2 + (averages[n - 1] ?? 0) * (period - 1)) / (period + 1);
  }
  return averages;
}

/** Wilder's averages of the values from the second one on. */
function wilder(values: readonly number[], period: number): number {
  let average = mean(values.slice(1, period + 1));
  for (const value of values.slice(period + 1)) average = (average * (period - 1) + value) / period;
  return average;
}

test("indicators have the values of their formulas, and no others stay", async ({ chart }) => {
  await chart.open();
  const last = async (name: string) => {
    const found = (await chart.state()).indicators.find((it) => it.name === name);
    if (!found) throw new Error(`there is no ${name}`);
    return found.last;
  };
  await chart.call("setIndicators", "MA EMA BOLL VOL RSI MACD ATR");
  await expect.poll(async () => Object.keys((await last("ATR")) ?? {})).toEqual(["atr"]);

  const newest = closes.slice(-20);
  const deviation = Math.sqrt(mean(newest.map((close) => (close - mean(newest)) ** 2)));
  expect((await last("MA")).ma1).toBeCloseTo(mean(closes.slice(-50)), 9);
  expect((await last("EMA")).ema2).toBeCloseTo(exponential(closes, 50).at(-1) ?? 0, 9);
  expect((await last("BOLL")).up).toBeCloseTo(mean(newest) + 2 * deviation, 9);
  expect((await last("VOL")).volume).toBe(100);

  const moves = closes.map((close, index) => close - (closes[index - 1] ?? close));
  const gains = wilder(moves.map((move) => Math.max(move, 0)), 14);
  const losses = wilder(moves.map((move) => Math.max(-move, 0)), 14);
  expect((await last("RSI")).rsi1).toBeCloseTo((100 * gains) / (gains + losses), 6);

  const quick = exponential(closes, 12);
  const lines = exponential(closes, 26).map((slow, index) => (quick[index] ?? 0) - slow);
  const signal = exponential(lines, 9).at(-1) ?? 0;
  const macd = await last("MACD");
  expect(macd.macd).toBeCloseTo(lines.at(-1) ?? 0, 9);
  expect(macd.signal).toBeCloseTo(signal, 9);
  expect(macd.histogram).toBeCloseTo((lines.at(-1) ?? 0) - signal, 9);

  const range = ([, , high, low]: Candle, index: number) => {
    const before = closes[index - 1] ?? high;
    return Math.max(high - low, Math.abs(high - before), Math.abs(low - before));
  };
  expect((await last("ATR")).atr).toBeCloseTo(wilder(HOURS.map(range), 14), 9);

  // Exactly the chosen ones are there, on another timeframe too.
  const names = async () => (await chart.state()).indicators.map(({ name }) => name).sort();
  await chart.call("setIndicators", "EMA RSI");
  expect(await names()).toEqual(["EMA", "RSI"]);
  await chart.call("setMarket", { ...MARKET, symbol: "USDJPY", digits: 3, pip: 0.01, timeframe: "H4" });
  await chart.call("setCandles", { candles: HOURS, more: false });
  expect(await names()).toEqual(["EMA", "RSI"]);
  await expect(chart.call("setIndicators", "SORCERY")).rejects.toThrow("no indicator is called SORCERY");
  await chart.call("setIndicators", "");
  expect(await names()).toEqual([]);
});
