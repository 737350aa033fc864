// The conversation beside a chart is about its symbol.
import type { Page } from "@playwright/test";
import { Chat } from "../support/chat.ts";
import { ChartPage, importCandles } from "../support/chart.ts";
import { AWAY, expect, test } from "../support/test.ts";

test.use({ viewport: { width: 1440, height: 900 }, timezoneId: "UTC" });
test.slow();

/** Goes from one symbol to another on the chart. */
async function go(page: Page, chart: ChartPage, from: string, to: string): Promise<void> {
  await page.getByRole("button", { name: from, exact: true }).click();
  await page.getByRole("link", { name: to, exact: true }).click();
  await expect.poll(async () => (await chart.state())?.symbol).toBe(to.replace("/", ""));
  await chart.shown();
}

test("the dock has the conversation of the symbol on view", async ({
  page,
  browser,
  jarvis,
  chat,
  rehearsal,
  consoleErrors,
}) => {
  consoleErrors.expect(AWAY);
  await importCandles(jarvis, "GBPUSD");
  await page.goto(jarvis.url);
  await chat.alive();
  await rehearsal.says("Good morning, sir.");
  await chat.ask("Good morning.");
  await chat.answered();

  const chart = new ChartPage(page);
  await chart.open("/chart/EURUSD/H1");
  await rehearsal.says("The euro rises, sir.");
  await chat.ask("Where does the euro go?");
  await chat.answered();
  // Its title can be read beside a chart: all of it, or as much as most of the dock's width has.
  const title = chart.dock.locator(".chat__title");
  await expect(title).not.toBeEmpty();
  const shares = async () => {
    const widths = await title.evaluate((it) => [it.clientWidth, it.scrollWidth] as const);
    const dock = (await chart.dock.boundingBox())?.width ?? Number.POSITIVE_INFINITY;
    return Math.max(widths[0] / widths[1], widths[0] / (0.6 * dock));
  };
  expect(await shares()).toBeGreaterThanOrEqual(1);
  await go(page, chart, "EUR/USD", "GBP/USD");
  await expect(chart.dock).not.toContainText("The euro rises, sir.");
  await expect(chart.dock.getByRole("button", { name: /Mark the main support/ })).toBeVisible();
  await rehearsal.says("The pound falls, sir.");
  await chat.ask("Where does the pound go?");
  await chat.answered();
  await go(page, chart, "GBP/USD", "EUR/USD");
  await expect(chart.dock).toContainText("The euro rises, sir.");
  await go(page, chart, "EUR/USD", "GBP/USD");
  await expect(chart.dock).toContainText("The pound falls, sir.");

  // The list has the symbol's, and on request all; what is about no chart is in neither.
  const talks = page.getByRole("region", { name: "Conversations about charts" });
  await expect(talks.getByRole("listitem")).toHaveCount(1);
  await expect(talks.getByRole("listitem")).toContainText("GBP/USD H1");
  await talks.getByLabel("Of all symbols").check();
  await expect(talks.getByRole("listitem")).toHaveCount(2);
  const euro = talks.getByRole("listitem").filter({ hasText: "EUR/USD H1" });
  await euro.getByRole("button", { name: /^Open/ }).click();
  await expect(chart.dock).toContainText("The euro rises, sir.");

  // Another tab has read nothing yet, and the newest conversation is about the pound.
  const other = await page.context().newPage();
  await other.goto(`${jarvis.url}/chart/EURUSD/H1`);
  await new Chat(other).alive();
  await expect(new ChartPage(other).dock).toContainText("The euro rises, sir.");

  // Nor has a browser that shows a chart for the first time, where the chat opens on its own.
  const cookies = await page.context().cookies();
  const storageState = { cookies, origins: [] };
  const first = await browser.newContext({ storageState, viewport: { width: 1440, height: 900 }, serviceWorkers: "block" });
  const fresh = await first.newPage();
  await fresh.goto(`${jarvis.url}/chart/EURUSD/H1`);
  await new Chat(fresh).alive();
  await expect(new ChartPage(fresh).dock).toContainText("The euro rises, sir.");
  await first.close();
});
