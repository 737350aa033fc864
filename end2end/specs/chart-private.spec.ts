// What a person draws for themselves, and the trail that each person may read.
import { readFile } from "node:fs/promises";
import { ChartPage } from "../support/chart.ts";
import { Other } from "../support/people.ts";
import { expect, expectAccessible, test } from "../support/test.ts";

const VIEW = { viewport: { width: 1440, height: 900 }, timezoneId: "UTC" };

test.use(VIEW);
test.slow();

test("a drawing for oneself is on no page of somebody else, and the trail is filtered", async ({
  page,
  jarvis,
  context,
  browser,
}) => {
  const chart = new ChartPage(page, jarvis.url);
  await chart.open();
  const eve = await Other.join(context, browser, jarvis, "Eve", "admin", VIEW);
  const theirs = new ChartPage(eve.page, jarvis.url);
  await theirs.open();

  const mine = chart.bar.getByRole("button", { name: "Draw for me only" });
  await mine.click();
  await expect(mine).toHaveAttribute("aria-pressed", "true");
  await chart.draw("Line", [0.4, 0.4]);
  await expect(chart.entries).toHaveCount(1);
  await expect(chart.entry(/^Line/)).toContainText("only for me");
  await mine.click();
  await chart.draw("Rectangle", [0.3, 0.5], [0.5, 0.7]);
  await expect(chart.entries).toHaveCount(2);
  // When the second is there, the first would be as well.
  await expect(theirs.entries).toHaveCount(1);
  await expect(theirs.entries.first()).toContainText("Rectangle");

  // Deleted and undone it comes back for this person alone, also on a page that is loaded now.
  await chart.entry(/^Line/).getByRole("button", { name: "Delete Line" }).click();
  await page.getByRole("form", { name: "Delete the drawing" }).getByRole("button", { name: "Delete" }).click();
  await expect(chart.entries).toHaveCount(1);
  await expect(page.getByText("Saving…")).toHaveCount(0);
  await page.getByRole("button", { name: "Undo my last change" }).click();
  await expect(chart.entry(/^Line/)).toContainText("only for me");
  await page.reload();
  await chart.shown();
  await expect(chart.entries).toHaveCount(2);
  await eve.page.reload();
  await theirs.shown();
  await expect(theirs.entries).toHaveCount(1);

  const trail = async (of: ChartPage) => {
    await of.page.getByText("All changes", { exact: true }).click();
    return of.page.getByRole("list", { name: "All changes" }).getByRole("listitem");
  };
  const [lines, others] = [await trail(chart), await trail(theirs)];
  // Two lines were drawn and one of them was removed.
  await expect(lines).toHaveCount(4);
  await expect(others).toHaveCount(1);
  const filter = page.getByRole("group", { name: "Filter of the changes" });
  await filter.getByRole("combobox", { name: "Kind" }).selectOption("horizontal_line");
  await expect(lines).toHaveCount(3);
  await filter.getByRole("combobox", { name: "By" }).selectOption("price");
  await expect(page.getByText("There are no such changes.")).toBeVisible();
  await filter.getByRole("combobox", { name: "By" }).selectOption("user");
  await filter.getByLabel("To (UTC)", { exact: true }).fill("2001-01-01");
  await expect(lines).toHaveCount(0);
  await filter.getByLabel("To (UTC)", { exact: true }).fill("");
  await expect(lines).toHaveCount(3);
  await expectAccessible(page);

  const exportOf = async (of: ChartPage) => {
    const saved = of.page.waitForEvent("download");
    await of.page.getByRole("link", { name: "Export these changes (CSV)" }).click();
    const text = await readFile(await (await saved).path(), "utf8");
    return text.trim().split("\n").slice(1);
  };
  const exported = await exportOf(chart);
  expect(exported.length).toBeGreaterThanOrEqual(3);
  for (const row of exported) expect(row).toContain(",horizontal_line,user,");
  for (const row of await exportOf(theirs)) expect(row).toContain(",rectangle,user,");
  await eve.context.close();
});
