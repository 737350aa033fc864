// Screenshots of a card with every kind of section, and of a plain one: `npm run screenshots`.
import { join } from "node:path";
import { dealParts, EVERY_PART } from "../support/card-parts.ts";
import { Cards, START, STOP } from "../support/cards.ts";
import { test } from "../support/test.ts";

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 720, height: 450 },
  { width: 390, height: 844 },
  { width: 360, height: 740 },
];

for (const viewport of SIZES) {
  for (const theme of ["dark", "light"] as const) {
    test.describe(`${viewport.width} ${theme}`, () => {
      test.use({ viewport });

      test("cards", async ({ page, chat, rehearsal, context, jarvis }) => {
        const folder = join(import.meta.dirname, "..", "test-results", "gallery", `cards-${viewport.width}-${theme}`);
        const shoot = (state: string) => page.screenshot({ path: join(folder, `${state}.png`) });
        const cards = new Cards(chat, rehearsal);
        await context.addCookies([{ name: "jarvis_theme", value: theme, url: jarvis.url }]);
        await page.goto(jarvis.url);
        await chat.alive();
        const plain = await cards.ask([STOP], "Stop VM 112 on pve, please.");
        await plain.read();
        await shoot("1-plain");
        await plain.more();
        await shoot("2-plain-details");
        await plain.deny.click();
        await chat.answered();
        await dealParts(page, EVERY_PART);
        await page.reload();
        await chat.alive();
        const whole = await cards.ask([START], "Start VM 113 on pve, please.");
        await whole.box.getByRole("heading", { level: 3 }).evaluate((it) => it.scrollIntoView());
        await shoot("3-every-part");
        await whole.read();
        await shoot("4-every-part-end");
        await whole.box.screenshot({ path: join(folder, "5-whole.png") });
      });
    });
  }
}
