// Keyboard shortcuts: the dialog, the keys' effects, and a person's own bindings.
import type { Locator, Page } from "@playwright/test";
import { expect, expectAccessible, test } from "../support/test.ts";

const map = (page: Page) => page.getByRole("dialog", { name: "Keyboard shortcuts" });
const hud = (page: Page) => page.getByRole("heading", { name: "homelab", level: 1 });

/** Leaves the focused field. */
async function leave(page: Page): Promise<void> {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
}

/** Presses the Tab key until an element has the focus. */
async function tabTo(page: Page, what: Locator): Promise<void> {
  for (let steps = 0; steps < 40; steps += 1) {
    if (await what.evaluate((it) => it === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("the Tab key does not lead there");
}

test("the map is read and changed by keyboard, and what was bound stays", async ({ page, chat, jarvis }) => {
  // In a field the character is typed.
  await chat.composer.focus();
  await page.keyboard.press("?");
  await expect(chat.composer).toHaveValue("?");
  await chat.composer.fill("");
  await leave(page);
  await page.keyboard.press("?");
  await expect(map(page)).toBeVisible();
  await expectAccessible(page);

  // Keys already in use are refused with a reason.
  const change = map(page).getByRole("button", { name: "Change the shortcut: Go to the HUD" });
  const said = map(page).getByRole("status");
  await tabTo(page, change);
  await page.keyboard.press("Enter");
  await expect(said).toHaveText("Press the new shortcut for “Go to the HUD”. Esc keeps the old one.");
  await page.keyboard.press("j");
  await expect(said).toHaveText("J is already used for “Next conversation in the list”. Change that shortcut first.");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+w");
  await expect(said).toContainText("Ctrl+W is reserved by the browser.");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await expect(said).toHaveText("Nothing was changed.");
  await page.keyboard.press("Enter");
  await page.keyboard.press("x");
  await expect(said).toHaveText("X is now the shortcut for “Go to the HUD”.");
  await expectAccessible(page);

  // Keys have no effect behind the dialog.
  await page.keyboard.press("x");
  await expect(page).toHaveURL(`${jarvis.url}/`);
  await page.keyboard.press("Escape");
  await expect(map(page)).toBeHidden();
  await page.keyboard.press("h");
  await expect(page).toHaveURL(`${jarvis.url}/`);
  await page.keyboard.press("x");
  await expect(hud(page)).toBeVisible();

  await page.goto(jarvis.url);
  await chat.alive();
  await leave(page);
  await page.keyboard.press("x");
  await expect(hud(page)).toBeVisible();

  await page.keyboard.press("?");
  const reset = map(page).getByRole("button", { name: "Reset all" });
  await tabTo(page, reset);
  await page.keyboard.press("Enter");
  await expect(said).toHaveText("Shortcuts reset to defaults.");
  await page.keyboard.press("Escape");
  await page.keyboard.press("c");
  await expect(hud(page)).toBeHidden();
  await leave(page);
  await page.keyboard.press("h");
  await expect(hud(page)).toBeVisible();
});

test("the keys do what the map says", async ({ page, chat, rehearsal, jarvis }) => {
  for (const question of ["The first?", "The second?"]) {
    await page.keyboard.press("Escape");
    await leave(page);
    await page.keyboard.press("n");
    await expect(page).toHaveURL(`${jarvis.url}/`);
    await expect(chat.composer).toBeFocused();
    await rehearsal.says("Quite, sir.");
    await chat.ask(question);
    await chat.answered();
  }
  await leave(page);
  await page.keyboard.press("j");
  await expect(page.getByRole("heading", { level: 1, name: "The first?" })).toBeVisible();
  await leave(page);
  await page.keyboard.press("k");
  await expect(page.getByRole("heading", { level: 1, name: "The second?" })).toBeVisible();
  await leave(page);
  await page.keyboard.press("m");
  await expect(chat.composer).toBeFocused();
  await leave(page);
  await page.keyboard.press("b");
  await expect(chat.list).toBeHidden();
  await page.keyboard.press("b");
  await expect(chat.list).toBeVisible();
  await page.keyboard.press("f");
  await expect(page).toHaveURL(/\/feed$/);
  await page.keyboard.press("Control+i");
  await expect(page.getByRole("complementary", { name: "Chat" })).toBeVisible();
  await leave(page);
  await page.keyboard.press("c");
  await expect(page.getByRole("heading", { level: 1, name: "The second?" })).toBeVisible();
});

test("keys scroll the page on view, whatever was clicked before", async ({ page, jarvis }) => {
  await page.setViewportSize({ width: 1024, height: 600 });
  const scroller = page.locator("#main [data-scroller]").first();
  const at = () => scroller.evaluate((it) => it.scrollTop);
  const toEnd = () => scroller.evaluate((it) => it.scrollHeight - it.clientHeight - it.scrollTop);
  for (const path of ["/hud", "/node/pve"]) {
    await page.goto(`${jarvis.url}${path}`);
    await expect(async () => {
      await page.keyboard.press("PageDown");
      expect(await at()).toBeGreaterThan(0);
    }).toPass();
    await page.keyboard.press("End");
    await expect.poll(toEnd).toBeLessThan(2);
    await page.keyboard.press("Home");
    await expect.poll(at).toBe(0);
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("PageDown");
    await expect.poll(at).toBeGreaterThan(0);
  }
});

test("page keys in an empty message field move the transcript above it", async ({ page, chat, rehearsal }) => {
  const lines = Array.from({ length: 80 }, (_, line) => `Line ${line}.`).join("\n\n");
  await rehearsal.says(lines);
  await chat.ask("All lines?");
  await chat.answered();
  const at = () => chat.transcript.evaluate((it) => it.scrollTop);
  await expect.poll(at).toBeGreaterThan(500);
  const end = await at();
  await chat.composer.focus();
  await page.keyboard.press("PageUp");
  await expect.poll(at).toBeLessThan(end - 100);
  await page.keyboard.press("PageDown");
  await expect.poll(at).toBe(end);
  await page.keyboard.press("Home");
  await expect.poll(at).toBe(0);
  await page.keyboard.press("End");
  await expect.poll(at).toBe(end);
  await expect(chat.composer).toBeFocused();
  // With words in it, they are the words' keys.
  await chat.composer.fill("words");
  await page.keyboard.press("PageUp");
  expect(await at()).toBe(end);
});
