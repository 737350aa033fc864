// Screenshots of policy, model and the card of a second person, wide and narrow, dark and light.
import { join } from "node:path";
import { Cards, START } from "../support/cards.ts";
import { Other } from "../support/people.ts";
import { enforce, propose } from "../support/policy.ts";
import { test } from "../support/test.ts";

const SCREENS = [
  { name: "wide", viewport: { width: 1440, height: 900 } },
  { name: "desktop", viewport: { width: 1024, height: 768 } },
  { name: "phone", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
];

for (const { name, ...screen } of SCREENS) {
  for (const theme of ["dark", "light"] as const) {
    test.describe(`${name} ${theme}`, () => {
      test.use(screen);

      test("the policy", async ({ page, chat, rehearsal, context, browser, jarvis }) => {
        test.slow();
        const folder = join(import.meta.dirname, "..", "test-results", "gallery", `${name}-${theme}`);
        const cookie = { name: "jarvis_theme", value: theme, url: jarvis.url };
        await context.addCookies([cookie]);
        const petra = await Other.join(context, browser, jarvis, "Petra", "operator", screen);
        await petra.context.addCookies([cookie]);
        await petra.page.reload();
        await petra.chat.alive();
        await chat.ask("Which VMs are stopped?");
        await chat.answered();
        const settings = await context.newPage();
        const shoot = (state: string) =>
          settings.screenshot({ path: join(folder, `${state}.png`), fullPage: true });
        await propose(settings, jarvis, async () => {
          await settings.getByLabel("get_vms: at least").selectOption("RED");
          await settings.getByLabel("For every request").check();
        });
        await shoot("80-policy-preview");
        await enforce(settings);
        await shoot("81-policy");
        await settings.goto(`${jarvis.url}/settings/model`);
        await shoot("82-model");
        await settings.close();
        await new Cards(chat, rehearsal).ask([START]);
        await page.screenshot({ path: join(folder, "83-second-own.png") });
        const other = petra.page;
        await other.getByRole("button", { name: "1 request waiting for you" }).click();
        await other.screenshot({ path: join(folder, "84-second-tray.png") });
        await other.locator("#waiting-tray").getByRole("button", { name: /Requested by/ }).click();
        await other.screenshot({ path: join(folder, "85-second-card.png") });
        await petra.context.close();
      });
    });
  }
}
