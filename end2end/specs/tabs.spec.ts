// Five tabs in two browsers on one conversation: all show the same, including every decision.
import type { Page } from "@playwright/test";
import { Cards, expectLawful, START } from "../support/cards.ts";
import { rows, said } from "../support/network.ts";
import { Chat, expect, test } from "../support/test.ts";

/** The list's text, without running times. */
const list = (page: Page) =>
  page.getByRole("navigation", { name: "Conversations" }).getByRole("link").evaluateAll((links) =>
    links.map((link) => {
      const copy = link.cloneNode(true) as Element;
      for (const time of copy.querySelectorAll("time")) time.remove();
      return copy.textContent;
    }),
  );

test("two browsers and five tabs keep in step", async ({ page, chat, rehearsal, browser, context, jarvis }) => {
  test.slow();
  await rehearsal.says("Good morning, sir.");
  await chat.ask("Good morning.");
  await chat.answered();

  const second = await browser.newContext({ storageState: await context.storageState() });
  const tabs = [chat];
  for (const of of [context, context, second, second]) {
    const tab = new Chat(await of.newPage());
    await tab.page.goto(page.url());
    await tab.alive();
    tabs.push(tab);
  }

  // Each sends a message while an answer streams, all at once.
  await rehearsal.says("One thing after the other, sir.", 2);
  for (let n = 0; n < tabs.length; n++) await rehearsal.says(`Number ${n}, sir.`);
  await chat.ask("Are you all there?");
  const words = tabs.map((_, n) => `This is tab ${n}.`);
  await Promise.all(tabs.map((tab, n) => tab.ask(words[n] ?? "")));
  for (const tab of tabs) await tab.answered(2 + tabs.length);
  const spoken = await said(page, jarvis.url);
  expect(spoken.slice(0, 2)).toEqual(["Good morning.", "Are you all there?"]);
  expect(spoken.slice(2).sort()).toEqual(words);
  const shown = await rows(chat);
  const order = spoken.map((text) => shown.findIndex((row) => row.includes(text)));
  expect(order).toEqual([...order].sort((one, other) => one - other));
  for (const tab of tabs) await expect.poll(() => rows(tab)).toEqual(shown);

  // A card requested in one tab appears in all, and so does a decision made in another.
  await new Cards(chat, rehearsal).ask([START]);
  const cards = tabs.map((tab) => new Cards(tab, rehearsal));
  for (const of of cards) await expect(of.open).toHaveCount(1);
  const decider = tabs[3];
  await decider?.page.bringToFront();
  const card = cards[3]?.card();
  await card?.read();
  await card?.approve.click();
  for (const [n, tab] of tabs.entries()) {
    await tab.answered(3 + tabs.length);
    await cards[n]?.nothingToDecide();
  }
  const events = await expectLawful(page);
  expect(events.filter(({ type }) => type === "confirmation_decided")).toHaveLength(1);
  const end = await rows(chat);
  for (const tab of tabs) {
    await expect.poll(() => rows(tab)).toEqual(end);
    await expect.poll(() => list(tab.page)).toEqual(await list(page));
  }
  await second.close();
});
