// The palette: one field that leads everywhere.
import { expect, expectAccessible, test } from "../support/test.ts";

test("a thing is found by a part of its name, and a question is asked, by keyboard alone", async ({ page, chat }) => {
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search or run a command" });
  const field = palette.getByRole("combobox", { name: "Search or run a command" });
  await expect(field).toBeFocused();
  await expect(palette.getByRole("option", { name: "New conversation" })).toHaveAttribute("aria-selected", "true");
  await expectAccessible(page);
  await page.keyboard.type("truen");
  await expect(palette.getByRole("option").first()).toContainText("truenas");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/guest\/110$/);
  await expect(palette).toBeHidden();

  await page.keyboard.press("Control+k");
  await page.keyboard.type("<b>why</b> is it slow");
  const ask = palette.getByRole("option", { name: "Ask “<b>why</b> is it slow”" });
  await expect(ask).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/$/);
  await expect(chat.composer).toHaveValue("<b>why</b> is it slow");

  // Arrows go round; Escape leaves everything as it was.
  await page.keyboard.press("Control+k");
  await page.keyboard.press("ArrowUp");
  await expect(palette.getByRole("option").last()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Escape");
  await expect(palette).toBeHidden();
  await expect(page).toHaveURL(/\/$/);
});

test("the tab of the chat leads back to the conversation that was read last", async ({ page, chat, rehearsal }) => {
  await rehearsal.says("Good.");
  await chat.ask("Hello");
  await chat.answered();
  const there = page.url();
  await page.getByRole("link", { name: "HUD" }).click();
  await expect(page).toHaveURL(/\/hud$/);
  await page.getByRole("link", { name: "Chat", exact: true }).click();
  await expect(page).toHaveURL(there);
  await page.getByRole("link", { name: "Chat", exact: true }).click();
  await expect(page).toHaveURL(/\/$/);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("pages are at the bottom, the palette at the top", async ({ page }) => {
    const tabs = page.getByRole("navigation", { name: "Dashboard" });
    const box = await tabs.boundingBox();
    expect(box && Math.round(box.y + box.height)).toBe(844);
    await page.getByRole("button", { name: "Search or run a command" }).tap();
    const palette = page.getByRole("dialog", { name: "Search or run a command" });
    await expect(palette.getByRole("combobox")).toBeFocused();
    await page.keyboard.type("pihole");
    await expect(palette.getByRole("option").first()).toContainText("pihole");
    await palette.getByRole("option").first().tap();
    await expect(page).toHaveURL(/\/guest\/200$/);
    await tabs.getByRole("link", { name: "Feed" }).tap();
    await expect(page).toHaveURL(/\/feed$/);
  });
});
