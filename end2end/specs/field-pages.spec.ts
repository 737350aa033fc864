// The pages of field devices: sites, devices, bundles, and values by look.
import { FieldSheet, office, OFFICE, pane, SIMULATED, TOKEN } from "../support/field.ts";
import { expectFits } from "../support/fits.ts";
import { Other } from "../support/people.ts";
import { expect, expectAccessible, test } from "../support/test.ts";

test.use({ startPage: false, jarvisOptions: SIMULATED });

test("devices, a bundle, and its values by look", async ({ page, jarvis, context, browser }) => {
  const room = await office(page, jarvis.url);
  await expect(pane(page, /office/i).getByRole("listitem")).toHaveCount(6, OFFICE);
  await expect(page.getByText("Simulated", { exact: true }).first()).toBeVisible();
  await expectAccessible(page);
  // The tab, by its shortcut from another page.
  await expect(page.getByRole("link", { name: "FIELD", exact: true }).first()).toBeVisible();

  const sheet = await FieldSheet.open(page, jarvis.url, room.device);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/meeting[- ]room/i);
  await expect(sheet.state).toContainText("online");
  await expect(pane(page, "Sandboxes").getByRole("listitem").first()).toContainText("Enforces");
  await expect(pane(page, "Looks at values of this site")).toContainText("each one is recorded");
  await expectAccessible(page);
  await expectFits(page);

  await FieldSheet.open(page, jarvis.url, room.bundle);
  const sections = pane(page, "Sections").getByRole("listitem");
  const section = sections.filter({ has: page.locator("details") }).filter({ hasText: "ipv4" }).first();
  await section.locator("summary").press("Enter");
  const text = section.locator("pre");
  await expect(text).toContainText(TOKEN);
  // A value stands right beside its token, without a blank.
  const address = /(?:10|192)\.\d+\.\d+\.\d+/;
  expect(await text.innerText()).not.toMatch(address);
  await page.getByRole("button", { name: "Show values" }).click();
  await expect(sheet.values).toContainText(address);
  // Beside the token, in the text as well.
  await expect(text.locator(".field-token").filter({ hasText: address }).first()).toContainText(TOKEN);
  await expectAccessible(page);
  // For others: neither the site nor the device is named.
  const link = page.getByRole("link", { name: "Export for others" });
  const exported = await page.request.get(`${jarvis.url}${await link.getAttribute("href")}`);
  expect(exported.status()).toBe(200);
  expect(await exported.text()).not.toContain("Meeting room");
  await page.goto(`${jarvis.url}${room.device}`);
  const looks = pane(page, "Looks at values of this site");
  await expect(looks.getByRole("link", { name: /^\d+ values?, bundle bun_/ }).first()).toHaveAttribute(
    "href",
    room.bundle,
  );

  // A viewer sees tokens, and no value on any way.
  const viewer = await Other.join(context, browser, jarvis, "Vera", "viewer");
  await FieldSheet.open(viewer.page, jarvis.url, room.bundle);
  const theirs = pane(viewer.page, "Sections").getByRole("listitem").filter({ hasText: "ipv4" }).first();
  await theirs.locator("summary").click();
  await expect(theirs.locator("pre")).toContainText(TOKEN);
  await expect(viewer.page.getByRole("link", { name: "Export for others" })).toHaveCount(0);
  const show = viewer.page.getByRole("button", { name: "Show values" });
  await expect(show).toHaveAttribute("aria-disabled", "true");
  const token = TOKEN.exec(await theirs.locator("pre").innerText())?.[0];
  const asked = await viewer.page.request.post(`${jarvis.url}/api/page`, {
    data: { board: "field", kind: "bundle", name: room.bundle.split("/").pop(), part: `values/${token}` },
    headers: { origin: jarvis.url },
  });
  expect(await asked.text()).not.toMatch(address);
  await viewer.context.close();
});

test("a question on the overview begins a conversation that answers it", async ({ page, jarvis }) => {
  await office(page, jarvis.url);
  const questions = pane(page, /office/i).getByRole("group", { name: "Questions about this site" });
  await expect(questions.getByRole("button")).toHaveCount(3);
  await questions.getByRole("button", { name: "Which runs on field devices are open?" }).click();
  await expect(page.getByText("No runs are reported, sir.")).toBeVisible();
  await expect(page).toHaveURL(/\/field$/);
});

test("what is not there says so", async ({ page, jarvis, consoleErrors }) => {
  consoleErrors.expect(/status of [45]\d\d/);
  await page.goto(`${jarvis.url}/field/run/run_00000000000000000000000000`);
  await expect(page.getByText("This page cannot be shown")).toBeVisible();
  await page.goto(`${jarvis.url}/field/run/run_x`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByText("This page cannot be shown")).toHaveCount(0);
});
