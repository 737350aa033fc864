// Layout rules on the pages of field devices, with one server: see support/layout.ts.
import { Cards } from "../support/cards.ts";
import { approve } from "../support/erp.ts";
import { FieldSheet, idIn, office, pane, SIMULATED, tool } from "../support/field.ts";
import { Layout, SIZES } from "../support/layout.ts";
import { expect, test } from "../support/test.ts";

test.describe.configure({ timeout: 10 * 60_000 });

test.use({
  jarvisOptions: SIMULATED,
  viewport: { width: 1440, height: 900 },
  contextOptions: { reducedMotion: "reduce" },
});

/** A desktop and a phone: the sizes between them have the same parts. */
const TWO = SIZES.filter(({ width }) => [1440, 390].includes(width));

test("overview, device, bundle, proposal, run", async ({ page, chat, rehearsal, jarvis }) => {
  const layout = await Layout.of(page);
  const cards = new Cards(chat, rehearsal);
  const room = await office(page, jarvis.url);
  await layout.checkScrolling("field");
  await FieldSheet.open(page, jarvis.url, room.bundle);
  await pane(page, "Sections").locator("summary").first().click();
  await expect(pane(page, "Sections").locator("pre").first()).toBeVisible();
  await page.getByRole("button", { name: "Show values" }).click();
  await layout.check("field, a bundle with values", TWO);

  await page.goto(jarvis.url);
  await chat.alive();
  const steps = [{ run: "links" }, { run: "neighbours" }, { run: "dns_config" }];
  const script = { device: room.id, title: "Look at the links", why: "The room is slow.", steps };
  await cards.run(tool("propose_script", script), `Propose a script for ${room.id}.`);
  const link = chat.transcript.getByRole("link", { name: "Open its page" }).last();
  const path = (await link.getAttribute("href")) ?? "";
  const sheet = await FieldSheet.open(page, jarvis.url, path);
  await layout.check("field, a proposal", TWO);
  const card = await sheet.ask("Run version 1");
  await layout.check("field, a proposal whose run waits", TWO);
  await approve(card);
  const made = sheet.calls.getByRole("link", { name: "Open its page" }).first();
  await expect(made).toBeVisible({ timeout: 60_000 });
  const run = idIn(await made.getAttribute("href"), "run");
  await FieldSheet.open(page, jarvis.url, `/field/run/${run}`);
  await expect(pane(page, "Limits used")).toBeVisible();
  await layout.checkScrolling("field, a run");
  await FieldSheet.open(page, jarvis.url, room.device);
  await layout.check("field, a device");
});
