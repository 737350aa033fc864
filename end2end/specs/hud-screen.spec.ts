// The first screen of the HUD, its notices in groups, and its table: at a desk, by keyboard, and on a
// phone.
import type { Page } from "@playwright/test";
import { Chat, expect, expectAccessible, test } from "../support/test.ts";

const LOOK = { timeout: 60_000 };
const WITH_NOTICES = {
  env: { JARVIS_NOTICES: "true", JARVIS_NOTICES_HOLD_SECONDS: "0" },
  args: [],
};

const rows = (page: Page) => page.getByRole("table", { name: "Guests" }).locator("tbody tr");
const notices = (page: Page) => page.getByRole("region", { name: "Notices" });

async function open(page: Page): Promise<void> {
  await page.getByRole("link", { name: "HUD" }).click();
  await expect(page.getByText("4 of 4 nodes online")).toBeVisible();
}

test.describe("at a desk", () => {
  test.use({ viewport: { width: 1440, height: 900 }, jarvisOptions: WITH_NOTICES });

  test("everything that matters is on the first screen", async ({ page }) => {
    test.slow();
    await open(page);
    await expect(page.locator(".hud__health")).toHaveText(/^All nodes are up, but .+\.$/);
    await expect(notices(page).getByText(/^\d+ guests have no recent backup$/)).toBeVisible(LOOK);
    // Nothing of the overview is below the fold, and the table begins above it.
    for (const part of [".hud__head", ".hud__nodes", ".hud__columns"]) {
      const box = await page.locator(part).boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0), part).toBeLessThanOrEqual(900);
    }
    expect((await page.locator(".hud__guests").boundingBox())?.y).toBeLessThan(900);
    // Four in a row.
    const tops = await page.getByRole("article").evaluateAll((all) => all.map((it) => it.getBoundingClientRect().y));
    expect(new Set(tops).size).toBe(1);
    expect(tops).toHaveLength(4);
    await expectAccessible(page);

    await page.setViewportSize({ width: 1024, height: 768 });
    const two = await page.getByRole("article").evaluateAll((all) => all.map((it) => it.getBoundingClientRect().y));
    expect(new Set(two).size).toBe(2);
  });

  test("notices of a kind are one line, and acknowledged together", async ({ page }) => {
    test.slow();
    await open(page);
    const group = notices(page).getByRole("listitem").filter({ hasText: /guests have no recent backup/ });
    await expect(group).toHaveCount(1, LOOK);
    await group.getByRole("button", { name: /^Show/ }).press("Enter");
    const each = group.getByRole("listitem");
    const count = await each.count();
    expect(count).toBeGreaterThan(1);
    await expect(group).toContainText(`${count} guests have no recent backup`);
    await group.getByRole("button", { name: /^Hide/ }).press("Enter");
    await group.getByRole("button", { name: /^Acknowledge\b/ }).press("Enter");
    // Each is acknowledged by itself: for a moment there are two groups.
    await expect(notices(page).locator("#notices-backup")).toHaveCount(0);
    await expect(group).toContainText("acknowledged by Operator");
    await expect(group.getByRole("button", { name: /^Acknowledge/ })).toHaveCount(0);
    await expect(group).toBeFocused();
    await expectAccessible(page);
    await page.reload();
    await new Chat(page).alive();
    await expect(group).toContainText("acknowledged by Operator");
  });
});

test("the table by keyboard: filtered, sorted, and as it was after a reload", async ({ page }) => {
  await open(page);
  const all = await rows(page).count();
  const without = page.getByRole("button", { name: /^No recent backup \d+$/ });
  await without.press("Enter");
  await expect(without).toHaveAttribute("aria-pressed", "true");
  await expect(rows(page)).toHaveCount(Number((await without.innerText()).replace(/\D/g, "")));
  expect(await rows(page).count()).toBeLessThan(all);
  await page.getByRole("button", { name: /^All \d+$/ }).press("Enter");

  const cpu = page.getByRole("columnheader", { name: "CPU" });
  await cpu.getByRole("button").press("Enter");
  await expect(cpu).toHaveAttribute("aria-sort", "descending");
  await cpu.getByRole("button").press("Enter");
  await expect(cpu).toHaveAttribute("aria-sort", "ascending");
  const find = page.getByRole("searchbox", { name: /Find guests/ });
  await find.pressSequentially("100");
  await expect(rows(page)).toHaveCount(1);
  await find.press("Escape");

  // The dots of a row are its menu: with the chat, its page, and its actions.
  await rows(page).first().getByRole("button", { name: /^Actions on / }).press("Enter");
  const menu = page.locator("#act-panel");
  await expect(menu.getByRole("button", { name: /^Ask Jarvis about Guest \d+$/ })).toBeVisible();
  await expect(menu.getByRole("link", { name: "Open" })).toHaveAttribute("href", /^\/guest\/\d+$/);
  await expectAccessible(page);
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Tiles" }).press("Enter");
  await expect(page.locator(".tile")).not.toHaveCount(0);
  await expectAccessible(page);
  await page.reload();
  await new Chat(page).alive();
  await expect(page.locator(".tile")).toHaveCount(all);
  await page.getByRole("button", { name: "Table" }).press("Enter");
  await expect(cpu).toHaveAttribute("aria-sort", "ascending");
});

test("on a wall: the board alone", async ({ page }) => {
  await open(page);
  await page.keyboard.press("w");
  await expect(page.getByRole("banner")).toBeHidden();
  await expect(page.locator(".hud__health")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("link", { name: "HUD" })).toBeVisible();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("the sentence and the nodes come first, and every target is large", async ({ page }) => {
    await page.getByRole("link", { name: "HUD" }).tap();
    await expect(page.getByText("4 of 4 nodes online")).toBeVisible();
    await expect(page.locator(".hud__health")).toBeInViewport();
    await expect(page.getByRole("article", { name: "Node Home" })).toBeInViewport();
    const small = await page.locator(".hud").evaluate((hud) =>
      [...hud.querySelectorAll("a, button, summary, input, select")]
        .map((it) => ({ box: it.getBoundingClientRect(), name: it.textContent ?? "" }))
        .filter(({ box }) => box.width > 0 && box.height < 43.5)
        .map(({ box, name }) => `${name.trim()}: ${box.height}`),
    );
    expect(small).toEqual([]);
    await expectAccessible(page);
  });
});
