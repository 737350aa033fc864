// Layout rules on the ERP's pages, and on the cards of its calls: see support/layout.ts.
import { Cards } from "../support/cards.ts";
import { Company } from "../support/company.ts";
import { approve, DocumentSheet, LOOK, pane } from "../support/erp.ts";
import { Layout } from "../support/layout.ts";
import type { Block } from "../support/rehearsal.ts";
import { expect, test as base } from "../support/test.ts";

const test = base.extend<{ company: Company; layout: Layout; cards: Cards }>({
  company: async ({}, use) => {
    const company = await Company.start();
    await use(company);
    await company.dispose();
  },
  jarvisOptions: async ({ company }, use) => use({ env: company.env("manager"), args: [] }),
  layout: async ({ page }, use) => use(await Layout.of(page)),
  cards: async ({ chat, rehearsal }, use) => use(new Cards(chat, rehearsal)),
});

/** For tests that open another page first. */
const direct = test.extend<object>({ startPage: false });

// Many states in sequence. The timeout only ends a test that hangs, even on a busy machine.
test.describe.configure({ timeout: 10 * 60_000 });

test.use({ viewport: { width: 1440, height: 900 }, contextOptions: { reducedMotion: "reduce" } });

const tool = (name: string, input: object): Block => ({ type: "tool_use", name, input });

direct("the overview, documents, and a person's own calls on them", async ({ page, chat, layout, jarvis, company }) => {
  await page.goto(`${jarvis.url}/erp`);
  await chat.alive();
  await expect(pane(page, "Overdue from customers")).toContainText("Merlin Bikes", LOOK);
  await expect(pane(page, "Ledger and connection")).toContainText("equal over 30 days", LOOK);
  await layout.checkScrolling("ERP");
  const addresses = {
    journal: await page.getByRole("link", { name: /^ACC-JV-/ }).first().getAttribute("href"),
    approval: await pane(page, "Waiting for approval in the ERP").getByRole("link").first().getAttribute("href"),
    invoice: await pane(page, "Overdue from customers").getByRole("link").first().getAttribute("href"),
    order: await pane(page, "Late deliveries").getByRole("link").first().getAttribute("href"),
    supplier: "/erp/Supplier/Tubal%20Metals",
    item: "/erp/Item/TOOLKIT",
  };
  for (const [name, path] of Object.entries(addresses)) {
    await DocumentSheet.open(page, jarvis.url, path ?? "");
    await expect(pane(page, "History")).toBeVisible();
    await expect(pane(page, "Links")).toBeVisible();
    await layout.checkScrolling(`ERP, ${name}`);
  }
  await page.goto(`${jarvis.url}/erp/Item/nothing%20of%20the%20kind`);
  await expect(page.getByText("The document cannot be shown")).toBeVisible();
  await layout.check("ERP, a document that is not there");

  const sheet = await DocumentSheet.open(page, jarvis.url, addresses.invoice ?? "");
  await sheet.actions.getByRole("button", { name: "Cancel document" }).click();
  await layout.check("ERP, a field to fill in");
  await sheet.actions.getByLabel("Reason").fill("entered twice");
  const card = await sheet.ask("Cancel document");
  await layout.checkScrolling("ERP, a cancel that waits");
  await card.box.getByRole("button", { name: /^Don't run: / }).click();
  await expect(card.box).toHaveCount(0);
  await layout.check("ERP, a cancel denied");

  // The site goes away while the page is open, and before the next one is.
  company.away = true;
  await page.goto(`${jarvis.url}/erp`);
  await chat.alive();
  await expect(page.getByText(/The ERP cannot be read: /)).toBeVisible({ timeout: 120_000 });
  await layout.checkScrolling("ERP, the site is away");
  await page.goto(`${jarvis.url}${addresses.invoice}`);
  await expect(page.getByText("The document cannot be shown")).toBeVisible(LOOK);
  await layout.check("ERP, a document of a site that is away");
});

direct("cards of calls: done, waiting, refused, failed, unknown", async ({ page, chat, cards, layout, jarvis, company }) => {
  await page.goto(`${jarvis.url}/erp`);
  await chat.alive();
  const late = pane(page, "Late deliveries").getByRole("link").first();
  await expect(late).toBeVisible(LOOK);
  const order = await late.innerText();
  const invoice = await pane(page, "Overdue from customers").getByRole("link").first().innerText();
  await page.goto(jarvis.url);
  await chat.alive();
  const comment = { doctype: "Sales Order", name: order, text: "The customer called about it." };
  await cards.run(tool("add_comment", comment), `Comment on Sales Order ${order}: The customer called about it.`);
  await layout.check("an ERP call, done");
  const make = { source_doctype: "Sales Order", source_name: order, target_doctype: "Delivery Note" };
  const card = await cards.ask([tool("make_from", make)], `Make a delivery note of ${order}.`);
  await layout.checkScrolling("an ERP call that waits");
  await layout.checkDecidable();
  await card.more();
  await card.box.getByRole("button", { name: "Edit the input" }).or(card.approve).first().scrollIntoViewIfNeeded();
  await layout.check("an ERP call that waits, its details");
  await approve(card);
  await chat.answered(2);
  await cards.told("Draft from a document").locator("summary").click();
  await layout.check("an ERP draft, made");
  const gone = { doctype: "Sales Order", name: order };
  await cards.run(tool("delete_doc", gone), `Delete ${order}.`, 3);
  const note = { doctype: "Delivery Note", name: "MAT-DN-2026-99999", text: "lost" };
  await cards.run(tool("add_comment", note), `Comment on MAT-DN-2026-99999: lost.`, 4);
  await chat.openCards();
  await layout.checkScrolling("ERP calls, refused and failed");

  // The site carries the order out, its answer is lost, and it is away when Jarvis looks.
  const pay = {
    source_doctype: "Sales Invoice",
    source_name: invoice,
    target_doctype: "Payment Entry",
    fields: [
      { field: "reference_no", value: "T-1" },
      { field: "reference_date", value: new Date().toISOString().slice(0, 10) },
    ],
  };
  company.loses = (method, path) => {
    company.away = method === "POST" && path.includes("Payment%20Entry");
    return company.away;
  };
  await approve(await cards.ask([tool("make_from", pay)], `Draft a payment of ${invoice}, reference T-1.`));
  const outcome = chat.transcript.getByRole("group", { name: "Outcome" });
  await expect(outcome).toBeVisible({ timeout: 120_000 });
  await chat.answered(5);
  await layout.checkScrolling("an ERP call of which nobody knows what became");
  company.loses = undefined;
  company.away = false;
  await outcome.getByRole("button", { name: "Check again" }).click();
  await expect(outcome.getByRole("button", { name: "Check again" })).toHaveCount(0, { timeout: 60_000 });
  await layout.check("an ERP call, found again");
});

test("a report and what it was asked for", async ({ chat, cards, layout }) => {
  const filters = [
    { name: "company", value: "Aldergate Cycles" },
    { name: "fiscal_year", value: String(new Date().getFullYear()) },
  ];
  const report = tool("run_report", { report: "Trial Balance", filters });
  await cards.run(report, "Show the trial balance of Aldergate Cycles.");
  await chat.openCards();
  await expect(chat.tool("Run report").getByRole("columnheader", { name: /^Closing \(Cr\)/ })).toBeAttached();
  await layout.checkScrolling("an ERP report, opened");
});

test("cards of a pack: a price, and the closing of a till", async ({ page, chat, cards, layout }) => {
  await page.getByRole("button", { name: "Retail", exact: true }).click();
  const price = { item: "BELL", price_list: "Retail EUR", rate: 8.5, valid_from: "2039-12-01" };
  let card = await cards.ask([tool("set_item_price", price)], "Set the price of BELL to 8.50 from 2039-12-01.");
  await expect(card.box).toContainText("8.50 EUR");
  await layout.checkScrolling("an ERP price that waits");
  await layout.checkDecidable();
  await approve(card);
  await chat.answered();
  const counted = (mode_of_payment: string, amount: number) => ({ mode_of_payment, amount });
  const count = {
    opening_entry: `POS-OPE-${new Date().getFullYear()}-00001`,
    counted: [counted("Cash", 187.5), counted("Credit Card", 49.9)],
  };
  await approve(await cards.ask([tool("prepare_pos_closing", count)], "Counted: 187.50 in cash, 49.90 by card."));
  await chat.answered(2);
  await chat.transcript.getByRole("link", { name: "Open the document" }).last().click();
  const sheet = new DocumentSheet(page);
  card = await sheet.ask("Submit");
  await expect(card.box).toContainText("the lines of 4 sales");
  await expect(card.box).toContainText("-0.10");
  await layout.checkScrolling("an ERP closing that waits");
  await approve(card);
  await expect(sheet.head).toContainText(/submitted/i);
});

direct("a user's own keys", async ({ page, layout, jarvis, company, consoleErrors }) => {
  consoleErrors.expect(/status of 4\d\d/);
  await page.goto(`${jarvis.url}/settings/keys`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await layout.check("settings/keys");
  const { ERPNEXT_API_KEY: key = "", ERPNEXT_API_SECRET: secret = "" } = company.env("agent");
  await page.getByLabel("API key").fill("wrong");
  await page.getByLabel("API secret").fill("wrong");
  await page.getByRole("button", { name: "Test and save" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await layout.check("settings/keys, refused");
  await page.getByLabel("API key").fill(key);
  await page.getByLabel("API secret").fill(secret);
  await page.getByRole("button", { name: "Test and save" }).click();
  await expect(page.getByText("agent@aldergate.example")).toBeVisible();
  await layout.check("settings/keys, with one");

  // With it no card says that the ERP will see somebody else.
  await page.goto(`${jarvis.url}/erp`);
  // An order waits for the manager, whose key is the site's, and not for this user.
  const approvals = pane(page, "Waiting for approval in the ERP");
  await expect(approvals).toContainText("by your own key, for agent@aldergate.example");
  await expect(approvals).toContainText("Nothing waits for a decision by your key.", LOOK);
  await layout.check("ERP, what waits by a user's own key");
  const late = pane(page, "Late deliveries").getByRole("listitem").filter({ hasText: "Harbour Wheels" });
  await late.getByRole("link").click(LOOK);
  const card = await new DocumentSheet(page).ask("Draft Delivery Note");
  await expect(card.box).toContainText("Harbour Wheels");
  await expect(card.box).not.toContainText("The ERP will see");
});
