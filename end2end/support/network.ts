// A page that reaches its server through a bad network, and the server's own journal.
import { expect, type APIRequestContext, type Page } from "@playwright/test";
import type { Event } from "./cards.ts";
import { signIn } from "./people.ts";
import { Proxy, type Fate, type Passing } from "./proxy.ts";
import { Chat, test as base } from "./test.ts";

/** The browser's own messages about a bad network. */
const BAD = /net::ERR_|WebSocket connection to|Failed to fetch/;

export const test = base.extend<{ line: Proxy }>({
  // Playwright has a fixture of its own called `proxy`.
  line: async ({ jarvis }, use) => {
    const proxy = await Proxy.start(jarvis);
    await use(proxy);
    await proxy.close();
  },

  page: async ({ context, jarvis, line, consoleErrors }, use) => {
    consoleErrors.expect(BAD);
    const page = await context.newPage();
    await signIn(page, line.through(jarvis.signInLink));
    await new Chat(page).alive();
    await use(page);
    line.calm();
    for (const open of context.pages()) await open.close();
  },
});

/** Version of a server with another protocol. */
export const ANOTHER = { build: "another", protocol: 1_000_000 };

/** For `line.judge`: replaces the version in the server's greeting; all other frames pass. */
export function greets(frame: Passing, version: { build: string; protocol?: number }): Fate {
  if (frame.from !== "server" || frame.number !== 1) return "pass";
  const hello = JSON.parse(frame.text) as { type: string };
  expect(hello.type).toBe("hello");
  return { say: JSON.stringify({ ...hello, ...version }) };
}

/** The journal of the page's conversation, fetched without the page and its network. */
export async function journalOf(page: Page, server: string): Promise<(Event & { text?: string; message?: string })[]> {
  const id = new URL(page.url()).pathname.split("/").pop();
  const request: APIRequestContext = page.context().request;
  const answer = await request.post(`${server}/api/conversation`, {
    data: { id },
    headers: { origin: server },
  });
  if (!answer.ok()) return [];
  return ((await answer.json()) as { events: Event[] }).events;
}

/** The person's messages in order, from the journal. */
export async function said(page: Page, server: string): Promise<string[]> {
  const messages = new Map<string, string>();
  for (const { type, message, text } of await journalOf(page, server)) {
    const says = ["turn_started", "message_queued", "message_steered"].includes(type);
    if (says && message && text !== undefined) messages.set(message, text);
  }
  return [...messages.values()];
}

/** The transcript's rows, without running times. */
export async function rows(chat: Chat): Promise<string[]> {
  return chat.transcript.evaluate((it) =>
    [...it.querySelectorAll(".row")].map((row) => {
      const copy = row.cloneNode(true) as Element;
      for (const time of copy.querySelectorAll("time")) time.remove();
      return (copy.textContent ?? "").replace(/\s+/g, " ").trim();
    }),
  );
}

/** Fails unless the page shows the same as a page freshly loaded from the server. */
export async function expectAsFresh(chat: Chat, server: string): Promise<void> {
  const { page } = chat;
  const fresh = new Chat(await page.context().newPage());
  await fresh.page.goto(server + new URL(page.url()).pathname);
  await fresh.alive();
  await expect.poll(() => rows(fresh)).toEqual(await rows(chat));
  await fresh.page.close();
}
