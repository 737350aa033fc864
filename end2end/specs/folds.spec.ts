// Calls that only read are one line; everything else keeps its card and its place.
import { START } from "../support/cards.ts";
import { Cluster } from "../support/cluster.ts";
import { expectFits } from "../support/fits.ts";
import { expect, expectAccessible, test } from "../support/test.ts";
import type { Block } from "../support/rehearsal.ts";

const node = (name: string): Block => ({ type: "tool_use", name: "get_node_status", input: { node: name } });
const STORAGE: Block = { type: "tool_use", name: "get_storage", input: {} };
const STATUS: Block = { type: "tool_use", name: "get_cluster_status", input: {} };
const SAID: Block = { type: "text", text: "There it is, sir." };

test("reads fold into lines around what failed, wide and on a phone", async ({ page, chat, rehearsal }) => {
  await rehearsal.script(
    { blocks: [node("pve"), STORAGE, STATUS, node("nowhere"), node("agent")] },
    { blocks: [SAID] },
  );
  await chat.ask("Look around.");
  await chat.answered();

  const check = async () => {
    await expect(chat.lines).toHaveCount(2);
    await expect(chat.lines.first().locator("> summary")).toHaveText(/^Looked at 3 things · [\d.]+ m?s$/);
    await expect(chat.lines.last().locator("> summary")).toHaveText(/^Node status · node agent\s*[\d.]+ m?s$/);
    // In the order of the calls: three, the one that failed, one.
    const order = await chat.transcript
      .locator("details.reads__fold > summary, .tool-card--failed > summary")
      .evaluateAll((all) => all.map((it) => (it as HTMLElement).innerText));
    expect(order).toHaveLength(3);
    expect(order[0]).toContain("Looked at 3 things");
    expect(order[1]).toContain("node nowhere");
    expect(order[2]).toContain("node agent");
    await expect(chat.tool("node nowhere")).toBeVisible();
    await expect(chat.tool("Storage")).toBeHidden();
  };
  for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
    await page.setViewportSize(viewport);
    await check();
    await expectFits(page);
    await expectAccessible(page);

    // By keyboard, to the cards as they were.
    await chat.lines.first().locator("> summary").focus();
    await page.keyboard.press("Enter");
    for (const text of ["node pve", "Storage", "Cluster status"]) {
      await expect(chat.tool(text)).toBeVisible();
      await expect(chat.tool(text)).toContainText("Done: ");
    }
    await expect(chat.tools.getByText("Green")).toHaveCount(0);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(chat.tool("node pve").getByRole("heading", { name: "Result" })).toBeVisible();
    // The card of a line with one call opens with it.
    await chat.lines.last().locator("> summary").click();
    await expect(chat.tool("node agent").getByRole("heading", { name: "Result" })).toBeVisible();
    await expectFits(page);
    await expectAccessible(page);

    await page.reload();
    await chat.alive();
    await check();
  }
});

test("an address of a call opens its line", async ({ page, chat, rehearsal, jarvis }) => {
  await rehearsal.script({ blocks: [node("pve"), STORAGE] }, { blocks: [SAID] });
  await chat.ask("Look around.");
  await chat.answered();
  const call = await chat.transcript.locator(".call").filter({ hasText: "Storage" }).getAttribute("id");
  const conversation = page.url();
  await page.goto(jarvis.url);
  await page.goto(`${conversation}#${call}`);
  await chat.alive();
  await expect(chat.tool("Storage")).toBeVisible();
  await expect(page.locator(".row--found")).toContainText("Storage");
});

test("a running read is a line at once, and a request stays a card", async ({ chat, rehearsal, jarvis }) => {
  const cluster = new Cluster(jarvis);
  await cluster.order({ type: "delay", ms: 1500 });
  await rehearsal.script({ blocks: [node("pve"), node("agent")] }, { blocks: [START] });
  await chat.ask("Start VM 113 on pve, but look first.");
  await expect(chat.lines.locator("> summary")).toHaveText("Looking at 2 things…");
  await cluster.order({ type: "restore" });
  await expect(chat.lines.locator("> summary")).toHaveText(/^Looked at 2 things · /);
  const card = chat.transcript.locator(".confirm");
  await expect(card).toBeVisible();
  await expect(chat.lines.locator(".confirm")).toHaveCount(0);
  await chat.stop.click();
  await expect(chat.ended("Stopped")).toBeVisible();
  // Withdrawn, it is a card of its own.
  await expect(chat.tool("Start")).toBeVisible();
});

test("a figure leads to the call that brought it", async ({ page, chat }) => {
  await chat.ask("Which VMs are stopped?");
  await chat.answered();
  const source = page.locator("a.source").first();
  await expect(source).toHaveText("1");
  await expect(source).toHaveCSS("vertical-align", "super");
  await source.click();
  const call = page.locator(".call.row--found");
  await expect(call).toBeFocused();
  await expect(call).toBeVisible();
});
