// Screenshots of the list of conversations, its search, the shortcuts and the page without a
// server: `npm run screenshots`.
import { join } from "node:path";
import { Chat, expect, test } from "../support/test.ts";

const SCREENS = [
  { name: "wide", viewport: { width: 1440, height: 900 } },
  { name: "phone", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
];

for (const { name, ...screen } of SCREENS) {
  for (const theme of ["dark", "light"] as const) {
    test.describe(`${name} ${theme}`, () => {
      test.use(screen);

      test("the list", async ({ page, context, jarvis, rehearsal }) => {
        const folder = join(import.meta.dirname, "..", "test-results", "gallery", `${name}-${theme}`);
        const shoot = (state: string) => page.screenshot({ path: join(folder, `${state}.png`) });
        const chat = new Chat(page);
        const drawer = async () => {
          if (name === "phone") await page.getByRole("button", { name: "Show or hide the list" }).click();
        };
        await context.addCookies([{ name: "jarvis_theme", value: theme, url: jarvis.url }]);
        await rehearsal.script({ blocks: [{ type: "text", text: "The pool is 71 % full, sir." }], times: 9 });
        for (const title of ["How full is the pool on the NAS?", "Why did the backup of VM 112 fail?", "Plan the update"]) {
          await page.goto(jarvis.url);
          await chat.alive();
          await chat.ask(title);
          await chat.answered();
        }
        await shoot("97-conversation");
        await drawer();
        const line = page.getByRole("listitem").filter({ hasText: "Plan the update" });
        await line.hover();
        await line.getByRole("button", { name: "Pin" }).click();
        await expect(page.getByRole("heading", { name: "Pinned" })).toBeVisible();
        await shoot("97-list");
        await page.getByRole("searchbox", { name: "Search conversations" }).fill("pool");
        await expect(page.locator(".finder mark").first()).toBeVisible();
        await shoot("98-search");
        await page.getByRole("searchbox", { name: "Search conversations" }).fill("");
        await line.getByRole("button", { name: "Delete" }).click();
        await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
        await shoot("98-undo");
        await page.keyboard.press("Escape");
        await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
        await page.keyboard.press("?");
        await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
        await shoot("99-shortcuts");
        await page.goto(`${jarvis.url}/offline.html`);
        await shoot("99-offline");
      });
    });
  }
}
