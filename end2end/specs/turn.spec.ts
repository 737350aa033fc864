// Turns that do not go straight to their answer.
import { expect, test } from "../support/test.ts";
import { numbered } from "../support/rehearsal.ts";

test("a turn can be stopped, and what was written stays", async ({ page, chat, rehearsal }) => {
  await rehearsal.says(numbered(9_000), 60);
  await chat.ask("Count, please.");
  await chat.streamed(20);
  await chat.stop.click();
  await expect(chat.ended("Stopped")).toBeVisible();
  await expect(chat.stop).toBeHidden();
  const kept = await chat.wordsInOrder();
  expect(kept).toBeGreaterThanOrEqual(20);
  // It goes on, or begins anew in a branch.
  await expect(chat.transcript.getByRole("button", { name: "Continue" })).toBeVisible();
  await expect(chat.transcript.getByRole("button", { name: "Regenerate" })).toBeVisible();
  await expect(chat.transcript.getByRole("button", { name: "Try again" })).toHaveCount(0);

  // The same after a reload, and Escape does the same as the button.
  await page.reload();
  await chat.alive();
  expect(await chat.wordsInOrder()).toBe(kept);
  await rehearsal.says(numbered(9_000), 60);
  await chat.ask("Once more.");
  await chat.streamed(5);
  // The first Escape closes the menu over the page, and only that.
  await page.getByRole("button", { name: "Account and server" }).click();
  await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Sign out" })).toBeHidden();
  await chat.streamed((await chat.wordsInOrder()) + 5);
  await page.keyboard.press("Escape");
  await expect(chat.ended("Stopped")).toHaveCount(2);
});

test("an error is explained and the turn can be tried again", async ({ page, chat, rehearsal }) => {
  await rehearsal.script({
    faults: [{ type: "status", status: 400, message: "credit balance is too low" }],
  });
  await chat.ask("How is the cluster doing?");
  await expect(chat.ended("Failed")).toBeVisible();
  await expect(chat.transcript.locator(".error-card")).toContainText(/Request ID cmd_/);
  const again = chat.transcript.getByRole("button", { name: "Try again" });
  await expect(again).toBeVisible();
  await expect(chat.transcript.getByRole("button", { name: "Regenerate" })).toHaveCount(0);
  await page.reload();
  await chat.alive();
  await again.click();
  await chat.answered();
  await chat.unfold();
  await expect(chat.tool("Cluster status")).toBeVisible();
  // By which a log, and the vendor of the model, have it.
  await chat.openCards();
  const ids = chat.tool("Cluster status").locator(".call-ids");
  await expect(ids).toContainText(/Request ID cmd_.*Model request ID/s);
  await expect(ids.getByRole("button", { name: "Copy the model request ID" })).toBeVisible();
  await expect(again).toBeHidden();
  // The question was asked once.
  await expect(chat.transcript.getByRole("heading", { name: "You" })).toHaveCount(1);
});

test("a model that asks to slow down is waited for, in plain sight", async ({ chat, rehearsal }) => {
  await rehearsal.script({ faults: [{ type: "rate_limit", retry_after: { seconds: 3 } }] });
  await chat.ask("How is the cluster doing?");
  await expect(
    chat.transcript.getByText(/The model is limiting requests; retrying in \d+ s/),
  ).toBeVisible();
  await expect(chat.stop).toBeVisible();
  await chat.answered();
  await expect(chat.transcript.getByText("limiting requests")).toHaveCount(0);
});

test("a stream that breaks keeps its text, says so, and can be asked again", async ({
  page,
  chat,
  rehearsal,
}) => {
  await rehearsal.script({
    blocks: [{ type: "text", text: numbered(200) }],
    faults: [{ type: "reset", after: 20 }],
  });
  await rehearsal.says(numbered(200));
  await chat.ask("Count, please.");
  await expect(chat.ended("Failed")).toBeVisible();
  await expect(page.getByText("Interrupted: this text is incomplete.")).toBeVisible();
  expect(await chat.wordsInOrder()).toBeGreaterThan(5);
  await chat.transcript.getByRole("button", { name: "Try again" }).click();
  await chat.answered();
  expect((await chat.words()).join(" ")).toBe(numbered(200));
});

test("a message waits for the running turn and can be withdrawn", async ({ chat, rehearsal }) => {
  await rehearsal.says(numbered(9_000), 60);
  await chat.ask("Count, please.");
  await chat.streamed(5);
  await chat.ask("Which VMs are stopped?");
  await chat.ask("Is any storage filling up?");
  await expect(chat.queue.getByRole("listitem")).toHaveCount(2);

  await chat.queue.getByRole("button", { name: "Withdraw “Which VMs are stopped?”" }).click();
  await expect(chat.queue.getByRole("listitem")).toHaveCount(1);
  await expect(chat.composer).toHaveValue("Which VMs are stopped?");

  await chat.stop.click();
  await chat.answered();
  await expect(chat.queue).toBeHidden();
  await expect(chat.texts.filter({ hasText: "Is any storage filling up?" })).toHaveCount(1);
  await expect(chat.transcript.getByText("Which VMs are stopped?")).toHaveCount(0);
});

test("a queue survives a reload", async ({ page, chat, rehearsal }) => {
  await rehearsal.says(numbered(9_000), 60);
  await chat.ask("Count, please.");
  await chat.streamed(5);
  await chat.ask("Which VMs are stopped?");
  await expect(chat.queued("Which VMs are stopped?")).toBeVisible();
  await page.reload();
  await chat.alive();
  await expect(chat.queued("Which VMs are stopped?")).toBeVisible();
  await chat.stop.click();
  await chat.answered();
});
