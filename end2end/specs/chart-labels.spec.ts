// The chart's module on its own: where labels are, and what the scale takes in.
import { type Json, expect, line, point, record, test, trend } from "../support/chart-module.ts";

const swing = {
  kind: "fibonacci",
  from: point(150, 1.0582),
  to: point(180, 1.0634),
  levels: [0, 0.236, 0.382, 0.5, 0.618, 0.786, 1],
  extend: false,
  reverse: false,
  show_prices: true,
};

test("labels are right of the last candle, and none lies on another", async ({ chart }) => {
  await chart.open();
  await chart.put("a", line(1.0612), { label: "Resistance" });
  await chart.put("b", line(1.0613), { label: "The high of Tuesday" });
  await chart.put("c", swing, { label: "Last swing up" });
  await chart.put("d", { kind: "horizontal_ray", start: point(120, 0).time, price: 1.06125 }, { label: "Ray" });
  await chart.settle();
  const { drawings, newest, pane } = await chart.state();
  const labels = drawings.flatMap((drawing) => drawing.labels);
  expect(labels).toHaveLength(11);
  for (const [index, one] of labels.entries()) {
    expect(one.x + one.width).toBeLessThanOrEqual(pane.width);
    for (const other of labels.slice(index + 1)) {
      const apart =
        one.x + one.width <= other.x ||
        other.x + other.width <= one.x ||
        one.y + one.height <= other.y ||
        other.y + other.height <= one.y;
      expect(apart, JSON.stringify([one, other])).toBe(true);
    }
  }
  const first = drawings.find(({ id }) => id === "a")?.labels[0];
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
