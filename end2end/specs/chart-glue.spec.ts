// The chart's module on its own: klinecharts has no tests, so these cover the behaviour in use.
import {
  HOURS,
  MARKET,
  type State,
  at,
  candles,
  expect,
  line,
  point,
  record,
  test,
  trend,
} from "../support/chart-module.ts";

test("what is drawn is where it should be, and gone when it is removed", async ({ chart }) => {
  await chart.open();
  const from = await chart.where(150, 1.0582);
  const to = await chart.where(190, 1.0634);
  const left = await chart.where(125, 1.0615);
  const right = await chart.where(198, 1.0615);
  const look = async () => [
    await chart.coloured(from, to, "--violet"),
    await chart.coloured(left, right, "--amber"),
  ];
  expect(await look()).toEqual([0, 0]);

  expect(await chart.put("t", trend)).toBe("created");
  const amber = { style: { colour: "amber", line: "solid", width: 2 } };
  expect(await chart.put("h", line(1.0615), amber)).toBe("created");
  expect(await look()).toEqual([1, 1]);
  // The price is shown on the scale.
  const { pane } = await chart.state();
  const scale = { x: 10 + pane.width, y: left.y - 8 };
  const tag = [{ ...scale, x: scale.x + 2 }, { ...scale, x: scale.x + 50 }] as const;
  expect(await chart.coloured(...tag, "--amber")).toBe(1);

  // In the other theme with its colours.
  await chart.page.evaluate(() => document.documentElement.setAttribute("data-theme", "light"));
  expect((await look())[0]).toBe(0);
  await chart.call("setTheme");
  expect(await look()).toEqual([1, 1]);

  await chart.call("removeDrawing", "t");
  await chart.call("removeDrawing", "h");
  expect(await look()).toEqual([0, 0]);
});

test("fills lie under the candles, and go with their drawings", async ({ chart }) => {
  await chart.open();
  const bare = await chart.picture();
  const [, open = 0, , , close = 0] = HOURS[160] ?? [];
  const [from, to] = [await chart.where(160, open), await chart.where(160, close)];
  const token = close > open ? "--green" : "--red";
  expect(await chart.coloured(from, to, token)).toBe(1);
  const zone = { kind: "rectangle", from: point(130, 1.055), to: point(190, 1.065), fill: "strong" };
  const shapes = {
    zone,
    circle: { kind: "circle", centre: point(160, 1.06), edge: point(190, 1.06) },
    long: { kind: "position", side: "long", start: point(150, 0).time, entry: 1.06, stop: 1.05, target: 1.07 },
  };
  for (const [id, shape] of Object.entries(shapes)) {
    await chart.put(id, shape, {}, { actor: "user" });
    expect(await chart.picture(), id).not.toBe(bare);
    expect(await chart.coloured(from, to, token), id).toBe(1);
    await chart.call("removeDrawing", id);
    expect(await chart.picture(), id).toBe(bare);
  }
  // Nor does that of one that is hidden stay.
  await chart.put("zone", zone, {}, { actor: "user" });
  await chart.put("zone", zone, { hidden: true }, { actor: "user" });
  expect(await chart.picture()).toBe(bare);
});

test("every shape has its lines where its prices are", async ({ chart }) => {
  await chart.open();
  const solid = { style: { colour: "violet", line: "solid", width: 2 } };
  const seen = async (a: [number, number], b: [number, number], token = "--violet") =>
    chart.coloured(await chart.where(...a), await chart.where(...b), token);
  const corners = { from: point(130, 1.0575), to: point(150, 1.0625) };

  await chart.put("x", { kind: "trendline", ...corners, extent: "ray" }, solid);
  expect(await seen([150, 1.0625], [154, 1.0635])).toBe(1);
  expect(await seen([126, 1.0565], [129, 1.05725])).toBe(0);
  await chart.put("x", { kind: "trendline", ...corners, extent: "extended" }, solid);
  expect(await seen([126, 1.0565], [154, 1.0635])).toBe(1);
  await chart.put("x", { kind: "trendline", ...corners, extent: "arrow" }, solid);
  expect(await seen([130, 1.0575], [150, 1.0625])).toBe(1);
  expect(await seen([151, 1.06275], [154, 1.0635])).toBe(0);

  await chart.put("x", { kind: "rectangle", ...corners }, solid);
  expect(await seen([130, 1.0575], [130, 1.0625])).toBe(1);
  expect(await seen([130, 1.0575], [150, 1.0575])).toBe(1);
  expect(await seen([131, 1.058], [149, 1.062])).toBe(0);

  await chart.put("x", { kind: "circle", centre: point(140, 1.06), edge: point(150, 1.06) }, solid);
  const { x, y } = await chart.where(140, 1.06);
  const round = { x: x + 100 * Math.cos(1), y: y + 100 * Math.sin(1) };
  expect(await chart.coloured(round, round, "--violet")).toBe(1);

  await chart.put("x", { kind: "horizontal_ray", start: point(170, 1).time, price: 1.0575 }, solid);
  expect(await seen([170, 1.0575], [200, 1.0575])).toBe(1);
  expect(await seen([150, 1.0575], [169, 1.0575])).toBe(0);

  // 100 % is at the first anchor and 0 % at the second; reversed, the other way round.
  const fibonacci = {
    kind: "fibonacci",
    from: point(150, 1.0565),
    to: point(180, 1.0645),
    levels: [0, 0.25, 1],
    extend: false,
    reverse: false,
    show_prices: true,
  };
  await chart.put("x", fibonacci, solid);
  for (const [price, there] of [
    [1.0645, 1],
    [1.0625, 1],
    [1.0585, 0],
    [1.0565, 1],
  ] as const) {
    expect(await seen([168, price], [179, price]), String(price)).toBe(there);
  }
  await chart.put("x", { ...fibonacci, reverse: true }, solid);
  expect(await seen([168, 1.0585], [179, 1.0585])).toBe(1);
  expect(await seen([168, 1.0625], [179, 1.0625])).toBe(0);

  // A strong fill covers more of the ground than a light one, and a frame covers nothing.
  const box = { kind: "rectangle", from: point(152, 1.0575), to: point(178, 1.0585) };
  const looks: string[] = [];
  for (const fill of ["none", "light", "strong"]) {
    await chart.put("x", { ...box, fill }, solid);
    looks.push(await chart.picture());
  }
  expect(new Set(looks).size).toBe(3);

  // The types of a marker look different, and a large one is not a medium one.
  const marker = { kind: "marker", at: point(165, 1.0585), text: "", icon: "" };
  const signs: string[] = [];
  const types = ["dot", "arrow_up", "arrow_down", "cross", "flag", "diamond"];
  for (const look of [...types.map((type) => ({ type })), { type: "flag", size: "large" }]) {
    await chart.put("x", { ...marker, ...look }, solid);
    signs.push(await chart.picture());
  }
  expect(new Set(signs).size).toBe(types.length + 1);

  // The prices of a position are enough.
  const position = {
    kind: "position",
    side: "short",
    start: point(150, 1).time,
    entry: 1.0605,
    stop: 1.0625,
    target: 1.0565,
    lot: 100_000,
    lot_step: 0.01,
  };
  await chart.put("x", position, solid);
  expect(await seen([150, 1.0605], [174, 1.0605])).toBe(1);
  expect(await seen([168, 1.0625], [174, 1.0625], "--red")).toBe(1);
  expect(await seen([168, 1.0565], [174, 1.0565], "--green")).toBe(1);
});

test("trap 1: a right click asks for our menu and deletes nothing", async ({ chart }) => {
  await chart.open();
  await chart.put("t", trend);
  const { x, y } = await chart.where(170, 1.0608);
  const middle = { x, y: Math.round(y) };
  await chart.page.mouse.click(middle.x, middle.y, { button: "right" });
  await chart.settle();
  const box = await chart.page.locator("#chart").boundingBox();
  expect(await chart.heard("menu")).toEqual([
    { type: "menu", id: "t", x: middle.x - (box?.x ?? 0), y: middle.y - (box?.y ?? 0) },
  ]);
  expect((await chart.drawing("t")).shown).toBe(true);
  const [from, to] = [await chart.where(151, 1.05833), await chart.where(189, 1.06327)];
  expect(await chart.coloured(from, to, "--violet")).toBeGreaterThan(0.9);
  // Beside it there is no context menu.
  await chart.page.mouse.click(middle.x, middle.y + 60, { button: "right" });
  await chart.settle();
  expect(await chart.heard("menu")).toHaveLength(1);
});

test("trap 2: a click selects and changes nothing", async ({ chart }) => {
  await chart.open();
  await chart.put("t", trend);
  const middle = await chart.where(170, 1.0608);
  await chart.page.mouse.click(middle.x, middle.y);
  await expect.poll(() => chart.heard("selected")).toEqual([{ type: "selected", id: "t" }]);
  await chart.page.mouse.click(middle.x, middle.y + 60);
  await expect.poll(async () => (await chart.heard("selected")).at(-1)?.id).toBe(null);
  // A selection by the page is cleared in the same way.
  await chart.call("select", "t");
  await chart.page.mouse.click(middle.x, middle.y + 60);
  await expect.poll(async () => (await chart.heard("selected")).length).toBe(4);
  expect((await chart.state()).selected).toBe(null);
  expect(await chart.heard("dragged")).toEqual([]);
});

test("trap 3: a drag is told once, on the tick and on a bar", async ({ chart }) => {
  await chart.open();
  await chart.put("t", trend);
  const [start, middle] = [await chart.where(190, 1.0634), await chart.where(170, 1.0608)];
  const aim = await chart.where(194, 1.05912);
  // The end alone, by its handle.
  await chart.drag(start, { x: aim.x + 3, y: aim.y });
  await chart.settle();
  const [dragged, ...others] = await chart.heard("dragged");
  expect(others).toEqual([]);
  const shape = dragged?.shape as typeof trend;
  const { pane, prices } = await chart.state();
  const pixel = (prices.top - prices.bottom) / pane.height;
  expect(shape).toEqual({ ...trend, to: { time: point(194, 0).time, price: expect.any(Number) } });
  expect(Math.abs(shape.to.price - 1.05912)).toBeLessThan(pixel + 0.00001);
  expect(Number(shape.to.price.toFixed(5))).toBe(shape.to.price);

  // The whole line, by dragging it; the record then restores it.
  await chart.put("t", trend);
  await chart.drag(middle, { x: middle.x + 50, y: middle.y - 40 });
  await chart.settle();
  const moved = (await chart.heard("dragged"))[1]?.shape as typeof trend;
  expect([moved.from.time, moved.to.time]).toEqual([point(155, 0).time, point(195, 0).time]);
  const up = moved.from.price - trend.from.price;
  expect(Math.abs(up - 40 * pixel)).toBeLessThanOrEqual(0.00001);
  expect(moved.to.price - trend.to.price).toBeCloseTo(up, 5);
  expect(JSON.stringify(moved)).not.toContain("dataIndex");
  expect(await chart.heard("dragged")).toHaveLength(2);

  // A drag released outside the chart is reported as well, and the next one belongs to the chart.
  await chart.put("t", trend);
  await chart.page.mouse.move(middle.x, middle.y);
  await chart.page.mouse.down();
  await chart.page.mouse.move(middle.x, middle.y + 20);
  await chart.page.mouse.move(middle.x, 690);
  await chart.page.mouse.up();
  await expect.poll(async () => (await chart.heard("dragged")).length).toBe(3);
  const range = (await chart.state()).range;
  const free = await chart.where(140, 1.0645);
  await chart.drag(free, { x: free.x + 200, y: free.y });
  expect((await chart.state()).range?.from).toBeLessThan(range?.from ?? 0);
  await chart.settle();
  expect(await chart.heard("dragged")).toHaveLength(3);
});

test("trap 4: an id that is there is updated", async ({ chart }) => {
  await chart.open();
  const seen = async (price: number) =>
    chart.coloured(await chart.where(125, price), await chart.where(195, price), "--violet");
  expect(await chart.put("h", line(1.06))).toBe("created");
  expect(await chart.put("h", line(1.062))).toBe("updated");
  expect([await seen(1.06), await seen(1.062)]).toEqual([0, 1]);
  // Another kind, and back again.
  expect(await chart.put("h", trend)).toBe("updated");
  expect(await seen(1.062)).toBeLessThan(0.2);
  // Invalid drawings are refused with a reason, and change nothing.
  for (const [bad, why] of [
    [record("h", { kind: "spiral" }), 'shape.kind: "spiral" is not known'],
    [record("h", { ...trend, to: { time: "yesterday", price: 1 } }), "shape.to"],
    [record("", trend), "id: it is missing"],
    [{ id: "h" }, "content: it is no object"],
    ["{", "it is no JSON"],
  ] as const) {
    expect(await chart.call("putDrawing", bad)).toContain(why);
  }
  const { drawings } = await chart.state();
  expect(drawings.map(({ id, kind }) => [id, kind])).toEqual([["h", "trendline"]]);
});

test("trap 5: another symbol has other drawings, another timeframe has not", async ({ chart }) => {
  await chart.open();
  await chart.put("all", line(1.06));
  await chart.put("hours", line(1.061), { visible_on: ["H1"] });
  await chart.put("hidden", line(1.062), { hidden: true });
  const shown = ({ drawings }: State) => drawings.filter((it) => it.shown).map((it) => it.id);
  const seen = async (price: number) => {
    const { pane, prices } = await chart.state();
    const y = 20 + (1 - (price - prices.bottom) / (prices.top - prices.bottom)) * pane.height;
    return chart.coloured({ x: 100, y }, { x: 800, y }, "--violet");
  };
  expect(shown(await chart.state())).toEqual(["all", "hours"]);
  expect([await seen(1.06), await seen(1.061), await seen(1.062)]).toEqual([1, 1, 0]);

  const days = candles("2016-10-02T22:00:00Z", 80, 86_400);
  await chart.call("setMarket", { ...MARKET, timeframe: "D1" });
  await chart.call("setCandles", { candles: days, more: false });
  expect(shown(await chart.state())).toEqual(["all"]);
  expect([await seen(1.06), await seen(1.061)]).toEqual([1, 0]);

  await chart.call("setMarket", { ...MARKET, symbol: "USDJPY", digits: 3, pip: 0.01 });
  await chart.call("setCandles", { candles: HOURS, more: false });
  expect((await chart.state()).drawings).toEqual([]);
  expect(await seen(1.06)).toBe(0);
});

test("trap 6: older candles are asked for one page at a time, and not for ever", async ({
  chart,
}) => {
  await chart.open(HOURS.slice(100));
  // After `more: false` no older candles are requested.
  await chart.page.mouse.move(500, 300);
  await chart.drag({ x: 300, y: 150 }, { x: 900, y: 150 });
  await chart.drag({ x: 300, y: 150 }, { x: 900, y: 150 });
  await chart.settle();
  expect(await chart.heard("need_older")).toEqual([]);

  await chart.call("setCandles", { candles: HOURS.slice(100), more: true });
  await chart.put("t", trend);
  await chart.drag({ x: 300, y: 150 }, { x: 900, y: 150 });
  await expect
    .poll(() => chart.heard("need_older"))
    .toEqual([{ type: "need_older", before: HOURS[100]?.[0] }]);
  const before = await chart.where(70, 1.0582);
  // It waits for the answer, wherever the chart is scrolled meanwhile.
  await chart.drag({ x: 300, y: 150 }, { x: 400, y: 150 });
  expect(await chart.heard("need_older")).toHaveLength(1);
  // The request failed: it is repeated when somebody scrolls, and not before.
  await chart.call("prependCandles", { candles: [], more: true });
  await chart.settle();
  expect(await chart.heard("need_older")).toHaveLength(1);
  await chart.drag({ x: 400, y: 150 }, { x: 300, y: 150 });
  expect(await chart.heard("need_older")).toHaveLength(2);

  // Candles already loaded are not older ones; drawings keep their times, even one in progress.
  await chart.call("startDrawing", "rectangle");
  const begun = await chart.where(5, 1.058);
  await chart.page.mouse.click(begun.x, begun.y);
  await chart.settle();
  await chart.call("prependCandles", { candles: HOURS.slice(60, 120), more: true });
  const ended = await chart.where(60, 1.062);
  await chart.page.mouse.click(ended.x, ended.y);
  await expect.poll(() => chart.heard("drawn")).toHaveLength(1);
  expect((await chart.heard("drawn"))[0]?.shape).toMatchObject({
    from: { time: point(105, 0).time },
    to: { time: point(120, 0).time },
  });
  const state = await chart.state();
  expect(state.candles).toBe(140);
  expect((await chart.drawing("t")).places[0]?.time).toBe(trend.from.time);
  expect((await chart.where(110, 1.0582)).x).toBeCloseTo(before.x, 0);
  const [from, to] = [await chart.where(111, 1.05833), await chart.where(149, 1.06327)];
  if (to.x < 900) expect(await chart.coloured(from, to, "--violet")).toBe(1);

  // An answer without older candles ends it, even if it says that there are more.
  await chart.drag({ x: 200, y: 150 }, { x: 900, y: 150 });
  await chart.drag({ x: 200, y: 150 }, { x: 900, y: 150 });
  const asked = (await chart.heard("need_older")).length;
  expect(asked).toBe(3);
  await chart.call("prependCandles", { candles: HOURS.slice(60, 70), more: false });
  await chart.drag({ x: 200, y: 150 }, { x: 900, y: 150 });
  await chart.drag({ x: 900, y: 150 }, { x: 200, y: 150 });
  await chart.drag({ x: 200, y: 150 }, { x: 900, y: 150 });
  expect(await chart.heard("need_older")).toHaveLength(asked);
});

test("trap 7: times are times, on a weekend, between bars, ahead and behind", async ({ chart }) => {
  await chart.open();
  const x = async (time: string) => {
    await chart.put("m", { kind: "marker", at: { time, price: 1.06 }, text: "here", icon: "" });
    const place = (await chart.drawing("m")).places[0];
    expect(place?.time).toBe(time);
    return place?.x ?? 0;
  };
  const { bar, timezone } = await chart.state();
  // Whatever the browser's time zone.
  expect(timezone).toBe("UTC");
  // Friday's last bar opens at 21:00; Sunday's first at 22:00.
  const friday = await x("2017-01-20T21:00:00Z");
  expect(await x("2017-01-20T21:40:00Z")).toBe(friday);
  expect(await x("2017-01-21T12:00:00Z")).toBe(friday);
  expect(await x("2017-01-22T22:00:00Z")).toBe(friday + bar);
  expect(await x("2017-01-22T22:59:59Z")).toBe(friday + bar);

  // Sessions continue beyond the data: a drawing there stays in place when the bars arrive.
  const week = candles("2017-01-12T00:00:00Z", 192 + 24 * 4);
  const end = week.findIndex((candle) => candle[0] === at("2017-01-27T21:00:00Z"));
  await chart.call("setCandles", { candles: week.slice(0, end + 1), more: false });
  const last = await x("2017-01-27T21:00:00Z");
  const monday = "2017-01-30T03:30:00Z";
  expect(await x(monday)).toBe(last + 6 * bar);
  for (const candle of candles("2017-01-29T22:00:00Z", 8)) await chart.call("pushCandle", candle);
  expect(await x(monday)).toBe((await x("2017-01-27T21:00:00Z")) + 6 * bar);

  // A change of the newest bar adds none; one from the past is ignored.
  const count = (await chart.state()).candles;
  await chart.call("pushCandle", [at("2017-01-30T05:00:00Z"), 1.06, 1.061, 1.059, 1.0605, 5]);
  await chart.call("pushCandle", [at("2017-01-30T02:00:00Z"), 1.06, 1.061, 1.059, 1.0605, 5]);
  expect((await chart.state()).candles).toBe(count);
});

test("hundreds of drawings, and nothing left of them", async ({ chart }) => {
  await chart.open();
  const records = Array.from({ length: 300 }, (_, n) =>
    JSON.stringify(record(`d${n}`, n % 2 ? line(1.056 + n * 0.00003) : trend, { label: `${n}` })),
  );
  const took = await chart.page.evaluate(async (records) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const start = performance.now();
    for (const json of records) window.chart.putDrawing(window.handle, json);
    const put = performance.now() - start;
    await frame();
    await frame();
    return { put, painted: performance.now() - start };
  }, records);
  const [put, painted] = [took.put.toFixed(0), took.painted.toFixed(0)];
  console.log(`300 drawings: put in ${put} ms, painted after ${painted} ms`);
  expect((await chart.state()).drawings).toHaveLength(300);
  await chart.call("unmount");
  await chart.call("state").then(
    () => expect(false, "the handle is gone").toBe(true),
    (error) => expect(String(error)).toContain("no chart has the handle"),
  );
  const left = () => chart.page.evaluate(() => document.querySelectorAll("#chart *").length);
  expect(await left()).toBe(0);
  const heard = (await chart.page.evaluate(() => window.heard)).length;
  await chart.page.setViewportSize({ width: 700, height: 600 });
  await chart.page.keyboard.press("ArrowLeft");
  await chart.settle();
  expect(await chart.page.evaluate(() => window.heard.length)).toBe(heard);
});
