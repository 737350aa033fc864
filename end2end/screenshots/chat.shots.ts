// Screenshot for the README: `npm run screenshots`.
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
  await expect(chat.lines.first()).toBeVisible();
  await chat.transcript.evaluate((it) => it.scrollTo(0, 0));
  await page.screenshot({ path: join(import.meta.dirname, "chat.png") });
});
