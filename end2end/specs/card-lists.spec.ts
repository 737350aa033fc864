// Several cards of one turn: one list, with a way to all of them, at a desk and on a phone.
import { Cards, START, START_OTHER, STOP } from "../support/cards.ts";
import { numbered } from "../support/rehearsal.ts";
import { expect, expectAccessible, test } from "../support/test.ts";

// Power actions take time, even in the simulation.
test.slow();

const DESK = { viewport: { width: 1440, height: 900 }, hasTouch: false, isMobile: false };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

for (const [name, screen] of [
  ["at a desk", DESK],
  ["on a phone", PHONE],
] as const) {
  test.describe(name, () => {
    test.use(screen);

    test("three cards of a turn are one list with one way to all", async ({ page, chat, rehearsal }) => {
      // Something to scroll to, so that no card is in view.
      await rehearsal.says(numbered(1200));
      await chat.ask("Count, please.");
      await chat.answered();
      const cards = new Cards(chat, rehearsal);
      await cards.ask([START, START_OTHER, STOP], "Start 113 and 213, stop 112, all on pve.");
      for (const place of [0, 1, 2]) {
        await expect(cards.card(place).box).toContainText(`${place + 1} of 3`);
      }

      const review = page.locator(".waiting-strip").getByRole("button", { name: "Review all", exact: true });
      // The transcript stays at its end until it has seen that a person scrolled away from it.
      await expect(async () => {
        const box = await chat.transcript.boundingBox();
        await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 40);
        await page.mouse.wheel(0, -4_000);
        await expect(review).toBeVisible({ timeout: 500 });
      }).toPass();
      await expect(page.locator(".waiting-strip")).toContainText("3 requests need your decision.");
      await expectAccessible(page);
      await review.click();
      await expect(cards.card().box).toBeInViewport();
      await expect(review).toHaveCount(0);

      // The same three on the HUD, where one press shows the list.
      await page.getByRole("link", { name: "HUD" }).click();
      const waiting = page.getByRole("region", { name: "Waiting for your decision" });
      await expect(waiting).toContainText("3 requests are waiting for your decision");
      await waiting.getByRole("button", { name: "Review all 3" }).click();
      const calls = page.locator("#waiting-tray .tray__call");
      await expect(calls).toHaveCount(3);
      await expect(calls.filter({ hasText: "VM 113" })).toBeVisible();
      await expectAccessible(page);
      await calls.filter({ hasText: "VM 113" }).click();
      await expect(cards.open).toHaveCount(3);
      await expect(cards.open.filter({ hasText: "VM 113" })).toBeInViewport();
      await cards.open.filter({ hasText: "VM 113" }).getByRole("button", { name: /^Deny: / }).click();
      await expect(cards.open).toHaveCount(2);
    });
  });
}
