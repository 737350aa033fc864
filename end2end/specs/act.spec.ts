// Calls that run without a card, and calls under a grant: both are shown as such.
import { Cards, expectLawful, journal, kernelLog, RESTART_OTHER, RESTART_SERVICE } from "../support/cards.ts";
import { expect, expectAccessible, test as base } from "../support/test.ts";
import type { Page } from "@playwright/test";

const test = base.extend<{ cards: Cards }>({
  cards: async ({ chat, rehearsal }, use) => use(new Cards(chat, rehearsal)),
});

// Power actions take time, even in the simulation.
test.slow();

test("a look on a node is shown with its tier and its output", async ({ page, chat, cards }) => {
  await cards.run(kernelLog("pve"), "Show the kernel messages on pve.");
  await cards.nothingToDecide();
  const card = cards.told("SSH command");
  await expect(card).toContainText("Tier Yellow");
  await expect(card).toContainText("journalctl on pve: done");
  await card.locator("summary").click();
  await expect(card).toContainText("journalctl -k -n 20");
  await expect(card).toContainText(/pve kernel: vmbr0: port \d+\(tap\d+i0\) entered forwarding state/);
  await expectAccessible(page);
  // A command that is not read-only never runs, and the card says why.
  const call = { ...kernelLog("pve"), input: { node: "pve", command: "cat /etc/shadow" } };
  await cards.run(call, "Show the passwords on pve.", 2);
  const refused = cards.told("Blocked: ");
  await expect(refused).toContainText("cat");
  const started = (await journal(page)).filter(({ type }) => type === "tool_started");
  expect(started).toHaveLength(1);
});

test("plain English leads to a look on a node", async ({ chat, cards }) => {
  await chat.ask("Which processes use most memory on Home?");
  await chat.answered();
  await expect(cards.told("SSH command")).toContainText("ps on Home: done");
  const answer = chat.texts.last();
  await expect(answer.getByRole("code").last()).toContainText(/PID USER .*COMMAND[^]*\bkvm\b/);
});

test("a restarted service is shown with its state before and after", async ({ page, chat, cards }) => {
  await cards.run(RESTART_SERVICE, "Restart the service smbd on pve.");
  const card = cards.told("Restart service");
  await expect(card).toContainText("Tier Yellow");
  await expect(card).toContainText("Done: ");
  await card.locator("summary").click();
  const state = (name: string) => card.locator(".value-entry--nested").filter({ hasText: name }).first();
  for (const name of ["before", "after"]) await expect(state(name)).toContainText("active (running)");
  await expect(card).toContainText("proof");
  // It was a new start, so the two differ.
  const [before, after] = [await state("before").innerText(), await state("after").innerText()];
  expect(before).not.toBe(after.replace("after", "before"));
  await page.reload();
  await chat.alive();
  await expect(card).toContainText("Done: ");
});

test("a standing grant lets the same call run, until it is taken back", async ({ page, chat, cards, context }) => {
  const question = "Restart container 231 on agent.";
  const card = await cards.ask([RESTART_OTHER], question);
  await card.more();
  await card.box.getByRole("checkbox", { name: /this again without asking/ }).check();
  await expect(card.box).toContainText(/exactly this call.* runs 3 more times without asking, until/);
  await card.allow();
  await chat.answered();
  const grants = page.getByText("1 active grant");
  await expect(grants).toBeVisible();
  await grants.click();
  await expect(page.getByText(/used 0 of 3/)).toBeVisible();

  // The second one runs without a card, and says why it may.
  await cards.run(RESTART_OTHER, "And again, please.", 2);
  await cards.nothingToDecide();
  const told = cards.told("Ran under a standing grant given by ");
  await expect(told).toContainText("Restart container");
  await expect(told).toContainText("Done: ");
  await expect(page.getByText(/used 1 of 3/)).toBeVisible();
  await expectAccessible(page);
  // The same in another tab and after a reload.
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByText("Ran under a standing grant given by ")).toBeVisible();
  await other.close();

  const revoke = page.getByRole("button", { name: /^Revoke: .*CT 231/ });
  await revoke.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText(/Revoked by /)).toBeVisible();
  await expect(page.getByText("No active grants")).toBeVisible();
  await expect(page.locator(".grants__summary")).toBeFocused();

  const third = await cards.ask([RESTART_OTHER], "Once more, please.");
  await third.deny.click();
  await chat.answered(3);
  const events = await expectLawfulGrant(page);
  expect(events.filter(({ type }) => type === "tool_started")).toHaveLength(2);
});

/** Asserts that one of the two runs was approved and the other covered by the grant. */
async function expectLawfulGrant(page: Page) {
  const events = await expectLawful(page);
  const of = (type: string) => events.filter((event) => event.type === type);
  const approved = of("confirmation_decided").filter(({ verdict }) => verdict?.type === "approved");
  expect(approved).toHaveLength(1);
  const granted = of("tool_started").filter(({ call }) => call !== approved[0]?.call);
  expect(granted).toHaveLength(1);
  return events;
}
