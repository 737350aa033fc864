// Screenshots of the chat beside the HUD, wide and narrow, dark and light: `npm run screenshots`.
import { join } from "node:path";
import { Chat, expect, test } from "../support/test.ts";

const SCREENS = [
  { name: "wide", viewport: { width: 1440, height: 900 } },
  { name: "desktop", viewport: { width: 1024, height: 768 } },
  { name: "phone", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
];

for (const { name, ...screen } of SCREENS) {
  for (const theme of ["dark", "light"] as const) {
    test.describe(`${name} ${theme}`, () => {
      test.use(screen);

      test("the dock", async ({ page, context, jarvis }) => {
        const folder = join(import.meta.dirname, "..", "test-results", "gallery", `${name}-${theme}`);
        const chat = new Chat(page);
        await context.addCookies([{ name: "jarvis_theme", value: theme, url: jarvis.url }]);
        await page.goto(`${jarvis.url}/hud`);
        await chat.alive();
        await expect(page.getByText("4 of 4 nodes online")).toBeVisible();
        await page.getByRole("button", { name: "Ask Jarvis about Node pve" }).click();
        await expect(chat.composer).toBeFocused();
        await page.screenshot({ path: join(folder, "95-dock-ask.png") });
        await chat.ask("How is it doing?");
        await chat.answered();
        await page.screenshot({ path: join(folder, "96-dock-answer.png") });
      });
    });
  }
}
