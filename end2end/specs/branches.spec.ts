// Branches from an earlier message: both stay, results stay, and the running turn can be steered.
import { Cards, START } from "../support/cards.ts";
import { Chat, expect, expectAccessible, test } from "../support/test.ts";
import { numbered } from "../support/rehearsal.ts";

const SHOTS = process.env["SHOTS"];

/** The person's message with this text. */
function message(chat: Chat, text: string) {
  return chat.transcript.getByRole("article").filter({ hasText: text });
}

test("a message is edited and runs again; both ways are kept", async ({ page, chat, rehearsal }) => {
  test.slow();
  await rehearsal.says("The first answer.");
  await chat.ask("How is pve?");
  await chat.answered();
  await rehearsal.says("The second answer.");
  await chat.ask("And the storage?");
  await chat.answered(2);
  const before = page.url();

  // Not only the last message.
  await rehearsal.says("About the agent.");
  const first = message(chat, "How is pve?");
  await first.hover();
  await first.getByRole("button", { name: "Edit this message" }).click();
  const field = chat.transcript.getByRole("textbox", { name: "Your message" });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("How is pve?");
  await field.press("Escape");
  await expect(field).toBeHidden();
  await first.hover();
  await first.getByRole("button", { name: "Edit this message" }).click();
  await field.fill("How is agent?");
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/edit.png` });
  await field.press("Enter");
  await expect(page).not.toHaveURL(before);
  await chat.answered();
  await expect(chat.transcript.getByText("About the agent.")).toBeVisible();
  await expect(chat.transcript.getByText("The first answer.")).toHaveCount(0);

  // One line for both branches, with arrows between them.
  await expect(chat.list.getByRole("link", { name: /How is pve/ })).toHaveCount(1);
  const versions = chat.transcript.getByRole("group", { name: /^Version \d of \d of this message/ });
  await expect(versions).toHaveAccessibleName("Version 2 of 2 of this message");
  await versions.getByRole("button", { name: "Previous version" }).press("Enter");
  await expect(chat.transcript.getByText("The second answer.")).toBeVisible();
  await expect(versions).toHaveAccessibleName("Version 1 of 2 of this message");
  await expect(versions).toBeFocused();
  await expect(versions.getByRole("button", { name: "Previous version" })).toBeDisabled();
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/versions.png` });

  // The line leads to the branch viewed last, also elsewhere and after a reload.
  const other = await page.context().newPage();
  await other.goto(new URL("/", page.url()).toString());
  const there = new Chat(other);
  await there.alive();
  await there.list.getByRole("link", { name: /How is pve/ }).click();
  await expect(there.transcript.getByText("The second answer.")).toBeVisible();
  await expect(there.transcript.getByRole("group", { name: /^Version 1 of 2/ })).toBeVisible();
  await page.reload();
  await chat.alive();
  await expect(versions).toHaveAccessibleName("Version 1 of 2 of this message");

  // The last answer again: a third branch, which the other page receives too.
  await rehearsal.says("The second answer, again.");
  await chat.transcript.getByRole("button", { name: "Regenerate" }).last().click();
  await expect(chat.transcript.getByText("The second answer, again.")).toBeVisible();
  await expect(chat.transcript.getByText("The first answer.")).toBeVisible();
  await expect(versions).toHaveCount(2);
  await expect(there.transcript.getByRole("group", { name: /^Version/ })).toHaveCount(2);
  await expectAccessible(page);

  // All branches are deleted together, and restored together.
  await chat.list.getByRole("button", { name: /^Delete all branches of/ }).click();
  await expect(there.transcript.getByText("This conversation was deleted.")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(chat.list.getByRole("link", { name: /How is pve/ })).toHaveCount(1);
  await other.close();
});

test("who goes back past a call that acted is told, and so is the model", async ({
  page,
  chat,
  rehearsal,
}) => {
  test.slow();
  const cards = new Cards(chat, rehearsal);
  const card = await cards.ask([START], "Start VM 113 on pve, please.");
  await card.read();
  await card.approve.click();
  await chat.answered();

  await rehearsal.says("It is started already, sir.");
  await chat.transcript.getByRole("button", { name: "Regenerate" }).last().click();
  const told = chat.transcript.getByRole("group", { name: "Actions that already ran" });
  await expect(told).toContainText("1 action already ran after this message.");
  await expect(told).toContainText("start_vm");
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/told.png` });
  await expectAccessible(page);
  await chat.transcript.getByRole("button", { name: "Cancel" }).click();
  await expect(told).toBeHidden();
  await chat.transcript.getByRole("button", { name: "Regenerate" }).last().click();
  const before = page.url();
  await chat.transcript.getByRole("button", { name: "Run again without undoing" }).click();
  await expect(page).not.toHaveURL(before);
  await chat.answered();
  await expect(chat.transcript.getByText("It is started already, sir.")).toBeVisible();
  const standing = chat.transcript.getByText("1 action ran in another branch. It isn't undone here.");
  await standing.click();
  await expect(chat.transcript.getByText(/start_vm.*took effect/)).toBeVisible();
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/standing.png` });
  const seen = await rehearsal.asked();
  expect(seen.at(-1)).toContain("this is another branch");
  await page.reload();
  await chat.alive();
  await expect(standing).toBeVisible();
});

test("the running turn reads a message at its next step", async ({ page, chat, rehearsal }) => {
  await rehearsal.script(
    {
      blocks: [
        { type: "text", text: numbered(600) },
        { type: "tool_use", name: "get_cluster_status", input: {} },
      ],
      pace: { tokens_per_second: 60 },
    },
    { blocks: [{ type: "text", text: "Only pve, then." }] },
  );
  await chat.ask("Count, please.");
  await chat.streamed(5);
  await chat.composer.fill("Only node pve, please.");
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/ways.png` });
  await page.getByRole("button", { name: "At the next step" }).click();
  await expect(chat.queued("Only node pve, please.")).toContainText("At the next step");
  await chat.answered();
  await expect(chat.queue).toBeHidden();
  await expect(chat.transcript.getByText("Read during the turn")).toBeVisible();
  await expect(chat.ended("Answered")).toHaveCount(1);
  await page.reload();
  await chat.alive();
  await expect(message(chat, "Only node pve, please.")).toHaveCount(1);
  // It began no turn, so there is nothing to run again.
  const read = message(chat, "Only node pve, please.");
  await expect(read.getByRole("button", { name: "Edit this message" })).toHaveCount(0);

  // In place of the running turn, which is stopped so that the message goes at once.
  await rehearsal.says(numbered(9_000), 60);
  await chat.ask("Count on.");
  await chat.streamed(5);
  await rehearsal.says("Something else, then.");
  await chat.composer.fill("Something else.");
  await page.getByRole("button", { name: "Stop and send now" }).click();
  await expect(chat.transcript.getByText("Something else, then.")).toBeVisible();
  await expect(chat.ended("Stopped")).toHaveCount(1);
});
