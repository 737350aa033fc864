// The chat page as a person sees it: by names and roles.
import { expect, type Locator, type Page } from "@playwright/test";
import { numbered } from "./rehearsal.ts";

export class Chat {
  readonly transcript: Locator;
  readonly composer: Locator;
  readonly send: Locator;
  readonly stop: Locator;
  /** The list of conversations. */
  readonly list: Locator;
  /** Messages queued for the running turn. */
  readonly queue: Locator;
  /** State of the tab's connection to the server. */
  readonly connection: Locator;
  /** The assistant's text blocks and the person's messages, in order. */
  readonly texts: Locator;
  /** The cards of calls, also those in a closed line. */
  readonly tools: Locator;
  /** The lines of calls that only read. */
  readonly lines: Locator;

  constructor(readonly page: Page) {
    this.transcript = page.getByRole("log", { name: "Conversation" });
    this.composer = page.getByRole("textbox", { name: "Message" });
    this.send = page.getByRole("button", { name: /^Send/ });
    this.stop = page.getByRole("button", { name: /^Stop \(/ });
    this.list = page.getByRole("navigation", { name: "Conversations" });
    this.queue = page.getByRole("list", { name: "Waiting messages" });
    this.connection = page.getByRole("banner").getByRole("status");
    this.texts = this.transcript.getByRole("article");
    this.tools = this.transcript.locator("details.tool-card");
    this.lines = this.transcript.locator("details.reads__fold");
  }

  /** Waits until the page is interactive and connected to the server. */
  async alive(): Promise<void> {
    await expect(this.connection).toHaveText("Live");
  }

  async ask(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press("Enter");
  }

  /** The end of a turn: `Answered`, `Stopped`, … */
  ended(outcome: string): Locator {
    return this.transcript.getByText(outcome, { exact: true });
  }

  async answered(turns = 1): Promise<void> {
    // Actions take time.
    await expect(this.ended("Answered")).toHaveCount(turns, { timeout: 30_000 });
    await expect(this.stop).toBeHidden();
  }

  /** A message queued for the running turn. */
  queued(text: string): Locator {
    return this.queue.getByRole("listitem").filter({ hasText: text });
  }

  /** The card of a tool, by the tool's display name. */
  tool(name: string): Locator {
    return this.tools.filter({ hasText: name });
  }

  /** Opens the lines of calls that only read; the only card of a line opens with it. */
  async unfold(): Promise<void> {
    const closed = this.transcript.locator("details.reads__fold:not([open]) > summary");
    while ((await closed.count()) > 0) await closed.first().click();
  }

  /** Opens every card. */
  async openCards(): Promise<void> {
    await this.unfold();
    for (const card of await this.tools.all()) {
      if ((await card.getAttribute("open")) === null) await card.locator("summary").click();
    }
  }

  /** The words of the newest text block. */
  async words(): Promise<string[]> {
    const text = await this.texts.last().innerText();
    return text.split(/\s+/).filter((word) => /^w\d+$/.test(word));
  }

  /** Asserts that no word of `numbered` is missing or duplicated so far; returns their number. */
  async wordsInOrder(): Promise<number> {
    const words = await this.words();
    // The newest may be incomplete.
    const whole = words.slice(0, -1);
    expect(whole.join(" ")).toBe(numbered(whole.length));
    return words.length;
  }

  /** Waits until this many words of `numbered` are there. */
  async streamed(words: number): Promise<void> {
    await expect.poll(() => this.wordsInOrder()).toBeGreaterThanOrEqual(words);
  }
}
