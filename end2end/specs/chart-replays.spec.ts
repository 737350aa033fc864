// A replay of the past on the chart's page: with the keyboard and with the pointer.
import { ChartPage } from "../support/chart.ts";
import { expect, test } from "../support/test.ts";

test.use({ startPage: false, viewport: { width: 1440, height: 900 }, timezoneId: "UTC" });

test("a person replays the past bar by bar, and ends it", async ({ page, jarvis }) => {
  const chart = new ChartPage(page, jarvis.url);
  await chart.open();
  const replay = async () => (await chart.state())?.replay ?? null;
  const all = (await chart.state())?.candles ?? 0;
  const newest = chart.candles.getByRole("rowheader").last();
  const now = await newest.textContent();
  const button = page.getByRole("button", { name: "Replay", exact: true });
  const controls = page.getByRole("group", { name: "Replay" });
  const head = page.locator(".desk__head");
  await chart.draw("Line", [0.4, 0.4]);
  await expect(chart.entries).toHaveCount(1);
  await expect(head).toContainText("Bid");

  await page.keyboard.press("Shift+R");
  await expect(button).toHaveAttribute("aria-pressed", "true");
  await expect(controls).toContainText("Click the bar to start from.");
  await controls.getByRole("button", { name: "Start in the middle" }).click();
  await expect.poll(replay).not.toBeNull();
  const began = (await replay()) ?? 0;
  expect((await chart.state())?.candles).toBeLessThan(all);
  expect((await chart.state())?.range?.to).toBe(began);
  // At that bar nobody knew the line, or the price of now.
  await expect(chart.entries).toHaveCount(0);
  await expect(page.locator(".panel__count")).toHaveText("No drawings; 1 of a later time is hidden in the replay");
  await expect.poll(async () => (await chart.state())?.drawings).toEqual([]);
  await expect(head).toContainText("Price hidden");
  await expect(head).not.toContainText("Bid");
  // The table for readers ends at the same bar.
  await expect(newest).not.toHaveText(now ?? "");
  await expect(newest).toContainText(new Date(began * 1_000).toISOString().slice(0, 10));

  await controls.getByRole("button", { name: "One bar on" }).click();
  await expect.poll(replay).toBeGreaterThan(began);
  await controls.getByRole("button", { name: "One bar back" }).click();
  await expect.poll(replay).toBe(began);
  // It runs until somebody stops it; the focus stays where it was.
  await controls.getByRole("button", { name: "Play", exact: true }).click();
  await expect.poll(replay).toBeGreaterThan(began);
  const pause = controls.getByRole("button", { name: "Pause", exact: true });
  await expect(pause).toBeFocused();
  await pause.click();
  await expect(controls.getByRole("button", { name: "Play", exact: true })).toBeFocused();

  // Another bar, by a click on the chart. At the newest one the line was known, in the market's own time.
  const other = controls.getByRole("button", { name: "Other bar" });
  const { width, height } = (await chart.state())?.pane ?? { width: 0, height: 0 };
  const click = async (x: number) => {
    await other.click();
    const place = await chart.at(x, height / 2);
    await page.mouse.click(place.x, place.y);
  };
  await click(width - 10);
  await expect.poll(async () => (await replay()) ?? 0).toBeGreaterThan(began);
  await expect(chart.entries).toHaveCount(1);
  await expect.poll(async () => (await chart.state())?.drawings.length).toBe(1);
  // What was measured on all candles is not told of those before a bar.
  const line = chart.entries.first();
  await line.getByRole("button", { name: /^Line/ }).click();
  await expect(line.locator(".drawing__facts")).toContainText("drawn by hand");
  await expect(line).not.toContainText("pips from the price");
  await click(30);
  await expect.poll(replay).not.toBeNull();
  expect(await replay()).toBeLessThan(began);
  // What is drawn in the replay is seen in it.
  await chart.draw("Line", [0.4, 0.6]);
  await expect(chart.entries).toHaveCount(1);
  await other.click();
  await controls.getByRole("button", { name: "Start in the middle" }).click();
  await expect.poll(replay).not.toBeNull();
  await expect(chart.entries).toHaveCount(1);

  await controls.getByRole("button", { name: "End" }).click();
  await expect(controls).toHaveCount(0);
  await expect.poll(replay).toBeNull();
  await expect(newest).toHaveText(now ?? "");
  await expect(chart.entries).toHaveCount(2);
  await expect(head).toContainText("Bid");
});

test("a replay hides alerts, the trail and the history of a drawing", async ({ page, jarvis }) => {
  const chart = new ChartPage(page, jarvis.url);
  await chart.open();
  const alerts = page.locator(".alerts");
  await alerts.locator("> summary").click();
  const form = page.getByRole("form", { name: "Set an alert" });
  await form.getByLabel("Price", { exact: true }).fill("1.9");
  await form.getByRole("button", { name: "Set", exact: true }).click();
  await expect(alerts.locator(".alerts__line")).toHaveCount(1);
  await page.getByText("All changes", { exact: true }).click();
  const trail = page.getByRole("list", { name: "All changes" }).getByRole("listitem");
  await expect(trail).toHaveCount(1);

  await page.getByRole("button", { name: "Replay", exact: true }).click();
  const controls = page.getByRole("group", { name: "Replay" });
  await controls.getByRole("button", { name: "Start in the middle" }).click();
  await expect.poll(async () => (await chart.state())?.replay ?? null).not.toBeNull();
  await expect(alerts.locator(".alerts__line")).toHaveCount(0);
  await expect(alerts.locator(".alerts__count")).toHaveText("Hidden during a replay: 1 alert.");
  await expect(page.getByText("Hidden during a replay: all changes.")).toBeVisible();
  await expect(trail).toHaveCount(0);
  await expect(page.getByRole("group", { name: "Filter of the changes" })).toBeHidden();

  // Not even of a drawing that is seen in it.
  await page.getByText("All changes", { exact: true }).click();
  await alerts.locator("> summary").click();
  await chart.draw("Line", [0.4, 0.6]);
  const line = chart.entries.first();
  await line.getByRole("button", { name: "Lock Line", exact: true }).click();
  await expect(line.getByRole("button", { name: "Unlock Line" })).toBeVisible();
  await line.getByRole("button", { name: /^Line/ }).click();
  await expect(line).toContainText("Hidden during a replay: 1 change.");
  await expect(line).not.toContainText("locked by hand");

  await controls.getByRole("button", { name: "End" }).click();
  await expect(line.locator(".drawing__changes")).toContainText("locked by hand");
  await expect(alerts.locator(".alerts__count")).toHaveText("1 waits");
  await alerts.locator("> summary").click();
  await expect(alerts.locator(".alerts__line")).toHaveCount(1);
  await page.getByText("All changes", { exact: true }).click();
  // The alert, the drawing and its change.
  await expect(trail).toHaveCount(3);
});

test("a replay fits on a phone, and another timeframe ends it", async ({ page, jarvis }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const chart = new ChartPage(page, jarvis.url);
  await chart.open();
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  const controls = page.getByRole("group", { name: "Replay" });
  await controls.getByRole("button", { name: "Start in the middle" }).click();
  await expect(controls.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  const hidden = page.locator(".desk__price", { hasText: "Price hidden" });
  await expect(hidden).toBeVisible();
  const cut = await hidden.evaluate((it) => [it.scrollWidth - it.clientWidth, it.scrollHeight - it.clientHeight]);
  expect(Math.max(...cut)).toBeLessThanOrEqual(1);
  const box = await controls.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
  await page.getByRole("link", { name: "D1" }).click();
  await expect.poll(async () => (await chart.state())?.timeframe).toBe("D1");
  await expect(controls).toHaveCount(0);
});
