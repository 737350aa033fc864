// A person's own changes of drawings, undone by key, by button and from the list.
import { ChartPage } from "../support/chart.ts";
import { expect, expectAccessible, test } from "../support/test.ts";

test.use({ startPage: false, viewport: { width: 1440, height: 900 }, timezoneId: "UTC" });
test.slow();

test("the last change is undone by key, and the one of a drawing from the list", async ({ page, jarvis }) => {
  const chart = new ChartPage(page, jarvis.url);
  await chart.open();
  // What is being saved cannot be undone yet.
  const saved = () => expect(page.getByText("Saving…")).toHaveCount(0);
  const undo = page.getByRole("button", { name: "Undo my last change" });
  await expect(undo).toHaveAttribute("aria-disabled", "true");
  await chart.draw("Line", [0.4, 0.4]);
  await expect(chart.entries).toHaveCount(1);
  const price = async () => (await chart.drawing())?.places[0]?.price;
  await expect.poll(price).toBeDefined();
  const drawn = (await price()) ?? 0;
  await chart.drag(70);
  await expect.poll(price).toBeLessThan(drawn);
  await expect(chart.entries.first()).not.toContainText(drawn.toFixed(5));

  // Back to where it was drawn, then away, and nothing is left to undo.
  await saved();
  await expect(undo).not.toHaveAttribute("aria-disabled");
  await page.keyboard.press("Control+z");
  await expect.poll(price).toBe(drawn);
  await expect(chart.entries.first()).toContainText(drawn.toFixed(5));
  await saved();
  await page.keyboard.press("Control+z");
  await expect(chart.entries).toHaveCount(0);
  await expect(undo).toHaveAttribute("aria-disabled", "true");

  // Both are made again, of a drawing with another identifier, and undone again.
  await saved();
  await page.keyboard.press("Control+y");
  await expect.poll(price).toBe(drawn);
  await saved();
  await page.keyboard.press("Control+Shift+z");
  await expect.poll(price).toBeLessThan(drawn);
  await saved();
  // Its history tells which is which.
  const first = chart.entries.first();
  const name = first.getByRole("button", { name: /^Line/ });
  await name.click();
  await expect(first).toContainText("redone by hand: drawn by hand");
  await expect(first.locator(".drawing__changes")).toContainText("redone by hand");
  await name.click();
  await page.keyboard.press("Control+z");
  await expect.poll(price).toBe(drawn);
  await saved();
  await page.keyboard.press("Control+z");
  await expect(chart.entries).toHaveCount(0);

  // Of two drawings the older one's change is undone from its line.
  await chart.draw("Line", [0.4, 0.3]);
  await expect(chart.entries).toHaveCount(1);
  await chart.entries.first().getByRole("button", { name: "Hide Line" }).click();
  await expect.poll(async () => (await chart.drawing())?.shown).toBe(false);
  await chart.draw("Rectangle", [0.3, 0.5], [0.5, 0.7]);
  await expect(chart.entries).toHaveCount(2);
  const line = chart.entry(/^Line/);
  await saved();
  await line.getByRole("button", { name: "Undo my change of Line" }).click();
  await expect(line.getByRole("button", { name: "Hide Line" })).toBeVisible();
  await expect(chart.entries).toHaveCount(2);

  // A deleted drawing is drawn again.
  await saved();
  await line.getByRole("button", { name: "Delete Line" }).click();
  const why = page.getByRole("form", { name: "Delete the drawing" });
  await expect(page.getByLabel("Reason for deleting")).toBeFocused();
  await expectAccessible(page);
  await why.getByRole("button", { name: "Delete" }).click();
  await expect(chart.entries).toHaveCount(1);
  await saved();
  await undo.click();
  await expect(chart.entries).toHaveCount(2);
  await line.getByRole("button", { name: /^Line/ }).click();
  await expect(line).toContainText("restored by hand: drawn by hand");
});
