// The chart's page: candles, drawings of people and of the assistant, and their reasons.
import type { Page } from "@playwright/test";
import { ChartPage } from "../support/chart.ts";
import { Chat, expect, expectAccessible, expectReadable, test as base } from "../support/test.ts";

const test = base.extend<{ chart: ChartPage }>({
  chart: async ({ page, jarvis }, use) => {
    const chart = new ChartPage(page, jarvis.url);
    await use(chart);
  },
});

/** For tests that open another page first. */
const direct = test.extend<object>({ startPage: false });

test.use({ viewport: { width: 1440, height: 900 }, timezoneId: "UTC" });
// A chart is slow when the processor does all the rendering.
test.slow();

const line = (price: number, reason: string, more: object = {}) => ({
  type: "tool_use" as const,
  name: "draw_horizontal_line",
  input: { symbol: "EURUSD", price, reason, ...more },
});

/** The changes listed for the opened drawing. */
const changes = (page: Page) => page.locator(".drawing__changes li");

test("candles, a price and a mark that says what is not real", async ({ page, chart }) => {
  await page.getByRole("link", { name: "Chart", exact: true }).click();
  await expect(page).toHaveURL(/\/chart\/EURUSD\/H1$/);
  await chart.shown();
  await expect(page).toHaveTitle(/EURUSD H1/);
  await expect(page.getByRole("heading", { level: 1, name: /EUR\/USD/ })).toBeVisible();
  await expect(page.locator(".desk__mark")).toHaveText("Simulated");
  await expect(page.locator(".desk__why")).not.toBeEmpty();
  await expect(page.locator(".desk__price")).toContainText(/Bid\s*1\.\d{5}/);
  await expect(chart.candles.getByRole("row")).toHaveCount(11);
  expect((await chart.state())?.canvases).toBeGreaterThan(0);
  await expectAccessible(page);

  // Another timeframe opens in the same page, and back.
  await page.getByRole("link", { name: "D1" }).click();
  await expect(page).toHaveURL(/\/chart\/EURUSD\/D1$/);
  await expect.poll(async () => (await chart.state())?.timeframe).toBe("D1");
  await chart.shown();
  await page.goBack();
  await expect.poll(async () => (await chart.state())?.timeframe).toBe("H1");
  await chart.shown();

  // From the server, and under its short address.
  await chart.open("/chart");
  await expect(page).toHaveURL(/\/chart\/EURUSD\/H1$/);
  await page.getByRole("link", { name: "HUD" }).click();
  await expect(page.locator("#chart")).toHaveCount(0);
});

direct("what has no candles says so, and what cannot be loaded can be tried again", async ({
  page,
  chart,
  jarvis,
  consoleErrors,
}) => {
  consoleErrors.expect(/Failed to load resource|net::ERR_FAILED/);
  await page.route("**/api/page*", (route) => route.abort());
  await page.goto(`${jarvis.url}/chart/EURUSD/H1`);
  const failed = page.getByRole("alert").filter({ hasText: "The chart could not be loaded" });
  await expect(failed).toBeVisible();
  await expectAccessible(page);
  await page.unroute("**/api/page*");
  await failed.getByRole("button", { name: "Try again" }).click();
  await chart.shown();
  await expect(failed).toHaveCount(0);
});

direct("a hand draws, drags, locks, hides and deletes", async ({ page, chart }) => {
  await chart.open();
  await chart.draw("Line", [0.4, 0.4]);
  await expect(chart.entries).toHaveCount(1);
  const entry = chart.entries.first();
  await expect(entry).toContainText("Line");
  await expect(entry).toContainText("Operator");
  await expect.poll(async () => (await chart.drawing())?.shown).toBe(true);
  const before = (await chart.drawing())?.places[0]?.price ?? 0;
  await expect(entry).toContainText(before.toFixed(5));
  await expect(chart.table.getByRole("row").nth(1)).toContainText(before.toFixed(5));

  // One drag is one change, and a click is none.
  await chart.drag(70);
  await expect.poll(async () => (await chart.drawing())?.places[0]?.price).toBeLessThan(before);
  await expect(entry).not.toContainText(before.toFixed(5));
  await entry.getByRole("button", { name: /^Line/ }).click();
  await expect(changes(page)).toHaveCount(1);
  await expect(changes(page)).toContainText("dragged");
  const dragged = (await chart.drawing())?.places[0]?.price ?? 0;
  await expect(entry).toContainText(dragged.toFixed(5));

  await entry.getByRole("button", { name: "Lock Line" }).click();
  await expect.poll(async () => (await chart.drawing())?.locked).toBe(true);
  await chart.drag(50);
  await expect(changes(page)).toHaveCount(2);
  expect((await chart.drawing())?.places[0]?.price).toBe(dragged);
  await entry.getByRole("button", { name: "Unlock Line" }).click();
  await expect(changes(page)).toHaveCount(3);

  await entry.getByRole("button", { name: "Hide Line" }).click();
  await expect.poll(async () => (await chart.drawing())?.shown).toBe(false);
  await entry.getByRole("button", { name: "Show Line" }).click();
  await expect.poll(async () => (await chart.drawing())?.shown).toBe(true);

  // Text about it, from the list.
  await entry.getByRole("button", { name: "Edit Line" }).click();
  const edit = page.getByRole("form", { name: "Edit the drawing" });
  await edit.getByLabel("Label").fill("Ceiling");
  await edit.getByLabel("Importance").selectOption("high");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(entry).toContainText("Line: Ceiling");
  await expect(entry).toContainText("high importance");
  // The newest five changes are there at once, and the one before them on request.
  await expect(changes(page)).toHaveCount(6);
  await expect(changes(page).last()).toBeHidden();
  await entry.getByText("1 older change", { exact: true }).click();
  await expect(changes(page).last()).toContainText("Operator: dragged");
  await expectAccessible(page);

  // A right click opens a menu, and deletes nothing.
  const place = (await chart.drawing())?.places[0];
  const width = (await chart.state())?.pane.width ?? 0;
  const on = await chart.at(width / 3, place?.y ?? 0);
  await page.mouse.click(on.x, on.y, { button: "right" });
  const menu = page.getByRole("dialog", { name: "The drawing" });
  await expect(menu).toBeVisible();
  await expect(chart.entries).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect(chart.entries).toHaveCount(1);
  await page.mouse.click(on.x, on.y, { button: "right" });
  await menu.getByRole("button", { name: "Delete…" }).click();
  const why = page.getByRole("form", { name: "Delete the drawing" });
  await why.getByLabel("Reason for deleting").fill("It was broken.");
  await why.getByRole("button", { name: "Delete" }).click();
  await expect(chart.entries).toHaveCount(0);
  await expect.poll(async () => (await chart.state())?.drawings.length).toBe(0);
  await page.reload();
  await chart.shown();
  await expect(chart.entries).toHaveCount(0);
});

direct("the assistant draws with a reason, and one leads to the other", async ({ page, chart, chat, rehearsal }) => {
  await chart.open();
  // The chat opens on its own, a quarter wide, and is about the chart.
  await expect(chart.dock).toBeVisible();
  await expect(page.getByRole("separator", { name: /Width of the chat/ })).toHaveAttribute("aria-valuenow", "360");
  await expect(chart.dock.getByRole("list", { name: "Attached to the message" })).toContainText("Chart EURUSD H1");
  await rehearsal.script(
    {
      blocks: [
        { type: "text", text: "Two levels, sir." },
        line(1.195, "Three closes stopped here.", { label: "Resistance", importance: "high" }),
        line(1.18, "The low of the week.", { label: "Support" }),
      ],
    },
    { blocks: [{ type: "text", text: "Both are drawn." }] },
  );
  await chat.ask("Mark the levels.");
  await chat.answered();
  await expect(chart.entries).toHaveCount(2);
  const entry = chart.entry("Resistance");
  await expect(entry).toContainText("Jarvis");
  await expect(entry).toContainText("1.19500");
  await expect(entry).toContainText("high importance");
  const drawn = () => chart.state().then((state) => state?.drawings.filter(({ shown }) => shown).length);
  await expect.poll(drawn).toBe(2);
  const card = chat.tool("Draw horizontal line").first();
  await expect(card).toContainText("Done: ");

  // From the drawing to the message, and from the card to the drawing.
  await entry.getByRole("button", { name: /^Line: Resistance/ }).click();
  await expect(entry).toContainText("Three closes stopped here.");
  await chart.dock.getByRole("button", { name: "New conversation" }).click();
  await expect(chat.tools).toHaveCount(0);
  await entry.getByRole("button", { name: "Show the message" }).click();
  await expect(chart.dock.locator(".row--found")).toContainText("Draw horizontal line");
  await entry.getByRole("button", { name: /^Line: Resistance/ }).click();
  await expect(entry).not.toContainText("Three closes stopped here.");
  await chart.dock.getByRole("link", { name: "Show it on the chart" }).first().click();
  await expect(entry).toContainText("Three closes stopped here.");
  await expect.poll(async () => (await chart.state())?.selected).not.toBeNull();
  await expectAccessible(page);

  // Filtered drawings are off the chart, and come back.
  await page.getByLabel("Hide the assistant's").check();
  await expect.poll(drawn).toBe(0);
  await page.getByLabel("Hide the assistant's").uncheck();
  await expect.poll(drawn).toBe(2);

  // The whole turn is undone at once, without touching another one.
  await page.getByRole("button", { name: "Undo the turn" }).click();
  await expect(chart.entries).toHaveCount(0);
  await expect.poll(drawn).toBe(0);
  const asked = (await rehearsal.asked()).join("\n");
  expect(asked).toContain("EURUSD/H1");
});

direct("what the assistant scrolls to comes into view, also on another timeframe", async ({
  page,
  chart,
  chat,
  rehearsal,
}) => {
  await chart.open();
  const input = { symbol: "EURUSD", timeframe: "D1", time: "2017-03-10T00:00:00Z" };
  await rehearsal.script(
    { blocks: [{ type: "tool_use", name: "scroll_chart", input }] },
    { blocks: [{ type: "text", text: "There it is, sir." }] },
  );
  await chat.ask("Show me the tenth of March.");
  await chat.answered();
  await expect(page).toHaveURL(/\/chart\/EURUSD\/D1$/);
  const range = (await chart.state())?.range;
  const wanted = Date.parse(input.time) / 1000;
  expect(range?.from).toBeLessThanOrEqual(wanted);
  expect(range?.to).toBeGreaterThanOrEqual(wanted);
  await expect(chat.tool("Scroll chart")).toContainText("Done: ");
});

direct("two tabs: one has the call, the other can take it over", async ({ page, chart, chat, context, rehearsal, jarvis }) => {
  // The first tab never gets its candles: its requests wait.
  await page.route("**/api/page*", () => {});
  await page.goto(`${jarvis.url}/chart/EURUSD/H1`);
  await chat.alive();
  await rehearsal.script(
    {
      blocks: [{ type: "tool_use", name: "scroll_chart", input: { symbol: "EURUSD", realtime: true } }],
    },
    { blocks: [{ type: "text", text: "At the end, sir." }] },
  );
  await chat.ask("Go to the end.");
  await expect(chat.tool("Scroll chart")).toContainText("Running");

  const other = new ChartPage(await context.newPage());
  await other.page.goto(page.url());
  const beside = new Chat(other.page);
  await beside.alive();
  await other.shown();
  const card = other.dock.locator(".row.reads").filter({ hasText: "Scroll chart" });
  await expect(card).toContainText("Shown in another tab.");
  await card.getByRole("button", { name: "Take over" }).click();
  await beside.answered();
  await expect(chat.ended("Answered")).toBeVisible();

  // A drawing made in one tab appears in both.
  await page.unroute("**/api/page*");
  await page.reload();
  await chart.shown();
  await other.draw("Line", [0.5, 0.5]);
  for (const tab of [chart, other]) {
    await expect(tab.entries).toHaveCount(1);
    await expect.poll(async () => (await tab.drawing())?.shown).toBe(true);
  }
  await chart.drag(40);
  const price = async (tab: ChartPage) => (await tab.drawing())?.places[0]?.price;
  await expect.poll(async () => (await price(chart)) === (await price(other))).toBe(true);
});

direct("a change that is refused is put back, with the reason", async ({ page, chart, context }) => {
  await chart.open();
  await chart.draw("Line", [0.4, 0.4]);
  await expect(chart.entries).toHaveCount(1);
  const before = (await chart.drawing())?.places[0]?.price ?? 0;
  // Nothing acts while the kill switch is on.
  const other = await context.newPage();
  await other.goto(page.url());
  await new Chat(other).alive();
  await other.getByRole("button", { name: "Kill switch: off" }).click();
  await other.getByRole("button", { name: "Turn the kill switch on" }).click();
  await expect(page.getByText("The kill switch is on: actions are blocked.")).toBeVisible();
  await chart.drag(60);
  await expect(page.locator(".toasts")).toContainText(/kill switch|read-only/i);
  await expect.poll(async () => (await chart.drawing())?.places[0]?.price).toBe(before);
  await expect(chart.entries.first()).toContainText(before.toFixed(5));
});

test("a conversation about something else makes room for a new one", async ({ page, chart, chat, rehearsal }) => {
  await rehearsal.says("Good morning, sir.");
  await chat.ask("Good morning.");
  await chat.answered();
  // The chat that opens on its own does not bring up something else.
  await chart.open();
  await expect(chart.dock.getByRole("button", { name: /Mark the main support/ })).toBeVisible();
  await expect(chart.dock).not.toContainText("Good morning, sir.");
  // Nor does it when it is open: the conversation that was read last cannot draw.
  await chart.open();
  await expect(chart.dock.getByRole("button", { name: /Mark the main support/ })).toBeVisible();
  await rehearsal.says("A chart, sir.");
  await chat.ask("What is this?");
  await chat.answered();
  await expect(chat.texts.first().getByRole("link", { name: "Chart EURUSD H1" })).toBeVisible();
  await expect(chart.dock.getByText("This chat is not about")).toHaveCount(0);
});

direct("nothing keeps people out in the light theme", async ({ page, chart, context, jarvis }) => {
  await context.addCookies([{ name: "jarvis_theme", value: "light", url: jarvis.url }]);
  await chart.open();
  await chart.draw("Rectangle", [0.3, 0.3], [0.5, 0.5]);
  await expect(chart.entries).toHaveCount(1);
  await chart.entries.first().getByRole("button", { name: /^Rectangle/ }).click();
  await expectReadable(page);
  await chart.entries.first().getByRole("button", { name: "Delete Rectangle" }).click();
  await expect(page.getByLabel("Reason for deleting")).toBeFocused();
  await expectReadable(page);
});
