// The chart on a phone 390 pixels wide.
import { ChartPage } from "../support/chart.ts";
import { expect, expectAccessible, test } from "../support/test.ts";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
test.slow();

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
  await expect(chart.dock.getByRole("list", { name: "Attached to the message" })).toContainText("Chart EURUSD H1");
  await expectAccessible(page);
});
