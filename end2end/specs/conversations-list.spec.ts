// The list of conversations: pinning, archiving, deleting and restoring, searching.
import type { Locator, Page } from "@playwright/test";
import { Chat, expect, expectAccessible, test } from "../support/test.ts";

/** The titles under the headings of the list, from top to bottom. */
const shown = (chat: Chat) =>
  chat.list.locator(".sidebar__list li").evaluateAll((items) =>
    items.map((it) => it.querySelector("h2, .sidebar-item__title")?.textContent ?? ""),
  );

const line = (chat: Chat, title: string) =>
  chat.list.getByRole("link", { name: new RegExp(`^${title}`) });

const field = (page: Page) => page.getByRole("searchbox", { name: "Search conversations" });

/** Clicks a button of a line, as with a mouse. */
async function press(chat: Chat, what: string, title: string): Promise<void> {
  await line(chat, title).hover();
  await chat.list.getByRole("button", { name: `${what} ${title}` }).click();
}

/** Presses the Tab key until an element has the focus. */
async function tabTo(page: Page, goal: Locator): Promise<void> {
  for (let n = 0; n < 60 && !(await goal.evaluate((it) => it === document.activeElement)); n++) {
    await page.keyboard.press("Tab");
  }
  await expect(goal).toBeFocused();
}

async function begin(page: Page, chat: Chat, titles: string[]): Promise<void> {
  for (const title of titles) {
    await page.goto(new URL("/", page.url()).href);
    await chat.alive();
    await chat.ask(title);
    await chat.answered();
  }
}

test("pinned is on top, archived is elsewhere, deleted comes back: in every tab", async ({ page, chat, rehearsal, context, jarvis }) => {
  await rehearsal.script({ blocks: [{ type: "text", text: "Quite, sir." }], times: 9 });
  await begin(page, chat, ["Alpha", "Beta", "Gamma"]);
  const second = await context.newPage();
  await second.goto(jarvis.url);
  const other = new Chat(second);
  await other.alive();
  expect(await shown(chat)).toEqual(["Today", "Gamma", "Beta", "Alpha"]);

  await press(chat, "Pin", "Alpha");
  await expect.poll(() => shown(other)).toEqual(["Pinned", "Alpha", "Today", "Gamma", "Beta"]);
  await expect.poll(() => shown(chat)).toEqual(["Pinned", "Alpha", "Today", "Gamma", "Beta"]);
  await page.reload();
  await chat.alive();
  expect(await shown(chat)).toEqual(["Pinned", "Alpha", "Today", "Gamma", "Beta"]);
  await press(chat, "Unpin", "Alpha");
  await expect.poll(() => shown(other)).toEqual(["Today", "Gamma", "Beta", "Alpha"]);

  // The archive, and restoring from it: by a button, or by a new message.
  await press(chat, "Archive", "Beta");
  await expect.poll(() => shown(other)).toEqual(["Today", "Gamma", "Alpha"]);
  await press(chat, "Archive", "Alpha");
  await chat.list.getByRole("button", { name: "Archived" }).click();
  await expect(line(chat, "Beta")).toBeVisible();
  await expect(line(chat, "Gamma")).toBeHidden();
  await expectAccessible(page);
  await press(chat, "Restore", "Alpha");
  await expect(line(chat, "Alpha")).toBeHidden();
  await line(chat, "Beta").click();
  await chat.ask("And now?");
  await chat.answered(2);
  await expect(chat.list.getByText("No archived conversations.")).toBeVisible();
  await chat.list.getByRole("button", { name: "Back to the list" }).click();
  await expect.poll(() => shown(chat)).toEqual(["Today", "Beta", "Gamma", "Alpha"]);

  // Deleted while it is open in two tabs; restored, it works in both.
  await line(other, "Beta").click();
  await expect(other.ended("Answered")).toHaveCount(2);
  await press(chat, "Delete", "Beta");
  await expect(page).toHaveURL(`${jarvis.url}/`);
  await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
  // It is nowhere near the button that sends.
  const [toasts, send] = [await page.locator(".toasts").boundingBox(), await chat.send.boundingBox()];
  expect((toasts?.y ?? 0) + (toasts?.height ?? 0)).toBeLessThan(send?.y ?? 0);
  const gone = second.getByText(/This conversation was deleted|Conversation not found/);
  await expect(gone).toBeVisible();
  await expect.poll(() => shown(other)).toEqual(["Today", "Gamma", "Alpha"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => shown(other)).toEqual(["Today", "Beta", "Gamma", "Alpha"]);
  await expect(chat.ended("Answered")).toHaveCount(2);
  await expect(gone).toBeHidden();
  await chat.ask("Still there?");
  await expect(other.ended("Answered")).toHaveCount(3);
});

test("a search jumps to the message, with the keyboard alone", async ({ page, chat, rehearsal }) => {
  // Long enough that its middle is out of view at its end.
  const filler = Array.from({ length: 60 }, (_, n) => `Paragraph ${n} of the report.`).join("\n\n");
  await rehearsal.says(`The needle \u{202e}<b>lies</b> here.`);
  await chat.ask("Alpha");
  await chat.answered();
  await rehearsal.says(filler);
  await chat.ask("Go on");
  await chat.answered(2);
  const there = page.url();
  await page.goto(new URL("/", there).href);
  await chat.alive();

  await page.keyboard.press("Control+/");
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('needle "li');
  const hits = chat.list.getByRole("list", { name: "Results" }).getByRole("link");
  await expect(hits).toHaveCount(1);
  await expect(hits.locator("mark")).toHaveText(["needle", "lies"]);
  await expect(hits).toContainText("<b>");
  await expect(hits).toContainText("\\u{202e}");
  await expectAccessible(page);
  await page.keyboard.press("ArrowDown");
  await expect(hits).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(field(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`^${there}#msg_`));
  const found = page.locator(".row--found");
  await expect(found).toContainText("The needle");
  await expect(found).toBeInViewport();
  await expect(found).toHaveCount(0, { timeout: 10_000 });
  await expect(chat.texts.filter({ hasText: "The needle" })).toBeInViewport();

  // Its address leads there too.
  await page.reload();
  await chat.alive();
  await expect(chat.texts.filter({ hasText: "The needle" })).toBeInViewport();

  // Escape: from a hit to the field, from the text to the list.
  await page.keyboard.press("Control+/");
  await page.keyboard.type("report");
  await expect(hits).toHaveCount(1);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  await expect(field(page)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(field(page)).toHaveValue("");
  await expect(line(chat, "Alpha")).toBeVisible();

  // Deleted and restored without a mouse.
  // The line is one stop of the Tab key; the arrows lead to its buttons.
  await tabTo(page, line(chat, "Alpha"));
  for (const _ of ["Pin", "Rename", "Archive", "Delete"]) await page.keyboard.press("ArrowRight");
  await expect(chat.list.getByRole("button", { name: "Delete Alpha" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Undo" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(line(chat, "Alpha")).toBeVisible();
  await expect(chat.ended("Answered")).toHaveCount(2);
});

test("conversations go into folders", async ({ page, chat, rehearsal }) => {
  await rehearsal.script({ blocks: [{ type: "text", text: "Quite, sir." }], times: 9 });
  await begin(page, chat, ["Alpha", "Beta", "Gamma"]);
  const open = (name: string) => chat.list.getByRole("button", { name, exact: true }).click();
  const choose = async (...titles: string[]) => {
    for (const title of titles) await chat.list.getByRole("checkbox", { name: new RegExp(title) }).check();
  };
  await open("Folders");
  await expect(chat.list.getByRole("status")).toContainText("No folders.");
  await open("Back to the list");
  await open("Choose");
  await choose("Alpha", "Gamma");
  await chat.list.getByRole("combobox", { name: "Folder" }).fill(" Back\tups ");
  await open("Move");
  await expect(chat.list.getByRole("status")).toContainText("2 moved to");
  await expectAccessible(page);
  await open("Back to the list");
  await open("Folders");
  await chat.list.getByRole("button", { name: "Back ups 2 conversations" }).click();
  await expect(line(chat, "Alpha")).toBeVisible();
  await expect(line(chat, "Gamma")).toBeVisible();
  await expect(line(chat, "Beta")).toBeHidden();
  await expectAccessible(page);

  // Another tab and a restart see the same; an empty field takes them out, and a folder with nothing in it is gone.
  await page.reload();
  await open("Choose");
  await choose("Alpha", "Gamma");
  await open("Take out");
  await expect(chat.list.getByRole("status")).toHaveText("2 taken out of their folders.");
  await open("Back to the list");
  await open("Folders");
  await expect(chat.list.getByRole("status")).toContainText("No folders.");
});

test("several conversations are archived at once", async ({ page, chat, rehearsal }) => {
  await rehearsal.script({ blocks: [{ type: "text", text: "Quite, sir." }], times: 9 });
  await begin(page, chat, ["Alpha", "Beta", "Gamma"]);
  await chat.list.getByRole("button", { name: "Choose", exact: true }).click();
  for (const title of ["Alpha", "Gamma"]) await chat.list.getByRole("checkbox", { name: new RegExp(title) }).check();
  await expectAccessible(page);
  await chat.list.getByRole("button", { name: "Archive 2 conversations" }).click();
  await expect(chat.list.getByRole("status")).toHaveText("2 archived.");
  await expect(chat.list.getByRole("checkbox")).toHaveCount(1);
  await chat.list.getByRole("button", { name: "Older than 7 days" }).click();
  await expect(chat.list.getByRole("status")).toHaveText("0 chosen.");
  await chat.list.getByRole("button", { name: "Back to the list" }).click();
  expect(await shown(chat)).toEqual(["Today", "Beta"]);
  await chat.list.getByRole("button", { name: "Archived" }).click();
  await expect(line(chat, "Gamma")).toBeVisible();
});
