// Runs on a device that this file plays, so each state lasts until the test goes on: a device that is offline, output
// as it comes, a cancellation, and an outcome that nobody knows.
import type { Page } from "@playwright/test";
import { Card } from "../support/cards.ts";
import { approve } from "../support/erp.ts";
import { FakeDevice } from "../support/field-device.ts";
import { FieldSheet, pane, SIMULATED } from "../support/field.ts";
import { expectFits } from "../support/fits.ts";
import type { Block, Rehearsal } from "../support/rehearsal.ts";
import type { Jarvis } from "../support/server.ts";
import { Chat, expect, expectAccessible, test } from "../support/test.ts";

test.use({ startPage: false, jarvisOptions: SIMULATED, viewport: { width: 390, height: 844 } });

const tool = (name: string, input: object): Block => ({ type: "tool_use", name, input });

/** Adds a device to a new site, and adopts it. Returns it with the path of its page. */
async function adopted(page: Page, jarvis: Jarvis): Promise<[FakeDevice, string]> {
  await page.goto(`${jarvis.url}/field`);
  await new Chat(page).alive();
  const add = pane(page, "Add a device");
  await add.getByRole("combobox", { name: "Site" }).fill("Harbour office");
  await add.getByRole("textbox", { name: "Name" }).fill("Crane probe");
  await add.getByRole("button", { name: "Create the token" }).click();
  const once = page.getByRole("region", { name: "Enrolment token" });
  const command = await once.getByRole("listitem").first().locator("code").innerText();
  const device = new FakeDevice(jarvis.url);
  const path = `/field/device/${await device.enrol(command.split(" ").pop() ?? "")}`;
  // Pages read a snapshot: the device is there once the overview lists it.
  await expect(page.locator(`a[href='${path}']`).first()).toBeVisible();
  const sheet = await FieldSheet.open(page, jarvis.url, path);
  await approve(await sheet.ask("Adopt"));
  await expect(sheet.actions.getByRole("button", { name: "Suspend" })).toBeVisible();
  return [device, path];
}

/** Has the model propose a script for the device. Returns the path of the proposal. */
async function proposed(page: Page, jarvis: Jarvis, rehearsal: Rehearsal, device: string): Promise<string> {
  await FieldSheet.open(page, jarvis.url, device);
  await page.getByRole("button", { name: /^Ask Jarvis about/ }).click();
  const chat = new Chat(page);
  // The server waits for the result as long as the steps may take, and the test must not depend on its own pace.
  const wait = { run: "wait", seconds: 60 };
  const steps = [{ run: "routes" }, wait, wait];
  const id = device.split("/").pop();
  const proposal = { device: id, title: "Check the routes", why: "It is slow.", steps };
  await rehearsal.script(
    { blocks: [tool("propose_script", proposal)] },
    { blocks: [{ type: "text", text: "Drafted." }] },
  );
  await chat.ask("Propose a check of its routes.");
  await chat.answered();
  return (await page.locator("a[href^='/field/proposal/']").last().getAttribute("href")) ?? "";
}

test("an offline device, a live log, a cancellation, and an outcome that a person resolves", async ({
  page,
  jarvis,
  rehearsal,
}) => {
  test.slow();
  const [device, home] = await adopted(page, jarvis);
  device.fallsSilent(jarvis);
  const proposal = await proposed(page, jarvis, rehearsal, home);

  let count = 0;
  /** Asks for a run of the proposal, lets a person decide, and opens the page of the run. */
  const run = async (decide: (card: Card) => Promise<void>): Promise<FieldSheet> => {
    const sheet = await FieldSheet.open(page, jarvis.url, proposal);
    const button = sheet.actions.getByRole("button", { name: "Run version 1", exact: true });
    // The run before has to be over.
    await expect(button).not.toHaveAttribute("aria-disabled", "true");
    await button.press("Enter");
    const card = new Card(sheet.calls.locator(".confirm--asks"));
    await expect(card.box).toContainText("Crane probe");
    await decide(card);
    await FieldSheet.open(page, jarvis.url, home);
    const runs = pane(page, "Runs").getByRole("listitem");
    await expect(runs).toHaveCount(++count);
    const link = runs.first().locator("a[href^='/field/run/']");
    return FieldSheet.open(page, jarvis.url, (await link.getAttribute("href")) ?? "");
  };

  // It waits for a device that is offline, and runs when that is back.
  const offline = await FieldSheet.open(page, jarvis.url, home);
  await expect(offline.state).toContainText("offline");
  const first = await run((card) => card.allowByKeys());
  await expect(first.state).toContainText("waits for the device");
  await device.lives();
  const ran = await device.starts();
  await expect(first.state).toContainText("running");

  // Output is on the page while the run goes on.
  const log = pane(page, "Live log");
  await device.writes(ran, "the first part\n");
  await expect(log).toContainText("the first part");
  await expect(log).not.toContainText("the second part");
  await device.writes(ran, "the second part\n");
  await expect(log).toContainText("the second part");
  await expect(log).toContainText("the first part");
  await expect(first.state).toContainText("running");
  // Of a long one the last lines, and the earlier ones on demand.
  await device.writes(ran, "more\n".repeat(200));
  await expect(log).not.toContainText("the second part");
  const earlier = log.getByRole("button", { name: "Show earlier lines" });
  await earlier.press("Enter");
  await expect(log).toContainText("the first part");
  await expect(log).not.toContainText("more");
  await expect(earlier).toHaveCount(0);
  await log.getByRole("button", { name: "Show the newest lines" }).press("Enter");
  await expect(log).not.toContainText("the second part");
  await expect(log).toContainText("more");
  await expectAccessible(page);
  await device.ends(ran, { exit: 0 });
  await expect(first.state).not.toContainText("running");
  await expect(pane(page, "Limits used")).toContainText("exit 0");

  // A person ends one that runs.
  const second = await run(approve);
  const cancelled = await device.starts();
  await expect(second.state).toContainText("running");
  expect(await device.isCancelled(cancelled)).toBe(false);
  await second.actions.getByRole("button", { name: "Cancel the run" }).press("Enter");
  await expect(second.state).toContainText("The device is asked to end it.");
  expect(await device.isCancelled(cancelled)).toBe(true);
  await device.ends(cancelled, "cancelled");
  await expect(second.state).toContainText("cut short");
  await expect(pane(page, "Limits used")).toContainText("cancelled");

  // The device is switched off in the middle of one. Nobody knows, until a person says what was the case.
  const third = await run(approve);
  const lost = await device.starts();
  await device.lives([lost]);
  await expect(third.state).toContainText("outcome unknown");
  await expect(third.state).toContainText("Find out before you run it again");
  const resolve = pane(page, "Resolve");
  const later = pane(page, "Add a finding");
  const finds = async (form: typeof resolve, finding: string, why: string) => {
    await form.getByRole("combobox", { name: "What was the case" }).selectOption(finding);
    await form.getByRole("textbox", { name: "How you know" }).fill(why);
    await expectAccessible(page);
    await expectFits(page);
    const send = form.getByRole("button");
    // The call before may not be over yet.
    await expect(send).not.toHaveAttribute("aria-disabled", "true");
    await send.press("Enter");
  };
  // Nobody can tell at first, and somebody finds out later.
  await finds(resolve, "Nobody can tell", "Nobody was there.");
  await expect(third.state).toContainText("Nobody was there.");
  await expect(resolve).toHaveCount(0);
  await expect(later.getByRole("combobox", { name: "What was the case" })).toHaveValue("");
  await expect(later.getByRole("textbox", { name: "How you know" })).toHaveValue("");
  await expect(later.locator("option")).toHaveText(["", "It ran", "It did not run"]);
  await finds(later, "It did not run", "Its lamp was off.");
  await expect(third.state).toContainText("A person found out that it did not run.");
  await expect(third.state).toContainText("Its lamp was off.");
  await expect(third.state).toContainText("A person looked into it and cannot tell.");
  await expect(later).toHaveCount(0);
  // It never runs again by itself.
  expect(await device.claims()).toBeUndefined();
  await FieldSheet.open(page, jarvis.url, home);
  await expect(pane(page, "Runs").getByRole("listitem")).toHaveCount(count);
});
