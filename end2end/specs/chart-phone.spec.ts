// The chart on a phone 390 pixels wide.
import { ChartPage } from "../support/chart.ts";
import { expect, expectAccessible, test } from "../support/test.ts";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
test.slow();

/** For tests that open another page first. */
const direct = test.extend<object>({ startPage: false });

test("the chart has the upper part, the list is below, and nothing sticks out", async ({ page }) => {
  const chart = new ChartPage(page);
  await page.getByRole("link", { name: "Chart", exact: true }).tap();
  await chart.shown();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  // It does not open over the chart on its own.
  await expect(chart.dock).toHaveCount(0);
  const box = await chart.frame.boundingBox();
  expect(box?.width).toBeGreaterThan(380);
  expect((box?.y ?? 999) + (box?.height ?? 0)).toBeLessThan(844);
  await expect(page.locator(".desk__mark")).toBeInViewport();

  await chart.bar.getByRole("button", { name: "Line", exact: true }).tap();
  const pane = (await chart.state())?.pane;
  const place = await chart.at((pane?.width ?? 0) / 2, (pane?.height ?? 0) / 2);
  await page.touchscreen.tap(place.x, place.y);
  await expect(chart.entries).toHaveCount(1);
  await chart.entries.first().scrollIntoViewIfNeeded();
  await expect(chart.entries.first()).toBeInViewport();
  await expectAccessible(page);

  // The chat covers the chart, and is about it.
  await page.getByRole("button", { name: "Ask Jarvis about Chart EURUSD H1" }).tap();
  const chips = chart.dock.getByRole("list", { name: "Attached to the message" }).getByRole("listitem");
  await expect(chips).toHaveText(["Chart EURUSD H1"]);
  await expectAccessible(page);
});

direct("the mark of simulated prices is over neither the scale nor the legend", async ({ page, jarvis }) => {
  const chart = new ChartPage(page, jarvis.url);
  await chart.open("/chart/EURUSD/H1");
  await chart.shown();
  const mark = page.locator(".desk__mark");
  await expect(mark).toHaveText("Simulated");
  // The legend has more rows with indicators on the candles.
  await page.getByRole("button", { name: "Indicators" }).click();
  await page.getByRole("group", { name: "Indicators" }).getByLabel(/^Moving average/).check();
  await page.keyboard.press("Escape");
  await expect.poll(async () => (await chart.state())?.legend.height ?? 0).toBeGreaterThan(26);
  for (const width of [390, 360]) {
    await page.setViewportSize({ width, height: 844 });
    // The chart is drawn for its new size in a frame of its own.
    await expect(async () => {
      const [frame, box, state] = [await chart.frame.boundingBox(), await mark.boundingBox(), await chart.state()];
      if (!frame || !box || !state) throw new Error("there is no chart");
      const { pane } = state;
      expect(frame.width).toBeLessThanOrEqual(width);
      const price = await page.locator(".desk__price dd").first().boundingBox();
      expect((price?.x ?? width) + (price?.width ?? width)).toBeLessThanOrEqual(width);
      expect(box.x).toBeGreaterThan(frame.x + pane.x);
      expect(box.x + box.width).toBeLessThanOrEqual(frame.x + pane.x + pane.width);
      expect(box.y).toBeGreaterThanOrEqual(frame.y + pane.y + state.legend.height);
    }).toPass();
  }
});
