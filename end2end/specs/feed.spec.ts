// The feed: live at the top, stable elsewhere, endless backwards, each event at its address.
import type { Page } from "@playwright/test";
import { Chat, expect, expectAccessible, test } from "../support/test.ts";

const lines = (page: Page) => page.locator(".feed__line");
const named = (page: Page, text: string | RegExp) => lines(page).filter({ hasText: text });
const where = (page: Page) => page.locator(".feed").evaluate((it) => it.scrollTop);

async function open(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Feed", exact: true }).click();
  await expect(page).toHaveURL(/\/feed$/);
  await expect(page.getByRole("heading", { name: "Feed", level: 1 })).toBeVisible();
  await expect(named(page, "Signed in with a link").first()).toBeVisible();
}

/** Adds an event to the feed. */
async function killSwitch(page: Page, url: string): Promise<void> {
  const other = await page.context().newPage();
  await other.goto(url);
  await new Chat(other).alive();
  await other.getByRole("button", { name: "Kill switch: off" }).click();
  await other.getByRole("button", { name: "Turn the kill switch on" }).click();
  await expect(other.getByText("The kill switch is on: actions are blocked.")).toBeVisible();
  await other.close();
}

test("filters are in the address, search finds, all by keyboard", async ({ page, context, jarvis }) => {
  await open(page);
  await expect.poll(() => lines(page).count(), { timeout: 20_000 }).toBeGreaterThan(20);
  await expectAccessible(page);

  const signIns = page.getByRole("button", { name: "Sign-in", exact: true });
  await signIns.press("Enter");
  await expect(signIns).toHaveAttribute("aria-pressed", "true");
  await expect(lines(page)).toHaveCount(1);
  await expect(page).toHaveURL(/\/feed\?kind=sign_in$/);

  const search = page.getByRole("searchbox", { name: "Search the feed" });
  await search.fill("no such \"word* OR (");
  await expect(page.getByText("No matching events.")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).press("Enter");
  await expect(search).toHaveValue("");
  await search.fill("backup done");
  await expect(named(page, "Signed in with a link")).toHaveCount(0);
  await expect(named(page, "Backup (vzdump)").first()).toBeVisible();
  await expect(page).toHaveURL(/q=backup\+done/);

  // A shared address shows the same, even in the first HTML.
  const html = await (await context.request.get(page.url())).text();
  expect(html).toContain("Backup (vzdump)");
  expect(html).not.toContain("Signed in with a link");
  await page.reload();
  await new Chat(page).alive();
  await expect(search).toHaveValue("backup done");

  // A line unfolds, and links to its own address.
  const line = lines(page).first();
  await line.locator("summary").press("Enter");
  await expect(line.getByText("When", { exact: true })).toBeVisible();
  await page.getByText("More filters").click();
  await expect(page.getByRole("textbox", { name: "Target" })).toBeVisible();
  await expectAccessible(page);
  await line.getByRole("link", { name: "Show only this event" }).click();
  await expect(page).toHaveURL(/\/feed\/evt_[0-9A-Z]{13}$/);
  const found = page.locator(".feed__line--named");
  await expect(found).toBeInViewport();
  await expect(found.locator("summary")).toBeFocused();
  await expect(found.locator("details")).toHaveAttribute("open", "");

  const file = await context.request.get(`${jarvis.url}/feed/export?format=csv&kind=sign_in`);
  expect((await file.text()).trim().split("\r\n")).toHaveLength(2);
});

test("new ones appear at the top and move nothing elsewhere", async ({ page, jarvis }) => {
  await open(page);
  await expect.poll(() => lines(page).count(), { timeout: 20_000 }).toBeGreaterThan(40);
  await killSwitch(page, jarvis.url);
  await expect(named(page, "The kill switch was turned on")).toBeVisible();

  // Endless backwards, with a bounded page.
  const oldest = async () => lines(page).last().getAttribute("id");
  const first = await oldest();
  await page.locator(".feed").evaluate((it) => it.scrollTo(0, it.scrollHeight));
  await expect.poll(oldest).not.toBe(first);
  const seen = await where(page);
  expect(seen).toBeGreaterThan(500);
  const anchor = await page.evaluate(() => {
    // In the middle itself there may be a day's heading.
    const lines = [...document.querySelectorAll(".feed__line")];
    const line = lines.find((line) => line.getBoundingClientRect().y > innerHeight / 2);
    return { id: line?.id ?? "", y: line?.getBoundingClientRect().y ?? 0 };
  });
  const other = await page.context().newPage();
  await other.goto(jarvis.url);
  await new Chat(other).alive();
  await new Chat(other).ask("Is the cluster healthy?");
  const fresh = page.getByRole("button", { name: /^\d+ new$/ });
  await expect(fresh).toBeVisible({ timeout: 20_000 });
  await other.close();
  const y = await page.evaluate((id) => document.getElementById(id)?.getBoundingClientRect().y, anchor.id);
  expect(y).toBeCloseTo(anchor.y, 0);
  await fresh.press("Enter");
  await expect.poll(() => where(page)).toBe(0);
  await expect(lines(page).first()).toContainText("Tool call");
  await expect(fresh).toHaveCount(0);
});
