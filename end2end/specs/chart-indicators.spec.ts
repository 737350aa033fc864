// The chart's module on its own: the values of its indicators, against those of TA-Lib.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Candle, MARKET, expect, test } from "../support/chart-module.ts";

const TOOLSET = new URL("../../server/domains/markets/toolset/", import.meta.url);

/** Values of the chart, and TA-Lib's name, parameters and order for the same. */
const ALIKE: { name: string; keys: string[]; as: string; params: number[] }[] = [
  { name: "MA", keys: ["ma1"], as: "SMA", params: [50] },
  { name: "MA", keys: ["ma2"], as: "SMA", params: [200] },
  { name: "EMA", keys: ["ema1"], as: "EMA", params: [20] },
  { name: "EMA", keys: ["ema2"], as: "EMA", params: [50] },
  { name: "BOLL", keys: ["up", "mid", "dn"], as: "BBANDS", params: [20, 2] },
  { name: "RSI", keys: ["rsi1"], as: "RSI", params: [14] },
  { name: "MACD", keys: ["macd", "signal", "histogram"], as: "MACD", params: [12, 26, 9] },
  { name: "ATR", keys: ["atr"], as: "ATR", params: [14] },
];

/** Real hours of EUR/USD, with gaps between some; `make_candles.py` describes the file. */
function year(): Candle[] {
  let [hour, before] = [0, 0];
  const lines = readFileSync(new URL("data/eurusd-h1-2017.txt", TOOLSET), "utf8").trim().split("\n");
  return lines
    .filter((line) => !line.startsWith("#"))
    .map((line) => {
      const [hours = 0, gap = 0, above = 0, below = 0, body = 0, volume = 0] = line.split(" ").map(Number);
      const open = before + gap;
      hour += hours;
      before = open + body;
      const prices = [open, Math.max(open, before) + above, Math.min(open, before) - below, before];
      const [first = 0, high = 0, low = 0, close = 0] = prices.map((points) => points / 100_000);
      return [hour * 3_600, first, high, low, close, volume];
    });
}

/** TA-Lib's newest values for these candles, in the order of `ALIKE`. */
function taLib(candles: Candle[]): number[][] {
  const python = process.env.JARVIS_PYTHON;
  if (!python) throw new Error("JARVIS_PYTHON is missing: run through `cargo xtask test`");
  const wanted = ALIKE.map(({ as, params }) => ({ name: as, params, since: 0, until: candles.length }));
  const script = fileURLToPath(new URL("tests/it/indicators.py", TOOLSET));
  const answer = execFileSync(python, [script], { input: JSON.stringify({ candles, wanted }) });
  return JSON.parse(answer.toString()) as number[][];
}

test("indicators have the values of TA-Lib, and no others stay", async ({ chart }) => {
  const all = year();
  await chart.open(all.slice(0, 300));
  await chart.call("setIndicators", "MA EMA BOLL VOL RSI MACD ATR");
  const last = async (name: string) =>
    (await chart.state()).indicators.find((it) => it.name === name)?.last ?? {};
  // From 300 candles on, nothing is left of where an average began: TA-Lib begins the quick one of
  // MACD later than the chart does, together with the steady one.
  const expectAlike = async (candles: Candle[]) => {
    const theirs = taLib(candles);
    const different = async () => {
      const found: string[] = [];
      for (const [index, { name, keys }] of ALIKE.entries()) {
        const ours = await last(name);
        for (const [place, key] of keys.entries()) {
          const [our, their] = [ours[key] ?? Number.NaN, theirs[index]?.[place] ?? Number.NaN];
          if (!(Math.abs(our - their) < 1e-9)) found.push(`${name} ${key}: ${our}, TA-Lib: ${their}`);
        }
      }
      return found;
    };
    await expect.poll(different, `${candles.length} candles`).toEqual([]);
    expect((await last("VOL")).volume).toBe(candles.at(-1)?.[5]);
  };
  await expectAlike(all.slice(0, 300));
  // A new candle, and the same one with another price.
  const [time = 0, open = 0, high = 0, low = 0] = all[300] ?? [];
  for (const price of [high, low]) {
    const forming: Candle = [time, open, high, low, price, 7];
    await chart.call("pushCandle", forming);
    await expectAlike([...all.slice(0, 300), forming]);
  }
  // A volume has its unit, and none is unknown.
  const volume = async () => (await chart.state()).indicators.find(({ name }) => name === "VOL")?.text;
  for (const [given, text] of [
    [4_885_529_785, "4,885,529,785 units"],
    [0, "unknown"],
  ] as const) {
    await chart.call("pushCandle", [time, open, high, low, high, given]);
    await expect.poll(volume).toBe(text);
  }

  await chart.call("setCandles", { candles: all.slice(0, 2_000), more: false });
  await expectAlike(all.slice(0, 2_000));

  // Exactly the chosen ones are there, on another timeframe too.
  const names = async () => (await chart.state()).indicators.map(({ name }) => name).sort();
  await chart.call("setIndicators", "EMA RSI");
  expect(await names()).toEqual(["EMA", "RSI"]);
  await chart.call("setMarket", { ...MARKET, symbol: "USDJPY", digits: 3, pip: 0.01, timeframe: "H4" });
  await chart.call("setCandles", { candles: all.slice(0, 300), more: false });
  expect(await names()).toEqual(["EMA", "RSI"]);
  await expect(chart.call("setIndicators", "SORCERY")).rejects.toThrow("no indicator is called SORCERY");
  await chart.call("setIndicators", "");
  expect(await names()).toEqual([]);
});
