// The policy with its preview, and decisions of two people.
import { Card, Cards, expectLawful, START } from "../support/cards.ts";
import { Other } from "../support/people.ts";
import { enforce, propose } from "../support/policy.ts";
import { expect, expectAccessible, expectReadable, test } from "../support/test.ts";

test("a change is previewed, put in force and gone back from", async ({
  page,
  chat,
  jarvis,
  consoleErrors,
}) => {
  consoleErrors.expect(/status of 422/);
  await chat.ask("Which VMs are stopped?");
  await chat.answered();

  await page.goto(`${jarvis.url}/settings/policy`);
  await expectAccessible(page);
  // The tools are folded by what they do.
  await page.locator("details.plain-tier").evaluateAll((all) => all.forEach((it) => ((it as HTMLDetailsElement).open = true)));
  // A tier below the built-in one is not offered, and BLACK cannot be changed.
  const stop = page.getByLabel("stop_vm: at least");
  await expect(stop.locator("option")).toHaveText(["Asks first", "Never runs"]);
  await expect(page.getByLabel("reboot_node: at least")).toHaveCount(0);
  await expect(page.getByLabel("reboot_node: two people")).toBeDisabled();

  await page.getByLabel("get_vms: at least").selectOption("Never runs");
  await page.getByLabel("For every request").check();
  await page.getByLabel("More guests, by id").fill("101");
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  const preview = page.getByRole("region", { name: "Preview on past calls" });
  await expect(preview).toContainText("differently");
  const row = preview.getByRole("row").filter({ hasText: "get_vms" });
  await expect(row.first()).toContainText("runs");
  await expect(row.first()).toContainText("blocked");
  await expect(page.getByText("Only one user can approve.")).toBeVisible();
  await expectAccessible(page);
  await enforce(page);
  await expect(page.getByLabel("More guests, by id")).toHaveValue("101");
  await expect(page.getByText("tiers get_vms: default → black")).toBeVisible();

  await page.getByRole("button", { name: "Preview restoring this version" }).click();
  await enforce(page);
  await expect(page.getByLabel("More guests, by id")).toHaveValue("");

  await page.getByLabel("More guests, by id").fill("everything");
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("is not the id of a guest");

  await page.goto(`${jarvis.url}/settings/model`);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Test the connection" }).click();
  await expect(page.getByRole("status")).toContainText("answers and offers");
  await page.getByLabel("Longest answer, in tokens").fill("4096");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("status")).toContainText("in effect");
  await expect(page.getByLabel("Longest answer, in tokens")).toHaveValue("4096");
});

test("policy and model keep nobody out in the light theme", async ({ page, chat, context, jarvis }) => {
  await context.addCookies([{ name: "jarvis_theme", value: "light", url: jarvis.url }]);
  await chat.ask("Which VMs are stopped?");
  await chat.answered();
  await page.goto(`${jarvis.url}/settings/policy`);
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  await expectReadable(page);
  await propose(page, jarvis, async () => {
    await page.getByLabel("get_vms: at least").selectOption("Never runs");
    await page.getByLabel("For every request").check();
  });
  const preview = page.getByRole("region", { name: "Preview on past calls" });
  await expect(preview.getByRole("row").filter({ hasText: "get_vms" }).first()).toContainText("blocked");
  await expectReadable(page);
  await page.goto(`${jarvis.url}/settings/model`);
  await expectReadable(page);
});

test("who asked waits for another, who sees the card alone", async ({
  page,
  chat,
  rehearsal,
  context,
  browser,
  jarvis,
}) => {
  test.slow();
  const petra = await Other.joinApart(context, browser, jarvis, "Petra", "operator");
  const settings = await context.newPage();
  await propose(settings, jarvis, () => settings.getByLabel("For every request").check());
  await enforce(settings);
  await settings.close();

  const cards = new Cards(chat, rehearsal);
  const own = await cards.ask([START]);
  await expect(own.box).toContainText("Another operator must approve this.");
  await own.box.getByRole("heading", { level: 3 }).scrollIntoViewIfNeeded();
  await expect(own.approve).toBeDisabled();
  await expect(own.box).toContainText("You made this request, so another operator must approve it.");
  await expect(own.deny).toBeEnabled();
  await expectAccessible(page);

  const tray = petra.page.locator("#waiting-tray");
  await petra.page.getByRole("button", { name: "1 request waiting for you" }).click();
  const line = tray.getByRole("button", { name: /Requested by Operator/ });
  await line.click();
  const card = new Card(tray.locator(".confirm--asks"));
  await expect(card.box).toContainText("Operator made this request");
  const sentence = await own.box.getByRole("heading", { level: 3 }).innerText();
  await expect(card.box.getByRole("heading", { level: 3 })).toHaveText(sentence);
  await expect(card.box).toContainText("As you wish.");
  // Nothing of it can be changed here, and the conversation stays hidden.
  await expect(card.box.getByRole("button", { name: "Edit the input" })).toHaveCount(0);
  await expectAccessible(petra.page);
  await card.allow();
  await chat.answered();
  await expect(tray.locator(".confirm--asks")).toHaveCount(0);
  await expect(cards.told("Petra")).toBeVisible();
  const events = await expectLawful(page);
  expect(events.filter(({ type }) => type === "tool_started")).toHaveLength(1);
  const closed = await petra.page.goto(page.url());
  expect(closed?.status()).toBeLessThan(500);
  await expect(petra.page.getByText("As you wish.")).toHaveCount(0);
  await petra.context.close();
});

test("who asked may still deny", async ({ chat, rehearsal, context, browser, jarvis }) => {
  const petra = await Other.join(context, browser, jarvis, "Petra", "admin");
  const settings = await context.newPage();
  await propose(settings, jarvis, () => settings.getByLabel("start_vm: two people", { exact: true }).check());
  await enforce(settings);
  await settings.close();
  const cards = new Cards(chat, rehearsal);
  const own = await cards.ask([START]);
  await expect(petra.page.getByRole("button", { name: "1 request waiting for you" })).toBeVisible();
  await own.deny.click();
  await chat.answered();
  await expect(petra.page.getByRole("button", { name: "No requests waiting for you" })).toBeVisible();
  await petra.context.close();
});
