// What a card shows beside its sentence: what is at stake, and its sections.
import { type CardParts, dealParts, EVERY_PART } from "../support/card-parts.ts";
import { Cards, START, STOP } from "../support/cards.ts";
import { expect, expectAccessible, test as base } from "../support/test.ts";

const test = base.extend<{ cards: Cards; deal: (parts: CardParts) => Promise<void> }>({
  cards: async ({ chat, rehearsal }, use) => use(new Cards(chat, rehearsal)),
  deal: async ({ page, chat }, use) =>
    use(async (parts) => {
      await dealParts(page, parts);
      await page.reload();
      await chat.alive();
    }),
});

test("each kind of section is shown as plain text, and the end has to be seen", async ({ page, cards, deal }) => {
  await deal(EVERY_PART);
  const card = await cards.ask([START], "Start VM 113 on pve, please.");
  const stakes = card.box.getByRole("list", { name: "At stake" });
  await expect(stakes.getByRole("listitem")).toHaveCount(5);
  await expect(stakes).toContainText("Line 2: deletes recursively");
  // Moments are in the reader's own time, with the exact one on hover.
  await expect(stakes.locator("time")).toHaveAttribute("datetime", "2026-11-23T02:00:00Z");
  await expect(stakes.locator("time")).toHaveAttribute("title", /2026.*(UTC|GMT)/);
  await expect(stakes).not.toContainText("2026-11-23T");

  const part = (name: string) => card.box.getByRole("region", { name }).or(card.box.locator(".confirm__section", { hasText: name }));
  await expect(part("Configuration").locator(".line--removed")).toContainText("memory: 16384");
  await expect(part("Configuration").locator(".line--added")).toContainText("memory: 24576");
  await expect(part("Script (bash)")).toContainText("<b>bold</b>");
  await expect(part("Script (bash)").locator(".line__text--grave")).toHaveText('rm -rf "$CACHE"/*');
  await expect(part("Script (bash)").locator(".line__text .code-keyword, .line__text .code-text").first()).toBeVisible();
  const table = card.box.getByRole("table");
  await expect(table.locator("tfoot")).toContainText("490.28");
  await expect(table.locator("tbody .number").first()).toHaveCSS("text-align", "right");
  await expect(card.box.getByRole("link", { name: "Invoice 2026-1041" })).toHaveAttribute("rel", "noopener noreferrer");
  await expect(part("See also")).toContainText("https://erp.example/1041");

  // The buttons are in view from the start, but not what stands above their bar.
  await expect(card.approve).toBeInViewport();
  await expect(card.approve).toBeDisabled();
  await expectAccessible(page);
  await card.read();
  await expect(card.approve).toBeEnabled();
});

test("a kind of section that the page does not know bars the approval", async ({ cards, deal }) => {
  await deal({ sections: [{ type: "hologram", title: "Effect" }] });
  const card = await cards.ask([START], "Start VM 113 on pve, please.");
  await expect(card.box).toContainText("A part of this request can't be shown here.");
  await expect(card.box).toContainText("This page is out of date");
  await expect(card.approve).toBeDisabled();
  await expect(card.deny).toBeEnabled();
});

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test.describe(`at ${viewport.width} px`, () => {
    test.use({ viewport });

    test("what, on what, what is at stake and both decisions are on the first screen", async ({ cards }) => {
      const card = await cards.ask([STOP], "Stop VM 112 on pve, please.");
      await expect(card.box.getByRole("heading", { level: 3 })).toBeInViewport({ ratio: 1 });
      await expect(card.box.locator(".confirm__what")).toBeInViewport({ ratio: 1 });
      for (const stake of await card.box.locator(".stake").all()) await expect(stake).toBeInViewport({ ratio: 1 });
      await expect(card.deny).toBeInViewport({ ratio: 1 });
      await expect(card.approve).toBeInViewport({ ratio: 1 });
      // Nothing has to be scrolled for it.
      await expect(card.approve).toBeEnabled();
    });
  });
}
