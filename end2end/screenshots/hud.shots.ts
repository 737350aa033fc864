// Screenshots of the HUD in its states, wide and narrow, dark and light: `npm run screenshots`.
import { join } from "node:path";
import { Cluster } from "../support/cluster.ts";
import { Chat, expect, test } from "../support/test.ts";

test.use({
  jarvisOptions: {
    env: { JARVIS_NOTICES: "true", JARVIS_NOTICES_HOLD_SECONDS: "0" },
    args: [],
  },
});

const SCREENS = [
  { name: "wide", viewport: { width: 1440, height: 900 } },
  { name: "desktop", viewport: { width: 1024, height: 768 } },
  { name: "phone", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
];

for (const { name, ...screen } of SCREENS) {
  for (const theme of ["dark", "light"] as const) {
    test.describe(`${name} ${theme}`, () => {
      test.use(screen);

      test("the HUD", async ({ page, context, jarvis }) => {
        test.slow();
        const folder = join(import.meta.dirname, "..", "test-results", "gallery", `${name}-${theme}`);
        await context.addCookies([{ name: "jarvis_theme", value: theme, url: jarvis.url }]);
        await page.goto(`${jarvis.url}/hud`);
        await new Chat(page).alive();
        const hud = page.locator(".hud");
        const shoot = async (state: string) => {
          await hud.evaluate((it) => it.scrollTo(0, 0));
          await page.screenshot({ path: join(folder, `${state}-1.png`) });
          await hud.evaluate((it) => it.scrollTo(0, it.scrollHeight / 2 - 200));
          await page.screenshot({ path: join(folder, `${state}-2.png`) });
          await page.getByRole("searchbox", { name: /Find guests/ }).scrollIntoViewIfNeeded();
          await hud.evaluate((it) => it.scrollTo(0, it.scrollHeight));
          await page.screenshot({ path: join(folder, `${state}-3.png`) });
        };
        await expect(page.getByText("4 of 4 nodes online")).toBeVisible();
        await shoot("90-hud");
        const cluster = new Cluster(jarvis);
        await cluster.order(
          { type: "offline", node: "agent1", on: true },
          { type: "revoke", path: "/nodes/agent", privilege: "Sys.Audit" },
        );
        const dead = page.getByRole("listitem").filter({ hasText: "Node agent1 is offline." });
        await expect(dead).toBeVisible({ timeout: 90_000 });
        await expect(page.getByText(/missing privilege/).first()).toBeVisible({ timeout: 30_000 });
        await shoot("91-hud-trouble");
        await dead.getByRole("button", { name: "Acknowledge" }).click();
        await expect(dead).toContainText("acknowledged by");
        await shoot("92-hud-acknowledged");
      });
    });
  }
}
