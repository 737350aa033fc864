// Every state of a call that waits for a person, to be looked at: `npm run screenshots`.
import { join } from "node:path";
import { Cards, START, START_OTHER, STOP } from "../support/cards.ts";
import { expect, test } from "../support/test.ts";

const SCREENS = [
  { name: "desktop", viewport: { width: 1440, height: 900 } },
  { name: "phone", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
];

for (const { name, ...screen } of SCREENS) {
  for (const theme of ["dark", "light"] as const) {
    test.describe(`${name} ${theme}`, () => {
      test.use(screen);

      test("calls that wait", async ({ page, chat, rehearsal, context, jarvis }) => {
        test.slow();
        const folder = join(import.meta.dirname, "..", "test-results", "gallery", `${name}-${theme}`);
        const cards = new Cards(chat, rehearsal);
        let count = 40;
        const shoot = async (state: string) => {
          await page.screenshot({ path: join(folder, `${++count}-${state}.png`) });
        };
        await context.addCookies([{ name: "jarvis_theme", value: theme, url: jarvis.url }]);
        await page.goto(jarvis.url);
        await chat.alive();
        await page.getByRole("checkbox", { name: /Plan first/ }).check();
        await shoot("plan-switch");
        await page.getByRole("checkbox", { name: /Plan first/ }).uncheck();

        const card = await cards.ask([START], "Start VM 113 on pve, please.");
        await shoot("asked");
        await card.read();
        await shoot("asked-ready");
        await card.box.getByRole("checkbox", { name: /same call again/ }).check();
        await card.authorise.scrollIntoViewIfNeeded();
        await shoot("grant-offer");
        await page.getByRole("button", { name: "1 call waits for you" }).click();
        await shoot("tray");
        await page.keyboard.press("Escape");
        await chat.composer.fill("And tell me how it went.");
        await shoot("two-ways");
        await chat.composer.fill("");
        await card.read();
        await card.authorise.click();
        await chat.answered();
        await shoot("authorised");
        await page.getByText("1 standing grant").click();
        await cards.told("Start vm").locator("summary").click();
        await shoot("grants-and-open-card");

        await page.goto(jarvis.url);
        await chat.alive();
        const stop = await cards.ask([STOP, START_OTHER], "Stop VM 112 and start 213, both on pve.");
        await shoot("two-calls");
        await stop.box.getByRole("checkbox", { name: /Pull the plug/ }).click();
        await expect(stop.box).toContainText("Cannot be undone");
        await shoot("typed-top");
        await stop.authorise.scrollIntoViewIfNeeded();
        await shoot("typed");
        await stop.box.getByRole("button", { name: "Change the input" }).click();
        await shoot("editing");
        await stop.box.getByRole("button", { name: "Discard" }).click();
        await page.getByRole("button", { name: "Kill switch: off" }).click();
        await shoot("kill-switch-asks");
        await page.getByRole("button", { name: "Turn the kill switch on" }).click();
        await expect(page.getByText("only reading runs.")).toBeVisible();
        await shoot("kill-switch-on");
        await page.getByRole("button", { name: "Lift…" }).click();
        await page.getByRole("button", { name: "Lift it" }).click();
        await stop.comment.fill("Not now.");
        await stop.deny.click();
        await expect(cards.open).toHaveCount(1);
        await chat.stop.click();
        await expect(chat.ended("Stopped")).toBeVisible();
        await shoot("denied-withdrawn");

        await page.goto(jarvis.url);
        await chat.alive();
        await page.getByRole("checkbox", { name: /Plan first/ }).check();
        await rehearsal.says("1. Look at the node.\n2. Start VM 113.");
        await chat.ask("How would you start the windows VM?");
        await chat.answered();
        await shoot("plan");
      });
    });
  }
}
