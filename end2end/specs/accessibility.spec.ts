// axe checks of every state of the chat, dark and light.
import { expect, expectAccessible, expectReadable, test } from "../support/test.ts";
import { numbered } from "../support/rehearsal.ts";

test.use({
  contextOptions: { reducedMotion: "no-preference" },
  jarvisOptions: { env: {}, args: [], config: `[models.rehearsal-1]\nthinking = "adaptive"\n` },
});

for (const theme of ["dark", "light"] as const) {
  test(`nothing keeps people out (${theme})`, async ({ page, chat, rehearsal, context, jarvis }) => {
    // axe is slow, and there are many states.
    test.slow();
    const look = theme === "dark" ? expectAccessible : expectReadable;
    await context.addCookies([{ name: "jarvis_theme", value: theme, url: jarvis.url }]);
    await page.reload();
    await chat.alive();
    await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
    await test.step("empty", () => look(page));

    await rehearsal.script({
      blocks: [
        { type: "thinking", thinking: "A moment." },
        {
          type: "text",
          text:
            "# Heading\n\nText with `code`, a [link](https://example.invalid/) and ~~none~~.\n\n" +
            "> quoted\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```sh\nuptime\n```\n\n1. one\n2. two\n\n" +
            numbered(9_000),
        },
      ],
      pace: { tokens_per_second: 40 },
    });
    await chat.ask("Everything at once, please.");
    await chat.streamed(10);
    await chat.ask("And after that?");
    await expect(chat.queued("And after that?")).toBeVisible();
    await test.step("streaming, with a queue", () => look(page));
    await chat.queue.getByRole("button", { name: /Withdraw/ }).click();
    await chat.composer.fill("");
    await chat.stop.click();
    await expect(chat.ended("Stopped")).toBeVisible();
    await test.step("stopped", () => look(page));

    await page.getByRole("link", { name: "New conversation" }).click();
    await chat.ask("How is the cluster doing?");
    await chat.answered();
    await test.step("answered", () => look(page));
    await chat.unfold();
    await test.step("lines open", () => look(page));
    await chat.openCards();
    for (const card of await chat.tools.all()) {
      await expect(card.getByRole("heading", { name: "Result" })).toBeVisible();
    }
    await test.step("cards open", () => look(page));

    await rehearsal.script(
      {
        blocks: [
          { type: "tool_use", name: "get_node_status", input: { node: "nowhere" } },
          { type: "tool_use", name: "format_disk", input: {} },
        ],
      },
      { faults: [{ type: "status", status: 400, message: "no" }] },
    );
    await chat.ask("What is wrong?");
    await expect(chat.ended("Failed")).toBeVisible();
    await test.step("failed", () => look(page));

    await page.getByRole("button", { name: "Account and server" }).click();
    await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
    await test.step("menu", () => look(page));
    await page.keyboard.press("Escape");
    await chat.list.getByRole("link", { name: /How is the cluster/ }).hover();
    await page.getByRole("button", { name: /^Delete How is/ }).click();
    await test.step("deleting", () => look(page));
  });
}
