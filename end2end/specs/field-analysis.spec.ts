// A bundle is analysed in a conversation without tools, and a script is proposed out of it in another one.
import { FieldSheet, office, pane, SIMULATED } from "../support/field.ts";
import { expectFits } from "../support/fits.ts";
import { Other } from "../support/people.ts";
import type { Block } from "../support/rehearsal.ts";
import { Chat, expect, expectAccessible, test } from "../support/test.ts";

test.use({ startPage: false, jarvisOptions: SIMULATED });

const ADDRESS = /192\.168\.\d+\.\d+/;
const QUESTION = "Analyse these diagnostics";
const tool = (name: string, input: object): Block => ({ type: "tool_use", name, input });

test("from a bundle to an analysis, and from there to a proposal", async ({
  page,
  jarvis,
  rehearsal,
  context,
  browser,
}) => {
  const room = await office(page, jarvis.url);
  await FieldSheet.open(page, jarvis.url, room.bundle);
  await rehearsal.says("Two machines may have the address ip-s1-n1.1.");
  await page.getByRole("button", { name: "Analyse", exact: true }).click();
  const chat = new Chat(page);
  await expect(chat.texts.first()).toContainText(QUESTION);
  await chat.answered();
  await expect(chat.texts.last()).toContainText("ip-s1-n1.1");
  await expect(page.getByText("No tools: nothing is looked up or changed here.")).toBeVisible();
  await expectAccessible(page);
  await expectFits(page);
  // The model had the diagnostics, no tools, and no value.
  const asked = (await rehearsal.asked()).filter((request) => request.includes(QUESTION));
  expect(asked.some((request) => request.includes("=== section"))).toBe(true);
  for (const request of asked) {
    expect(request).not.toContain('"input_schema"');
    expect(request).not.toMatch(ADDRESS);
  }

  const steps = [{ run: "neighbours" }, { run: "routes" }];
  const why = "Two machines may have one address.";
  await rehearsal.script(
    { blocks: [tool("propose_script", { device: room.id, title: "Who answers", why, steps })] },
    { blocks: [{ type: "text", text: "Proposed." }] },
  );
  await page.getByRole("button", { name: "Run the plan" }).click();
  await expect(chat.texts.first()).toContainText("Carry out the plan.");
  await chat.answered();
  await expect(page.getByRole("link", { name: "an earlier conversation" })).toBeVisible();
  const drafted = page.locator("a[href^='/field/proposal/']").last();
  const path = (await drafted.getAttribute("href")) ?? "";
  await FieldSheet.open(page, jarvis.url, path);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Who answers");
  await expect(pane(page, "Steps").getByRole("listitem")).toHaveText(["neighbours", "routes"]);

  // A viewer analyses as well, and reads tokens.
  const viewer = await Other.join(context, browser, jarvis, "Vera", "viewer");
  await FieldSheet.open(viewer.page, jarvis.url, room.bundle);
  await rehearsal.says("It is ip-s1-n1.1, I suspect.");
  await viewer.page.getByRole("button", { name: "Analyse", exact: true }).click();
  await viewer.chat.answered();
  await expect(viewer.chat.texts.last()).toContainText("ip-s1-n1.1");
  expect(await viewer.page.locator("body").innerText()).not.toMatch(ADDRESS);
  await viewer.context.close();
});
