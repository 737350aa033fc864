// The ERP's pages as a person sees them.
import { expect, type Locator, type Page } from "@playwright/test";
import { Card } from "./cards.ts";
import { Chat } from "./chat.ts";

/** The first look at the site's lists takes a moment. */
export const LOOK = { timeout: 45_000 };

export const pane = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** Presses with the mouse, or with a finger. */
export const press = (it: Locator, touch: boolean, options?: { timeout: number }) =>
  touch ? it.tap(options) : it.click(options);

/** The page of a document. */
export class DocumentSheet {
  /** Buttons, fields for what a person has to say, and the calls. */
  readonly actions: Locator;
  readonly head: Locator;
  readonly calls: Locator;

  /** `touch`: its buttons and links are tapped. */
  constructor(
    readonly page: Page,
    private readonly touch = false,
  ) {
    this.actions = page.getByRole("region", { name: "Available actions" });
    this.head = page.locator(".erp-pane--head");
    this.calls = page.getByRole("group", { name: "Your actions on it" });
  }

  static async open(page: Page, origin: string, path: string): Promise<DocumentSheet> {
    await page.goto(`${origin}${path}`);
    await new Chat(page).alive();
    return new DocumentSheet(page);
  }

  /** The value of a field in its head. */
  field(label: string): Locator {
    const entry = this.head.locator(".erp-fields__entry").filter({
      has: this.page.getByText(label, { exact: true }),
    });
    return entry.locator("dd");
  }

  /** The card of the call that waits. */
  card(): Card {
    return new Card(this.calls.locator(".confirm--asks"));
  }

  /** Presses a button and returns the card that it leads to. */
  async ask(button: string): Promise<Card> {
    await press(this.actions.getByRole("button", { name: button, exact: true }), this.touch);
    const card = this.card();
    await expect(card.box).toBeVisible();
    return card;
  }

  /** The link from the newest result to the document that it made. */
  get made(): Locator {
    return this.calls.getByRole("link", { name: "Open the document" }).first();
  }

  /** Follows that link to a document of a type. */
  async follow(doctype: string): Promise<void> {
    const there = new RegExp(`/erp/${encodeURIComponent(doctype)}/`);
    // The page is read again after a call: what it then lists can move the link away from a press.
    await expect(async () => {
      if (!there.test(this.page.url())) await press(this.made, this.touch, { timeout: 5_000 });
      await expect(this.page).toHaveURL(there, { timeout: 5_000 });
    }).toPass({ timeout: 60_000 });
    await expect(this.head).toContainText(/draft/i);
  }
}

/** Approves a card in the way that it asks for: a press, a held press, or a word. */
export async function approve(card: Card): Promise<void> {
  const word = card.box.locator(".confirm__word code");
  if (await word.count()) {
    const said = (await word.innerText()).trim();
    await card.box.getByRole("textbox", { name: /^Type .+ to approve$/ }).fill(said);
  }
  await card.allow();
  await expect(card.box).toHaveCount(0);
}

/** The rows of a table of a card, each with its cells. */
export async function rows(card: Card, title: string): Promise<string[][]> {
  const heading = card.box.page().getByRole("heading", { level: 4, name: title, exact: true });
  const part = card.box.locator(".confirm__section").filter({ has: heading });
  await expect(part.locator("tbody tr").first()).toBeVisible();
  const lines = await part.locator("tbody tr").all();
  return Promise.all(lines.map((line) => line.locator("th, td").allInnerTexts()));
}
