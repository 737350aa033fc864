// Screenshots of an own call: the panel, its card and its result, wide and narrow, dark and light.
import { join } from "node:path";
import { Card } from "../support/cards.ts";
import { Chat, expect, test } from "../support/test.ts";

const SCREENS = [
  { name: "wide", viewport: { width: 1440, height: 900 } },
  { name: "phone", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
];

for (const { name, ...screen } of SCREENS) {
  for (const theme of ["dark", "light"] as const) {
    test.describe(`${name} ${theme}`, () => {
      test.use(screen);

      test("an own call", async ({ page, context, jarvis }) => {
        test.slow();
        const folder = join(import.meta.dirname, "..", "test-results", "gallery", `${name}-${theme}`);
        const shoot = (state: string) => page.screenshot({ path: join(folder, `${state}.png`) });
        await context.addCookies([{ name: "jarvis_theme", value: theme, url: jarvis.url }]);
        await page.goto(`${jarvis.url}/hud`);
        await new Chat(page).alive();
        await page.getByRole("button", { name: "on VM 113 on node pve" }).click();
        await expect(page.locator("#act-title")).toContainText("VM 113");
        await page.locator("#act-title").focus();
        await shoot("95-act");
        const panel = page.locator("#act-panel");
        await panel.getByRole("button", { name: "Start", exact: true }).click();
        const card = new Card(panel.locator(".confirm--asks"));
        await expect(card.box).toBeVisible();
        await shoot("96-act-asks-1");
        await card.read();
        await shoot("96-act-asks-2");
        await card.allow();
        await expect(panel).toContainText("Done: ", { timeout: 60_000 });
        await panel.evaluate((it) => it.scrollTo(0, 0));
        await shoot("97-act-done");
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "on node pve", exact: false }).first().click();
        await expect(page.locator("#act-title")).toContainText("Node pve");
        await shoot("98-act-node");
      });
    });
  }
}
