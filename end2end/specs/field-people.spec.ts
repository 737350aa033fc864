// A person lets a device in: token shown once, pending, adopted, suspended. The device is this file.
import { Card } from "../support/cards.ts";
import { Chat } from "../support/chat.ts";
import { approve } from "../support/erp.ts";
import { FakeDevice } from "../support/field-device.ts";
import { FieldSheet, office, pane, SIMULATED } from "../support/field.ts";
import { expectFits } from "../support/fits.ts";
import { Other } from "../support/people.ts";
import { expect, expectAccessible, test } from "../support/test.ts";

test.use({ startPage: false, jarvisOptions: SIMULATED });

test("a device is added, adopted and suspended", async ({ page, jarvis, context, browser }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await office(page, jarvis.url);
  const add = pane(page, "Add a device");
  await add.getByRole("combobox", { name: "Site" }).fill("Harbour office");
  await add.getByRole("textbox", { name: "Name" }).fill("Crane probe");
  await add.getByRole("button", { name: "Create the token" }).click();
  const once = page.getByRole("region", { name: "Enrolment token" });
  await expect(once).toContainText("shown this once");
  const commands = once.getByRole("listitem");
  await expect(commands).toHaveCount(2);
  const command = await commands.first().locator("code").innerText();
  expect(command).toContain(`--server ${new URL(jarvis.url).origin} `);
  const token = command.split(" ").pop() ?? "";
  await expectAccessible(page);
  await expectFits(page);

  // It is nowhere else: not on the keys' page, and not here after a reload.
  await page.goto(`${jarvis.url}/field/keys`);
  await new Chat(page).alive();
  await expect(pane(page, "Open enrolment tokens").getByRole("listitem")).toContainText("Crane probe");
  expect(await page.content()).not.toContain(token.split(".")[1]);
  await expectAccessible(page);
  await expectFits(page);

  const device = new FakeDevice(jarvis.url);
  const id = await device.enrol(token);
  await page.goto(`${jarvis.url}/field`);
  await new Chat(page).alive();
  await expect(once).toHaveCount(0);
  const pending = pane(page, "Waiting to be adopted");
  await expect(pending.getByRole("listitem")).toContainText(device.shown);
  const viewer = await Other.join(context, browser, jarvis, "Vera", "viewer");
  await viewer.page.goto(`${jarvis.url}/field`);
  await viewer.chat.alive();
  const theirs = pane(viewer.page, "Waiting to be adopted");
  await expect(theirs).toContainText(device.shown);
  await expect(theirs.getByRole("button")).toHaveCount(0);
  await expect(pane(viewer.page, "Add a device")).toHaveCount(0);
  await viewer.context.close();

  await pending.getByRole("button", { name: "Adopt" }).click();
  const card = new Card(page.locator(".confirm--asks"));
  await expect(card.box).toContainText(device.shown);
  await expectFits(page);
  await approve(card);
  await expect(pending).toHaveCount(0);
  await expect(pane(page, "Harbour office").getByRole("listitem")).toContainText("Crane probe");

  const sheet = await FieldSheet.open(page, jarvis.url, `/field/device/${id}`);
  const suspend = sheet.actions.locator(".panel-acts__offer").filter({ hasText: "Suspend" });
  await suspend.getByRole("textbox", { name: "Reason" }).fill("It moved.");
  await suspend.getByRole("button", { name: "Suspend" }).click();
  await expect(sheet.state).toContainText("suspended");
  await expect(sheet.actions.getByRole("button", { name: "Resume" })).toBeVisible();
  await expectFits(page);

  // What the policy should know about it, and what its site hides.
  await sheet.actions.getByRole("button", { name: "Mark as critical" }).click();
  await expect(sheet.state).toContainText("critical");
  await expect(sheet.actions.getByRole("button", { name: "No longer critical" })).toBeVisible();
  await page.goto(`${jarvis.url}/field`);
  await new Chat(page).alive();
  const site = pane(page, "Harbour office");
  await expect(site).toContainText("Public addresses are hidden.");
  await site.getByRole("button", { name: "Show public addresses" }).click();
  const choice = new Card(site.locator(".confirm--asks"));
  await expect(choice.box).toContainText("Private addresses stay hidden");
  await approve(choice);
  await expect(site).toContainText("Public addresses are shown.");
  await expectFits(page);

  // Retired for good: by whom and why stands with the state.
  await FieldSheet.open(page, jarvis.url, `/field/device/${id}`);
  const retire = sheet.actions.locator(".panel-acts__offer").filter({ hasText: "Retire" });
  await retire.getByRole("textbox", { name: "Reason" }).fill("It broke.");
  await approve(await sheet.ask("Retire"));
  const lines = sheet.state.locator(".field-facts");
  await expect(lines.first()).toContainText("retired");
  await expect(lines.nth(1)).toContainText("“It broke.”");
});
