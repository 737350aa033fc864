// Layout rules on the pages of field devices, with one server: see support/layout.ts.
import { FieldSheet, office, pane, SIMULATED } from "../support/field.ts";
import { Layout, SIZES } from "../support/layout.ts";
import { expect, test } from "../support/test.ts";

test.describe.configure({ timeout: 10 * 60_000 });

test.use({
  startPage: false,
  jarvisOptions: SIMULATED,
  viewport: { width: 1440, height: 900 },
  contextOptions: { reducedMotion: "reduce" },
});

/** A desktop and a phone: the sizes between them have the same parts. */
const TWO = SIZES.filter(({ width }) => [1440, 390].includes(width));

test("overview, a bundle with values, a device", async ({ page, jarvis }) => {
  const layout = await Layout.of(page);
  const room = await office(page, jarvis.url);
  await layout.checkScrolling("field");
  await FieldSheet.open(page, jarvis.url, room.bundle);
  await pane(page, "Sections").locator("summary").first().click();
  await expect(pane(page, "Sections").locator("pre").first()).toBeVisible();
  await page.getByRole("button", { name: "Show values" }).click();
  await layout.check("field, a bundle with values", TWO);

  await FieldSheet.open(page, jarvis.url, room.device);
  await layout.check("field, a device", TWO);
});
