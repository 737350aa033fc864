// Focus after a decision: at a useful element, never lost.
import { type Card, Cards, expectLawful, START, START_OTHER, STOP } from "../support/cards.ts";
import { expect, test as base } from "../support/test.ts";
import type { Locator, Page } from "@playwright/test";

const test = base.extend<{ cards: Cards }>({
  cards: async ({ chat, rehearsal }, use) => use(new Cards(chat, rehearsal)),
});

test.slow();

/** Moves to an element by keyboard alone. */
async function tabTo(page: Page, target: Locator, key = "Shift+Tab"): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press(key);
    if (await target.evaluate((it) => it === document.activeElement)) return;
  }
  await expect(target).toBeFocused();
}

/** Counts the frames in which nothing has the focus. */
async function watch(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const state = window as unknown as { nowhere: number };
    state.nowhere = 0;
    let frames = 0;
    const look = () => {
      // Removing and adding elements may take a frame.
      frames = document.activeElement === document.body ? frames + 1 : 0;
      if (frames > 2) state.nowhere++;
      requestAnimationFrame(look);
    };
    look();
  });
  return () => page.evaluate(() => (window as unknown as { nowhere: number }).nowhere);
}

const summary = (cards: Cards, text: string | RegExp) => cards.told(text).locator("summary");

test("the focus stays with the card that was decided", async ({ page, chat, cards }) => {
  const approve = async (card: Card) => {
    await tabTo(page, card.approve);
    await card.read();
    await page.keyboard.press("Enter");
  };
  // From here on: a page that is young has not put the focus anywhere yet.
  await expect(chat.composer).toBeFocused();
  const nowhere = await watch(page);
  await approve(await cards.ask([START]));
  await expect(summary(cards, "Start vm")).toBeFocused();
  await chat.answered();
  await expect(summary(cards, "Start vm")).toBeFocused();
  // The next key opens the card.
  await page.keyboard.press("Enter");
  await expect(cards.told("Start vm").getByRole("heading", { name: "Request" })).toBeVisible();

  await chat.composer.focus();
  const denied = await cards.ask([START_OTHER]);
  await tabTo(page, denied.deny);
  await page.keyboard.press("Enter");
  await expect(summary(cards, "Start container")).toBeFocused();
  await chat.answered(2);
  expect(await nowhere()).toBe(0);
  await expectLawful(page);
});

test("the focus follows a card through its changes", async ({ page, chat, cards }) => {
  const card = await cards.ask([STOP], "Stop VM 112 on pve, please.");
  const nowhere = await watch(page);
  const change = card.box.getByRole("button", { name: "Edit the input" });
  await card.more();
  await tabTo(page, change);
  await page.keyboard.press("Enter");
  await expect(card.box.locator(".edit-form__field").first()).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(change).toBeFocused();

  // A new revision has to be read from its beginning.
  const plug = card.box.getByRole("checkbox", { name: /Force off/ });
  await tabTo(page, plug, "Tab");
  await page.keyboard.press(" ");
  await expect(plug).toBeChecked();
  await expect(card.box.getByRole("heading", { level: 3 })).toBeFocused();
  await tabTo(page, card.deny, "Tab");
  await page.keyboard.press("Enter");
  await expect(summary(cards, "Stop vm")).toBeFocused();
  await chat.answered();
  expect(await nowhere()).toBe(0);
});

test("of several cards the next one is one step away", async ({ page, chat, cards }) => {
  await cards.ask([START, START_OTHER], "Start 113 and 213, both on pve.");
  const nowhere = await watch(page);
  await tabTo(page, cards.card(0).deny);
  await page.keyboard.press("Enter");
  await expect(summary(cards, "Start vm")).toBeFocused();
  await expect(cards.open).toHaveCount(1);
  await tabTo(page, cards.card(0).deny, "Tab");
  await page.keyboard.press("Enter");
  await chat.answered();
  await expect(summary(cards, "Start container")).toBeFocused();
  expect(await nowhere()).toBe(0);
});

test("the focus goes to the composer when the way to a question goes", async ({ page, chat, cards }) => {
  await page.setViewportSize({ width: 1024, height: 420 });
  const card = await cards.ask([START]);
  const nowhere = await watch(page);
  const review = page.getByRole("button", { name: "Review" });
  // The transcript stays at its end until it has seen that a person scrolled away from it.
  await expect(async () => {
    await card.box.getByRole("heading", { level: 3 }).hover();
    await page.mouse.wheel(0, -400);
    await expect(review).toBeVisible({ timeout: 500 });
  }).toPass();
  await review.focus();
  await card.approve.evaluate((it) => it.scrollIntoView({ block: "end" }));
  await expect(review).toHaveCount(0);
  await expect(chat.composer).toBeFocused();
  expect(await nowhere()).toBe(0);
});

test.describe("with little time", () => {
  test.use({ jarvisOptions: { env: { JARVIS_CONFIRMATION_SECONDS: "8" }, args: [] } });

  test("the focus survives a question that lapses", async ({ page, chat, cards }) => {
    const card = await cards.ask([START]);
    const nowhere = await watch(page);
    await card.comment.focus();
    await chat.answered();
    await expect(summary(cards, "Expired without a decision")).toBeFocused();
    expect(await nowhere()).toBe(0);
  });
});
