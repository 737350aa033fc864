// Screenshots of the feed, wide and narrow, dark and light: `npm run screenshots`.
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

      test("the feed", async ({ page, chat, context, jarvis }) => {
        test.slow();
        const folder = join(import.meta.dirname, "..", "test-results", "gallery", `${name}-${theme}`);
        await context.addCookies([{ name: "jarvis_theme", value: theme, url: jarvis.url }]);
        await page.goto(jarvis.url);
        await new Chat(page).alive();
        await chat.ask("Is the cluster healthy?");
        await chat.answered();
        await expect.poll(async () => {
          const file = await context.request.get(`${jarvis.url}/feed/export?format=jsonl`);
          const text = await file.text();
          return text.includes('"call"') && text.includes('"task"');
        }, { timeout: 20_000 }).toBe(true);
        await page.goto(`${jarvis.url}/feed`);
        await new Chat(page).alive();
        await page.screenshot({ path: join(folder, "95-feed.png") });
        await page.locator(".feed__line summary").nth(1).click();
        await page.getByText("More filters").click();
        await page.screenshot({ path: join(folder, "96-feed-open.png") });
        await page.goto(`${jarvis.url}/feed?q=nothing`);
        await new Chat(page).alive();
        await page.screenshot({ path: join(folder, "97-feed-none.png") });
      });
    });
  }
}
