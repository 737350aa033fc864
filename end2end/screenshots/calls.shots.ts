// Screenshots of every state of a call that waits for a person: `npm run screenshots`.
import { join } from "node:path";
import {
  Cards,
  journal,
  kernelLog,
  RESTART_OTHER,
  RESTART_SERVICE,
  START,
  START_OTHER,
  STOP,
} from "../support/cards.ts";
import { OUT_OF_REACH } from "../support/server.ts";
import { expect, test } from "../support/test.ts";

const SCREENS = [
  { name: "desktop", viewport: { width: 1280, height: 800 } },
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
        await card.more();
        await card.box.getByRole("checkbox", { name: /this again without asking/ }).check();
        await card.approve.scrollIntoViewIfNeeded();
        await shoot("grant-offer");
        await page.getByRole("button", { name: "1 request waiting for you" }).click();
        await shoot("tray");
        await page.keyboard.press("Escape");
        await chat.composer.fill("And tell me how it went.");
        await shoot("two-ways");
        await chat.composer.fill("");
        await card.read();
        await card.approve.click();
        await chat.answered();
        await shoot("approved");
        await page.getByText("1 active grant").click();
        await cards.told("Start vm").locator("summary").click();
        await shoot("grants-and-open-card");

        await page.goto(jarvis.url);
        await chat.alive();
        const stop = await cards.ask([STOP, START_OTHER], "Stop VM 112 and start 213, both on pve.");
        await shoot("two-calls");
        await stop.more();
        await stop.box.getByRole("checkbox", { name: /Force off/ }).click();
        await expect(stop.box).toContainText("Can't be undone");
        await shoot("typed-top");
        await stop.approve.scrollIntoViewIfNeeded();
        await shoot("typed");
        await stop.box.getByRole("button", { name: "Edit the input" }).click();
        await shoot("editing");
        await stop.box.getByRole("button", { name: "Discard" }).click();
        await page.getByRole("button", { name: "Kill switch: off" }).click();
        await shoot("kill-switch-asks");
        await page.getByRole("button", { name: "Turn the kill switch on" }).click();
        await expect(page.getByText("actions are blocked.")).toBeVisible();
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
        await rehearsal.says("Carried out.");
        await page.getByRole("button", { name: "Run the plan" }).click();
        await chat.answered();
        await shoot("plan-carried-out");
        await page.getByRole("link", { name: "an earlier conversation" }).click();
        await shoot("plan-with-link");
      });

      test("calls that acted", async ({ page, chat, rehearsal, context, jarvis, consoleErrors }) => {
        test.slow();
        consoleErrors.expect(/./);
        const folder = join(import.meta.dirname, "..", "test-results", "gallery", `${name}-${theme}`);
        const cards = new Cards(chat, rehearsal);
        let count = 70;
        const shoot = async (state: string) => {
          await page.screenshot({ path: join(folder, `${++count}-${state}.png`) });
        };
        await context.addCookies([{ name: "jarvis_theme", value: theme, url: jarvis.url }]);
        await page.goto(jarvis.url);
        await chat.alive();
        await page.getByRole("button", { name: "No requests waiting for you" }).click();
        await shoot("tray-empty");
        await page.keyboard.press("Escape");
        await cards.run(kernelLog("pve"), "Show the kernel messages on pve.");
        await cards.told("SSH command").locator("summary").click();
        await shoot("ssh");
        await page.goto(jarvis.url);
        await chat.alive();
        await cards.run(RESTART_SERVICE, "Restart smbd on pve.");
        await cards.told("Restart service").locator("summary").click();
        await shoot("service");
        await page.goto(jarvis.url);
        await chat.alive();
        const card = await cards.ask([RESTART_OTHER], "Restart container 231 on agent.");
        await card.more();
        await card.box.getByRole("checkbox", { name: /this again without asking/ }).check();
        await shoot("hold");
        await card.allow();
        await chat.answered();
        await cards.run(RESTART_OTHER, "And again, please.", 2);
        await page.getByText("1 active grant").click();
        await shoot("under-grant");
        await page.getByRole("button", { name: /^Revoke: / }).click();
        await expect(page.getByText(/Revoked by /)).toBeVisible();
        await shoot("revoked");
        const reboot = { type: "tool_use" as const, name: "reboot_node", input: { node: "pve", action: "reboot" } };
        await page.goto(jarvis.url);
        await chat.alive();
        await cards.run(reboot, "Reboot pve.");
        await cards.told("Blocked: ").locator("summary").click();
        await shoot("blocked");

        await page.goto(jarvis.url);
        await chat.alive();
        await (await cards.ask([START], "Start VM 113 on pve, please.")).allow();
        const started = async () => (await journal(page)).filter(({ type }) => type === "tool_started").length;
        await expect.poll(started).toBe(1);
        await shoot("running");
        await jarvis.kill();
        await jarvis.restart(OUT_OF_REACH);
        await chat.alive();
        const outcome = chat.transcript.getByRole("group", { name: "Outcome" });
        await expect(outcome).toBeVisible({ timeout: 60_000 });
        await chat.answered();
        await outcome.scrollIntoViewIfNeeded();
        await shoot("outcome-unknown");
        await outcome.getByRole("button", { name: "Mark as not done" }).click();
        await expect(outcome).toContainText("It did not take effect, reported by ");
        await shoot("outcome-settled");
      });

      test.describe("with little time", () => {
        test.use({ jarvisOptions: { env: { JARVIS_CONFIRMATION_SECONDS: "8" }, args: [] } });

        test("a call that lapses", async ({ page, chat, rehearsal, context, jarvis }) => {
          const folder = join(import.meta.dirname, "..", "test-results", "gallery", `${name}-${theme}`);
          const cards = new Cards(chat, rehearsal);
          await context.addCookies([{ name: "jarvis_theme", value: theme, url: jarvis.url }]);
          await page.goto(jarvis.url);
          await chat.alive();
          await cards.ask([START], "Start VM 113 on pve, please.");
          await chat.answered();
          await page.screenshot({ path: join(folder, "90-lapsed.png") });
        });
      });
    });
  }
}
