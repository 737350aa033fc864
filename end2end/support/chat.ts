// The page as a person sees it: by names and roles.
import { expect, type Locator, type Page } from "@playwright/test";
import { numbered } from "./rehearsal.ts";

export class Chat {
  readonly transcript: Locator;
  readonly composer: Locator;
  readonly send: Locator;
  readonly stop: Locator;
  /** The list of conversations. */
  readonly list: Locator;
  /** Messages that wait for the running turn. */
  readonly queue: Locator;
  /** How the tab stands with the server. */
  readonly connection: Locator;
  /** Blocks of text of the assistant and messages of the person, in their order. */
  readonly texts: Locator;
  readonly tools: Locator;

  constructor(readonly page: Page) {
    this.transcript = page.getByRole("log", { name: "Conversation" });
    this.composer = page.getByRole("textbox", { name: "Message" });
    this.send = page.getByRole("button", { name: /^Send/ });
    this.stop = page.getByRole("button", { name: /^Stop \(/ });
    this.list = page.getByRole("navigation", { name: "Conversations" });
    this.queue = page.getByRole("list", { name: "Waiting messages" });
    this.connection = page.getByRole("banner").getByRole("status");
    this.texts = this.transcript.getByRole("article");
    this.tools = this.transcript.getByRole("group").filter({ hasText: "Tier " });
  }

  /** Waits until the page takes keys and the server hears it. */
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
    // What acts takes its time.
    await expect(this.ended("Answered")).toHaveCount(turns, { timeout: 30_000 });
    await expect(this.stop).toBeHidden();
  }

  /** A message that waits for the running turn. */
  queued(text: string): Locator {
    return this.queue.getByRole("listitem").filter({ hasText: text });
  }

  /** The card of a tool, by the tool's name for people. */
  tool(name: string): Locator {
    return this.tools.filter({ hasText: name });
  }

  /** The words of the newest block of text. */
  async words(): Promise<string[]> {
    const text = await this.texts.last().innerText();
    return text.split(/\s+/).filter((word) => /^w\d+$/.test(word));
  }

  /** The words of `numbered` so far: none is missing, none came twice. */
  async wordsInOrder(): Promise<number> {
    const words = await this.words();
    // The newest may have come by half.
    const whole = words.slice(0, -1);
    expect(whole.join(" ")).toBe(numbered(whole.length));
    return words.length;
  }

  /** Waits until so many words of `numbered` are there. */
  async streamed(words: number): Promise<void> {
    await expect.poll(() => this.wordsInOrder()).toBeGreaterThanOrEqual(words);
  }
}
