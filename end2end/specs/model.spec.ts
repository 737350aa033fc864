// The answering model, the context usage, and an exhausted budget.
import { Chat, expect, expectAccessible, test } from "../support/test.ts";

test("the model and its effort are chosen, told to every tab, and kept", async ({
  page,
  chat,
  rehearsal,
  context,
}) => {
  const picker = (tab: Chat) => tab.page.getByRole("button", { name: /^Model:/ });
  await expect(picker(chat)).toContainText("rehearsal-1");
  await picker(chat).click();
  const panel = page.getByRole("dialog", { name: "Model and effort" });
  const names = panel.getByRole("radio", { name: /Rehearsal model/ });
  await expect(names).toHaveCount(2);
  await expect(panel).toContainText("costs nothing");
  await expectAccessible(page);
  await expect(names.nth(0)).toBeChecked();
  await panel.getByRole("radio", { name: "high", exact: true }).check();
  await page.keyboard.press("Escape");
  await expect(picker(chat)).toContainText("rehearsal-1 · high");

  await rehearsal.says("The first answer, sir.");
  await chat.ask("Hello");
  await chat.answered();
  await expect(picker(chat)).toContainText("rehearsal-1 · high");
  const other = new Chat(await context.newPage());
  await other.page.goto(page.url());
  await other.alive();

  await page.bringToFront();
  await picker(chat).click();
  await panel.getByRole("radio", { name: /\(fast\)/ }).check();
  await expect(picker(chat)).toContainText("rehearsal-fast-1");
  await expect(picker(chat)).not.toContainText("high");
  await expect(panel.getByRole("radio", { name: "high", exact: true })).toBeDisabled();
  await expect(picker(other)).toContainText("rehearsal-fast-1");
  await other.page.reload();
  await expect(picker(other)).toContainText("rehearsal-fast-1");
  await other.page.close();

  await page.keyboard.press("Escape");
  const meter = page.getByRole("button", { name: /^Context/ });
  await expect(meter).toContainText(/Context \d+ %/);
  await meter.click();
  const details = page.getByRole("dialog", { name: "Context, tokens, cost and budgets" });
  await expect(details).toContainText("of 100,000 tokens");
  await expect(details).toContainText("System prompt and tools");
  await expect(details).toContainText("not set");
  // Each panel is above its own button, at the same end of the line.
  const [button, shown] = [await meter.boundingBox(), await details.boundingBox()];
  const right = (box: typeof shown) => (box?.x ?? 0) + (box?.width ?? 0);
  expect(right(shown)).toBeCloseTo(right(button), 0);
  expect((shown?.y ?? 0) + (shown?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
});

test.describe("a budget", () => {
  test.use({
    jarvisOptions: { env: {}, args: [], config: "[budget]\nconversation_tokens = 3000\n" },
  });

  test("stops the turn politely, and it goes on when an admin raises it", async ({
    page,
    chat,
    context,
    jarvis,
  }) => {
    // The system prompt and the tools alone exceed the budget: the first step uses it up.
    await chat.ask("How is the cluster doing?");
    const end = page.locator(".turn-end--limited");
    await expect(end).toContainText("The budget of this conversation is used up");
    await expect(end).toContainText("An admin can raise it");
    await expect(end).toContainText("budget_reached");
    const calls = await chat.tools.count();
    expect(calls).toBeGreaterThan(0);

    await chat.ask("And the storage?");
    await expect(page.getByText("The budget of this conversation is used up")).toHaveCount(2);

    const settings = await context.newPage();
    await settings.goto(new URL("/settings/model", page.url()).href);
    await settings.locator('input[name="budget.conversation_tokens"]').fill("900000");
    await settings.getByRole("button", { name: "Save" }).click();
    await expect(settings.getByText("in effect now")).toBeVisible();
    await settings.close();

    await page.getByRole("button", { name: "Continue" }).click();
    await expect(end).toHaveCount(0);
    await expect(page.locator(".turn-end").last()).toContainText("Answered");
    // The earlier results are still there, once.
    expect(await chat.tools.count()).toBeGreaterThanOrEqual(calls);
    await expect(chat.texts.filter({ hasText: "How is the cluster doing?" })).toHaveCount(1);
    expect(jarvis.log).not.toContain("ERROR");
  });
});

test("an answer that was cut goes on where it stopped", async ({ page, chat, rehearsal }) => {
  await rehearsal.script(
    { blocks: [{ type: "text", text: "The first half," }], stop_reason: "max_tokens" },
    { blocks: [{ type: "text", text: "and the second." }] },
  );
  await chat.ask("Tell me a long story");
  await expect(chat.ended("Answer cut off at its limit")).toBeVisible();
  await page.reload();
  await chat.alive();
  await page.getByRole("button", { name: "Continue" }).click();
  await chat.answered();
  await expect(chat.texts).toHaveCount(3);
  await expect(chat.transcript.getByText("The first half,")).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Continue" })).toBeHidden();
});

test.describe("a short history", () => {
  test.use({ jarvisOptions: { env: {}, args: [], config: "[agent]\nhistory_limit = 4\n" } });

  test("the context meter says how many messages the model sees, and it sees those", async ({
    page,
    chat,
    rehearsal,
  }) => {
    const words = ["heliotrope", "marmalade", "zeppelin", "bassoon"];
    for (const [at, word] of words.entries()) {
      await rehearsal.says(`I noted ${word.toUpperCase()}, sir.`);
      await chat.ask(`Note the ${word}.`);
      await chat.answered(at + 1);
    }
    const asked = await rehearsal.asked();
    const seen = words.map((_, at) => {
      const request = asked.find((it) => it.includes(`Note the ${words[at]}.`)) ?? "";
      return words.filter((word) => request.includes(`Note the ${word}.`));
    });
    // Two messages and two answers. The third message is one too many, and the older half goes at once.
    expect(seen).toEqual([["heliotrope"], ["heliotrope", "marmalade"], ["zeppelin"], ["zeppelin", "bassoon"]]);

    await page.getByRole("button", { name: /^Context/ }).click();
    const details = page.getByRole("dialog", { name: "Context, tokens, cost and budgets" });
    await expect(details).toContainText("The model sees at most 4 of your messages and final answers.");
    await expect(details).toContainText("the older half is dropped at once");
    // Dropped from the request alone: the person still has all of it.
    for (const word of words) await expect(chat.texts.filter({ hasText: `Note the ${word}.` })).toHaveCount(1);
    await expectAccessible(page);
  });
});
