// Without a server: pages from the service worker, and data that it must never store.
import type { Page } from "@playwright/test";
import { Chat, expect, expectAccessible, test } from "../support/test.ts";

test.use({ serviceWorkers: "allow" });

/** The browser's own messages about a network that is down. */
const AWAY = /ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_CONNECTION|ERR_NETWORK_CHANGED|WebSocket connection to/;

/** Waits until the worker controls the page. */
async function guarded(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** Names of the caches, and the paths in them. */
async function kept(page: Page): Promise<{ names: string[]; paths: string[] }> {
  return page.evaluate(async () => {
    const names = await caches.keys();
    const paths: string[] = [];
    for (const name of names) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) paths.push(new URL(request.url).pathname);
    }
    return { names, paths };
  });
}

test("without network the page says so, and comes back by itself", async ({
  page,
  context,
  chat,
  consoleErrors,
}) => {
  consoleErrors.expect(AWAY);
  await guarded(page);
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Jarvis cannot be reached" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("status")).toHaveText("Still no answer.");
  await context.setOffline(false);
  await chat.alive();
  await chat.ask("Which VMs are stopped?");
  await chat.answered();
});

test("a server that is away is seen, and the same address comes when it is back", async ({
  page,
  chat,
  jarvis,
  consoleErrors,
}) => {
  consoleErrors.expect(AWAY);
  await chat.ask("Which VMs are stopped?");
  await chat.answered();
  const address = page.url();
  await guarded(page);
  await jarvis.kill();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Jarvis cannot be reached" })).toBeVisible();
  await jarvis.restart();
  await chat.alive();
  expect(page.url()).toBe(address);
  await expect(chat.texts.first()).toContainText("Which VMs are stopped?");
});

test("no page and no answer is kept, and nothing of an older build", async ({ page, chat, context, jarvis }) => {
  await guarded(page);
  const second = new Chat(await context.newPage());
  await second.page.goto(jarvis.url);
  await second.alive();
  await second.ask("Which VMs are stopped?");
  await second.answered();
  await second.page.close();

  // Changes made meanwhile are in the first HTML.
  const answer = await page.reload();
  expect(answer?.fromServiceWorker()).toBe(true);
  expect(await answer?.text()).toContain("Which VMs are stopped?");
  await chat.alive();
  await expect.poll(async () => (await kept(page)).paths.some((path) => path.endsWith(".wasm"))).toBe(true);
  const { names, paths } = await kept(page);
  expect(names).toHaveLength(1);
  const shell = ["/offline.html", "/offline.js", "/favicon.svg"];
  expect(paths.filter((path) => !path.startsWith("/assets/")).sort()).toEqual(shell.sort());

  // A new worker takes over and deletes the caches of the old one.
  await page.evaluate(async () => {
    const old = await caches.open("jarvis-old");
    await old.put("/chat/old", new Response("old"));
    const registration = await navigator.serviceWorker.getRegistration();
    await registration?.unregister();
  });
  await page.reload();
  await chat.alive();
  await expect.poll(async () => (await kept(page)).names).toEqual(names);
});
