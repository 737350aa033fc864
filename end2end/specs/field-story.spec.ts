// The story of field devices: from diagnostics to the evidence of a run that a person approved.
import { approve } from "../support/erp.ts";
import { FieldSheet, office, pane, SIMULATED, TOKEN } from "../support/field.ts";
import { expectFits } from "../support/fits.ts";
import type { Block } from "../support/rehearsal.ts";
import { Chat, expect, expectAccessible, test } from "../support/test.ts";

test.use({ startPage: false, jarvisOptions: SIMULATED, viewport: { width: 390, height: 844 } });

const tool = (name: string, input: object): Block => ({ type: "tool_use", name, input });

test("why the meeting room is so slow", async ({ page, jarvis, rehearsal }) => {
  const room = await office(page, jarvis.url);
  let sheet = await FieldSheet.open(page, jarvis.url, room.bundle);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Diagnostics of Meeting room");
  await expect(pane(page, "Stands out")).toContainText("The gateway answers twice");

  // The token of the gateway, from the page: the model has no other name for it.
  const said = pane(page, "Sections").getByRole("listitem").filter({ hasText: "gateway_ping" });
  await said.locator("summary").press("Enter");
  const gateway = TOKEN.exec(await said.locator("pre").innerText())?.[0];

  // Without a model: what the readings say by themselves, by the name that people use.
  const chat = new Chat(page);
  await page.getByRole("button", { name: /^Ask Jarvis about/ }).click();
  await chat.ask("Why is the meeting room so slow?");
  await chat.answered();
  await expect(chat.texts.last()).toContainText("Meeting room: the gateway answers twice");

  const steps = [{ run: "ping", target: gateway, count: 4 }, { run: "neighbours" }];
  const proposal = { device: room.id, title: "Check the gateway", why: "It answers twice.", steps };
  await rehearsal.script(
    { blocks: [tool("propose_script", proposal)] },
    { blocks: [{ type: "text", text: "Drafted." }] },
  );
  await chat.ask("Propose a check of its gateway.");
  await chat.answered(2);
  const drafted = page.locator("a[href^='/field/proposal/']").last();
  const path = (await drafted.getAttribute("href")) ?? "";

  sheet = await FieldSheet.open(page, jarvis.url, path);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Check the gateway");
  await expect(pane(page, "Risk")).toContainText("Low");
  await expectAccessible(page);
  await expectFits(page);
  const card = await sheet.ask("Run version 1");
  await expect(card.box).toContainText("Tier Red");
  // A person approves real addresses.
  await expect(card.box).toContainText(/192\.168\.\d+\.\d+/);
  await approve(card);

  const run = sheet.calls.locator("a[href^='/field/run/']").first();
  await expect(run).toBeVisible({ timeout: 30_000 });
  sheet = await FieldSheet.open(page, jarvis.url, (await run.getAttribute("href")) ?? "");
  await expect(sheet.state).toContainText("ended", { timeout: 30_000 });
  await expect(page.locator("main")).toContainText("(DUP!)");
  await expectAccessible(page);
  await expectFits(page);
  const asked = (await rehearsal.asked()).join("\n");
  expect(asked).not.toMatch(/192\.168\.|Nordlicht-/);

  // The same pages at a desk.
  await page.setViewportSize({ width: 1440, height: 900 });
  await expectFits(page);
  await FieldSheet.open(page, jarvis.url, path);
  await expectFits(page);
});
