// The chart's module on its own: where labels are, and what the scale takes in.
import { type Box, HOURS, type Json, expect, iso, line, point, record, test, trend } from "../support/chart-module.ts";

const swing = {
  kind: "fibonacci",
  from: point(150, 1.0582),
  to: point(180, 1.0634),
  levels: [0, 0.236, 0.382, 0.5, 0.618, 0.786, 1],
  extend: false,
  reverse: false,
  show_prices: true,
};

/** Fails if two of these places overlap. */
function expectApart(places: Box[]): void {
  for (const [index, one] of places.entries()) {
    for (const other of places.slice(index + 1)) {
      const apart =
        one.x + one.width <= other.x ||
        other.x + other.width <= one.x ||
        one.y + one.height <= other.y ||
        other.y + other.height <= one.y;
      expect(apart, JSON.stringify([one, other])).toBe(true);
    }
  }
}

test("labels are right of the last candle, and none lies on another", async ({ chart }) => {
  await chart.open();
  await chart.put("a", line(1.0568), { label: "Support" });
  await chart.put("b", line(1.0569), { label: "The low of Tuesday" });
  await chart.put("c", swing, { label: "Last swing up" });
  await chart.put("d", { kind: "horizontal_ray", start: point(120, 0).time, price: 1.0571 }, { label: "Ray" });
  await chart.settle();
  const { drawings, legend, newest, pane } = await chart.state();
  const labels = drawings.flatMap((drawing) => drawing.labels);
  // The line in the middle has none: it would seem to name one of the others.
  expect(drawings.map((drawing) => drawing.labels.length)).toEqual([1, 0, 8, 1]);
  for (const one of labels) expect(one.x + one.width).toBeLessThanOrEqual(pane.width);
  expectApart([legend, ...labels]);
  const first = drawings.find(({ id }) => id === "a")?.labels[0];
  expect(first?.x).toBeGreaterThan(newest.x);
});

test("a label does not stand on the line of another level if one of its sides is free", async ({ chart }) => {
  await chart.open();
  const { pane, prices } = await chart.state();
  const pixels = (prices.top - prices.bottom) / pane.height;
  // Where the label of the lower one would be; then the upper one has only its other side as well.
  const [low, high] = [1.0605, Number((1.0605 + 11 * pixels).toFixed(5))];
  await chart.put("low", line(low), { label: "Weekly low" });
  await chart.put("high", line(high), { label: "Weekly high" });
  await chart.settle();
  const { drawings, newest } = await chart.state();
  const lines = drawings.map(({ places }) => places[0]?.y ?? 0);
  const labels = drawings.flatMap((drawing) => drawing.labels);
  expect(labels).toHaveLength(2);
  expectApart(labels);
  for (const { x, y, height } of labels) {
    expect(x).toBeGreaterThan(newest.x);
    for (const line of lines) expect(line < y + 3 || line > y + height - 3, JSON.stringify({ y, lines })).toBe(true);
  }
});

test("labels stand at their own lines in the order of the prices, or not at all", async ({ chart }) => {
  await chart.open();
  const { prices, pane } = await chart.state();
  const pixel = (prices.top - prices.bottom) / pane.height;
  const price = (height: number) => Number((prices.bottom + height * pixel).toFixed(5));
  const own: Json = { actor: "user" };
  // From the bottom up: one alone, three without room for the name of the second, and some with just enough room.
  for (const [n, height] of [80, 140, 146, 152, 200, 221, 250, 276].entries()) {
    const importance = ["high", "low", "medium"][n % 3] ?? "low";
    await chart.put(`${n}`, line(price(height)), { label: `Level ${n}`, importance }, own);
  }
  const start = point(190, 0).time;
  const long = { kind: "position", side: "long", start, entry: price(330), stop: price(318), target: price(400) };
  await chart.put("long", long, { label: "Long from here" }, own);
  await chart.settle();
  const { drawings } = await chart.state();
  const lines = drawings.flatMap(({ places }) => places.map(({ y }) => y));
  const named = drawings.flatMap(({ id, labels, places }) => {
    return labels.map((box) => {
      const [top, bottom] = [box.y, box.y + box.height];
      const isAt = (y: number) => Math.min(Math.abs(y - top), Math.abs(y - bottom)) < 4;
      const at = places.map(({ y }) => y).find(isAt) ?? Number.NaN;
      for (const other of lines) {
        if (Math.abs(other - at) > 2) expect(other <= top + 1 || other >= bottom, id).toBe(true);
      }
      return { id, at, middle: (top + bottom) / 2, box };
    });
  });
  named.sort((one, other) => one.at - other.at);
  // Also the name of the position, which is at its entry.
  expect(named.map(({ id }) => id)).toEqual(["long", "long", "long", "7", "6", "5", "4", "3", "1", "0"]);
  expect(new Set(named.map(({ at }) => at)).size).toBe(10);
  const middles = named.map(({ middle }) => middle);
  expect(middles).toEqual([...middles].sort((one, other) => one - other));
  expectApart(named.map(({ box }) => box));
});

test("what gets past the newest candle is named there, whatever its shape", async ({ chart }) => {
  await chart.open();
  const ahead = (hours: number, price: number) => ({ time: iso((HOURS.at(-1)?.[0] ?? 0) + hours * 3_600), price });
  const lasting = {
    ray: { kind: "trendline", from: point(150, 1.058), to: point(190, 1.06), extent: "ray" },
    segment: { kind: "trendline", from: point(150, 1.063), to: ahead(6, 1.0615), extent: "segment" },
    zone: { kind: "rectangle", from: point(160, 1.0575), to: ahead(6, 1.0568) },
    circle: { kind: "circle", centre: point(196, 1.0625), edge: ahead(3, 1.0625) },
    marker: { kind: "marker", at: point(199, 1.0585), text: "Here", icon: "", type: "arrow_up" },
  };
  for (const [id, shape] of Object.entries(lasting)) await chart.put(id, shape, id === "marker" ? {} : { label: id });
  await chart.settle();
  const { drawings, legend, newest } = await chart.state();
  for (const { id, labels } of drawings) {
    expect(labels, id).toHaveLength(1);
    expect(labels[0]?.x, id).toBeGreaterThan(newest.x);
  }
  expectApart([legend, ...drawings.flatMap((drawing) => drawing.labels)]);
});

test("what ends in the past is named beside it, and off the candles", async ({ chart }) => {
  await chart.open();
  // Each would have its label on candles.
  const past = {
    line: { kind: "trendline", from: point(146, 1.0565), to: point(158, 1.0565), extent: "segment" },
    zone: { kind: "rectangle", from: point(134, 1.0585), to: point(142, 1.0575) },
    circle: { kind: "circle", centre: point(176, 1.0595), edge: point(178, 1.0595) },
    marker: { kind: "marker", at: point(140, 1.0576), text: "Here\nand there", icon: "", type: "dot" },
  };
  for (const [id, shape] of Object.entries(past)) {
    await chart.put(id, shape, { label: `An old ${id}` });
    await chart.settle();
    const { drawings, newest, bar, pane, prices } = await chart.state();
    const [label, ...others] = drawings.find((drawing) => drawing.id === id)?.labels ?? [];
    if (label === undefined) throw new Error(`${id} has no label`);
    expect(others, id).toEqual([]);
    const y = (price: number) => ((prices.top - price) / (prices.top - prices.bottom)) * pane.height;
    for (const [index, [, open, , , close]] of HOURS.entries()) {
      const x = newest.x - (HOURS.length - 1 - index) * bar;
      const isBeside = x + bar / 2 <= label.x || x - bar / 2 >= label.x + label.width;
      const [top, bottom] = [y(Math.max(open, close)), y(Math.min(open, close))];
      // To a pixel: places are rounded.
      expect(isBeside || bottom <= label.y + 1 || top >= label.y + label.height - 1, `${id} at ${index}`).toBe(true);
    }
    const [first] = drawings.find((drawing) => drawing.id === id)?.places ?? [];
    expect(Math.abs(label.x - (first?.x ?? 0)), id).toBeLessThan(250);
    expect(Math.abs(label.y - (first?.y ?? 0)), id).toBeLessThan(120);
    await chart.call("removeDrawing", id);
  }
});

test("labels keep clear of the rows of all indicators on the candles", async ({ chart }) => {
  await chart.open();
  const own: Json = { actor: "user" };
  const before = (await chart.state()).legend;
  await chart.call("setIndicators", "MA EMA BOLL");
  await chart.settle();
  const { legend, pane, prices } = await chart.state();
  expect(legend.height).toBe(before.height + 60);
  expect(legend.width).toBeGreaterThan(before.width);
  // Between the rows, where only the prices of a candle are without indicators.
  const price = (y: number) => Number((prices.top - ((prices.top - prices.bottom) * y) / pane.height).toFixed(5));
  const high = { kind: "trendline", from: point(128, price(50)), to: point(150, price(50)), extent: "segment" };
  await chart.put("high", high, { label: "An old high" }, own);
  await chart.settle();
  const { labels } = await chart.drawing("high");
  expect(labels).toHaveLength(1);
  expectApart([legend, ...labels]);
});

test("where nothing is free, the label of the lesser drawing is left out", async ({ chart }) => {
  await chart.open();
  const lesser = Array.from({ length: 20 }, (_, n) => `level ${n}`);
  for (const id of lesser) await chart.put(id, line(1.06), { label: id, importance: "low" });
  await chart.put("high", line(1.06), { label: "Resistance", importance: "high" });
  await chart.settle();
  const { drawings, legend, newest } = await chart.state();
  const labels = drawings.flatMap((drawing) => drawing.labels);
  expect(labels.length).toBeGreaterThan(2);
  expect(labels.length).toBeLessThan(drawings.length);
  expectApart([legend, ...labels]);
  // It came last, and has the first place.
  const [first, ...others] = drawings.find(({ id }) => id === "high")?.labels ?? [];
  expect(others).toEqual([]);
  expect(first?.x).toBeGreaterThan(newest.x);
});

test("the scale takes in the assistant's drawings in view, and not a person's", async ({ chart }) => {
  await chart.open();
  const { prices } = await chart.state();
  const range = prices.top - prices.bottom;
  const above = Number((prices.top + range / 4).toFixed(5));
  const own: Json = { actor: "user" };
  await chart.put("mine", line(above), {}, own);
  await chart.settle();
  expect((await chart.state()).prices).toEqual(prices);

  await chart.put("seen", line(above));
  await chart.settle();
  expect((await chart.state()).prices.top).toBeGreaterThan(above);
  // Hidden, far away or out of view it counts for nothing: candles stay readable.
  await chart.put("seen", line(above), { hidden: true });
  await chart.put("far", line(2));
  await chart.put("past", { ...trend, from: point(0, above), to: point(5, above) });
  await chart.call("scrollTo", { time: null });
  await chart.settle();
  expect((await chart.state()).prices).toEqual(prices);
  expect(await chart.call("putDrawing", record("seen", line(above)))).toBe("updated");
  await chart.call("removeDrawing", "seen");
  await chart.settle();
  expect((await chart.state()).prices).toEqual(prices);
});

for (const width of [1_440, 768, 390, 360]) {
  test(`entry, stop and target of a proposal are in view at ${width} pixels`, async ({ chart }) => {
    await chart.page.setViewportSize({ width, height: 700 });
    await chart.open();
    const { prices: bare } = await chart.state();
    const start = point(196, 0).time;
    const long = { kind: "position", side: "long", start, entry: 1.06, stop: 1.055, target: 1.07 };
    await chart.put("long", long);
    await chart.settle();
    const { prices, tags } = await chart.state();
    expect(prices.top).toBeGreaterThan(long.target);
    expect(prices.bottom).toBeLessThan(long.stop);
    expect(tags.map(({ beyond }) => beyond)).toEqual([null, null, null, null]);
    // The candles can be read.
    expect((prices.top - prices.bottom) / (bare.top - bare.bottom)).toBeLessThan(6.1);

    // A target for which there is no room has an arrow at the edge.
    await chart.put("long", { ...long, target: 1.2 });
    await chart.settle();
    const far = await chart.state();
    expect(far.prices.top).toBeLessThan(1.1);
    expect(far.tags[0]).toMatchObject({ text: "1.20000", beyond: "above" });
    // A person's own stays where it was drawn.
    await chart.call("removeDrawing", "long");
    await chart.put("own", long, {}, { actor: "user" });
    await chart.settle();
    const own = await chart.state();
    expect(own.prices.top).toBeLessThan(long.target);
    expect(own.tags.map(({ beyond }) => beyond)).toContain("above");
  });
}
