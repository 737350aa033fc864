// `test` with a server for each test, a signed-in page, and a check of the browser's console.
import { AxeBuilder } from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";
import { Chat } from "./chat.ts";
import { Rehearsal } from "./rehearsal.ts";
import { Jarvis, type JarvisOptions } from "./server.ts";

interface Fixtures {
  /** Set with `test.use({ jarvisOptions: { env: {…}, args: […] } })`. */
  jarvisOptions: JarvisOptions;
  /** False for a test that opens another page first: the start page is then not loaded before it. */
  startPage: boolean;
  /** A running server with empty data. */
  jarvis: Jarvis;
  /** Errors and warnings in the console of any page; unexpected ones fail the test at its end. */
  consoleErrors: ConsoleErrors;
  /** Signed in; at the start page unless `startPage` is false, hydrated if possible. */
  page: Page;
  /** The same page by accessible names. */
  chat: Chat;
  /** The rehearsal model of `jarvis`. */
  rehearsal: Rehearsal;
}

/** Collects the console messages of pages. */
export class ConsoleErrors {
  private readonly expected: RegExp[] = [];
  private readonly seen: string[] = [];

  /** Declares errors that this test provokes, such as those of a connection that it cuts. */
  expect(pattern: RegExp): void {
    this.expected.push(pattern);
  }

  add(text: string): void {
    // The test runner's own message, where it blocks the worker.
    if (text.startsWith("Service Worker registration blocked by Playwright")) return;
    this.seen.push(text);
  }

  unexpected(): string[] {
    return this.seen.filter((text) => !this.expected.some((pattern) => pattern.test(text)));
  }
}

/** The browser's own messages about a server that is down. */
export const AWAY = /ERR_CONNECTION|ERR_EMPTY_RESPONSE|WebSocket connection to/;

export const test = base.extend<Fixtures>({
  jarvisOptions: [{ env: {}, args: [] }, { option: true }],
  startPage: [true, { option: true }],

  jarvis: async ({ jarvisOptions }, use, info) => {
    const jarvis = await Jarvis.start(jarvisOptions);
    try {
      await use(jarvis);
    } finally {
      await jarvis.dispose();
      if (info.status !== info.expectedStatus) {
        await info.attach("server log", { body: jarvis.log, contentType: "text/plain" });
      }
    }
  },

  consoleErrors: [
    async ({ context }, use) => {
      const errors = new ConsoleErrors();
      // A warning counts too: it is the sign of a tree that does not match the HTML.
      context.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") {
          errors.add(`${message.text()} (${message.location().url})`);
        }
      });
      context.on("weberror", (error) => errors.add(String(error.error())));
      await use(errors);
      expect(errors.unexpected(), "errors in the browser's console").toEqual([]);
    },
    { auto: true },
  ],

  page: async ({ context, jarvis, startPage, javaScriptEnabled }, use) => {
    // As the button of the link's page does, which `sign-in.spec.ts` covers: one page less to load.
    await context.request.post(jarvis.signInLink, { headers: { origin: jarvis.url }, maxRedirects: 0 });
    const page = await context.newPage();
    if (startPage) {
      await page.goto(jarvis.url);
      if (javaScriptEnabled !== false) await new Chat(page).alive();
    }
    await use(page);
    // Before the server stops: its end must not reach these pages.
    for (const open of context.pages()) await open.close();
  },

  chat: async ({ page }, use) => use(new Chat(page)),

  rehearsal: async ({ jarvis }, use) => use(new Rehearsal(jarvis)),
});

/** Fails on barriers: axe's serious and critical findings. */
export async function expectAccessible(page: Page): Promise<void> {
  // The two rules walk the whole page for what is never more than moderate.
  await expectNoBarrier(page, { rules: { region: { enabled: false }, "heading-order": { enabled: false } } });
}

/**
 * Fails on the barriers that a theme can raise: for the second theme of a page that `expectAccessible` looks at in
 * the first. A theme changes colours alone, and these rules are those on colours.
 */
export async function expectReadable(page: Page): Promise<void> {
  await expectNoBarrier(page, { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } });
}

async function expectNoBarrier(page: Page, options: object): Promise<void> {
  // Half-way through a transition a colour is neither the old one nor the new one. They are ended here and not waited
  // for: one in a part of the page that the browser skips (`content-visibility: auto`) does not go on by itself.
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
  });
  // No page has frames, and only violations matter: this takes a tenth of the time.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"], ...options });
  const { violations } = await axe.analyze();
  const grave = violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, help, nodes }) => ({ id, help, where: nodes.map(({ target }) => target) }));
  expect(grave, "axe").toEqual([]);
}

export { Chat, expect };
