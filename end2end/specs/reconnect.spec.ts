// Nothing is lost and nothing is duplicated, whatever happens to the page, the tab or the server.
import { AWAY, Chat, expect, test } from "../support/test.ts";
import { numbered } from "../support/rehearsal.ts";

/** Slow enough that the turn is still running at the test's next check. */
const SLOW = { JARVIS_REHEARSAL_RATE: "40" };
const QUICK = { JARVIS_REHEARSAL_RATE: "0" };

test("a reload in mid-stream loses nothing", async ({ page, chat, rehearsal }) => {
  await rehearsal.says(numbered(500), 150);
  await chat.ask("Count, please.");
  await chat.streamed(40);
  await expect(chat.stop).toBeVisible();
  await page.reload();
  await chat.alive();
  await chat.streamed(41);
  await chat.answered();
  expect((await chat.words()).join(" ")).toBe(numbered(500));
  await expect(chat.texts).toHaveCount(2);
});

test("a second tab keeps in step", async ({ page, chat, rehearsal, context }) => {
  await rehearsal.says(numbered(9_000), 60);
  await chat.ask("Count, please.");
  await chat.streamed(20);

  const second = new Chat(await context.newPage());
  await second.page.goto(page.url());
  await second.alive();
  const joined = await second.wordsInOrder();
  // Both continue from there, each without a gap.
  await Promise.all([chat.streamed(joined + 40), second.streamed(joined + 40)]);

  // A message queued in one is queued in both; the other stops the turn; both show the same end.
  await chat.ask("And how is the cluster doing?");
  await expect(second.queued("And how is the cluster doing?")).toBeVisible();
  await second.stop.click();
  for (const tab of [chat, second]) {
    await expect(tab.ended("Stopped")).toBeVisible();
    await tab.answered();
    await expect(tab.queue).toBeHidden();
  }
  expect(await second.transcript.innerText()).toBe(await chat.transcript.innerText());
  await second.page.close();
});

test("a third party's page of the same person hears of a new conversation", async ({
  chat,
  context,
  jarvis,
}) => {
  const second = new Chat(await context.newPage());
  await second.page.goto(jarvis.url);
  await second.alive();
  await chat.ask("Which VMs are stopped?");
  const line = second.list.getByRole("link", { name: /Which VMs are stopped\?/ });
  await line.click();
  await second.answered();
  await expect(second.texts.first()).toContainText("Which VMs are stopped?");
});

test.describe("a server that is killed", () => {
  test.use({ jarvisOptions: { env: SLOW, args: [] } });

  test("goes on with the turn when it is back", async ({ page, chat, jarvis, consoleErrors }) => {
    consoleErrors.expect(AWAY);
    const question = "Write at length. [[tokens:600]]";
    await chat.ask(question);
    await expect(chat.texts.last()).toContainText("A long answer, for measurement only");
    await expect(chat.stop).toBeVisible();

    await jarvis.kill();
    await expect(chat.connection).toHaveText("Reconnecting");
    await jarvis.restart(QUICK);
    // On its own: nobody touches the page.
    await chat.alive();
    await chat.answered();
    await expect(page.getByText("Interrupted: this text is incomplete.")).toBeVisible();
    const resumed = await chat.texts.last().innerText();

    // The same without interruption, for comparison.
    await page.getByRole("link", { name: "New conversation" }).click();
    await expect(page.getByRole("heading", { name: "At your service." })).toBeVisible();
    await chat.ask(question);
    await chat.answered();
    // Rows out of view have no inner text before the next frame.
    await expect.poll(() => chat.texts.last().innerText()).toBe(resumed);
  });

  test("and whose page is loaded again shows the same", async ({ page, chat, jarvis, consoleErrors }) => {
    consoleErrors.expect(AWAY);
    await chat.ask("Write at length. [[tokens:600]]");
    await expect(chat.texts.last()).toContainText("A long answer, for measurement only");
    await jarvis.kill();
    await jarvis.restart(QUICK);
    await chat.alive();
    await chat.answered();
    // The model's unfinished text is in the tabs that saw it, and in no journal.
    const kept = () =>
      chat.transcript.evaluate((it) =>
        [...it.querySelectorAll<HTMLElement>(".row:not(:has(.text-row--interrupted), .text-row--interrupted)")]
          .map((row) => row.innerText)
          .join("\n"),
      );
    const before = await kept();
    expect(before).toContain("Answered");
    await page.reload();
    await chat.alive();
    await expect.poll(kept).toBe(before);
  });

  test("keeps what was written meanwhile", async ({
    page,
    chat,
    jarvis,
    rehearsal,
    consoleErrors,
  }) => {
    consoleErrors.expect(AWAY);
    await rehearsal.says("All is well, sir.");
    await chat.ask("How is the cluster doing?");
    await chat.answered();
    await jarvis.kill();
    await expect(chat.connection).toHaveText("Reconnecting");
    await chat.ask("Is any storage filling up?");
    await expect(chat.transcript.getByText("Waiting for the connection")).toBeVisible();
    await jarvis.restart(QUICK);
    await chat.answered(2);
    await expect(chat.transcript.getByText("Is any storage filling up?")).toHaveCount(1);
    await page.reload();
    await chat.answered(2);
    await expect(chat.transcript.getByText("Is any storage filling up?")).toHaveCount(1);
  });
});

test("a server that is asked to stop says goodbye and comes back", async ({
  chat,
  jarvis,
  consoleErrors,
}) => {
  consoleErrors.expect(AWAY);
  await chat.ask("How is the cluster doing?");
  await chat.answered();
  expect(await jarvis.stop()).toBe(0);
  await expect(chat.connection).toHaveText("Reconnecting");
  await jarvis.restart();
  await chat.alive();
  await chat.ask("Which VMs are stopped?");
  await chat.answered(2);
});
