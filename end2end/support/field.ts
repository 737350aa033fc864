// The pages of field devices as a person sees them.
import { expect, type Locator, type Page } from "@playwright/test";
import { Card } from "./cards.ts";
import { Chat } from "./chat.ts";

/** The simulated office has to enrol, and to leave its first diagnostics. */
export const OFFICE = { timeout: 60_000 };

/** A server with the simulated office. */
export const SIMULATED = { env: { JARVIS_SIMULATED_FIELD: "true" }, args: [] };

/** A token such as `ip-s1-n1.1`. */
export const TOKEN = /\b(?:ip|ip6|mac|host|ssid|pub|net)-s\d+-n?\d+(?:\.\d+)?\b/;

export const pane = (page: Page, name: string | RegExp) => page.getByRole("region", { name });

export class FieldSheet {
  /** Buttons, fields for what a person has to say, and the calls. */
  readonly actions: Locator;
  readonly state: Locator;
  readonly calls: Locator;
  readonly values: Locator;

  constructor(readonly page: Page) {
    this.actions = page.getByRole("region", { name: "Available actions" });
    this.state = page.getByRole("region", { name: "State", exact: true });
    this.calls = page.getByRole("group", { name: "Your actions on it" });
    this.values = page.getByRole("region", { name: "Values behind tokens" });
  }

  static async open(page: Page, origin: string, path: string): Promise<FieldSheet> {
    await page.goto(`${origin}${path}`);
    await new Chat(page).alive();
    const sheet = new FieldSheet(page);
    await expect(sheet.state).toBeVisible();
    return sheet;
  }

  /** Presses a button and returns the card that it leads to. */
  async ask(button: string): Promise<Card> {
    await this.actions.getByRole("button", { name: button, exact: true }).click();
    const card = new Card(this.calls.locator(".confirm--asks"));
    await expect(card.box).toBeVisible();
    return card;
  }
}

/** The addresses of the pages of the device in the meeting room, and of its newest bundle. */
export interface Room {
  id: string;
  device: string;
  bundle: string;
}

/** Opens the overview, and waits until the office is there. */
export async function office(page: Page, origin: string): Promise<Room> {
  await page.goto(`${origin}/field`);
  await new Chat(page).alive();
  const row = page.getByRole("listitem").filter({ hasText: /meeting[- ]room/i });
  const device = row.getByRole("link", { name: /^meeting[- ]room$/i }).first();
  await expect(device).toBeVisible(OFFICE);
  const bundles = pane(page, "Diagnostics");
  const bundle = bundles.getByRole("link", { name: /^meeting[- ]room$/i }).first();
  await expect(bundle).toBeVisible(OFFICE);
  const path = async (link: Locator) => (await link.getAttribute("href")) ?? "";
  const found = { device: await path(device), bundle: await path(bundle) };
  return { ...found, id: found.device.split("/").pop() ?? "" };
}
