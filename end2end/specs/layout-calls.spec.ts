// Layout rules where calls wait, are blocked, withdrawn or under a grant: see support/layout.ts.
import { Cards, kernelLog, RESTART_OTHER, START, START_OTHER, STOP } from "../support/cards.ts";
import { Layout } from "../support/layout.ts";
import { propose } from "../support/policy.ts";
import type { Block } from "../support/rehearsal.ts";
import { expect, test as base } from "../support/test.ts";

const test = base.extend<{ layout: Layout; cards: Cards }>({
  layout: async ({ page }, use) => use(await Layout.of(page)),
  cards: async ({ chat, rehearsal }, use) => use(new Cards(chat, rehearsal)),
});

// Many states in sequence. The timeout only ends a test that hangs, even on a busy machine.
test.describe.configure({ timeout: 20 * 60_000 });

test.use({ viewport: { width: 1440, height: 900 }, contextOptions: { reducedMotion: "reduce" } });

const REBOOT: Block = { type: "tool_use", name: "reboot_node", input: { node: "pve", action: "reboot" } };
const LONG_COMMAND = `cat /etc/${"a-rather-long-name/".repeat(8)}shadow | sort`;

test("blocked calls", async ({ chat, cards, rehearsal, layout }) => {
  const refused = { ...kernelLog("pve"), input: { node: "pve", command: LONG_COMMAND } };
  await rehearsal.script({ blocks: [REBOOT, refused] }, { blocks: [{ type: "text", text: "As you wish." }] });
  await chat.ask("Reboot pve, and show its passwords.");
  await chat.answered();
  const blocked = chat.transcript.getByRole("group").filter({ hasText: "Blocked: " });
  await expect(blocked).toHaveCount(2);
  await layout.check("blocked calls");
  for (const card of await blocked.all()) await card.locator("summary").click();
  await layout.checkScrolling("blocked calls, unfolded");
});

test("a grant: offered, in force, used, in the settings and the feed, revoked", async ({
  page,
  chat,
  cards,
  layout,
  jarvis,
  context,
}) => {
  const card = await cards.ask([RESTART_OTHER], "Restart container 231 on agent.");
  await card.more();
  await card.box.getByRole("checkbox", { name: /this again without asking/ }).check();
  await expect(card.box).toContainText(/exactly this call.* runs 3 more times without asking, until/);
  await layout.check("a grant, offered");
  await layout.checkDecidable();
  await card.allow();
  await chat.answered();
  const grants = page.getByText("1 active grant");
  await expect(grants).toBeVisible();
  await layout.check("a grant in force");
  await cards.run(RESTART_OTHER, "And again, please.", 2);
  await grants.click();
  await expect(page.getByText(/used 1 of 3/)).toBeVisible();
  await cards.told("Ran under a standing grant given by ").locator("summary").click();
  await layout.checkScrolling("a grant in force, its list and a call under it");

  const other = await context.newPage();
  const settings = await Layout.of(other);
  await propose(other, jarvis, () => other.locator('input[name="grants"]').uncheck());
  await settings.check("settings/policy, a grant in force");
  await other.goto(`${jarvis.url}/feed?kind=decision`);
  await other.locator(".feed__line summary").first().click();
  await settings.check("FEED, a grant");
  await other.close();

  await page.getByRole("button", { name: /^Revoke: / }).click();
  await expect(page.getByText(/Revoked by /)).toBeVisible();
  await layout.check("a grant, revoked");
});

test("several calls wait at once, and are withdrawn", async ({ page, chat, cards, rehearsal, layout }) => {
  const calls = [STOP, START, START_OTHER, RESTART_OTHER];
  await cards.ask(calls, "Stop VM 112, start VM 113 and container 213 on pve, and restart 231 on agent.");
  await layout.checkScrolling("several calls wait");
  await layout.checkDecidable();
  await page.getByRole("button", { name: "4 requests waiting for you" }).click();
  await layout.check("several calls wait, their list");
  await page.keyboard.press("Escape");
  await chat.composer.fill("Never mind, and tell me which of them run today and since when they do.");
  await expect(page.getByRole("button", { name: "Withdraw and send now" })).toBeVisible();
  await layout.check("several calls wait, a message is written");
  await layout.checkDecidable();
  // One is decided: the others still wait.
  await chat.composer.fill("");
  await cards.card(1).deny.click();
  await expect(cards.open).toHaveCount(3);
  await layout.check("several calls, one of them denied");
  await layout.checkDecidable();

  // Beside another page there is less room.
  await page.getByRole("link", { name: "HUD" }).click();
  await expect(page.getByText("4 of 4 nodes online")).toBeVisible();
  await layout.check("HUD, several calls wait");
  await page.goBack();
  await expect(cards.open).toHaveCount(3);
  await rehearsal.says("As you wish, sir.");
  await chat.composer.fill("Never mind.");
  await page.getByRole("button", { name: "Withdraw and send now" }).click();
  await cards.nothingToDecide();
  await expect(chat.ended("Answered")).toBeVisible();
  const withdrawn = chat.transcript.getByRole("group").filter({ hasText: "Withdrawn" });
  await expect(withdrawn).toHaveCount(3);
  for (const call of await withdrawn.all()) await call.locator("summary").click();
  await layout.checkScrolling("calls, withdrawn");
});
