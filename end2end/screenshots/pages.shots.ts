// Screenshots of the pages of a node, a guest, a storage and a task: wide, narrow, dark, light.
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

      test("pages", async ({ page, context, jarvis }) => {
        test.slow();
        const folder = join(import.meta.dirname, "..", "test-results", "gallery", `${name}-${theme}`);
        await context.addCookies([{ name: "jarvis_theme", value: theme, url: jarvis.url }]);
        for (const [state, path] of [
          ["95-node", "/node/pve"],
          ["96-guest", "/guest/101"],
          ["97-storage", "/storage/nas"],
        ]) {
          await page.goto(`${jarvis.url}${path}`);
          await new Chat(page).alive();
          await page.getByRole("button", { name: "Day", exact: true }).click();
          await expect(page.getByText("rrddata?timeframe=day")).toBeVisible();
          const hud = page.locator(".hud");
          await page.screenshot({ path: join(folder, `${state}-1.png`) });
          await hud.evaluate((it) => it.scrollTo(0, 700));
          await page.screenshot({ path: join(folder, `${state}-2.png`) });
          await hud.evaluate((it) => it.scrollTo(0, it.scrollHeight));
          await page.screenshot({ path: join(folder, `${state}-3.png`) });
        }
        await page.goto(`${jarvis.url}/node/pve`);
        await page.getByRole("region", { name: "Tasks" }).getByRole("link", { name: "vzdump" }).first().click();
        await expect(page).toHaveURL(/\/task\//);
        await page.screenshot({ path: join(folder, "98-task.png") });
      });
    });
  }
}
