// Screenshots of the chart at five sizes, dark and light, and its picture in the README: `npm run
// screenshots`.
import { join } from "node:path";
import { ChartPage } from "../support/chart.ts";
import { Chat, expect, test } from "../support/test.ts";

const TOUCH = { hasTouch: true, isMobile: true };

const SCREENS = [
  { name: "wide", viewport: { width: 1440, height: 900 } },
  { name: "desktop", viewport: { width: 1024, height: 768 } },
  { name: "tablet", viewport: { width: 768, height: 1024 }, ...TOUCH },
  { name: "phone", viewport: { width: 390, height: 844 }, ...TOUCH },
  { name: "small-phone", viewport: { width: 360, height: 740 }, ...TOUCH },
];

for (const { name, ...screen } of SCREENS) {
  for (const theme of ["dark", "light"] as const) {
    test.describe(`${name} ${theme}`, () => {
      test.use({ ...screen, reducedMotion: "reduce", timezoneId: "UTC" });

      test("the chart", async ({ page, context, jarvis }) => {
        const folder = join(import.meta.dirname, "..", "test-results", "gallery", `${name}-${theme}`);
        const chat = new Chat(page);
        const chart = new ChartPage(page);
        // Up to 56 rem the chat covers the page, and opens only on request.
        const isSheet = screen.viewport.width <= 896;
        await context.addCookies([{ name: "jarvis_theme", value: theme, url: jarvis.url }]);
        await page.goto(`${jarvis.url}/chart/EURUSD/H1`);
        await chat.alive();
        await chart.shown();
        // As a person sees it first.
        await chart.fold.click();
        await page.screenshot({ path: join(folder, "97-chart.png") });
        if (isSheet) await page.getByRole("button", { name: "Ask Jarvis about Chart EURUSD H1" }).tap();
        await chat.ask("Mark the main support and resistance and the last swing's fibonacci.");
        await chat.answered();
        await page.screenshot({ path: join(folder, "98-chart-answer.png") });
        if (isSheet) await page.getByRole("button", { name: "Close the chat" }).tap();
        await expect.poll(async () => (await chart.state())?.drawings.length).toBe(3);
        await page.screenshot({ path: join(folder, "99-chart-drawn.png") });
        if (name === "wide" && theme === "dark") {
          await page.screenshot({ path: join(import.meta.dirname, "chart.png") });
        }
      });
    });
  }
}
