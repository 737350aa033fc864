// Layout rules in the transient states of pages: see support/layout.ts.
import { Card, Cards, journal, START } from "../support/cards.ts";
import { Cluster } from "../support/cluster.ts";
import { Layout } from "../support/layout.ts";
import { showsTool, test as ofMcpServers, toolOf } from "../support/mcp-servers.ts";
import { ANOTHER, greets, test as networked } from "../support/network.ts";
import { askForBoth, authenticator, firstStep, named, signOut } from "../support/passkeys.ts";
import { Other, signIn } from "../support/people.ts";
import { enforce, propose } from "../support/policy.ts";
import { numbered } from "../support/rehearsal.ts";
import { OUT_OF_REACH } from "../support/server.ts";
import { AWAY, Chat, expect, test as base } from "../support/test.ts";

const test = base.extend<{ layout: Layout }>({
  layout: async ({ page }, use) => use(await Layout.of(page)),
});

/** For tests that open another page first. */
const direct = test.extend<object>({ startPage: false });
const withMcpServers = ofMcpServers.extend<object>({ startPage: false });

// Many states in sequence. The timeout only ends a test that hangs, even on a busy machine.
test.describe.configure({ timeout: 20 * 60_000 });

test.use({ viewport: { width: 1440, height: 900 }, contextOptions: { reducedMotion: "reduce" } });

const WORDS = "a message that is longer than the line on which it stands, whatever the window";

test("turns: running, with a queue, stopped, failed, slowed down, edited", async ({ page, chat, rehearsal, layout }) => {
  // Slow enough to be still running on any machine.
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
  await expect(chat.composer).toHaveValue(new RegExp(`^${WORDS}[^]*once more`));
  await layout.check("messages withdrawn: their words are in the field again");
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
  await expect(chat.transcript.getByText(/The model is limiting requests/)).toBeVisible();
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

test("turns: a message for the next step, waiting and read", async ({ page, chat, rehearsal, layout }) => {
  const look = { type: "tool_use" as const, name: "get_cluster_status", input: {} };
  const blocks = [{ type: "text" as const, text: numbered(9_000) }, look];
  await rehearsal.script({ blocks, pace: { tokens_per_second: 2 } });
  await chat.ask("Count, please.");
  await chat.streamed(2);
  await chat.composer.fill(WORDS);
  await layout.check("a running turn, the ways of a message");
  await page.getByRole("button", { name: "At the next step" }).click();
  await expect(chat.queued(WORDS)).toContainText("At the next step");
  await layout.check("a message for the next step");
  await chat.queue.getByRole("button", { name: /Withdraw/ }).click();
  await chat.composer.fill("");
  await chat.stop.click();
  await expect(chat.ended("Stopped")).toBeVisible();
  // The next step begins when the text is there: this one is not as long.
  await rehearsal.script(
    { blocks: [{ type: "text", text: numbered(600) }, look], pace: { tokens_per_second: 60 } },
    { blocks: [{ type: "text", text: "As you wish." }] },
  );
  await chat.ask("Count again, please.");
  await chat.composer.fill(WORDS);
  await page.getByRole("button", { name: "At the next step" }).click();
  await chat.answered();
  await expect(chat.transcript.getByText("Read during the turn")).toBeVisible();
  await layout.checkScrolling("a message that the turn read");
});

test.describe("with a budget", () => {
  const config = "[budget]\nconversation_tokens = 3000\n";
  test.use({ jarvisOptions: { env: {}, args: [], config } });

  test("turns: stopped by the budget", async ({ page, chat, layout }) => {
    await chat.ask("How is the cluster doing?");
    const stops = page.locator(".turn-end--limited");
    await expect(stops).toContainText("The budget of this conversation is used up");
    await layout.check("a budget stop");
    await chat.ask(WORDS);
    await expect(page.getByText("The budget of this conversation is used up")).toHaveCount(2);
    await layout.checkScrolling("a message that the budget refuses");
    await page.locator(".context-meter").click();
    await layout.check("the context of a conversation whose budget is used up");
  });
});

test("attachments: with the draft and with the message", async ({ page, chat, layout, consoleErrors }) => {
  consoleErrors.expect(/Blocked script execution in .*\/files\//);
  for (const name of ["the-log-of-a-server-with-a-very-long-name-that-goes-on-and-on.txt", "b.txt", "c.txt"]) {
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Attach images or text files" }).click();
    const buffer = Buffer.from(`${name}\n${"a long line ".repeat(40)}\n`);
    await (await chooser).setFiles({ name, mimeType: "text/plain", buffer });
  }
  const chips = page.getByRole("list", { name: "Attached to the message" });
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
  await propose(settings, jarvis, () => settings.getByLabel("For every request").check());
  await (await Layout.of(settings)).check("settings/policy, previewed");
  await enforce(settings);
  await (await Layout.of(settings)).check("settings/policy, in force");
  await settings.close();

  const cards = new Cards(chat, rehearsal);
  await cards.ask([START]);
  await layout.check("a card that another has to confirm");
  const hers = await Layout.of(petra.page);
  await petra.page.getByRole("button", { name: "1 request waiting for you" }).click();
  const tray = petra.page.locator("#waiting-tray");
  await hers.check("a second person's list");
  await tray.getByRole("button", { name: /Requested by Operator/ }).click();
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

direct("trouble: a node that is away, a cluster that is, and a server that is", async ({
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

test("trouble: a call of which nobody knows what became", async ({
  page,
  chat,
  rehearsal,
  layout,
  jarvis,
  consoleErrors,
}) => {
  consoleErrors.expect(AWAY);
  const cards = new Cards(chat, rehearsal);
  await (await cards.ask([START])).allow();
  const started = async () => (await journal(page)).some(({ type }) => type === "tool_started");
  await expect.poll(started).toBe(true);
  await jarvis.kill();
  await jarvis.restart(OUT_OF_REACH);
  await chat.alive();
  const outcome = chat.transcript.getByRole("group", { name: "Outcome" });
  await expect(outcome).toBeVisible({ timeout: 60_000 });
  await chat.answered();
  await outcome.getByRole("button", { name: "Check again" }).click();
  await expect(outcome).toContainText("Still unknown", { timeout: 60_000 });
  await layout.checkScrolling("an outcome that nobody knows");
  await outcome.getByRole("button", { name: "Mark as not done" }).click();
  await expect(outcome).toContainText(/It did not take effect, reported by .+\./);
  await layout.check("an outcome that a person told");
});

networked("trouble: a server of a newer version, and a tab of an older one", async ({ page, chat, line }) => {
  const layout = await Layout.of(page);
  await chat.ask("How is the cluster doing?");
  await chat.answered();
  line.judge = (frame) => greets(frame, { build: ANOTHER.build });
  line.cut();
  await expect(page.getByText("A newer version of Jarvis is running.")).toBeVisible();
  await layout.check("chat, the server is newer");
  line.judge = (frame) => greets(frame, ANOTHER);
  // The page reloads once for it; only what the reloaded page says stays.
  const reloaded = page.waitForEvent("load");
  line.cut();
  await reloaded;
  await expect(page.getByText("This page and the server are different versions.")).toBeVisible();
  await layout.checkScrolling("chat, the page is outdated");
});

test("an imported conversation, and a file that is none", async ({
  page,
  chat,
  layout,
  context,
  jarvis,
  consoleErrors,
}) => {
  consoleErrors.expect(/status of 422/);
  await chat.ask("How is the cluster doing?");
  await chat.answered();
  const json = await (await context.request.get(`${page.url()}/export?format=json`)).body();
  const bring = async (buffer: Buffer) => {
    await page.goto(`${jarvis.url}/settings/import`);
    const file = { name: "conversation.json", mimeType: "application/json", buffer };
    await page.getByLabel("File").setInputFiles(file);
    await page.getByRole("button", { name: "Import", exact: true }).click();
  };
  await bring(Buffer.from("{}"));
  await expect(page.getByRole("alert")).toBeVisible();
  await layout.check("settings/import, refused");
  await bring(json);
  await expect(chat.transcript).toBeVisible();
  await chat.alive();
  await expect(page.getByText("Imported conversation")).toBeVisible();
  await layout.checkWithDrawer("an imported conversation");
});

withMcpServers("MCP servers: new, accepted and changed tools, one that is dead, a test call", async ({
  page,
  jarvis,
}) => {
  const layout = await Layout.of(page);
  const unfold = async (state: string): Promise<void> => {
    await page.locator("details").evaluateAll((all) => all.forEach((it) => ((it as HTMLDetailsElement).open = true)));
    await layout.check(state);
  };
  await showsTool(page, jarvis, "act", "Waiting to be accepted");
  await expect(async () => {
    await page.reload();
    await expect(page.getByText("Dead", { exact: true })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await unfold("settings/mcp, new tools and a dead server");
  for (const accepted of ["act", "pull"]) {
    await page.getByRole("button", { name: `Accept evil__${accepted}` }).click();
    await expect(toolOf(page, accepted)).toContainText("Accepted");
  }
  await layout.check("settings/mcp, accepted tools");

  await page.getByRole("link", { name: "Test call of evil__act" }).click();
  await page.getByLabel("path (required)").fill("/srv/a-folder-with-a-very-long-name/".repeat(6));
  await layout.check("settings/mcp, a test call");
  await page.getByRole("button", { name: "Run" }).click();
  await expect(page.getByRole("status")).toHaveText("It waits for your decision; it has not run.");
  await layout.check("settings/mcp, a test call that waits");
  const call = page.url();
  await page.getByRole("link", { name: "Open the request" }).click();
  const card = new Card(page.locator(".confirm--asks"));
  await expect(card.field("path")).toContainText("/srv");
  await layout.checkScrolling("an own call that waits");
  await card.allow();
  await expect(page.locator(".own-call")).toContainText(/Approved by/);
  await layout.check("an own call that has ended");
  await page.goto(call);
  await expect(page.getByRole("status")).toHaveText("It succeeded.");
  await layout.check("settings/mcp, a test call that has ended");

  await page.getByRole("link", { name: "All MCP servers" }).click();
  await page.getByRole("link", { name: "Test call of evil__pull" }).click();
  await page.getByRole("button", { name: "Run" }).click();
  await expect(page.getByRole("status")).toHaveText("It succeeded.");
  await showsTool(page, jarvis, "act", "Changed");
  await unfold("settings/mcp, a changed tool");
});

direct("the feed at one event, and at one that it has not", async ({ page, chat, layout, jarvis }) => {
  await page.goto(`${jarvis.url}/feed?kind=sign_in`);
  await chat.alive();
  const line = page.locator(".feed__line").first();
  await line.locator("summary").click();
  await line.getByRole("link", { name: "Show only this event" }).click();
  await expect(page.locator(".feed__line--named details")).toHaveAttribute("open", "");
  await layout.check("FEED, one event");
  await page.goto(`${jarvis.url}/feed/evt_0000000000000`);
  await chat.alive();
  await expect(page.getByText("Event not found")).toBeInViewport();
  await layout.check("FEED, an event that is not there");
});

direct("the feed, new events above", async ({ page, chat, layout, context, jarvis }) => {
  await page.goto(`${jarvis.url}/feed`);
  await chat.alive();
  await expect.poll(() => page.locator(".feed__line").count()).toBeGreaterThan(40);
  await page.locator(".feed").evaluate((it) => it.scrollTo(0, it.scrollHeight / 2));
  const other = new Chat(await context.newPage());
  await other.page.goto(jarvis.url);
  await other.alive();
  await other.ask("Is the cluster healthy?");
  await other.answered();
  await other.page.close();
  await expect(page.getByRole("button", { name: /^\d+ new$/ })).toBeInViewport();
  await layout.check("FEED, new events above");
  await expect(page.getByRole("button", { name: /^\d+ new$/ })).toBeInViewport();
});

direct("a chart of what has no candles", async ({ page, chat, layout, jarvis }) => {
  await page.goto(`${jarvis.url}/chart/GBPUSD/H1`);
  await chat.alive();
  await expect(page.locator("#chart canvas").first()).toBeVisible();
  await expect(page.getByRole("heading", { name: "No H1 candles of GBP/USD" })).toBeVisible();
  await expect(page.getByText("Candles: Stored candles")).toHaveCount(0);
  await layout.check("CHART, no candles, the chat beside it");
  await page.getByRole("button", { name: "Close the chat" }).click();
  await layout.checkScrolling("CHART, no candles");
});

test("sign-in with a passkey, alone and as the second step", async ({ browser, jarvis, consoleErrors }) => {
  consoleErrors.expect(/status of (401|403)/);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  const layout = await Layout.of(page);
  const url = named(jarvis.url);
  await signIn(page, named(jarvis.signInLink));
  const { cdp, id } = await authenticator(page);
  await askForBoth(page, url, "The laptop with a rather long name, on the second floor");
  await layout.check("settings/passkeys, with one");
  await signOut(page, url);
  await expect(page.getByRole("button", { name: "Sign in with a passkey" })).toBeVisible();
  await layout.check("sign-in, by passkey");
  await firstStep(page, url);
  await expect(page.getByRole("button", { name: "Sign in with a passkey" })).toBeVisible();
  await layout.check("the second step");
  await cdp.send("WebAuthn.setUserVerified", { authenticatorId: id, isUserVerified: false });
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByRole("status")).toHaveText("No passkey was given.");
  await layout.check("the second step, refused");
  await context.close();
});

test.describe("behind a proxy that signs in", () => {
  const config = `[sign_in.proxy]
addresses = ["127.0.0.1"]
groups_header = "Remote-Groups"
operator_groups = ["ops"]
new_users = "operator"
sign_out_url = "https://auth.lan/logout"
`;
  test.use({ jarvisOptions: { env: {}, args: [], config } });

  test("sign-in by a proxy: refused, taken back, and given up", async ({
    page,
    chat,
    layout,
    context,
    jarvis,
    consoleErrors,
  }) => {
    consoleErrors.expect(/status of (401|403)|WebSocket connection to/);
    const says = (user: string, groups: string) =>
      context.setExtraHTTPHeaders({ "Remote-User": user, "Remote-Groups": groups });
    await context.clearCookies();
    await says("Operator", "ops");
    await page.goto(jarvis.url);
    await expect(page.getByText("An account with this name exists")).toBeVisible();
    await layout.check("a proxy's word, refused");
    await says("Bartholomew Featherstonehaugh", "ops");
    await page.goto(jarvis.url);
    await chat.alive();
    await chat.ask("How is the cluster doing?");
    await chat.answered();
    await page.getByRole("button", { name: "Account and server" }).click();
    await layout.check("the menu of whom a proxy signed in");
    await page.keyboard.press("Escape");
    await says("Bartholomew Featherstonehaugh", "nobody");
    await context.request.get(jarvis.url);
    await expect(page.getByText("You're signed out.")).toBeVisible();
    await layout.check("a proxy's word, taken back");
    await says("Bartholomew Featherstonehaugh", "ops");
    await page.goto(jarvis.url);
    await chat.alive();
    await page.getByRole("button", { name: "Account and server" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page.getByRole("heading", { name: "Signed out of Jarvis" })).toBeVisible();
    await layout.check("signed out of a proxy's session");
  });
});
