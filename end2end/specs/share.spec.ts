// A shared conversation: signed-in people can read it by its link, and nobody after the link ends.
import { Chat, expect, expectAccessible, test } from "../support/test.ts";
import { Other } from "../support/people.ts";

const SHOTS = process.env["SHOTS"];

test("a link is made, read by another person, and ended", async ({ page, chat, rehearsal, jarvis, browser, context }) => {
  await rehearsal.says("All nodes answer.\n\n- pve\n- agent");
  await chat.ask("How is the cluster?");
  await chat.answered();

  await page.getByRole("button", { name: "Share", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Share this conversation" });
  await expect(dialog.getByText("None.")).toBeVisible();
  await dialog.getByRole("combobox", { name: "Expires" }).selectOption("after 30 days");
  await dialog.getByRole("button", { name: "Create link" }).click();
  const field = dialog.getByRole("textbox", { name: /^The link/ });
  await expect(field).toHaveValue(/\/shared\/[\w-]{32}$/);
  const link = await field.inputValue();
  await expect(dialog.getByRole("listitem")).toHaveText(/Created just now, expires in (30 d|29 d 23 h)/);
  await expect(dialog.getByRole("button", { name: "Copy the link" })).toBeVisible();
  await dialog.getByText("QR code").click();
  const code = dialog.getByRole("img", { name: "QR code of the link" });
  await expect.poll(() => code.evaluate((it) => (it as HTMLImageElement).complete && (it as HTMLImageElement).naturalWidth > 0)).toBe(true);
  await expectAccessible(page);
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/share-dialog.png` });
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Share", exact: true })).toBeFocused();

  // A viewer reads it, and can do nothing in it.
  const vera = await Other.join(context, browser, jarvis, "Vera", "viewer");
  await vera.page.goto(link);
  await vera.chat.alive();
  const there = new Chat(vera.page);
  await expect(there.transcript.getByText("All nodes answer.")).toBeVisible();
  await expect(vera.page.getByRole("heading", { level: 1, name: "How is the cluster?" })).toBeVisible();
  await expect(vera.page.getByText(/^Shared by Operator, as of \d/)).toBeVisible();
  const main = vera.page.getByRole("main");
  await expect(main.getByText("Only Operator can continue it.")).toBeVisible();
  for (const name of ["Regenerate", "Edit this message", "Share", "Send"]) {
    await expect(main.getByRole("button", { name })).toHaveCount(0);
  }
  await expect(main.getByRole("textbox")).toHaveCount(0);
  await expectAccessible(vera.page);
  if (SHOTS) {
    await vera.page.screenshot({ path: `${SHOTS}/shared.png` });
    await vera.page.setViewportSize({ width: 390, height: 844 });
    await vera.page.emulateMedia({ colorScheme: "light" });
    await vera.page.screenshot({ path: `${SHOTS}/shared-phone.png` });
  }

  // Later messages appear after a reload, and not before.
  await rehearsal.says("Nothing new.");
  await chat.ask("And now?");
  await chat.answered(2);
  await expect(there.transcript.getByText("Nothing new.")).toHaveCount(0);
  await vera.page.getByRole("button", { name: "Reload" }).click();
  await expect(there.transcript.getByText("Nothing new.")).toBeVisible();

  // Ending the link takes effect at once, and its creator sees that it is gone.
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await expect(field).toHaveCount(0);
  await dialog.getByRole("button", { name: "Revoke link" }).click();
  await expect(dialog.getByText("None.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Create link" })).toBeFocused();
  await vera.page.goto(link);
  await expect(vera.page.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
  await expectAccessible(vera.page);
  await vera.context.close();

  // A person who is not signed in is asked to sign in.
  const strange = await browser.newContext();
  const door = await strange.newPage();
  const answer = await door.goto(link);
  expect(answer?.status()).toBe(401);
  await expect(door.getByText("All nodes answer.")).toHaveCount(0);
  await strange.close();
});
