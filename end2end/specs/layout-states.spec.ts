// The rules of layout in the states that a page passes through: see support/layout.ts.
import { Cards, START } from "../support/cards.ts";
import { Cluster } from "../support/cluster.ts";
import { Layout } from "../support/layout.ts";
import { Other } from "../support/people.ts";
import { enforce, propose } from "../support/policy.ts";
import { numbered } from "../support/rehearsal.ts";
import { AWAY, expect, test as base } from "../support/test.ts";

const test = base.extend<{ layout: Layout }>({
  layout: async ({ page }, use) => use(await Layout.of(page)),
});

// Many states, one after the other. This only ends what hangs, also on a busy machine.
test.describe.configure({ timeout: 20 * 60_000 });

test.use({ viewport: { width: 1440, height: 900 }, contextOptions: { reducedMotion: "reduce" } });

const WORDS = "a message that is longer than the line on which it stands, whatever the window";

test("turns: running, with a queue, stopped, failed, slowed down, edited", async ({ page, chat, rehearsal, layout }) => {
  // Slow enough to be running whatever the machine does.
  await rehearsal.says(numbered(9_000), 2);
  await chat.ask("Count, please.");
  await chat.streamed(2);
  await layout.check("a running turn");
  await chat.ask(WORDS);
  await chat.ask(`${WORDS}, once more`);
  await expect(chat.queue.getByRole("listitem")).toHaveCount(2);
  await layout.checkScrolling("a running turn with a queue");
  for (const text of [`${WORDS}, once more`, WORDS]) {
    await chat.queue.getByRole("button", { name: `Withdraw “${text}”` }).click();
  }
  await expect(chat.queue).toBeHidden();
  await chat.composer.fill("");
  await chat.stop.click();
  await expect(chat.ended("Stopped")).toBeVisible();
  await layout.check("a stopped turn");
  await rehearsal.script({ faults: [{ type: "status", status: 400, message: "credit balance is too low" }] });
  await chat.ask(WORDS);
  await expect(chat.ended("Failed")).toBeVisible();
  await layout.checkScrolling("a failed turn");
  await chat.transcript.getByRole("button", { name: "Try again" }).last().click();
  await chat.answered();
  await rehearsal.script({ faults: [{ type: "rate_limit", retry_after: { seconds: 30 } }] });
  await chat.ask("How is the cluster doing?");
  await expect(chat.transcript.getByText(/The model asks to slow down/)).toBeVisible();
  await layout.check("a turn that waits for the model");
  await chat.stop.click();
  await expect(chat.ended("Stopped")).toHaveCount(2);
  const message = chat.transcript.getByRole("article").filter({ hasText: WORDS });
  await message.hover();
  await message.getByRole("button", { name: "Edit this message" }).click();
  const field = chat.transcript.getByRole("textbox", { name: "Your message" });
  await layout.check("a message being edited");
  await field.fill(`${WORDS}, in another way`);
  await field.press("Enter");
  await chat.answered();
  await expect(chat.transcript.getByRole("group", { name: /^Version 2 of 2/ })).toBeVisible();
  await layout.check("a branch");
});

test("attachments: with the draft and with the message", async ({ page, chat, layout, consoleErrors }) => {
  consoleErrors.expect(/Blocked script execution in .*\/files\//);
  for (const name of ["the-log-of-a-server-with-a-very-long-name-that-goes-on-and-on.txt", "b.txt", "c.txt"]) {
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Attach images or text files" }).click();
    const buffer = Buffer.from(`${name}\n${"a long line ".repeat(40)}\n`);
    await (await chooser).setFiles({ name, mimeType: "text/plain", buffer });
  }
  const chips = page.getByRole("list", { name: "What the message is about" });
  await expect(chips.getByRole("listitem")).toHaveCount(3);
  await layout.check("attachments of a draft");
  await chat.ask("What is in these?");
  await chat.answered();
  await layout.checkScrolling("attachments of a message");
});

test("two persons: the card of the one, the list and the settings of the other", async ({
  page,
  chat,
  rehearsal,
  layout,
  context,
  browser,
  jarvis,
  consoleErrors,
}) => {
  consoleErrors.expect(/status of 403/);
  const petra = await Other.joinApart(context, browser, jarvis, "Petra", "operator", {
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
  });
  const settings = await context.newPage();
  await propose(settings, jarvis, () => settings.getByLabel("For every call that is asked for").check());
  await (await Layout.of(settings)).check("settings/policy, previewed");
  await enforce(settings);
  await (await Layout.of(settings)).check("settings/policy, in force");
  await settings.close();

  const cards = new Cards(chat, rehearsal);
  await cards.ask([START]);
  await layout.check("a card that another has to confirm");
  const hers = await Layout.of(petra.page);
  await petra.page.getByRole("button", { name: "1 call waits for you" }).click();
  const tray = petra.page.locator("#waiting-tray");
  await hers.check("a second person's list");
  await tray.getByRole("button", { name: /Asked for by Operator/ }).click();
  await expect(tray.locator(".confirm--asks")).toBeVisible();
  await hers.check("a second person's card");
  await hers.checkDecidable("#waiting-tray");
  await petra.page.keyboard.press("Escape");
  for (const path of ["", "/sessions", "/tokens", "/policy"]) {
    await petra.page.goto(`${jarvis.url}/settings${path}`);
    await hers.check(`settings${path} of an operator`);
  }
  await petra.context.close();
});

test("trouble: a node that is away, a cluster that is, and a server that is", async ({
  page,
  chat,
  layout,
  jarvis,
  consoleErrors,
}) => {
  consoleErrors.expect(AWAY);
  await page.goto(`${jarvis.url}/hud`);
  await chat.alive();
  await expect(page.getByText("4 of 4 nodes online")).toBeVisible({ timeout: 30_000 });
  await new Cluster(jarvis).order({ type: "offline", node: "agent1", on: true });
  await expect(page.getByText("3 of 4 nodes online")).toBeVisible({ timeout: 30_000 });
  await layout.checkScrolling("HUD, a node is away");
  await page.goto(`${jarvis.url}/node/agent1`);
  await chat.alive();
  await layout.check("a node that is away");
  await page.goto(jarvis.url);
  await chat.alive();
  await chat.ask("How is the cluster doing?");
  await chat.answered();
  await jarvis.kill();
  await expect(chat.connection).not.toHaveText("Live");
  await chat.ask(WORDS);
  await layout.checkScrolling("chat, the server is away");
  await page.getByRole("link", { name: "HUD" }).click();
  await expect(page.getByRole("heading", { name: "The systems cannot be shown" })).toBeVisible();
  await layout.check("HUD, the server is away");
});

test("trouble: a full disk is told, and the answer comes when there is room", async ({
  page,
  chat,
  rehearsal,
  layout,
  jarvis,
  context,
}) => {
  await rehearsal.script({
    blocks: [{ type: "text", text: numbered(50) }],
    // Long enough for the disk to fill first on a slow machine.
    pace: { first_token_ms: 8_000 },
  });
  await chat.ask(WORDS);
  await expect(chat.stop).toBeVisible();
  jarvis.fillDisk(true);
  const banner = page.locator(".banner--bad");
  await expect(banner).toBeVisible({ timeout: 30_000 });
  expect((await context.request.get(`${jarvis.url}/readyz`)).status()).toBe(503);
  await layout.check("chat, the disk is full");
  jarvis.fillDisk(false);
  await chat.answered();
  await expect(banner).toBeHidden({ timeout: 30_000 });
  expect((await chat.words()).join(" ")).toBe(numbered(50));
});
