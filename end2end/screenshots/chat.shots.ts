// Screenshots for the README: `npm run screenshots`.
import { join } from "node:path";
import { expect, test } from "../support/test.ts";

test.use({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });

test("the chat", async ({ page, chat }) => {
  for (const earlier of ["Which VMs are stopped?", "Is any storage filling up?"]) {
    await page.getByRole("link", { name: "New conversation" }).click();
    await chat.ask(earlier);
    await chat.answered();
  }
  await page.getByRole("link", { name: "New conversation" }).click();
  await chat.ask("How is the cluster doing?");
  await chat.answered();
  await chat.ask("How busy was pve in the last 24 hours?");
  await chat.answered(2);
  await expect(page.locator("figure svg").first()).toBeVisible();
  await chat.transcript.evaluate((it) => it.scrollTo(0, it.scrollHeight));
  await page.screenshot({ path: join(import.meta.dirname, "chat.png") });
});

test.describe("with notices", () => {
  test.use({ jarvisOptions: { env: { JARVIS_NOTICES: "true" }, args: [] } });

  test("the HUD", async ({ page, jarvis }) => {
    await page.goto(`${jarvis.url}/hud`);
    await expect(page.getByText("4 of 4 nodes online")).toBeVisible();
    await expect(page.locator(".trace__line").first()).toBeVisible();
    await expect(page.getByRole("button", { name: /^Acknowledge/ }).first()).toBeVisible({ timeout: 100_000 });
    await page.screenshot({ path: join(import.meta.dirname, "hud.png") });
  });
});
