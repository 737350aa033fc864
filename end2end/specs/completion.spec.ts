// Help with writing a message: history, commands, saved prompts, names of entities.
import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "../support/test.ts";

const offers = (page: Page) => page.getByRole("listbox", { name: "Suggestions" });
const offer = (page: Page, name: string | RegExp) => offers(page).getByRole("option", { name });
const chosen = (page: Page) => offers(page).getByRole("option", { selected: true });

test("earlier messages come back, and what was written stays", async ({ page, chat, rehearsal }) => {
  for (const question of ["The first?", "The second?"]) {
    await rehearsal.says("Quite, sir.");
    await chat.ask(question);
    await chat.answered(question === "The first?" ? 1 : 2);
  }
  await expect(chat.composer).toHaveValue("");
  for (const [key, text] of [
    ["ArrowUp", "The second?"],
    ["ArrowUp", "The first?"],
    ["ArrowUp", "The first?"],
    ["ArrowDown", "The second?"],
    ["ArrowDown", ""],
    ["ArrowDown", ""],
  ] as const) {
    await chat.composer.press(key);
    await expect(chat.composer).toHaveValue(text);
  }
  // Text that somebody is writing is not replaced.
  await chat.composer.fill("Mine");
  await chat.composer.press("Home");
  await chat.composer.press("ArrowUp");
  await expect(chat.composer).toHaveValue("Mine");
  // A recalled message can be edited and sent again.
  await chat.composer.fill("");
  await chat.composer.press("ArrowUp");
  await chat.composer.press("End");
  await page.keyboard.type(" Again.");
  await rehearsal.says("As you say.");
  await chat.composer.press("Enter");
  await chat.answered(3);
  await expect(chat.transcript.getByText("The second? Again.")).toBeVisible();
});

test("commands are completed, carried out, and never sent", async ({ page, chat, rehearsal, jarvis }) => {
  await rehearsal.says("At once, sir.");
  await chat.ask("Hello?");
  await chat.answered();
  await page.keyboard.type("/");
  await expect(offers(page)).toBeVisible();
  await expect(chosen(page)).toContainText("/new");
  const line = await chat.composer.getAttribute("aria-activedescendant");
  await expect(page.locator(`#${line}`)).toContainText("/new");
  await expectAccessible(page);
  await page.keyboard.press("ArrowDown");
  await expect(chosen(page)).toContainText("/plan");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect(chosen(page)).toContainText("/help");
  // Nothing is running, so nothing can be stopped.
  await expect(offer(page, "/stop")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(offers(page)).toBeHidden();
  await expect(chat.composer).toHaveValue("/");

  await page.keyboard.type("sea");
  await expect(chosen(page)).toContainText("/search");
  await page.keyboard.press("Tab");
  await expect(chat.composer).toHaveValue("/search ");
  await expect(chat.composer).toBeFocused();
  await page.keyboard.type("hello");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("searchbox", { name: "Search conversations" })).toHaveValue("hello");
  await expect(page.getByRole("searchbox", { name: "Search conversations" })).toBeFocused();
  await expect(chat.composer).toHaveValue("");

  const saved = page.waitForEvent("download");
  await chat.ask("/export json");
  expect((await saved).suggestedFilename()).toMatch(/\.json$/);

  // A path is not a command, and a question is not an instruction.
  await rehearsal.says("It names hosts.");
  await chat.ask("/etc/hosts is what?");
  await chat.answered(2);
  await expect(chat.transcript.getByText("/etc/hosts is what?")).toBeVisible();

  await chat.ask("/plan a move to new disks");
  await expect(page).toHaveURL(`${jarvis.url}/`);
  await expect(chat.composer).toHaveValue("a move to new disks");
  await expect(page.getByRole("checkbox", { name: /Plan first/ })).toBeChecked();
  await chat.ask("/help");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
});

test("a mention is what the message is about, by its name", async ({ page, chat, rehearsal }) => {
  await page.keyboard.type("Is (@nextc");
  await expect(chosen(page)).toContainText("nextcloud");
  await expect(chosen(page)).toContainText("CT 211 · pve");
  await page.keyboard.press("Enter");
  await expect(chat.composer).toHaveValue("Is (nextcloud ");
  const about = page.getByRole("list", { name: "Attached to the message" });
  await expect(about).toContainText("nextcloud · CT 211 · pve");
  // It goes when its words do.
  await chat.composer.fill("Is (");
  await expect(about).toBeHidden();
  await page.keyboard.type("@nextc");
  await page.keyboard.press("Enter");
  await expect(about).toContainText("nextcloud");
  await page.keyboard.type("on @pve");
  await expect(offer(page, "pve").first()).toBeVisible();
  await offer(page, /^pve\s*node$/).click();
  await expect(chat.composer).toBeFocused();
  await expect(about.getByRole("listitem")).toHaveCount(2);
  // An email address is not a mention.
  await page.keyboard.type(") or me@pve");
  await expect(offers(page)).toBeHidden();
  await expectAccessible(page);

  await page.reload();
  await chat.alive();
  await expect(about.getByRole("listitem")).toHaveCount(2);
  await page.getByRole("button", { name: "Remove Node pve" }).click();
  await rehearsal.says("Quite well, sir.");
  await chat.composer.press("Enter");
  await chat.answered();
  await expect(chat.texts.first().getByRole("link", { name: "Guest 211" })).toBeVisible();
  await expect(about).toBeHidden();

  // The same in an existing conversation.
  await page.keyboard.type("And @agent1");
  await page.keyboard.press("Enter");
  await expect(about).toContainText("Node agent1");
  await rehearsal.says("That too.");
  await chat.composer.press("Enter");
  await chat.answered(2);
  await expect(chat.texts.getByRole("link", { name: "Node agent1" })).toBeVisible();
});

test("a message is kept under a name, brought back, and deleted", async ({ page, chat, jarvis }) => {
  const text = "How is the cluster?\nAnd is the <b>NAS</b> warm?";
  const save = page.getByRole("button", { name: "Save as prompt" });
  await expect(save).toBeHidden();
  await chat.composer.fill(text);
  await save.click();
  const dialog = page.getByRole("dialog", { name: "Save as prompt" });
  const name = dialog.getByRole("textbox", { name: "Name" });
  await expect(name).toBeFocused();
  await name.fill("help");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).toHaveText("/help is a command. Choose another name.");
  await expectAccessible(page);
  await name.fill("/morning");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(chat.composer).toBeFocused();

  await chat.composer.fill("");
  await page.keyboard.type("/mor");
  await expect(chosen(page)).toContainText("How is the cluster? And is the <b>NAS</b> warm?");
  await page.keyboard.press("Enter");
  await expect(chat.composer).toHaveValue(text);
  // It is recalled, not sent.
  await expect(chat.texts).toHaveCount(0);

  await page.goto(`${jarvis.url}/settings/prompts`);
  await page.getByText("/morning").click();
  const kept = page.getByRole("textbox", { name: "Text of /morning" });
  await expect(kept).toHaveValue(text);
  await expectAccessible(page);
  await kept.fill("\nAnd now?\n");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("status")).toHaveText("Your prompts were changed.");
  await page.getByText("/morning").click();
  await expect(kept).toHaveValue("\nAnd now?\n");
  await page.getByRole("button", { name: "Delete /morning" }).click();
  await expect(page.getByText("None.")).toBeVisible();
});
