// Browser notifications of waiting calls, for people who are in another tab and opted in.
import { Cards, START, START_OTHER } from "../support/cards.ts";
import { expect, test as base } from "../support/test.ts";
import type { Page } from "@playwright/test";

const test = base.extend<{ cards: Cards }>({
  cards: async ({ chat, rehearsal }, use) => use(new Cards(chat, rehearsal)),
});

test.slow();

interface Told {
  title: string;
  body?: string;
  tag?: string;
}

declare global {
  interface Window {
    told: Told[];
    away: boolean;
  }
}

/** Stubs browser notifications and the visibility of the tab. */
async function stub(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.told = [];
    window.away = false;
    class Stub {
      static permission = sessionStorage.getItem("told") ?? "default";
      static async requestPermission() {
        Stub.permission = "granted";
        sessionStorage.setItem("told", "granted");
        return "granted";
      }
      constructor(title: string, options: NotificationOptions = {}) {
        window.told.push({ title, body: options.body, tag: options.tag });
      }
    }
    Object.defineProperty(window, "Notification", { value: Stub });
    const seen = document.hasFocus.bind(document);
    document.hasFocus = () => !window.away && seen();
    Object.defineProperty(document, "hidden", { get: () => window.away });
    Object.defineProperty(document, "visibilityState", { get: () => (window.away ? "hidden" : "visible") });
  });
  await page.reload();
}

async function look(page: Page, at: boolean): Promise<void> {
  await page.evaluate((at) => {
    window.away = !at;
    document.dispatchEvent(new Event("visibilitychange"));
  }, at);
}

test("a call that waits is told once to who does not look", async ({ page, chat, cards }) => {
  await stub(page);
  await chat.alive();
  const told = () => page.evaluate(() => window.told);
  await page.getByRole("button", { name: "No requests waiting for you" }).click();
  await page.getByRole("link", { name: "Notifications in this browser" }).click();
  await page.getByRole("button", { name: "Turn notifications on" }).click();
  await expect(page.getByRole("status")).toHaveText("On.");
  await page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "Chat" }).click();
  await chat.alive();

  // A person looking at the tab sees the card, so there is no notification.
  const card = await cards.ask([START]);
  expect(await told()).toEqual([]);
  await card.deny.click();
  await chat.answered();

  await look(page, false);
  const other = await cards.ask([START_OTHER]);
  await expect.poll(told).toHaveLength(1);
  const [note] = await told();
  expect(note?.title).toBe("Jarvis needs your decision");
  expect(note?.body).toMatch(/^Start CT 213 /);
  expect(note?.tag).toMatch(/^call_/);
  // Nothing can be approved from a hidden tab.
  await expect(other.approve).toBeDisabled();
  await expect(other.box).toContainText("You can't approve while this tab is hidden.");

  await look(page, true);
  await other.deny.click();
  await chat.answered(2);
  expect(await told()).toHaveLength(1);
});

test("nobody is told who did not ask for it", async ({ page, chat, cards }) => {
  await stub(page);
  await chat.alive();
  await look(page, false);
  await cards.ask([START]);
  await expect(page).toHaveTitle(/^\(1\) /);
  expect(await page.evaluate(() => window.told)).toEqual([]);
});
