// The chart has most of the window: its share, the list that folds, the keys and the full window.
import { ChartPage } from "../support/chart.ts";
import { expect, test } from "../support/test.ts";

test.use({ startPage: false, timezoneId: "UTC" });
test.slow();

for (const { name, viewport, share, phone } of [
  { name: "a desktop", viewport: { width: 1440, height: 900 }, share: 0.7, phone: false },
  // The chat beside the chart opens here as well.
  { name: "a small desktop", viewport: { width: 1024, height: 768 }, share: 0.7, phone: false },
  { name: "a phone", viewport: { width: 390, height: 844 }, share: 0.6, phone: true },
]) {
  test.describe(`on ${name}`, () => {
    test.use({ viewport, hasTouch: phone, isMobile: phone });

    test("the chart has its share, and the list folds and stays as it was", async ({ page, jarvis }) => {
      const chart = new ChartPage(page);
      await page.goto(`${jarvis.url}/chart/EURUSD/H1`);
      await expect(page.locator("#chart canvas").first()).toBeVisible();
      const height = async () => ((await chart.frame.boundingBox())?.height ?? 0) / viewport.height;
      await expect(chart.fold).toHaveAttribute("aria-expanded", "false");
      await expect(chart.list).toHaveCount(0);
      expect(await height()).toBeGreaterThanOrEqual(share);
      const box = await chart.frame.boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);

      await chart.shown();
      await expect(chart.list).toBeAttached();
      await page.reload();
      await expect(chart.fold).toHaveAttribute("aria-expanded", "true");
      await chart.fold.click();
      await page.reload();
      await expect(page.locator("#chart canvas").first()).toBeVisible();
      await expect(chart.fold).toHaveAttribute("aria-expanded", "false");
      expect(await height()).toBeGreaterThanOrEqual(share);
    });
  });
}

/** The tools with their keys. */
const TOOLS = {
  Line: "1",
  Ray: "2",
  Trendline: "3",
  Rectangle: "4",
  Circle: "5",
  Fibonacci: "6",
  Long: "7",
  Short: "8",
  Marker: "9",
  Measure: "Shift+M",
};

test.describe("with keys", () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  test("an icon has its name and its key on hover, and the key works", async ({ page, jarvis }) => {
    const chart = new ChartPage(page, jarvis.url);
    await chart.open();
    for (const [name, key] of Object.entries(TOOLS)) {
      const tool = chart.bar.getByRole("button", { name, exact: true });
      await expect(tool.locator("svg")).toBeVisible();
      await expect(tool).toHaveAttribute("title", `${name} (${key})`);
      await expect(tool).toHaveAttribute("aria-keyshortcuts", key);
      await page.keyboard.press(key);
      await expect(tool).toHaveAttribute("aria-pressed", "true");
    }
    for (const [name, key] of [
      ["Undo my last change", "Ctrl+Z, redo Ctrl+Y"],
      ["Full screen", "Shift+F"],
      ["More timeframes", ", and ."],
    ] as const) {
      await expect(page.getByRole("button", { name })).toHaveAttribute("title", `${name} (${key})`);
    }
    // What has no key has its name.
    const choices = page.getByRole("button", { name: "Indicators" });
    await expect(choices).toHaveAttribute("title", "Indicators");
  });

  test("digits take up tools, not while somebody types; the chart fills the window", async ({ page, chat, jarvis }) => {
    const chart = new ChartPage(page, jarvis.url);
    await chart.open();
    const before = await chart.frame.boundingBox();
    const tool = (name: string) => chart.bar.getByRole("button", { name, exact: true });
    await page.keyboard.press("3");
    await expect(tool("Trendline")).toHaveAttribute("aria-pressed", "true");
    await expect.poll(async () => (await chart.state())?.sketching).toBe("trendline");
    // The instruction lies over the chart and does not move it.
    await expect(page.getByText("Click both ends. Esc cancels.")).toBeVisible();
    expect(await chart.frame.boundingBox()).toEqual(before);
    await page.keyboard.press("1");
    await expect(tool("Trendline")).toHaveAttribute("aria-pressed", "false");
    await expect(tool("Line")).toHaveAttribute("aria-pressed", "true");
    await page.keyboard.press("Escape");
    await expect(tool("Line")).toHaveAttribute("aria-pressed", "false");
    await page.keyboard.press("Shift+M");
    await expect(tool("Measure")).toHaveAttribute("aria-pressed", "true");
    const { pane } = (await chart.state()) ?? { pane: { width: 0, height: 0 } };
    const [from, to] = [await chart.at(pane.width / 3, pane.height / 2), await chart.at(pane.width / 2, pane.height / 3)];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 3 });
    await page.mouse.up();
    await expect(tool("Measure")).toHaveAttribute("aria-pressed", "false");
    await expect.poll(async () => (await chart.state())?.measure.result?.[0]).toContain("pips");
    await page.keyboard.press("Escape");
    await expect.poll(async () => (await chart.state())?.measure.result).toBeNull();
    await expect(chart.entries).toHaveCount(0);
    await chat.composer.pressSequentially("12");
    await expect(chat.composer).toHaveValue("12");
    await expect(tool("Line")).toHaveAttribute("aria-pressed", "false");

    await page.getByRole("button", { name: "Full screen" }).click();
    const leave = page.getByRole("button", { name: "Leave full screen" });
    await expect(leave).toBeVisible();
    await expect.poll(async () => (await chart.frame.boundingBox())?.width).toBeGreaterThan(1350);
    await leave.click();
    await expect.poll(() => chart.frame.boundingBox()).toEqual(before);
  });
});

test("the scale takes in what the assistant drew", async ({ page, chat, rehearsal, jarvis }) => {
  const chart = new ChartPage(page, jarvis.url);
  await chart.open();
  type Scaled = { prices: { bottom: number; top: number } };
  const prices = async () => ((await chart.state()) as unknown as Scaled).prices;
  const before = await prices();
  const price = Number((before.bottom - (before.top - before.bottom) / 10).toFixed(5));
  const reason = "A low of the month.";
  const input = { symbol: "EURUSD", price, reason, label: "Floor" };
  await rehearsal.script(
    { blocks: [{ type: "tool_use", name: "draw_horizontal_line", input }] },
    { blocks: [{ type: "text", text: "It is drawn, sir." }] },
  );
  await chat.ask("Where is the floor?");
  await chat.answered();
  await expect(chart.entries).toHaveCount(1);
  await expect.poll(async () => (await prices()).bottom).toBeLessThan(price);

  // Its reason can be read with the list folded.
  await chart.entry("Floor").getByRole("button", { name: /^Line: Floor/ }).click();
  await chart.fold.click();
  await expect(page.getByText("Line: Floor – A low of the month.")).toBeVisible();
});
