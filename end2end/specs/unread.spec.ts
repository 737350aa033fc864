// Marks in the list for waiting calls and for unread messages.
import { Cards, START } from "../support/cards.ts";
import { Chat, expect, expectAccessible, test } from "../support/test.ts";

const line = (chat: Chat, title: string) =>
  chat.list.getByRole("link", { name: new RegExp(`^${title}`) });

test.slow();

test("an answer that nobody saw is marked until one tab has shown it", async ({ page, chat, rehearsal, context }) => {
  await rehearsal.script({ blocks: [{ type: "text", text: "Quite, sir." }], times: 9 });
  await chat.ask("Alpha");
  await chat.answered();
  const alpha = page.url();
  // A conversation that is in view counts as read.
  const marks = page.locator(".line-mark");
  await expect(marks).toHaveCount(0);
  await page.goto(new URL("/", alpha).href);
  await chat.alive();
  await expect(line(chat, "Alpha")).toBeVisible();
  await expect(marks).toHaveCount(0);

  // It continues in a tab that nobody is looking at.
  const second = await context.newPage();
  await second.addInitScript(() => {
    document.hasFocus = () => false;
  });
  await second.goto(alpha);
  const away = new Chat(second);
  await away.alive();
  await away.ask("And now?");
  await away.answered(2);
  const unread = line(chat, "Alpha").getByText("unread");
  await expect(unread).toBeAttached();
  await expect(page).toHaveTitle(/^•1 /);
  await expectAccessible(page);
  await page.reload();
  await chat.alive();
  await expect(unread).toBeAttached();
  if (process.env.SHOTS) {
    await page.screenshot({ path: `${process.env.SHOTS}/unread.png` });
  }

  // Opening it removes the mark in all tabs, for good.
  await line(chat, "Alpha").click();
  await expect(marks).toHaveCount(0);
  await expect(second.locator(".line-mark")).toHaveCount(0);
  await expect(page).toHaveTitle(/^Alpha/);
  await page.reload();
  await chat.alive();
  await expect(marks).toHaveCount(0);
});

test("a call that waits is in the line, in the archive and among what is found", async ({ page, chat, rehearsal }) => {
  const cards = new Cards(chat, rehearsal);
  const card = await cards.ask([START]);
  const there = page.url();
  await expect(card.deny).toBeVisible();
  await page.goto(new URL("/", there).href);
  await chat.alive();
  const waits = chat.list.getByText("request waiting for you").first();
  await expect(waits).toBeAttached();
  await expectAccessible(page);
  const shot = async (name: string) => {
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
  };
  await page.setViewportSize({ width: 1440, height: 900 });
  await shot("waiting-dark");
  await page.emulateMedia({ colorScheme: "light" });
  await shot("waiting-light");
  await page.emulateMedia({ colorScheme: "dark" });
  const title = (await chat.list.locator(".sidebar-item__title").first().textContent()) ?? "";
  const word = title.split(" ")[0] ?? "";

  await page.keyboard.press("Control+/");
  await expect(chat.list.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type(word);
  const hits = chat.list.getByRole("list", { name: "Results" }).getByRole("link");
  await expect(hits.first()).toContainText("request waiting for you");
  await shot("waiting-found");
  await page.keyboard.press("Escape");

  await chat.list.locator(".sidebar-item").first().hover();
  await chat.list.getByRole("button", { name: /^Archive / }).first().click();
  await chat.list.getByRole("button", { name: "Archived" }).click();
  const archived = chat.list.getByRole("list", { name: "Archived conversations" });
  await expect(archived).toContainText("request waiting for you");
  await expectAccessible(page);
});
