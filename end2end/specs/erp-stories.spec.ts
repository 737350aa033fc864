// Stories of people who run a company with Jarvis: read, draft, post, approve, take back.
import type { Page } from "@playwright/test";
import { Company } from "../support/company.ts";
import { Cards } from "../support/cards.ts";
import { approve, DocumentSheet, LOOK, pane, press, rows } from "../support/erp.ts";
import { expectFits } from "../support/fits.ts";
import type { Block } from "../support/rehearsal.ts";
import { Chat, expect, expectAccessible, test as base } from "../support/test.ts";

const test = base.extend<{ cards: Cards }>({
  cards: async ({ chat, rehearsal }, use) => use(new Cards(chat, rehearsal)),
  jarvisOptions: { env: { JARVIS_SIMULATED_ERP: "true" }, args: [] },
});

const tool = (name: string, input: object): Block => ({ type: "tool_use", name, input });
const field = (field: string, value: string | number) => ({ field, value });
/** A day after today, wherever the site is. */
const soon = () => new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10);

/** For tests that open another page first. */
const direct = test.extend<object>({ startPage: false });

const managed = direct.extend<{ company: Company }>({
  company: async ({}, use) => {
    const company = await Company.start();
    await use(company);
    await company.dispose();
  },
  jarvisOptions: async ({ company }, use) => use({ env: company.env("manager"), args: [] }),
});

/** Opens the overview, and from there the order that is late. */
async function lateOrder(page: Page, origin: string, touch: boolean): Promise<DocumentSheet> {
  await page.goto(`${origin}/erp`);
  await new Chat(page).alive();
  const late = pane(page, "Late deliveries").getByRole("listitem").filter({ hasText: "Harbour Wheels" });
  await expect(late).toBeVisible(LOOK);
  await press(late.getByRole("link"), touch);
  const sheet = new DocumentSheet(page, touch);
  await expect(sheet.head).toContainText("To Deliver and Bill");
  return sheet;
}

const SCREENS = [
  { name: "desktop", screen: { viewport: { width: 1440, height: 900 }, hasTouch: false } },
  { name: "phone", screen: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } },
];

for (const { name, screen } of SCREENS) {
  const touch = screen.hasTouch;

  test.describe(name, () => {
    test.use(screen);

    direct(`${name}: a cancel is refused where other documents hang on it`, async ({ page, jarvis }) => {
      const sheet = await lateOrder(page, jarvis.url, touch);
      const note = await pane(page, "Links").getByRole("link", { name: /^MAT-DN-/ }).innerText();
      const reason = sheet.actions.getByLabel("Reason");
      const cancel = sheet.actions.getByRole("button", { name: "Cancel document" });
      const why = "the customer called it off";
      // At a desk with the keyboard alone: the button is after its field.
      const go = async () => {
        if (touch) {
          await cancel.tap();
          return;
        }
        await reason.focus();
        await page.keyboard.press("Tab");
        await expect(cancel).toBeFocused();
        await page.keyboard.press("Enter");
      };
      await go();
      await expect(sheet.actions).toContainText("Fill in “Reason” first.");
      await expect(reason).toBeFocused();
      await page.keyboard.type(why);
      // After the call the document is read again.
      const again = page.waitForResponse((answer) => {
        const asked = answer.url().includes("/api/page") && answer.request().postData();
        return asked ? asked.includes('"part":"document"') : false;
      });
      await go();
      const call = sheet.calls.locator("details.tool-card");
      await expect(call).toContainText(note);
      await expect(call).toBeInViewport({ ratio: 0.9 });
      await again;
      await expect(sheet.card().box).toHaveCount(0);
      await expect(sheet.head).toContainText("To Deliver and Bill");
      await expectAccessible(page);
      await expectFits(page);
      await expect(reason).toHaveValue(why);
    });

    test(`${name}: one rate is edited on the card, and the document has its total`, async ({ page, chat, cards }) => {
      const row = [field("item_code", "PUMP"), field("qty", 4), field("rate", 20)];
      const order = tool("create_doc", {
        doctype: "Sales Order",
        fields: [
          field("customer", "Kestrel Cycles"),
          field("company", "Aldergate Cycles"),
          field("delivery_date", soon()),
        ],
        tables: [{ table: "items", rows: [{ fields: row }] }],
      });
      const card = await cards.ask([order], "Draft an order for Kestrel Cycles: 4 PUMP at 20.");
      expect((await rows(card, "Items"))[0]).toEqual(expect.arrayContaining(["PUMP", "4", "20.00"]));
      await press(card.box.getByRole("button", { name: "Edit the input" }), touch);
      const rate = card.box.getByRole("textbox", { name: "items, row 1: rate" });
      await expect(rate).toHaveValue("20");
      await rate.fill("21.5");
      await expectFits(page);
      await press(card.box.getByRole("button", { name: "Preview the result" }), touch);
      await expect(card.box).toContainText("The input was changed.");
      expect((await rows(card, "Items"))[0]).toEqual(expect.arrayContaining(["PUMP", "4", "21.50"]));
      // Only what was changed is marked, and only that is said as it was.
      await expect(card.box.locator(".confirm__value--changed")).toHaveText(/^items, row 1: rate.*21\.5/);
      const before = card.box.locator(".confirm__section").filter({ hasText: "Original values" });
      await expect(before.locator("dt")).toHaveText(["items, row 1: rate"]);
      await approve(card);
      await chat.answered();
      await press(chat.transcript.getByRole("link", { name: "Open the document" }), touch);
      const sheet = new DocumentSheet(page, touch);
      await expect(sheet.field("Grand Total")).toHaveText("86.00 EUR");
      await expectFits(page);
    });

    direct(`${name}: what a customer owes, and why an order is not delivered`, async ({ page, chat, jarvis }) => {
      await page.goto(`${jarvis.url}/erp`);
      await chat.alive();
      const late = pane(page, "Late deliveries").getByRole("listitem").filter({ hasText: "Harbour Wheels" });
      await expect(late).toBeVisible(LOOK);
      const order = await late.getByRole("link").innerText();
      await page.goto(jarvis.url);
      await chat.alive();
      const why = `why is sales order ${order} not delivered?`;
      await chat.ask(`What does Kestrel owe us, and ${why}`);
      await chat.answered();
      // Both answers come first, and then what they rest on.
      const [owes, is] = await chat.texts.last().getByRole("paragraph").allInnerTexts();
      // Two customers are called so: neither is guessed, both are told.
      expect(owes).toMatch(/^Kestrel Cycles owes Aldergate Cycles [\d,]+\.\d\d EUR/);
      expect(owes).toMatch(/\. Kestrel Cycles GmbH owes .* 2 Customer names match “Kestrel”/);
      expect(is).toMatch(/^Sales Order SAL-ORD-\S+ is To Deliver and Bill, 50 % delivered.* MAT-DN-/);
      await expectFits(page);
    });

    direct(`${name}: from an order to its payment`, async ({ page, jarvis }) => {
      const sheet = await lateOrder(page, jarvis.url, touch);

      // Five of ten pumps are left to deliver.
      let card = await sheet.ask("Draft Delivery Note");
      await expect(card.box).toHaveAccessibleName(/^Make a draft Delivery Note for Harbour Wheels from Sales Order /);
      expect((await rows(card, "Items"))[0]).toEqual(expect.arrayContaining(["PUMP", "5"]));
      await approve(card);
      await sheet.follow("Delivery Note");

      card = await sheet.ask("Submit");
      await expect(card.box).toContainText("Tier Red");
      const [pumps] = await rows(card, "Stock ledger");
      expect(pumps).toEqual(expect.arrayContaining(["PUMP", "-5"]));
      expect((await rows(card, "Accounting ledger")).length).toBe(2);
      await approve(card);
      await expect(sheet.head).toContainText("To Bill");

      card = await sheet.ask("Draft Sales Invoice");
      await approve(card);
      await sheet.follow("Sales Invoice");
      const total = await sheet.field("Grand Total").innerText();
      card = await sheet.ask("Submit");
      await expect(card.box).toContainText(total);
      expect((await rows(card, "Accounting ledger")).length).toBe(3);
      await approve(card);
      await expect(sheet.field("Outstanding Amount")).toHaveText(total);

      // The bank keeps no payment without a reference, so the button asks for it first.
      await press(sheet.actions.getByRole("button", { name: "Draft Payment Entry" }), touch);
      await expect(sheet.actions).toContainText("Fill in “Reference no” first.");
      await sheet.actions.getByLabel("Reference no").fill("T-4711");
      card = await sheet.ask("Draft Payment Entry");
      await expect(card.box).toContainText("T-4711");
      await approve(card);
      await sheet.follow("Payment Entry");
      await approve(await sheet.ask("Submit"));
      await expect(sheet.head).toContainText(/submitted/i);

      // Its links lead back to the invoice, which is paid.
      await press(pane(page, "Links").getByRole("link", { name: /^ACC-SINV-/ }), touch);
      await expect(sheet.head).toContainText("Paid");
      await expect(sheet.field("Outstanding Amount")).toHaveText("0.00 EUR");
      await expect(sheet.field("Grand Total")).toHaveText(total);
      // Beside the ERP's own history: what Jarvis did to this document, and to no other.
      const own = pane(page, "Calls of Jarvis").getByRole("listitem");
      await expect(own.filter({ hasText: /submit/i })).toHaveCount(1);
      await expect(own.filter({ hasText: "Draft from a document" })).toHaveCount(1);
      await expect(own.filter({ hasText: "Delivery Note MAT-DN-" })).toHaveCount(0);
      await expectFits(page);
    });

    test(`${name}: a shortage of a work order becomes a material request`, async ({ page, chat, cards }) => {
      await press(page.getByRole("button", { name: "Manufacturing", exact: true }), touch);
      await chat.ask("Which materials do the open work orders of Aldergate Cycles lack?");
      await chat.answered();
      await chat.openCards();
      const found = chat.tool("Material shortage");
      await expect(found).toContainText("MFG-WO-");
      await expectFits(page);
      const item = /\b(?:RAW|SUB)-[A-Z-]+[A-Z]\b/.exec(await found.innerText())?.[0] ?? "";
      await chat.ask(`Draft a material request of Aldergate Cycles: 40 ${item} into Raw - AC by ${soon()}.`);
      await expect(cards.open).toHaveCount(1);
      const card = cards.card();
      expect((await rows(card, "Items"))[0]).toEqual(expect.arrayContaining([item, "40"]));
      await approve(card);
      await chat.answered(2);
      await press(chat.transcript.getByRole("link", { name: "Open the document" }), touch);
      await expect(page).toHaveURL(/\/erp\/Material%20Request\//);
      const sheet = new DocumentSheet(page, touch);
      await approve(await sheet.ask("Submit"));
      await expect(sheet.head).toContainText("Pending");
      await expect(sheet.actions.getByRole("button", { name: "Draft Purchase Order" })).toBeVisible();
      await expectFits(page);
    });

    managed(`${name}: an approval in the ERP's own workflow`, async ({ page, jarvis }) => {
      await page.goto(`${jarvis.url}/erp`);
      await new Chat(page).alive();
      const approvals = pane(page, "Waiting for approval in the ERP");
      const waits = approvals.getByRole("listitem").filter({ hasText: "Sprocket & Daughters" });
      await expect(waits).toContainText("This key can: Approve, Reject", LOOK);
      await expect(waits).toContainText("by agent@aldergate.example");
      await press(waits.getByRole("link"), touch);
      const sheet = new DocumentSheet(page, touch);
      await expect(sheet.head).toContainText("Pending Approval");
      const card = await sheet.ask("Approve");
      await expect(card.box).toHaveAccessibleName(/it becomes "Approved" and is submitted\.$/);
      await expect(card.box).toContainText("manager@aldergate.example");
      await expectAccessible(page);
      await expectFits(page);
      await approve(card);
      await expect(sheet.head).toContainText("Approved");
      await expect(sheet.head).toContainText(/submitted/i);
      // The step that takes it back is the last, warns, and asks for a reason, as a plain cancel does.
      const cancel = sheet.actions.locator(".panel-acts__offer").last();
      await expect(cancel.getByRole("button", { name: "Cancel", exact: true })).toHaveClass(/button--danger/);
      await expect(cancel.getByLabel("Comment")).toBeVisible();
      await expect(pane(page, "History")).toContainText("moved it in the workflow");
      await press(page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "ERP" }), touch);
      // The site's inbox is asked again every half a minute.
      await expect(approvals).toContainText("Nothing waits for a decision by this key.", { timeout: 90_000 });
    });
  });
}
