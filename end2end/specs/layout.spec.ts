// Layout rules on every page and in every state: see support/layout.ts.
import { Cards, START, STOP } from "../support/cards.ts";
import { ChartPage } from "../support/chart.ts";
import { Layout } from "../support/layout.ts";
import { numbered } from "../support/rehearsal.ts";
import { expect, test as base } from "../support/test.ts";

const test = base.extend<{ layout: Layout; cards: Cards }>({
  layout: async ({ page }, use) => use(await Layout.of(page)),
  cards: async ({ chat, rehearsal }, use) => use(new Cards(chat, rehearsal)),
});

/** For tests that open another page first. */
const direct = test.extend<object>({ startPage: false });

// Many states in sequence. The timeout only ends a test that hangs, even on a busy machine.
test.describe.configure({ timeout: 20 * 60_000 });

test.use({ viewport: { width: 1440, height: 900 }, contextOptions: { reducedMotion: "reduce" } });

const WORDS = "a message that is longer than the line on which it stands, whatever the window";
const LONG = `# A heading\n\n${numbered(300)}\n\n| guest | node | memory | a column with a long name |\n|---|---|--:|---|\n${"| backup-long-name-01 | agent1 | 512.0 MiB | running for a long time |\n".repeat(
  30,
)}\n\n\`\`\`sh\n# ${"a long line ".repeat(30)}\n\`\`\`\n\n> ${"unbroken".repeat(40)}\n\n${numbered(400)}`;

test("chat: its pages, and what opens over them", async ({
  page,
  chat,
  rehearsal,
  layout,
  jarvis,
  consoleErrors,
}) => {
  // A page that does not exist.
  consoleErrors.expect(/status of 404/);
  await layout.checkScrolling("chat, empty");
  await chat.ask("How is the cluster doing?");
  await chat.answered();
  await chat.openCards();
  await layout.check("chat, calls unfolded");
  await page.getByRole("button", { name: "Account and server" }).click();
  await layout.check("chat, the menu of the person");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "No requests waiting for you" }).click();
  await layout.check("chat, nothing waits");
  await page.keyboard.press("Escape");
  await page.locator(".chat-bar__button").first().click();
  await layout.check("chat, the models");
  await page.keyboard.press("Escape");
  await page.locator(".context-meter").click();
  await layout.check("chat, the context");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Export, tokens and cost" }).click();
  await layout.check("chat, its menu");
  await page.keyboard.press("Escape");
  await chat.composer.fill("/");
  await expect(page.locator(".offers")).toBeVisible();
  await layout.check("chat, what can be written");
  await chat.composer.fill("");
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await layout.check("shortcuts");
  await page.keyboard.press("Escape");

  const search = page.getByRole("searchbox", { name: "Search conversations" });
  await search.fill("cluster");
  await expect(page.locator(".finder mark").first()).toBeVisible();
  await layout.checkWithDrawer("search");
  await search.fill("");

  // After what opens over it: each check reads the whole page.
  await rehearsal.script({
    blocks: [
      { type: "thinking", thinking: "The operator wants to see everything. Very well." },
      { type: "text", text: LONG },
    ],
  });
  await chat.ask(WORDS);
  await chat.answered(2);
  await layout.checkScrolling("chat, a long answer");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByRole("button", { name: "Create link" }).click();
  const link = page.getByRole("textbox", { name: /^The link/ });
  await expect(link).toHaveValue(/shared/);
  const shared = await link.inputValue();
  await layout.check("chat, share");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");

  await page.goto(jarvis.url);
  await chat.alive();
  await rehearsal.says("Done, sir.");
  await chat.ask(WORDS);
  await chat.answered();
  const line = chat.list.getByRole("listitem").filter({ hasText: "a message" });
  await line.hover();
  await line.getByRole("button", { name: "Archive" }).click();
  await expect(line).toBeHidden();
  await layout.check("a conversation in the archive");
  await chat.list.getByRole("button", { name: "Choose", exact: true }).click();
  await expect(chat.list.getByRole("checkbox").first()).toBeVisible();
  await layout.checkWithDrawer("several to archive");
  await chat.list.getByRole("button", { name: "Back to the list" }).click();
  await chat.list.getByRole("button", { name: "Archived" }).click();
  await expect(line).toBeVisible();
  await layout.checkWithDrawer("archive");
  await line.hover();
  await line.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
  await layout.check("deleted, and to be undone");

  await page.goto(shared);
  await chat.alive();
  await layout.checkScrolling("shared conversation");
  await page.goto(`${jarvis.url}/nowhere`);
  await chat.alive();
  await layout.checkScrolling("not found");
});

test("decisions: a card that waits, its buttons in view, and what became of others", async ({
  page,
  chat,
  cards,
  rehearsal,
  layout,
  jarvis,
}) => {
  await page.getByRole("checkbox", { name: /Plan first/ }).check();
  await layout.check("plan, empty");
  await rehearsal.says("First look, then start VM 113.");
  await chat.ask("How would you start the windows VM?");
  await chat.answered();
  await layout.check("plan");

  await page.goto(jarvis.url);
  await chat.alive();
  await rehearsal.says(numbered(900));
  await chat.ask("Count.");
  await chat.answered();
  const card = await cards.ask([STOP], "Stop VM 112 on pve, please.");
  await layout.checkDecidable();
  await layout.checkScrolling("a card that waits");
  await page.getByRole("button", { name: "1 request waiting for you" }).click();
  await layout.check("the list of what waits");
  await page.keyboard.press("Escape");
  await card.more();
  await card.box.getByRole("checkbox", { name: /this again without asking/ }).check();
  await card.box.getByRole("checkbox", { name: /Force off/ }).click();
  await expect(card.box).toContainText("Can't be undone");
  await card.box.getByRole("button", { name: "Edit the input" }).click();
  await layout.checkDecidable();
  await layout.check("a card that waits, of the gravest kind, being changed");
  await card.deny.click();
  await chat.answered(2);
  await cards.told("Denied by").locator("summary").click();
  await layout.check("denied");

  await cards.ask([STOP], "Stop VM 112 on pve, please.");
  await page.getByRole("button", { name: "Kill switch: off" }).click();
  await layout.check("the kill switch, asked for");
  await page.getByRole("button", { name: "Turn the kill switch on" }).click();
  await expect(page.getByText("The kill switch is on: actions are blocked.")).toBeVisible();
  await layout.check("kill switch on, a card waits");
  await layout.checkDecidable();
  await page.getByRole("link", { name: "HUD" }).click();
  await expect(page.getByText("4 of 4 nodes online")).toBeVisible({ timeout: 30_000 });
  await layout.check("kill switch on, HUD");
});

test.describe("with little time", () => {
  test.use({ jarvisOptions: { env: { JARVIS_CONFIRMATION_SECONDS: "2" }, args: [] } });

  test("decisions: a card that has expired", async ({ chat, cards, rehearsal, layout }) => {
    await rehearsal.script({ blocks: [START] }, { blocks: [{ type: "text", text: "As you wish." }] });
    await chat.ask("Start the windows VM, please.");
    await chat.answered();
    await cards.told("Expired without a decision").locator("summary").click();
    await layout.check("expired");
  });
});

test.describe("with notices", () => {
  const env = { JARVIS_NOTICES: "true", JARVIS_NOTICES_HOLD_SECONDS: "1" };
  test.use({ jarvisOptions: { env, args: [] } });

  test("HUD: the board, its parts, and the chat beside it", async ({ page, chat, cards, rehearsal, layout, jarvis }) => {
    await page.goto(`${jarvis.url}/hud`);
    await chat.alive();
    await expect(page.getByRole("region", { name: "Notices" }).getByRole("listitem").nth(1)).toBeVisible({
      timeout: 90_000,
    });
    await expect(page.getByText("4 of 4 nodes online")).toBeVisible({ timeout: 30_000 });
    await layout.checkScrolling("HUD");
    await page.getByRole("combobox", { name: "Group by" }).selectOption("node");
    await layout.check("HUD, guests in groups");
    await page.getByRole("button", { name: "on VM 113 on node pve" }).click();
    await page.locator("#act-panel").getByRole("button", { name: "Start", exact: true }).click();
    await expect(page.locator("#act-panel .confirm--asks")).toBeVisible();
    await layout.check("HUD, a call of one's own");
    await page.keyboard.press("Escape");

    const pages = {
      "node/pve": "Services",
      "guest/101": "Configuration",
      "guest/100": "Backups",
      "storage/nas": "Backups",
    };
    for (const [path, region] of Object.entries(pages)) {
      await page.goto(`${jarvis.url}/${path}`);
      await chat.alive();
      await expect(page.getByRole("region", { name: region })).toBeVisible();
      await layout.checkScrolling(path);
    }
    await page.goto(`${jarvis.url}/node/pve`);
    const task = page.getByRole("region", { name: "Tasks" }).getByRole("heading", { level: 3 }).last();
    await task.getByRole("link").first().click();
    await expect(page.getByRole("group", { name: "Log of the task" })).not.toBeEmpty();
    await layout.checkScrolling("task");
    await page.goto(`${jarvis.url}/guest/9999`);
    await chat.alive();
    await layout.check("a guest that is not there");

    await page.goto(`${jarvis.url}/hud`);
    await chat.alive();
    await page.getByRole("button", { name: "Actions on node pve" }).click();
    await layout.check("HUD, the menu of a node");
    await page.getByRole("button", { name: "Ask Jarvis about Node pve" }).click();
    await layout.checkScrolling("HUD, the chat beside it");
    await rehearsal.says(LONG);
    await chat.ask(WORDS);
    await chat.answered();
    await layout.check("HUD, an answer beside it");
    await cards.ask([START], "Start VM 113 on pve, please.");
    await layout.check("HUD, a card beside it");
    await layout.checkDecidable();
  });
});

test("feed: filters and details", async ({ page, chat, layout, jarvis, context }) => {
  await chat.ask("Is the cluster healthy?");
  await chat.answered();
  await expect
    .poll(async () => (await context.request.get(`${jarvis.url}/feed/export?format=jsonl`)).text(), { timeout: 30_000 })
    .toMatch(/"call"[^]*"task"|"task"[^]*"call"/);
  await page.goto(`${jarvis.url}/feed`);
  await chat.alive();
  await layout.checkScrolling("FEED");
  await page.locator(".feed__line summary").nth(1).click();
  await page.getByText("More filters").click();
  await layout.checkScrolling("FEED, filters and details");
  await page.goto(`${jarvis.url}/feed?q=nothing`);
  await chat.alive();
  await layout.check("FEED, nothing fits");
});

direct("chart: drawings and their editor", async ({ page, chat, layout, jarvis }) => {
  const chart = new ChartPage(page, jarvis.url);
  await chart.open();
  await layout.check("CHART, the chat beside it");
  await chat.ask("Mark the main support and resistance and the last swing's fibonacci.");
  await chat.answered();
  await expect(chart.entries).toHaveCount(3);
  await layout.check("CHART, drawn on");
  await page.getByRole("button", { name: "Close the chat" }).click();
  await layout.checkScrolling("CHART");
  const entry = chart.entries.first();
  await entry.getByRole("button").first().click();
  await entry.getByRole("button", { name: /^Edit / }).click();
  await page.getByRole("form", { name: "Edit the drawing" }).getByLabel("Label").focus();
  await layout.checkScrolling("CHART, a drawing is edited");
});

direct("sign-in and settings", async ({ page, layout, jarvis, consoleErrors, context }) => {
  consoleErrors.expect(/status of (401|403|404|422)/);
  const paths = ["", "/look", "/notifications", "/sessions", "/passkeys", "/model", "/prompts", "/policy", "/assistant", "/persona", "/systems", "/mcp", "/import"];
  for (const path of paths) {
    await page.goto(`${jarvis.url}/settings${path}`);
    await layout.check(`settings${path}`);
  }
  await page.goto(`${jarvis.url}/settings/tokens`);
  await page.getByLabel("Name").fill("A wall screen with a rather long name, on the second floor");
  await page.getByRole("button", { name: "Create token" }).click();
  await expect(page.getByRole("status")).toBeVisible();
  await layout.check("settings/tokens");
  await page.goto(`${jarvis.url}/settings/users`);
  await page.getByLabel("Name").fill("Bartholomew Featherstonehaugh of the night shift");
  await page.getByRole("button", { name: "Add" }).click();
  await expect(page.getByRole("status")).toBeVisible();
  await layout.check("settings/users");
  const link = /\/sign-in\?token=[\w-]+/.exec(await page.content())?.[0] ?? "";
  await context.clearCookies();
  await page.goto(`${jarvis.url}/sign-in`);
  await layout.check("sign-in");
  await page.getByLabel("Name").fill("Operator");
  await page.getByLabel("Password").fill("wrong");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toBeVisible();
  await layout.check("sign-in, refused");
  await page.goto(`${jarvis.url}/sign-in?token=guess`);
  await layout.check("a link that does not work");
  await page.goto(jarvis.url + link);
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
  await layout.check("a link that works");
  await page.goto(`${jarvis.url}/offline.html`);
  await layout.check("offline");
});
