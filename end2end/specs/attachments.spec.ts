// Files with a message: pasted, dropped and picked; refused ones; the model's view of them.
import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "../support/test.ts";

/** Pastes a picture in the form a screenshot tool leaves it. */
async function pasteImage(page: Page, name: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).evaluate(async (field, name) => {
    const canvas = new OffscreenCanvas(320, 200);
    const context = canvas.getContext("2d")!;
    context.fillStyle = "teal";
    context.fillRect(0, 0, 320, 200);
    context.fillStyle = "orange";
    context.fillRect(40, 60, 120, 90);
    const data = new DataTransfer();
    data.items.add(new File([await canvas.convertToBlob()], name, { type: "image/png" }));
    const options = { clipboardData: data, bubbles: true, cancelable: true };
    field.dispatchEvent(new ClipboardEvent("paste", options));
  }, name);
}

/** Drops a text file on the composer. */
async function dropText(page: Page, name: string, text: string): Promise<void> {
  const composer = page.getByRole("textbox", { name: "Message" });
  await composer.evaluate(
    (field, [name, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text], name, { type: "text/plain" }));
      for (const kind of ["dragover", "drop"]) {
        const options = { dataTransfer: data, bubbles: true, cancelable: true };
        field.dispatchEvent(new DragEvent(kind, options));
      }
    },
    [name, text] as const,
  );
}

async function pick(page: Page, name: string, buffer: Buffer): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach images or text files" }).press("Enter");
  await (await chooser).setFiles({ name, mimeType: "image/png", buffer });
}

const chips = (page: Page) => page.getByRole("list", { name: "Attached to the message" });
const uploads = (page: Page) =>
  page.getByRole("list", { name: "Files not attached yet" });

test("an image and a text go with a message, and the model gets them", async ({ page, chat, consoleErrors }) => {
  // Scripts in a file must not run; the browser reports it when the test itself opens the file.
  consoleErrors.expect(/Blocked script execution in .*\/files\//);
  await pasteImage(page, "shot.png");
  await expect(chips(page)).toContainText("shot.png");
  const log = "disk full\non /dev/sda1\n";
  await dropText(page, "syslog.txt", log);
  await expect(chips(page)).toContainText("syslog.txt, 23 B");
  await chat.composer.fill("What is wrong here?");
  await expectAccessible(page);

  // The draft still has them after a reload.
  await page.reload();
  await chat.alive();
  await expect(chips(page).getByRole("listitem")).toHaveCount(2);
  await expect(chat.composer).toHaveValue("What is wrong here?");
  await pasteImage(page, "other.png");
  // The same picture is already attached under its first name; the message waits for the other.
  await chat.composer.press("Enter");
  await chat.answered();
  await expect(chips(page)).toBeHidden();
  const shown = async () => {
    const image = chat.transcript.getByRole("img", { name: "shot.png" });
    await expect
      .poll(() => image.evaluate((it: HTMLImageElement) => it.naturalWidth))
      .toBe(320);
    await expect(chat.transcript.getByRole("link", { name: "syslog.txt, 23 B" })).toBeVisible();
    // The rehearsal model reports what really arrived.
    const answer = chat.texts.last();
    await expect(answer).toContainText(/shot\.png: an image \(image\/png\) of \d+ bytes/);
    await expect(answer).toContainText("syslog.txt: a text of 23 bytes in 2 lines");
  };
  await shown();
  await expectAccessible(page);
  await page.reload();
  await chat.alive();
  await shown();
  const text = page.waitForEvent("popup");
  await chat.transcript.getByRole("link", { name: "syslog.txt, 23 B" }).click();
  await expect((await text).locator("body")).toHaveText(/disk full/);

  // Files need no text.
  await pasteImage(page, "shot.png");
  await expect(chips(page)).toContainText("shot.png");
  await chat.composer.press("Enter");
  await chat.answered(2);
  await expect(chat.transcript.getByRole("img", { name: "shot.png" })).toHaveCount(2);
  await expect(chat.texts.last()).toContainText("shot.png: an image");
});

test("what cannot be taken says why, and what was lost is tried again", async ({
  page,
  chat,
  consoleErrors,
}) => {
  consoleErrors.expect(/status of 422/);
  consoleErrors.expect(/ERR_FAILED|Failed to fetch/);
  await pick(page, "huge.png", Buffer.alloc(5 << 20, 1));
  await expect(uploads(page)).toContainText("huge.png, 5.0 MiB wasn't attached.");
  await pick(page, "page.png", Buffer.from("\x89PNG\r\n\x1a\n<html>", "latin1"));
  await expect(uploads(page)).toContainText("The image is damaged");
  await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(0);
  await expectAccessible(page);
  for (const name of ["huge.png", "page.png"]) {
    await page.getByRole("button", { name: `Dismiss ${name}` }).press("Enter");
  }
  await expect(uploads(page)).toBeHidden();
  await expect(chat.composer).toBeFocused();

  await page.route("**/files?*", (route) => route.abort());
  await pasteImage(page, "shot.png");
  await expect(uploads(page)).toContainText("Can't reach the server.");
  await page.unroute("**/files?*");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(chips(page)).toContainText("shot.png");
  await page.getByRole("button", { name: /^Remove shot.png/ }).click();
  await expect(chips(page)).toBeHidden();
});

test("a message that is sent while its files are on their way has them", async ({
  page,
  chat,
  consoleErrors,
}) => {
  consoleErrors.expect(/ERR_FAILED|Failed to fetch/);
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route("**/files?*", async (route) => {
    await held;
    await route.fallback();
  });
  await pasteImage(page, "shot.png");
  await chat.ask("And this?");
  await expect(page.getByText("Sends when the files are attached")).toBeVisible();
  // Text still being written is not sent.
  await chat.composer.press("End");
  await page.keyboard.type(" Quick.");
  await expect(page.getByText("Sends when the files are attached")).toBeHidden();
  await chat.composer.press("Enter");
  await expect(chat.composer).toHaveValue("And this? Quick.");
  await expectAccessible(page);
  letGo();
  await chat.answered();
  await expect(chat.composer).toHaveValue("");
  await expect(chat.texts.last()).toContainText("shot.png: an image");

  // A file that fails to upload keeps the message back.
  let fail = () => {};
  const waits = new Promise<void>((resolve) => (fail = resolve));
  await page.unroute("**/files?*");
  await page.route("**/files?*", async (route) => {
    await waits;
    await route.abort();
  });
  await pasteImage(page, "other.png");
  await chat.ask("And that?");
  await expect(page.getByText("Sends when the files are attached")).toBeVisible();
  fail();
  await expect(uploads(page)).toContainText("Can't reach the server.");
  await expect(chat.composer).toHaveValue("And that?");
});

test("a message that waits keeps its files", async ({ page, chat, rehearsal }) => {
  await rehearsal.script({
    blocks: [{ type: "text", text: "One. ".repeat(400) }],
    pace: { tokens_per_second: 40 },
  });
  await chat.ask("Talk for a while.");
  await expect(chat.stop).toBeVisible();
  await pasteImage(page, "shot.png");
  await expect(chips(page)).toContainText("shot.png");
  await chat.ask("And this?");
  await expect(chat.queued("And this?")).toContainText("shot.png");
  // A withdrawn message comes back complete.
  await chat.queue.getByRole("button", { name: /Withdraw/ }).click();
  await expect(chips(page)).toContainText("shot.png");
  await expect(chat.composer).toHaveValue("And this?");
  await chat.composer.press("Enter");
  await expect(chat.queued("And this?")).toBeVisible();
  await chat.stop.click();
  await chat.answered();
  await expect(chat.texts.last()).toContainText("shot.png: an image");
});
