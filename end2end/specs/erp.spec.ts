// The ERP's pages against the simulated company, on a desktop and on a phone.
import type { Page } from "@playwright/test";
import { expectFits } from "../support/fits.ts";
import { Chat, expect, expectAccessible, test } from "../support/test.ts";

test.use({ jarvisOptions: { env: { JARVIS_SIMULATED_ERP: "true" }, args: [] } });

/** For tests that open another page first. */
const direct = test.extend<object>({ startPage: false });

const pane = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** The first look at the site's lists takes a moment. */
const LOOK = { timeout: 45_000 };

direct("from an overdue invoice to its ledger and its customer", async ({ page, jarvis }) => {
  await page.goto(`${jarvis.url}/erp`);
  await new Chat(page).alive();
  const overdue = pane(page, "Overdue from customers");
  const row = overdue.getByRole("listitem").filter({ hasText: "Merlin Bikes" });
  await expect(row).toContainText("40 days late", LOOK);
  await expect(row).toContainText(/[\d,]+\.\d\d EUR/);
  await expect(pane(page, "Ledger and connection")).toContainText("equal over 30 days", LOOK);
  await expectAccessible(page);

  await row.getByRole("link").click();
  await expect(page).toHaveURL(/\/erp\/Sales%20Invoice\/ACC-SINV-/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("ACC-SINV-");
  const ledger = pane(page, "Ledger");
  await expect(ledger).toContainText("Debit equals credit.");
  const total = ledger.locator("tfoot td.erp-number").first();
  await expect(total).toHaveCSS("text-align", "right");
  await expectAccessible(page);

  await page.getByRole("link", { name: "Merlin Bikes", exact: true }).first().click();
  await expect(page).toHaveURL(/\/erp\/Customer\/Merlin%20Bikes$/);
  await expect(pane(page, "History")).toContainText("created it");
  await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "ERP" }).click();
  await expect(page).toHaveURL(/\/erp$/);
});

test("packs go with the conversation, and stay chosen for the next", async ({ page, chat, jarvis }) => {
  await chat.alive();
  const packs = page.getByRole("group", { name: "Packs for this conversation" });
  const pack = (name: string) => packs.getByRole("button", { name, exact: true });
  await expect(pack("Retail")).toHaveAttribute("aria-pressed", "false");
  await pack("Retail").click();
  await pack("Services").click();
  await pack("Services").click();
  await expect(pack("Retail")).toHaveAttribute("aria-pressed", "true");
  await expect(pack("Services")).toHaveAttribute("aria-pressed", "false");
  await chat.ask("What does BELL cost in the list Retail EUR?");
  await chat.answered();
  // What it began with is said, and can be changed no more.
  await expect(page.getByTitle("Packs can't change after a conversation starts")).toHaveText("Retail");
  await expect(packs).toHaveCount(0);
  await page.goto(`${jarvis.url}/`);
  await chat.alive();
  await expect(pack("Retail")).toHaveAttribute("aria-pressed", "true");
  await expect(pack("Services")).toHaveAttribute("aria-pressed", "false");
});

direct("a name with signs is a name, and nothing that is missing is shown as empty", async ({ page, jarvis }) => {
  await page.goto(`${jarvis.url}/erp/Supplier/Sprocket%20%26%20Daughters`);
  await new Chat(page).alive();
  await expect(page.getByRole("heading", { level: 1, name: "Sprocket & Daughters" })).toBeVisible();
  await page.reload();
  await new Chat(page).alive();
  await expect(page.getByRole("heading", { level: 1, name: "Sprocket & Daughters" })).toBeVisible();
  // What an outsider wrote into an item is text.
  await page.goto(`${jarvis.url}/erp/Item/TOOLKIT`);
  await expect(page.getByRole("heading", { level: 1, name: "TOOLKIT" })).toBeVisible();
  await expect(pane(page, "Fields").locator("script, img, iframe")).toHaveCount(0);
  await page.goto(`${jarvis.url}/erp/Item/no%2Fsuch%25thing`);
  await expect(page.getByText("The document cannot be shown")).toBeVisible();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });

  direct("lists and tables fit", async ({ page, jarvis }) => {
    await page.goto(`${jarvis.url}/erp`);
    await new Chat(page).alive();
    const overdue = pane(page, "Overdue from customers");
    await expect(overdue).toContainText("Merlin Bikes", LOOK);
    await expect(overdue).toContainText(/Due within 30 days[\d,]+\.\d\d EUR/);
    await expectFits(page);
    await expectAccessible(page);
    await overdue.getByRole("link").first().tap();
    await expect(pane(page, "Ledger")).toContainText("Debit equals credit.");
    await expectFits(page);
    await expectAccessible(page);
  });
});
