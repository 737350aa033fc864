// Story: "Why is the meeting room so slow?", from the bundle to the evidence.
import { Cards } from "../support/cards.ts";
import { approve } from "../support/erp.ts";
import { FieldSheet, idIn, office, pane, SIMULATED, TOKEN, tool } from "../support/field.ts";
import { expectFits } from "../support/fits.ts";
import { expect, test } from "../support/test.ts";

test.use({ jarvisOptions: SIMULATED });

test("why is the meeting room so slow?", async ({ page, chat, rehearsal, jarvis }) => {
  const cards = new Cards(chat, rehearsal);
  const room = await office(page, jarvis.url);
  const bundle = room.bundle.split("/").pop() ?? "";

  // From the bundle: the question is about it, and the model reads tokens.
  await FieldSheet.open(page, jarvis.url, room.bundle);
  await page.getByRole("button", { name: /^Ask Jarvis about bundle / }).click();
  const read = tool("get_diagnostics", { device: room.id, bundle, section: "neighbours" });
  await rehearsal.script({ blocks: [read] }, { blocks: [{ type: "text", text: "Two machines answer for the gateway." }] });
  await chat.ask("Why is the meeting room so slow?");
  await chat.answered();
  const asked = (await rehearsal.asked()).join("\n");
  expect(asked).toMatch(TOKEN);
  const gateway = /\bip-s\d+-n\d+\.1\b/.exec(asked)?.[0] ?? "";

  // A probe: low risk, at once or with a press.
  await rehearsal.script(
    { blocks: [tool("run_probe", { device: room.id, step: { run: "ping", target: gateway, count: 4 } })] },
    { blocks: [{ type: "text", text: "It answers, and loses packets." }] },
  );
  await chat.ask(`Ping the gateway ${gateway} from ${room.id}.`);
  const waiting = cards.open.first();
  await expect(waiting.or(chat.ended("Answered").nth(1))).toBeVisible({ timeout: 60_000 });
  if (await waiting.count()) await approve(cards.card());
  await chat.answered(2);

  // A script: proposed, approved on its card, followed live.
  const steps = [
    { run: "neighbours" },
    { run: "ping", target: gateway, count: 4 },
    { run: "trace", target: gateway },
    { run: "link_stats", interface: "eth0" },
  ];
  const script = { device: room.id, title: "Who answers for the gateway", why: "Two machines do.", steps };
  await cards.run(tool("propose_script", script), "Propose a script that finds out who.", 3);
  await chat.transcript.getByRole("link", { name: "Open its page" }).last().click();
  const sheet = new FieldSheet(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Who answers for the gateway");
  await expect(pane(page, "Steps").getByRole("listitem")).toHaveCount(steps.length);
  await expect(pane(page, "Script")).toContainText("ping");
  await expect(pane(page, "Script")).not.toContainText(/\b10\.\d+\.\d+\.\d+\b/);
  await expect(pane(page, "Risk")).toContainText(/Low|Medium|High/);
  await page.getByRole("button", { name: "Check again" }).click();
  await expectFits(page);

  const card = await sheet.ask("Run version 1");
  // The card has the values, by a look that is recorded.
  await expect(card.box).toContainText(/\b\d+\.\d+\.\d+\.\d+\b/);
  await approve(card);
  await page.goto(`${jarvis.url}/field`);
  const run = pane(page, "Runs").getByRole("link", { name: "Who answers for the gateway" });
  await run.click();
  await expect(pane(page, "Live log")).toContainText(TOKEN, { timeout: 60_000 });
  await expect(sheet.state).toContainText("ended", { timeout: 60_000 });
  const results = pane(page, "Results").getByRole("listitem");
  await expect(results).toHaveCount(steps.length);
  await expect(results.nth(1)).toContainText(/loss/);
  await expect(pane(page, "Limits used")).toContainText("exit 0");
  await expect(pane(page, "Signed package")).toContainText("Approved by");
  expect(idIn(page.url(), "run")).not.toBe("");
});
