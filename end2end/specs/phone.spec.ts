// A phone 390 pixels wide.
import { expectFits } from "../support/fits.ts";
import { numbered } from "../support/rehearsal.ts";
import { expect, expectAccessible, test } from "../support/test.ts";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, contextOptions: { reducedMotion: "no-preference" } });

test("the whole way on a phone", async ({ page, chat, rehearsal }) => {
  await expectFits(page);
  await expect(chat.composer).toBeInViewport({ ratio: 1 });
  await expect(chat.list).not.toBeInViewport();
  await expectAccessible(page);

  await page.getByRole("button", { name: "How is the cluster doing?" }).tap();
  await chat.answered();
  await expectFits(page);
  const card = chat.tool("Cluster status");
  await chat.lines.first().locator("> summary").tap();
  if (!(await card.getByRole("heading", { name: "Result" }).isVisible())) await card.locator("summary").tap();
  await expect(card.getByRole("heading", { name: "Result" })).toBeVisible();
  await expectFits(page);
  await expectAccessible(page);

  await rehearsal.says(
    `A wide table and a long word, sir.\n\n| ${"column | ".repeat(9)}\n|${" --- |".repeat(9)}\n` +
      `| ${"some value | ".repeat(9)}\n\n${"unbroken".repeat(30)}\n\n\`\`\`\n${"code ".repeat(60)}\n\`\`\`\n`,
  );
  await chat.composer.fill("Show me a wide thing.");
  await chat.send.tap();
  await chat.answered(2);
  await expectFits(page);
  await expect(chat.composer).toBeInViewport({ ratio: 1 });

  // The list covers the page, and closes on a choice or when it is dismissed.
  const menu = page.getByRole("button", { name: "Show or hide the list of conversations" });
  await menu.tap();
  await expect(chat.list).toBeInViewport();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(chat.list).not.toBeInViewport();
  await menu.tap();
  await chat.list.getByRole("link", { name: "New conversation" }).tap();
  await expect(page.getByRole("heading", { name: "At your service." })).toBeVisible();
  await expect(chat.list).not.toBeInViewport();

  // Touch targets are large enough.
  const small = await page.evaluate(() =>
    [...document.querySelectorAll("button, a, summary")]
      .map((it) => ({ name: it.textContent?.trim(), box: it.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && box.left >= 0 && (box.width < 24 || box.height < 24))
      .filter(({ box }) => box.bottom > 0)
      .map(({ name, box }) => `${name}: ${box.width} × ${box.height}`),
  );
  expect(small).toEqual([]);
});

test("on a small phone every suggestion is above the composer, and no empty line is below it", async ({
  page,
  chat,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const composer = page.locator("form.composer");
  const suggestions = page.getByRole("list", { name: "Example questions" }).getByRole("button");
  await expect(suggestions.first()).toBeVisible();
  const top = async () => (await composer.boundingBox())?.y ?? 0;
  for (const suggestion of await suggestions.all()) {
    await expect(suggestion).toBeInViewport({ ratio: 1 });
    const box = await suggestion.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(await top());
  }
  await expectFits(page);

  // The hint about keys has no place on a touch screen, and keeps none.
  const [field, bar] = [await composer.boundingBox(), await page.locator(".chat-bar").boundingBox()];
  expect((bar?.y ?? 0) - ((field?.y ?? 0) + (field?.height ?? 0))).toBeLessThan(16);
  await expect(chat.composer).toBeInViewport({ ratio: 1 });
});

test("with the keyboard open the composer keeps its last line and Send in view", async ({ page, chat, rehearsal }) => {
  await rehearsal.says(numbered(300));
  await chat.ask("Count, please.");
  await chat.answered();
  await chat.composer.tap();
  // What a keyboard leaves of the screen.
  await page.setViewportSize({ width: 390, height: 420 });
  await chat.composer.fill(Array.from({ length: 30 }, (_, n) => `line ${n + 1}`).join("\n"));
  await chat.composer.press("Control+End");
  await expect(chat.send).toBeInViewport({ ratio: 1 });
  await expect(chat.composer).toBeInViewport({ ratio: 1 });
  const below = () => chat.composer.evaluate((it) => it.scrollHeight - it.clientHeight - it.scrollTop);
  // Less than a line: the space below the last one may be out of view.
  await expect.poll(below).toBeLessThan(16);
  // Some of the conversation is still there, and more than one line of the message.
  expect((await chat.transcript.boundingBox())?.height).toBeGreaterThanOrEqual(24);
  expect((await chat.composer.boundingBox())?.height).toBeGreaterThanOrEqual(64);
  await expectFits(page);
});

test("a long question after a short answer is followed", async ({ page, chat, rehearsal }) => {
  const top = () => chat.transcript.evaluate((it) => it.scrollTop);
  await rehearsal.says(numbered(80));
  await chat.ask("Count, please.");
  await chat.answered();
  // All of it is in view until the field grows. When that is emptied, the browser moves the text back.
  expect(await top()).toBe(0);
  await chat.composer.fill(Array.from({ length: 12 }, (_, n) => `line ${n + 1}`).join("\n"));
  await expect.poll(top).toBeGreaterThan(0);
  await rehearsal.says("Twelve lines, sir.");
  await chat.send.tap();
  await expect(page.locator(".user-message").last()).toContainText("line 12");
  await chat.answered(2);
  await expect(page.locator(".user-message").last()).toBeInViewport({ ratio: 1 });
  await expect(chat.texts.last()).toBeInViewport({ ratio: 1 });
  await expect(chat.ended("Answered").last()).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("button", { name: /New text|Go to the end/ })).toBeHidden();
});
