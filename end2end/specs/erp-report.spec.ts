// A report of the ERP on its card: one table, on a desktop and on a phone.
import { Cards } from "../support/cards.ts";
import { expectFits } from "../support/fits.ts";
import type { Block } from "../support/rehearsal.ts";
import { expect, expectAccessible, test as base } from "../support/test.ts";

const test = base.extend<{ cards: Cards }>({
  cards: async ({ chat, rehearsal }, use) => use(new Cards(chat, rehearsal)),
  jarvisOptions: { env: { JARVIS_SIMULATED_ERP: "true" }, args: [] },
});

const filter = (name: string, value: string) => ({ name, value });
const RECEIVABLE: Block = {
  type: "tool_use",
  name: "run_report",
  input: {
    report: "Accounts Receivable",
    filters: [
      filter("company", "Aldergate Cycles"),
      filter("report_date", new Date().toISOString().slice(0, 10)),
      filter("range", "30, 60, 90, 120"),
    ],
  },
};

/** The cents of an amount as it is shown. */
function cents(text: string): number {
  expect(text).toMatch(/^−?\d{1,3}(,\d{3})*\.\d\d$/);
  return Number(text.replace("−", "-").replace(/[,.]/g, ""));
}

const SCREENS = [
  { name: "desktop", screen: { viewport: { width: 1440, height: 900 } } },
  { name: "phone", screen: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } },
];

for (const { name, screen } of SCREENS) {
  test.describe(name, () => {
    test.use(screen);

    test(`${name}: a report is one table, with its currency and a line of totals`, async ({ page, chat, cards }) => {
      await cards.run(RECEIVABLE, "Who owes us, and since when?");
      await chat.openCards();
      const heading = page.getByRole("heading", { name: "Result", exact: true });
      const result = chat.tool("Run report").locator(".tool-card__section").filter({ has: heading });
      const table = result.getByRole("table");
      await expect(table).toHaveCount(1);
      await expect(result.getByRole("list")).toHaveCount(0);

      const heads = await table.getByRole("columnheader").allInnerTexts();
      expect(heads).toEqual(expect.arrayContaining(["Party", "Voucher No", "Age (Days)"]));
      const at = heads.indexOf("Outstanding Amount (EUR)");
      expect(at, `${heads}`).toBeGreaterThan(0);
      const amount = (row: string) => table.locator(`${row} > :nth-child(${at + 1})`);
      const amounts = await amount("tbody tr").allInnerTexts();
      expect(amounts.length).toBeGreaterThan(3);

      // The ERP's own total, below the rows that it sums up.
      const total = amount("tfoot tr");
      const sum = amounts.reduce((sum, it) => sum + cents(it), 0);
      expect(cents(await total.innerText())).toBe(sum);
      await expect(table.getByRole("rowheader", { name: "Total", exact: true })).toBeVisible();
      for (const it of [table.getByRole("columnheader").nth(at), amount("tbody tr").first(), total]) {
        await expect(it).toHaveCSS("text-align", "end");
      }

      // What has no room is reached inside the card, and never moves the page.
      await expectFits(page);
      const scroller = result.getByRole("group", { name: "Table of the result" });
      const wide = await scroller.evaluate((it) => it.scrollWidth - it.clientWidth);
      expect(wide).toBeGreaterThan(name === "phone" ? 390 : -1);
      await table.getByRole("columnheader").last().scrollIntoViewIfNeeded();
      await expect(table.getByRole("columnheader").last()).toBeInViewport();
      await expectFits(page);
      await expectAccessible(page);
    });
  });
}
