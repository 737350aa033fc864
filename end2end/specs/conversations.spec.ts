// The list of conversations.
import { expect, test } from "../support/test.ts";

/** For tests that open another page first. */
const direct = test.extend<object>({ startPage: false });

test("conversations are begun, found again, renamed and deleted", async ({ page, chat, jarvis }) => {
  const line = (name: string) => chat.list.getByRole("link", { name: new RegExp(name) });
  await expect(chat.list.getByText("No conversations yet.")).toBeVisible();

  await chat.ask("How is the cluster doing?");
  await chat.answered();
  const first = page.url();
  await chat.list.getByRole("link", { name: "New conversation" }).click();
  await expect(page).toHaveURL(`${jarvis.url}/`);
  await chat.ask("Which VMs are stopped?");
  await chat.answered();
  expect(page.url()).not.toBe(first);
  await expect(line("Which VMs")).toHaveAttribute("aria-current", "page");

  // Back and forth, by the list and by the browser.
  await line("How is the cluster doing").click();
  await expect(page).toHaveURL(first);
  await chat.unfold();
  await expect(chat.tool("Cluster status")).toBeVisible();
  await page.goBack();
  await expect(chat.texts.first()).toContainText("Which VMs are stopped?");
  await page.goForward();
  await expect(chat.texts.first()).toContainText("How is the cluster doing?");

  // Rename: first cancelled, then saved.
  await line("How is the cluster doing").hover();
  await page.getByRole("button", { name: "Rename How is the cluster doing?" }).click();
  const title = page.getByRole("textbox", { name: "Title" });
  await expect(title).toBeFocused();
  await title.fill("Nonsense");
  await title.press("Escape");
  await expect(line("Nonsense")).toHaveCount(0);
  await line("How is the cluster doing").hover();
  await page.getByRole("button", { name: "Rename How is the cluster doing?" }).click();
  await title.fill("Morning round");
  await title.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Morning round" })).toBeVisible();
  await expect(page).toHaveTitle(/Morning round/);
  await page.reload();
  await chat.alive();
  await expect(line("Morning round")).toBeVisible();

  // Deleting it leaves its page at once.
  await line("Morning round").hover();
  await page.getByRole("button", { name: "Delete Morning round" }).click();
  await expect(page).toHaveURL(`${jarvis.url}/`);
  await expect(line("Morning round")).toHaveCount(0);
  await expect(line("Which VMs")).toBeVisible();
  await expect(page.getByText("Deleted “Morning round”.")).toBeVisible();
});

direct("a conversation that does not exist is said so", async ({ page, chat, jarvis, consoleErrors }) => {
  consoleErrors.expect(/status of 404/);
  for (const id of ["01900000-0000-7000-8000-000000000000", "nonsense"]) {
    const answer = await page.goto(`${jarvis.url}/chat/${id}`);
    expect(answer?.status()).toBe(404);
    await expect(
      page.getByRole("heading", { name: "Conversation not found" }),
    ).toBeVisible();
  }
  const answer = await page.goto(`${jarvis.url}/no/such/page`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "New conversation" }).click();
  await chat.alive();
  await chat.ask("Which VMs are stopped?");
  await chat.answered();
});
