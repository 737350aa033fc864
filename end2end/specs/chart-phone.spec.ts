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

direct("price and mark of simulated prices have the head, and lie on no part of the chart", async ({ page, jarvis }) => {
  const chart = new ChartPage(page, jarvis.url);
  await chart.open("/chart/EURUSD/H1");
  await chart.shown();
  const mark = page.locator(".desk__mark");
  await expect(mark).toHaveText("Simulated");
  // The candles are of the ask, and so is their tag.
  const price = page.locator(".desk__price > :visible");
  await expect(price).toHaveText(/^Ask\s*1\.\d{5}$/);
  for (const width of [390, 360]) {
    await page.setViewportSize({ width, height: 844 });
    // The chart is drawn for its new size in a frame of its own.
    await expect(async () => {
      const [frame, box, told] = [await chart.frame.boundingBox(), await mark.boundingBox(), await price.boundingBox()];
      if (!frame || !box || !told) throw new Error("there is no chart");
      expect(frame.width).toBeLessThanOrEqual(width);
      expect(told.x + told.width).toBeLessThanOrEqual(width);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
      expect(box.y).toBeGreaterThanOrEqual(told.y + told.height - 1);
      expect(box.y + box.height).toBeLessThanOrEqual(frame.y + 1);
    }).toPass();
    // A finger need not find the mark itself.
    await price.locator("dd").tap({ force: true });
    await expect(page.getByText("There is no live source")).toBeVisible();
    await page.keyboard.press("Escape");
  }
});

direct("the first tool measures, and one that is cut in half tells of more", async ({ page, jarvis }) => {
  const chart = new ChartPage(page, jarvis.url);
  await chart.open("/chart/EURUSD/H1");
  const bar = page.locator(".desk__bar");
  await expect(bar.getByRole("button").first()).toHaveAttribute("title", "Measure (Shift+M)");
  for (const width of [430, 412, 390, 375, 360]) {
    await page.setViewportSize({ width, height: 844 });
    const edge = await bar.evaluate((it) => it.getBoundingClientRect().right);
    const icons = await bar.locator("svg").evaluateAll((all) => all.map((it) => it.getBoundingClientRect().toJSON()));
    const fading = icons.filter(({ left, right }) => left < edge && right > edge - 28);
    expect(fading.length, `at ${width}`).toBeGreaterThan(0);
  }
  await bar.getByRole("button").last().scrollIntoViewIfNeeded();
  await expect(bar.getByRole("button", { name: "Draw for me only" })).toBeInViewport({ ratio: 1 });
});

direct("a replay covers nothing of the chart, and its steps are side by side", async ({ page, jarvis }) => {
  const chart = new ChartPage(page, jarvis.url);
  await chart.open("/chart/EURUSD/H1");
  const bar = page.getByRole("group", { name: "Replay" });
  const expectBelow = async () => {
    const [frame, box] = [await chart.frame.boundingBox(), await bar.boundingBox()];
    expect(box?.y ?? 0).toBeGreaterThanOrEqual((frame?.y ?? 0) + (frame?.height ?? 0) - 2);
    expect((box?.height ?? 0) / 844).toBeLessThan(0.09);
  };
  await page.getByRole("button", { name: "Replay" }).tap();
  await expectBelow();
  await page.getByRole("button", { name: "Start in the middle" }).tap();
  for (const width of [390, 360]) {
    await page.setViewportSize({ width, height: 844 });
    await expectBelow();
    const buttons = await bar.getByRole("button").evaluateAll((all) => all.map((it) => it.getBoundingClientRect().y));
    expect(new Set(buttons).size).toBe(1);
  }
});
