// The chat beside a page: opened from a card, beside a live HUD, at any width.
import type { Page } from "@playwright/test";
import { Cards, START } from "../support/cards.ts";
import { numbered } from "../support/rehearsal.ts";
import { expect, expectAccessible, test } from "../support/test.ts";

// The dock and the list slide.
test.use({ contextOptions: { reducedMotion: "no-preference" } });

const node = (page: Page, name: string) => page.getByRole("article", { name: `Node ${name}`, exact: true });
const dock = (page: Page) => page.getByRole("complementary", { name: "Chat" });
const toggle = (page: Page) => page.getByRole("button", { name: "Chat beside this page" });

async function hud(page: Page): Promise<void> {
  await page.getByRole("link", { name: "HUD" }).click();
  await expect(page.getByRole("heading", { name: "homelab", level: 1 })).toBeVisible();
}

test("asked from a card: what it is about goes with the message", async ({ page, chat, rehearsal }) => {
  await hud(page);
  const title = await page.title();
  await node(page, "pve").getByRole("button", { name: "Actions on node pve" }).click();
  await page.getByRole("button", { name: "Ask Jarvis about Node pve" }).click();
  await expect(chat.composer).toBeFocused();
  const chips = dock(page).getByRole("list", { name: "Attached to the message" });
  await expect(chips).toContainText("Node pve");

  // Several references, one of them removed again.
  await page
    .getByRole("table", { name: "Guests" })
    .getByRole("button", { name: /^Actions on CT 211 / })
    .click();
  await page.getByRole("button", { name: "Ask Jarvis about Guest 211" }).click();
  await expect(chips.getByRole("listitem")).toHaveCount(2);
  await chips.getByRole("button", { name: "Remove nextcloud · CT 211 · pve" }).click();
  await expect(chips.getByRole("listitem")).toHaveCount(1);

  await rehearsal.says(`Node pve, sir. ${numbered(60)}`, 40);
  await chat.ask("How is it?");
  await expect(page).toHaveURL(/\/hud$/);
  // The HUD updates while the answer streams.
  const age = page.locator(".hud__age");
  await expect(dock(page).getByText(/\bw3\b/)).toBeVisible();
  await expect(age).toContainText(/[2-9] s ago/, { timeout: 30_000 });
  await chat.answered();
  await expect(page).toHaveTitle(title);
  const said = chat.texts.first();
  await expect(said.getByRole("link", { name: "Node pve" })).toHaveAttribute("href", "/node/pve");
  await expect(chips).toBeHidden();
  await expectAccessible(page);

  // What the line under the composer opens is above its button, beside the page.
  const meter = dock(page).getByRole("button", { name: /^Context/ });
  await meter.click();
  const usage = page.getByRole("dialog", { name: "Context, tokens, cost and budgets" });
  await expect(usage).toContainText("This conversation");
  const [button, shown] = [await meter.boundingBox(), await usage.boundingBox()];
  expect((shown?.x ?? 0) + (shown?.width ?? 0)).toBeCloseTo((button?.x ?? 0) + (button?.width ?? 0), 0);
  expect((shown?.y ?? 0) + (shown?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0);
  await meter.click();
  await expect(usage).toBeHidden();

  // It is the same conversation on its own page, also after a reload.
  await dock(page).getByRole("link", { name: "Open as a page" }).click();
  await expect(page).toHaveURL(/\/chat\//);
  await expect(dock(page)).toHaveCount(0);
  await chat.answered();
  await page.reload();
  await expect(chat.texts.first().getByRole("link", { name: "Node pve" })).toBeVisible();
  await chat.alive();
  await rehearsal.says("Still here, sir.");
  await chat.ask("And now?");
  await chat.answered(2);
  await page.getByRole("link", { name: "HUD" }).click();
  await expect(dock(page).getByText("Still here, sir.")).toBeVisible();
});

test("what was only asked about goes with no other question, and a draft keeps it", async ({
  page,
  chat,
  jarvis,
  rehearsal,
}) => {
  const chips = page.getByRole("list", { name: "Attached to the message" });
  const ask = async () => {
    await hud(page);
    await node(page, "pve").getByRole("button", { name: "Actions on node pve" }).click();
    await page.getByRole("button", { name: "Ask Jarvis about Node pve" }).click();
    await expect(chips).toContainText("Node pve");
  };
  await rehearsal.says("It is well, sir.");
  await chat.ask("How is it?");
  await chat.answered();
  const read = new URL(page.url()).pathname;

  await ask();
  await page.goto(jarvis.url);
  await chat.alive();
  await expect(chips).toBeHidden();

  // It goes along to the chat's own page, but not past another conversation.
  await ask();
  await dock(page).getByRole("link", { name: "Open as a page" }).click();
  await expect(dock(page)).toHaveCount(0);
  await expect(chips).toContainText("Node pve");
  await chat.list.locator(`a[href="${read}"]`).click();
  await chat.answered();
  await chat.list.getByRole("link", { name: "New conversation" }).click();
  await expect(page.getByRole("heading", { name: "At your service." })).toBeVisible();
  await expect(chips).toBeHidden();

  await ask();
  await chat.composer.fill("Is it");
  await page.goto(jarvis.url);
  await chat.alive();
  await expect(chat.composer).toHaveValue("Is it");
  await expect(chips).toContainText("Node pve");
});

test("names in answers lead to pages, and nothing else does", async ({ page, chat, rehearsal }) => {
  await rehearsal.says(
    "On pve, nextcloud (CT 211) runs; nextcloud-2, pve.lan and Pve are others.\n\n" +
      "| guest | node |\n|---|---|\n| **nextcloud** | `pve` |\n\n" +
      "See [pve](https://example.invalid/).\n\n```\nssh pve\n```\n\n" +
      "UPID:pve:0000C530:001C9BEC:677E934A:vzdump:211:root@pam: is done.",
    200,
  );
  await chat.ask("Where?");
  await chat.answered();
  const answer = chat.texts.last();
  const links = answer.locator("a[href^='/']");
  const hrefs = await links.evaluateAll((all) => all.map((it) => it.getAttribute("href")));
  expect(hrefs).toEqual([
    "/node/pve",
    "/guest/211",
    "/guest/211",
    "/guest/211",
    "/node/pve",
    "/task/UPID:pve:0000C530:001C9BEC:677E934A:vzdump:211:root@pam:",
  ]);
  await expect(answer).toContainText("On pve, nextcloud (CT 211) runs; nextcloud-2, pve.lan and Pve are others.");
  await expect(answer.locator("pre a")).toHaveCount(0);
  // A page rendered by the server gets its links as well.
  await page.reload();
  await chat.alive();
  await expect(links).toHaveCount(6);
});

test("opened and closed by keyboard, resized, moved, and remembered", async ({ page, chat }) => {
  test.slow();
  await hud(page);
  await expect(dock(page)).toHaveCount(0);
  const find = page.getByRole("searchbox", { name: /Find guests/ });
  await find.focus();
  await page.keyboard.press("Control+i");
  await expect(chat.composer).toBeFocused();
  await expect(toggle(page)).toHaveAttribute("aria-expanded", "true");
  await page.keyboard.press("Control+i");
  await expect(dock(page)).toHaveCount(0);
  await expect(find).toBeFocused();

  await toggle(page).click();
  const edge = page.getByRole("separator", { name: /Width of the chat/ });
  await expect(edge).toHaveAttribute("aria-valuenow", "420");
  await edge.focus();
  for (let n = 0; n < 3; n++) await page.keyboard.press("ArrowLeft");
  await expect(edge).toHaveAttribute("aria-valuenow", "492");
  await expect.poll(async () => Math.round((await dock(page).boundingBox())?.width ?? 0)).toBe(492);
  await page.keyboard.press("Home");
  await expect(edge).toHaveAttribute("aria-valuenow", "300");

  // With the pointer, from either side.
  const drag = async (to: number) => {
    const box = await edge.boundingBox();
    if (!box) throw new Error("no edge");
    await page.mouse.move(box.x + box.width / 2, 300);
    await page.mouse.down();
    await page.mouse.move(to, 300, { steps: 4 });
    await page.mouse.up();
  };
  const { width } = page.viewportSize() ?? { width: 0 };
  await drag(width - 450);
  await expect(edge).toHaveAttribute("aria-valuenow", "450");
  await page.getByRole("button", { name: "Move to the left" }).click();
  const main = async () => (await page.getByRole("main").boundingBox())?.x ?? 0;
  const left = async () => (await dock(page).boundingBox())?.x ?? 0;
  await expect.poll(async () => (await left()) < (await main())).toBe(true);
  await drag((await left()) + 500);
  await expect(edge).toHaveAttribute("aria-valuenow", "500");
  await expectAccessible(page);

  await page.reload();
  await chat.alive();
  await expect(edge).toHaveAttribute("aria-valuenow", "500");
  await expect.poll(async () => (await left()) < (await main())).toBe(true);
  // Opening on its own, it does not take the focus.
  await expect(chat.composer).not.toBeFocused();
  await page.getByRole("button", { name: "Close the chat" }).click();
  await expect(toggle(page)).toBeFocused();
});

test("a link in the dock changes the page beside it, and the chat goes on", async ({ page, chat, rehearsal }) => {
  await hud(page);
  await page.keyboard.press("Control+i");
  await rehearsal.says("See [the board](/hud), sir.");
  await chat.ask("Where do I look?");
  await chat.answered();
  await dock(page).getByRole("link", { name: "the board" }).click();
  await expect(page).toHaveURL(/\/hud$/);
  await rehearsal.says(numbered(400), 60);
  await chat.ask("Count, please.");
  await chat.streamed(5);
  // Escape closes the chat only if it is pressed in the chat.
  await page.getByRole("searchbox", { name: /Find guests/ }).press("Escape");
  await chat.streamed(20);
  await chat.composer.press("Escape");
  await expect(chat.ended("Stopped")).toBeVisible();
});

test("a card beside a page leaves the room to its values, in a window of any width", async ({
  page,
  chat,
  rehearsal,
}) => {
  await hud(page);
  await page.keyboard.press("Control+i");
  const card = await new Cards(chat, rehearsal).ask([START], "Start VM 113 on pve, please.");
  await card.more();
  const edge = page.getByRole("separator", { name: /Width of the chat/ });
  await expect(edge).toHaveAttribute("aria-valuenow", "420");
  const widths = () =>
    card.box.locator(":is(.confirm__fact, .confirm__value):visible").evaluateAll((rows) =>
      rows.map((row) => [...row.children].map((part) => part.getBoundingClientRect().width)),
    );
  expect((await widths()).length).toBeGreaterThan(1);
  for (const [label = 0, value = 0] of await widths()) expect(value).toBeGreaterThan(1.5 * label);
  // As wide as it can be, labels get the room that they have on a page.
  await edge.focus();
  await page.keyboard.press("End");
  await expect.poll(async () => (await widths())[0]?.[0] ?? 0).toBeGreaterThan(150);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("it is a sheet over the page", async ({ page, chat, rehearsal }) => {
    await page.getByRole("link", { name: "HUD" }).tap();
    await node(page, "pve").getByRole("button", { name: "Actions on node pve" }).tap();
    await page.getByRole("button", { name: "Ask Jarvis about Node pve" }).tap();
    await expect(chat.composer).toBeFocused();
    await expect(page.getByRole("heading", { name: "homelab", level: 1 })).toBeHidden();
    const box = await dock(page).boundingBox();
    expect(box?.width).toBe(390);
    // Down to the pages at the bottom.
    const tabs = await page.getByRole("navigation", { name: "Dashboard" }).boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(tabs?.y);
    await rehearsal.says("Node pve is well, sir.");
    await chat.ask("How is it?");
    await chat.answered();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Close the chat" }).tap();
    await expect(page.getByRole("heading", { name: "homelab", level: 1 })).toBeVisible();
  });

  test("it covers no page after the one on which it was opened", async ({ page, chat }) => {
    const title = page.getByRole("heading", { name: "homelab", level: 1 });
    const ask = async () => {
      await node(page, "pve").getByRole("button", { name: "Actions on node pve" }).tap();
      await page.getByRole("button", { name: "Ask Jarvis about Node pve" }).tap();
    };
    await page.getByRole("link", { name: "HUD" }).tap();
    await ask();
    await expect(chat.composer).toBeFocused();
    await page.reload();
    await expect(title).toBeInViewport();
    await expect(dock(page)).toBeHidden();

    await chat.alive();
    await ask();
    await expect(dock(page)).toBeVisible();
    await page.goBack();
    await page.getByRole("link", { name: "HUD" }).tap();
    await expect(title).toBeInViewport();
    await expect(dock(page)).toBeHidden();
    await ask();
    await expect(dock(page)).toBeVisible();
  });
});
