// The tags on the scale of prices: the function that places them, and the chart's module on its own.
import { type Level, apart, tags } from "../../frontend/chart/src/tags.ts";
import { HOURS, expect, iso, line, point, test } from "../support/chart-module.ts";

/** A scale on which a price is the height of its pixel, from the top: below zero, so that higher ones are above. */
const scale = { height: 400, step: 20, y: (price: number) => Math.round(-price), text: (price: number) => `${-price}` };
const level = (price: number, rank = 1): Level => ({ price, colour: "", rank });

for (const [wanted, places] of [
  [[], []],
  [[100, 200], [100, 200]],
  [[100, 110], [95, 115]],
  [[100, 105, 110, 300], [85, 105, 125, 300]],
  // Each is as near as can be: two groups that meet become one.
  [[100, 100, 125, 125], [83, 103, 123, 143]],
  // At the ends they move to one side.
  [[2, 4], [10, 30]],
  [[395, 399], [370, 390]],
] as const) {
  test(`tags at ${wanted.join(", ") || "nothing"} are moved apart`, () => {
    expect(apart(wanted, 20, 10, 390)).toEqual(places);
  });
}

for (const [name, levels, last, expected] of [
  ["the last price stays, and the others keep clear of it", [190, 199, 201, 215], 200, "160 180 =200 220 240"],
  ["of prices at one height the higher one is above", [200.1, 199.9], 200, "180 =200 220"],
  ["a price of two drawings is named once", [100, 100], null, "100"],
  ["what is out of the scale is named at its edge", [-50, -10, 20, 480], null, "^10:-50 ^30:-10 50 v390:480"],
  ["of many only the nearest are", [401, 402, 403, 404], null, "v370:401 v390:3 more"],
  ["the last price is named there too", [500, 600, 700], 450, "=v370:450 v390:3 more"],
] as [string, number[], number | null, string][]) {
  test(name, () => {
    const now = last === null ? null : level(-last, 0);
    const placed = tags(levels.map((it) => level(-it)), now, scale).map(({ y, text, beyond, isLast }) => {
      const way = beyond === null ? "" : beyond === "above" ? "^" : "v";
      return `${isLast ? "=" : ""}${way}${y}${way ? `:${text}` : ""}`;
    });
    expect(placed.join(" ")).toBe(expected);
  });
}

test("where there is no room for all tags, those of a lower rank stay", () => {
  const levels = Array.from({ length: 40 }, (_, n) => level(-n * 10, n % 2));
  const placed = tags(levels, level(-200, 0), scale);
  expect(placed).toHaveLength(19);
  const places = placed.map(({ y }) => y);
  for (const [n, y] of places.slice(1).entries()) expect(y - (places[n] ?? 0)).toBeGreaterThanOrEqual(20);
  expect(placed.filter(({ text, isLast }) => !isLast && Number(text) % 20 !== 0)).toEqual([]);
});

test("the chart's tags are apart, in the order of their prices, and follow what is in view", async ({ chart }) => {
  await chart.open();
  const last = HOURS.at(-1)?.[4] ?? 0;
  const near = [last + 0.0002, last + 0.0001, last - 0.0001].map((price) => Number(price.toFixed(5)));
  for (const price of near) await chart.put(`${price}`, line(price));
  const ray = { kind: "horizontal_ray", start: iso((HOURS.at(-1)?.[0] ?? 0) + 400 * 3_600), price: 1.061 };
  await chart.put("later", ray);
  const text = (price: number) => price.toFixed(5);
  const now = await chart.state();
  const height = (price: number) => {
    const { top, bottom } = now.prices;
    return ((top - price) / (top - bottom)) * now.pane.height;
  };
  expect(now.tags.map((tag) => tag.text)).toEqual([...near.slice(0, 2), last, ...near.slice(2)].map(text));
  expect(Math.abs((now.tags.find(({ isLast }) => isLast)?.y ?? 0) - height(last))).toBeLessThan(1);
  for (const [n, { y }] of now.tags.slice(1).entries()) expect(y - (now.tags[n]?.y ?? 0)).toBeGreaterThan(18);
  // The live one is filled, a level's has an outline.
  const filled = async ({ y }: { y: number }, token: string) => {
    const { pane } = now;
    const at = (x: number) => ({ x: 10 + pane.x + pane.width + x, y: 20 + pane.y + y });
    return chart.coloured(at(3), at(5), token);
  };
  const isUp = last > (HOURS.at(-1)?.[1] ?? 0);
  expect(await filled(now.tags[2] ?? { y: 0 }, isUp ? "--green" : "--red")).toBe(1);
  expect(await filled(now.tags[0] ?? { y: 0 }, "--violet")).toBe(0);

  // Among candles at other prices the last price is named at the edge, and its line is not there.
  const steep = HOURS.map(([time, ...prices], n) => {
    const [open = 0, high = 0, low = 0, close = 0, volume = 0] = prices.map((it) => it + (n > 100 ? 0.1 : 0));
    return [time, open, high, low, close, volume] as (typeof HOURS)[number];
  });
  await chart.call("setCandles", { candles: steep, more: false });
  await chart.call("scrollTo", { time: point(40, 0).time });
  await chart.settle();
  const past = await chart.state();
  expect(past.tags.filter(({ isLast }) => isLast)).toMatchObject([{ text: text(last + 0.1), beyond: "above" }]);
  expect(past.prices.top).toBeLessThan(1.1);
});

test("a candle that ends where it began has not the colour of an unknown price", async ({ chart }) => {
  const flat = HOURS.slice(0, -1);
  const [time = 0, open = 0] = HOURS.at(-1) ?? [];
  await chart.open([...flat, [time, open, open + 0.001, open - 0.001, open, 1]]);
  const colour = async () => (await chart.state()).tags.find(({ isLast }) => isLast)?.colour;
  const known = await colour();
  await chart.call("setPrice", "unknown");
  expect(await colour()).not.toBe(known);
});
