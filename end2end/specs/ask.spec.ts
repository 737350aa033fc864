// One question and its answer.
import { expect, test } from "../support/test.ts";
import { numbered } from "../support/rehearsal.ts";

test("a suggestion is asked, tools are read, and the answer stays", async ({ page, chat }) => {
  // In plain sight: what answers here is not real. Pressed, it says what.
  const mark = page.getByRole("button", { name: "Simulation" });
  await mark.click();
  for (const name of ["Rehearsal model", "Simulated cluster"]) {
    await expect(page.getByText(name, { exact: true }).filter({ visible: true })).toHaveCount(1);
  }
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "How is the cluster doing?" }).click();
  await expect(page).toHaveURL(/\/chat\/\w+$/);
  await expect(page).toHaveTitle(/How is the cluster doing\?/);
  await chat.answered();

  await expect(chat.texts.first()).toContainText("How is the cluster doing?");
  // All four nodes of the simulated cluster, from the tools' results.
  for (const node of ["Home", "pve", "agent1", "agent"]) {
    await expect(chat.texts.last()).toContainText(node);
  }
  await expect(chat.composer).toBeFocused();
  // Reading has no badge; the opened card says the tier.
  await chat.unfold();
  const card = chat.tool("Cluster status");
  await expect(card).toBeVisible();
  await expect(card).not.toContainText("Green");
  await chat.openCards();
  await expect(card).toContainText("Tier Green: runs at once");
  await page.getByRole("button", { name: "Export, tokens and cost" }).click();
  await expect(page.getByTitle("Tokens and cost of this version of the conversation")).toContainText("tokens");
  await page.keyboard.press("Escape");
  await expect(chat.list.getByRole("link", { name: /How is the cluster doing\?/ })).toBeVisible();
});

test("text appears as it is written, in order and complete", async ({ chat, rehearsal }) => {
  await rehearsal.says(numbered(400), 60);
  await chat.ask("Count, please.");
  await chat.streamed(5);
  // Not all at once: the turn is still running after the first words.
  await expect(chat.stop).toBeVisible();
  await chat.streamed(60);
  await chat.answered();
  expect((await chat.words()).join(" ")).toBe(numbered(400));
});

test("a tool card opens to what went in and what came out", async ({ chat, rehearsal }) => {
  await rehearsal.script(
    {
      blocks: [
        { type: "text", text: "I shall look." },
        { type: "tool_use", name: "get_node_status", input: { node: "pve" } },
        { type: "tool_use", name: "get_storage", input: {} },
        { type: "tool_use", name: "get_node_status", input: { node: "nowhere" } },
        { type: "tool_use", name: "format_disk", input: { disk: "/dev/sda" } },
      ],
    },
    { blocks: [{ type: "text", text: "There it is, sir." }] },
  );
  await chat.ask("Look around.");
  await chat.answered();

  await chat.unfold();
  const node = chat.tool("Node status").filter({ hasText: "node pve" });
  await expect(node).toContainText("Done: ");
  await expect(node.getByText("get_node_status")).toHaveCount(0);
  await node.getByText("Node status").click();
  await expect(node.getByRole("heading", { name: "Input" })).toBeVisible();
  await expect(node.getByRole("heading", { name: "Result" })).toBeVisible();
  await expect(node.getByText("get_node_status")).toBeVisible();
  await node.getByText("Node status").click();
  await expect(node.getByRole("heading", { name: "Input" })).toBeHidden();

  await expect(chat.tool("Storage")).toContainText("Done: ");
  await expect(chat.tool("Node status").filter({ hasText: "node nowhere" })).toContainText("Failed: ");

  // A tool that does not exist never runs, and the card says so.
  const unknown = chat.transcript.getByRole("group").filter({ hasText: "Format disk" });
  await expect(unknown).toContainText("Blocked: ");
  await unknown.getByText("Format disk").click();
  await expect(unknown.getByText("No such tool")).toBeVisible();
});

test("everything works with the keyboard alone", async ({ page, chat }) => {
  await expect(chat.composer).toBeFocused();
  await page.keyboard.type("Which VMs are stopped?");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("And how is pve?");
  await page.keyboard.press("Enter");
  await chat.answered();
  await expect(chat.texts.first()).toContainText("Which VMs are stopped?\nAnd how is pve?", {
    useInnerText: true,
  });

  // Back from the composer to a tool card, which opens and closes.
  const card = chat.tools.first();
  const summary = card.locator("summary");
  const line = chat.lines.first().locator("> summary");
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press("Shift+Tab");
    if (await line.evaluate((it) => it === document.activeElement)) break;
  }
  await expect(line).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(summary).toBeFocused();
  // The only card of a line opens with it.
  if ((await chat.tools.count()) > 1) await page.keyboard.press("Enter");
  await expect(card.getByRole("heading", { name: "Result" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(card.getByRole("heading", { name: "Result" })).toBeHidden();

  // The first tab stop of the page skips the header.
  await page.reload();
  await chat.alive();
  await page.getByRole("link", { name: "Skip to the page" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});

test.describe("a model that thinks", () => {
  test.use({
    jarvisOptions: { env: {}, args: [], config: `[models.rehearsal-1]\nthinking = "adaptive"\n` },
  });

  test("has its thinking folded until it is asked for", async ({ page, chat, rehearsal }) => {
    await rehearsal.script({
      blocks: [
        { type: "thinking", thinking: "The nodes should be looked at one by one." },
        { type: "text", text: "All is well, sir." },
      ],
    });
    await chat.ask("Think about it.");
    await chat.answered();
    const thought = chat.transcript.getByText("The nodes should be looked at");
    const summary = chat.transcript.getByText(/^Thought/);
    for (const again of [false, true]) {
      if (again) await page.reload();
      await chat.alive();
      await expect(thought).toBeHidden();
      await summary.click();
      await expect(thought).toBeVisible();
      await summary.click();
      await expect(thought).toBeHidden();
    }
  });
});

test("an answer and a block of code can be copied", async ({ page, chat, rehearsal, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const code = "uptime\nfree -h\n";
  const text = `Run **this**:\n\n\`\`\`sh\n${code}\`\`\`\n`;
  await rehearsal.says(text);
  await chat.ask("How do I look?");
  await chat.answered();
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

  await page.getByRole("button", { name: "Copy code" }).click();
  await expect.poll(clipboard).toBe(code);
  await page.getByRole("button", { name: "Copy the answer" }).click();
  await expect.poll(async () => (await clipboard()).trim()).toBe(text.trim());
});

test("a message that is too long is not sent and not lost", async ({ chat }) => {
  await chat.composer.fill(`${"x".repeat(70_000)} end`);
  await expect(chat.composer).toHaveAttribute("aria-invalid", "true");
  await expect(chat.composer).toHaveAccessibleDescription(/the limit is/);
  await expect(chat.send).toBeDisabled();
  await chat.composer.press("Enter");
  await expect(chat.composer).toHaveValue(/ end$/);

  await chat.composer.fill("   \n ");
  await expect(chat.send).toBeDisabled();
});

test("what was typed survives a reload", async ({ page, chat }) => {
  await chat.composer.fill("Half a thou");
  await page.reload();
  await chat.alive();
  await expect(chat.composer).toHaveValue("Half a thou");
});

test("a reader who scrolled up is left in peace", async ({ chat, rehearsal }) => {
  // In paragraphs: new text is announced when its paragraph is complete.
  await rehearsal.says(numbered(6_000).replaceAll(/(w\d+0) /g, "$1\n\n"), 300);
  await chat.ask("Count far.");
  const atEnd = chat.page.getByRole("button", { name: /New text|Go to the end/ });
  const scrolled = () => chat.transcript.evaluate((it) => it.scrollTop);
  const sticks = () =>
    chat.transcript.evaluate((it) => it.scrollHeight - it.clientHeight - it.scrollTop < 100);
  // The text is longer than the screen, and its end is in view.
  await expect.poll(scrolled).toBeGreaterThan(200);
  expect(await sticks()).toBe(true);

  await chat.transcript.hover();
  // A single turn of the wheel may hit the page while it moves; a person would try again.
  await expect(async () => {
    await chat.page.mouse.wheel(0, -10_000);
    expect(await scrolled()).toBeLessThan(100);
  }).toPass();
  const top = await scrolled();
  const seen = (await chat.words()).length;
  await chat.streamed(seen + 100);
  expect(await scrolled()).toBe(top);
  await expect(atEnd).toHaveText("New text");
  await atEnd.click();
  await expect.poll(sticks).toBe(true);
  await expect(atEnd).toBeHidden();
  await chat.stop.click();
  await expect(chat.ended("Stopped")).toBeVisible();
});
