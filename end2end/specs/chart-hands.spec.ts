// The chart's module on its own, with mouse, keyboard and touch.
import { HOURS, at, expect, line, point, test, trend } from "../support/chart-module.ts";

test("a position's three lines move by themselves, in their order", async ({ chart }) => {
  await chart.open();
  const shape = {
    kind: "position",
    side: "long",
    start: point(160, 1).time,
    entry: 1.06,
    stop: 1.058,
    target: 1.064,
    account: 10_000,
    risk: { money: 100 },
    leverage: 30,
    lot: 100_000,
    lot_step: 0.01,
  };
  await chart.put("p", shape);
  const target = await chart.where(175, 1.064);
  await chart.drag(target, await chart.where(180, 1.062));
  const stop = await chart.where(175, 1.058);
  // A stop cannot be above the entry.
  await chart.drag(stop, await chart.where(175, 1.0625));
  await chart.settle();
  const [first, second, ...others] = (await chart.heard("dragged")).map(
    (event) => event.shape as typeof shape,
  );
  expect(others).toEqual([]);
  expect(first).toEqual({ ...shape, target: expect.closeTo(1.062, 4) });
  expect(second).toEqual({ ...shape, target: first?.target, stop: 1.05999 });
});

test("a person draws, on bars and ticks, or gives up", async ({ chart }) => {
  await chart.open();
  const click = async (candle: number, price: number) => {
    const { x, y } = await chart.where(candle, price);
    await chart.page.mouse.move(x - 5, y - 5);
    await chart.page.mouse.click(x + 2, y);
    await chart.settle();
  };
  await chart.call("startDrawing", "rectangle");
  await click(150, 1.058);
  expect(await chart.heard("drawn")).toEqual([]);
  // In progress it is visible, from the first click to the pointer.
  const [first_corner, corner] = [await chart.where(150, 1.058), await chart.where(170, 1.062)];
  const base = { x: corner.x, y: first_corner.y };
  await chart.page.mouse.move(corner.x + 2, corner.y);
  await chart.settle();
  expect(await chart.coloured(first_corner, base, "--cyan")).toBeGreaterThan(0.4);
  await click(170, 1.062);
  const near = (candle: number, price: number) => ({
    time: point(candle, 0).time,
    price: expect.closeTo(price, 4),
  });
  const [first] = await chart.heard("drawn");
  expect(first?.shape).toEqual({
    kind: "rectangle",
    from: near(150, 1.058),
    to: near(170, 1.062),
  });
  // The server has to answer first: nothing stays on the chart.
  let state = await chart.state();
  expect([state.sketching, state.drawings]).toEqual([null, []]);

  await chart.call("startDrawing", "long_position");
  await click(160, 1.06);
  await click(165, 1.058);
  const long = (await chart.heard("drawn"))[1]?.shape as Record<string, number | string>;
  expect(long).toMatchObject({ kind: "position", side: "long", start: point(160, 0).time });
  const risk = Number(long.entry) - Number(long.stop);
  expect(Number(long.target) - Number(long.entry)).toBeCloseTo(2 * risk, 5);
  // Two quick clicks count as two.
  await chart.call("startDrawing", "arrow");
  const [one, other] = [await chart.where(150, 1.058), await chart.where(160, 1.061)];
  await chart.page.mouse.click(one.x, one.y);
  await chart.page.mouse.click(other.x, other.y);
  await chart.settle();
  expect((await chart.heard("drawn"))[2]?.shape).toMatchObject({ extent: "arrow" });
  await chart.call("startDrawing", "horizontal_line");
  await click(140, 1.063);
  expect((await chart.heard("drawn"))[3]?.shape).toEqual({
    kind: "horizontal_line",
    price: expect.closeTo(1.063, 4),
  });

  // By key, by the other mouse button, by the page, by two clicks in one place.
  for (const give_up of [
    () => chart.page.keyboard.press("Escape"),
    () => chart.page.mouse.click(400, 300, { button: "right" }),
    () => chart.call("startDrawing", ""),
    () => click(150, 1.058),
  ]) {
    // Choosing another tool does not count as cancelling.
    await chart.call("startDrawing", "circle");
    await chart.call("startDrawing", "trendline");
    await click(150, 1.058);
    await give_up();
    await chart.settle();
    state = await chart.state();
    expect(state.sketching).toBe(null);
  }
  expect(await chart.heard("cancelled")).toHaveLength(4);
  expect(await chart.heard("drawn")).toHaveLength(4);
});

test("what is locked cannot be dragged; a drag is not disturbed, or is given up", async ({
  chart,
}) => {
  await chart.open();
  await chart.put("t", trend, { locked: true });
  const middle = await chart.where(170, 1.0608);
  const { mouse } = chart.page;
  await mouse.move(middle.x, middle.y);
  await mouse.down();
  await mouse.move(middle.x, middle.y - 50);
  await mouse.up();
  expect((await chart.drawing("t")).shape).toEqual(trend);
  // Only the chart itself was clicked, which pans.
  const { newest } = await chart.state();
  await chart.drag(middle, { x: middle.x + 40, y: middle.y });
  expect((await chart.state()).newest.x).toBe(newest.x + 40);
  await chart.drag({ x: middle.x + 40, y: middle.y }, middle);
  await mouse.click(middle.x, middle.y);
  await expect.poll(async () => (await chart.state()).selected).toBe("t");

  await chart.put("t", trend);
  await mouse.move(middle.x, middle.y);
  await mouse.down();
  await mouse.move(middle.x, middle.y - 30);
  await mouse.move(middle.x, middle.y - 40);
  const held = (await chart.drawing("t")).shape;
  expect(held).not.toEqual(trend);
  // The board updates it meanwhile.
  await chart.put("t", trend, { label: "seen" });
  expect((await chart.drawing("t")).shape).toEqual(held);
  await chart.page.locator("#chart [role=application]").focus();
  await chart.page.keyboard.press("Escape");
  await mouse.up();
  await chart.settle();
  expect((await chart.drawing("t")).shape).toEqual(trend);
  expect(await chart.heard("dragged")).toEqual([]);
});

test("the chart goes where it is told, and tells what is in view", async ({ chart }) => {
  await chart.open();
  await chart.call("scrollTo", { time: "2017-01-16T12:30:00Z" });
  const shown = (await chart.state()).range;
  const middle = at("2017-01-16T12:00:00Z");
  expect(shown?.from).toBeLessThan(middle);
  expect(shown?.to).toBeGreaterThan(middle);
  await expect
    .poll(async () => (await chart.heard("range")).at(-1))
    .toEqual({ type: "range", ...shown });
  await chart.call("scrollTo", { time: null });
  expect((await chart.state()).range?.to).toBe(HOURS.at(-1)?.[0]);

  // By keys, on the chart alone.
  const { keyboard } = chart.page;
  await keyboard.press("ArrowLeft");
  expect((await chart.state()).range?.to).toBe(HOURS.at(-1)?.[0]);
  await chart.page.locator("#chart [role=application]").focus();
  for (let n = 0; n < 6; n += 1) await keyboard.press("ArrowLeft");
  expect((await chart.state()).range?.to).toBeLessThan(HOURS.at(-1)?.[0] ?? 0);
  const { bar } = await chart.state();
  await keyboard.press("+");
  expect((await chart.state()).bar).toBeGreaterThan(bar);
  await keyboard.press("Home");
  expect((await chart.state()).range?.from).toBe(HOURS[0]?.[0]);
  await keyboard.press("End");
  expect((await chart.state()).range?.to).toBe(HOURS.at(-1)?.[0]);

  // It fills its element at any size.
  await chart.page.setViewportSize({ width: 600, height: 500 });
  await expect.poll(async () => (await chart.state()).pane.width).toBeLessThan(580);
});

test.describe("on a phone", () => {
  test.use({
    viewport: { width: 390, height: 700 },
    hasTouch: true,
    isMobile: true,
    contextOptions: { reducedMotion: "reduce" },
  });

  test("a finger pans, two zoom, one taps, one stays and asks for the menu", async ({ chart }) => {
    await chart.open();
    const before = await chart.state();
    const y = 120;
    await chart.fingers([{ x: 100, y }], [{ x: 160, y }], [{ x: 260, y }]);
    const panned = await chart.state();
    expect(panned.range?.to).toBeLessThan(before.range?.to ?? 0);
    expect(panned.bar).toBe(before.bar);
    // A flick has no momentum for people who prefer reduced motion.
    await chart.flick({ x: 100, y }, { x: 250, y });
    const flicked = await chart.state();
    expect(flicked.newest.x).toBeGreaterThan(panned.newest.x);
    for (let n = 0; n < 5; n += 1) await chart.settle();
    expect((await chart.state()).newest.x).toBe(flicked.newest.x);

    await chart.call("scrollTo", { time: null });
    const pair = (apart: number) => [
      { x: 180 - apart, y: 250 },
      { x: 180 + apart, y: 250 },
    ];
    await chart.fingers(pair(30), pair(60), pair(110));
    expect((await chart.state()).bar).toBeGreaterThan(before.bar);
    expect(await chart.page.evaluate(() => [scrollX, scrollY, visualViewport?.scale])).toEqual([
      0, 0, 1,
    ]);

    // One finger drags a drawing, and two on it zoom.
    const { prices } = await chart.state();
    const price = Number(((prices.top + prices.bottom) / 2).toFixed(5));
    await chart.put("h", line(price));
    const from = { x: 150, y: (await chart.where(199, price)).y + 6 };
    await chart.fingers([from], [{ x: 150, y: from.y + 30 }], [{ x: 150, y: from.y + 60 }]);
    const [dragged, ...others] = await chart.heard("dragged");
    expect(others).toEqual([]);
    expect((dragged?.shape as { price: number }).price).toBeLessThan(price);
    await chart.put("h", line(price));
    const on = (apart: number) => [
      { x: 150 - apart, y: from.y },
      { x: 150 + apart, y: from.y + 40 },
    ];
    await chart.fingers(on(70), on(60), on(30));
    expect(await chart.heard("dragged")).toHaveLength(1);
    expect((await chart.drawing("h")).shape).toEqual(line(price));

    // A tap selects and draws.
    const there = await chart.where(199, price);
    await chart.page.touchscreen.tap(150, there.y);
    await expect.poll(async () => (await chart.state()).selected).toBe("h");
    await chart.call("startDrawing", "horizontal_line");
    await chart.page.touchscreen.tap(150, there.y + 60);
    await expect.poll(() => chart.heard("drawn")).toHaveLength(1);

    // A long press selects, and opens the menu on release.
    await chart.call("select", "");
    const session = await chart.page.context().newCDPSession(chart.page);
    await session.send("Input.dispatchTouchEvent", {
      type: "touchStart",
      touchPoints: [{ x: 150, y: there.y }],
    });
    await expect.poll(async () => (await chart.state()).selected).toBe("h");
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await expect.poll(() => chart.heard("menu")).toHaveLength(1);
    await chart.settle();
    expect((await chart.heard("menu"))[0]).toMatchObject({ id: "h" });
    expect(await chart.heard("dragged")).toHaveLength(1);
  });
});
