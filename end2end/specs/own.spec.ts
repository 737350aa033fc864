// Own calls from the HUD: the button opens the card, and only the card decides.
import type { Locator, Page } from "@playwright/test";
import { Card } from "../support/cards.ts";
import { Other } from "../support/people.ts";
import { AWAY, Chat, expect, expectAccessible, test } from "../support/test.ts";

// Power actions take time, even in the simulation.
test.slow();

const panel = (page: Page) => page.getByRole("dialog").filter({ has: page.locator("#act-title") });
const opener = (page: Page, about: string) => page.getByRole("button", { name: `on ${about}`, exact: false });
const card = (page: Page) => new Card(panel(page).locator(".confirm--asks"));

/** Presses the Tab key until an element has the focus. */
async function tabTo(page: Page, goal: Locator): Promise<void> {
  for (let n = 0; n < 12 && !(await goal.evaluate((it) => it === document.activeElement)); n++) {
    await page.keyboard.press("Tab");
  }
  await expect(goal).toBeFocused();
}

async function hud(page: Page): Promise<void> {
  await page.getByRole("link", { name: "HUD" }).click();
  await expect(page.getByText("quorate", { exact: true })).toBeVisible();
}

test("an operator restarts a guest with the keyboard alone and sees its task", async ({ page, browser, jarvis }) => {
  const { page: own } = await Other.join(page.context(), browser, jarvis, "Otto", "operator");
  await hud(own);
  const row = opener(own, "CT 231 on node agent");
  await row.focus();
  await expect(row).toContainText("Act");
  await own.keyboard.press("Enter");
  await expect(panel(own)).toBeVisible();
  await expect(panel(own)).toContainText("Seen running");
  await expect(own.locator("#act-title")).toBeFocused();
  const restart = panel(own).getByRole("button", { name: "Restart", exact: true });
  await tabTo(own, restart);
  await own.keyboard.press("Enter");

  // The press was no decision: it opens the card, with everything that would happen.
  const asks = card(own);
  await expect(asks.box).toHaveAccessibleName(/^Shut down CT 231 \(mqtt\) on node agent and start it again/);
  await expect(asks.box.getByRole("heading", { level: 3 })).toBeFocused();
  await expect(asks.field("vmid")).toContainText("set by a person");
  await expect(asks.box).toContainText("only to this exact request");
  await expect(asks.box.getByRole("checkbox", { name: /this again without asking/ })).toHaveCount(0);
  await expect(row).toContainText("Waiting for you");
  await expect(own.getByRole("button", { name: "1 request waiting for you" })).toBeVisible();
  await expect(restart).toHaveAttribute("aria-disabled", "true");
  await expect(panel(own)).toContainText("Your last action on it isn't finished.");
  await expectAccessible(own);

  await tabTo(own, asks.approve);
  await expect(asks.approve).toBeEnabled();
  await own.keyboard.down("Enter");
  await expect(asks.box).toBeHidden();
  await own.keyboard.up("Enter");
  await expect(panel(own)).toContainText(/Approved by Otto/);
  await expect(panel(own)).toContainText("Done: ", { timeout: 60_000 });
  await expect(panel(own).locator(".own-call__task")).toContainText(/^Task .* 231 on agent/);
  await expect(row).toContainText("Act");
  await expectAccessible(own);
  await own.keyboard.press("Escape");
  await expect(panel(own)).toBeHidden();
  await expect(row).toBeFocused();

  // It is not a conversation.
  await own.goto(jarvis.url);
  await new Chat(own).alive();
  await expect(own.getByRole("navigation").getByText("231")).toHaveCount(0);
  await own.context().close();
});

test("what waits is in the tray, which leads to it; it is not run", async ({ page, jarvis, consoleErrors }) => {
  consoleErrors.expect(AWAY);
  await hud(page);
  await opener(page, "VM 113 on node pve").click();
  await panel(page).getByRole("button", { name: "Start", exact: true }).click();
  await expect(card(page).box).toHaveAccessibleName(/^Start VM 113 /);

  // On another page, and after a restart of the server, the card is still there.
  await page.goto(jarvis.url);
  await new Chat(page).alive();
  await jarvis.kill();
  await jarvis.restart();
  const tray = page.getByRole("button", { name: "1 request waiting for you" });
  await tray.click();
  await page.getByRole("link", { name: /^Start VM 113 / }).click();
  await expect(page).toHaveURL(/\/hud$/);
  await expect(panel(page)).toBeVisible();
  const asks = card(page);
  await expect(asks.box).toHaveAccessibleName(/^Start VM 113 /);
  await asks.box.getByRole("button", { name: /^Don't run: / }).click();
  await expect(panel(page)).toContainText(/Denied/);
  await expect(page.getByRole("button", { name: "No requests waiting for you" })).toBeVisible();
});

test("who only reads is told so, and so is who meets the kill switch", async ({ page, context, browser, jarvis }) => {
  const { page: vera } = await Other.join(context, browser, jarvis, "Vera", "viewer");
  await hud(vera);
  await opener(vera, "CT 231 on node agent").click();
  const restart = panel(vera).getByRole("button", { name: "Restart", exact: true });
  await expect(panel(vera)).toContainText("Your role is read-only; actions need an operator.");
  await expect(restart).toHaveAttribute("aria-disabled", "true");
  await restart.click({ force: true });
  await expect(panel(vera).locator(".own-call")).toHaveCount(0);
  await expect(restart).toHaveAccessibleDescription(/read-only/);
  await vera.keyboard.press("Escape");
  await vera.getByRole("button", { name: "Kill switch: off" }).click();
  const stop = vera.getByRole("button", { name: "Turn the kill switch on" });
  await expect(stop).toHaveAttribute("aria-disabled", "true");
  await expect(stop).toHaveAccessibleDescription(/read-only/);
  await stop.click({ force: true });
  await expect(stop).toBeVisible();
  await vera.context().close();

  await page.getByRole("button", { name: "Kill switch: off" }).click();
  await page.getByRole("button", { name: "Turn the kill switch on" }).click();
  await hud(page);
  await opener(page, "CT 231 on node agent").click();
  await expect(panel(page)).toContainText("The kill switch is on: actions are blocked until it's lifted.");
});
