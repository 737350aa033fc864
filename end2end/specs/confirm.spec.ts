// Confirmations: exactly the call on the card runs, once, and only if it is approved.
import { type Card, Cards, expectLawful, journal, START, START_OTHER, STOP } from "../support/cards.ts";
import { OUT_OF_REACH } from "../support/server.ts";
import { AWAY, Chat, expect, expectAccessible, expectReadable, test as base } from "../support/test.ts";

const test = base.extend<{ cards: Cards }>({
  cards: async ({ chat, rehearsal }, use) => use(new Cards(chat, rehearsal)),
});

declare global {
  interface Window {
    /** Server messages that the page has not received yet. */
    held?: (() => void)[];
  }
}

// A button that is held fills up.
test.use({ contextOptions: { reducedMotion: "no-preference" } });

// Power actions take time, even in the simulation.
test.slow();

/** Presses the button once it is enabled. */
async function approve(card: Card): Promise<void> {
  await card.read();
  await card.approve.click();
}

test("a card says all, is approved, and runs once", async ({ page, chat, cards }) => {
  await expect(page.getByRole("button", { name: "No requests waiting for you" })).toBeVisible();
  const card = await cards.ask([START], "Start VM 113 on pve, please.");

  await expect(card.box).toHaveAccessibleName(/^Start VM 113 \(windows-11\) on node pve/);
  await expect(card.box).toContainText("Tier Red");
  await expect(card.box).toContainText("State now");
  await expect(card.field("vmid")).toContainText("113");
  await expect(card.field("vmid")).toContainText("from your words");
  await expect(card.box).toContainText(/only to this exact request \([0-9a-f]{4} [0-9a-f]{4} [0-9a-f]{4}\)/);
  await expect(card.box).toContainText(/\d:\d\d left/);
  await expect(card.box).toContainText("As you wish.");
  // The sentence says the whole input, so the rest is folded.
  await expect(card.box.locator(".confirm__details")).not.toHaveAttribute("open");
  await expect(card.box.getByRole("heading", { name: "Input" })).toBeHidden();
  await expect(page).toHaveTitle(/^\(1\) /);
  await expect(page.getByRole("button", { name: "1 request waiting for you" })).toBeVisible();

  // The focus stays in the composer.
  await expect(chat.composer).toBeFocused();
  await chat.composer.press("Enter");
  await expect(cards.open).toHaveCount(1);

  await approve(card);
  await chat.answered();
  await cards.nothingToDecide();
  const told = cards.told("Start vm");
  await expect(told).toContainText("Done: ");
  await expect(told).toContainText(/Approved by .+, by pressing/);
  await expect(page).toHaveTitle(/^(?!\()/);

  const events = await expectLawful(page);
  expect(events.filter(({ type }) => type === "tool_started")).toHaveLength(1);
  // It stays like that.
  await page.reload();
  await chat.alive();
  await cards.nothingToDecide();
  await told.locator("summary").click();
  await expect(told.getByRole("heading", { name: "Request" })).toBeVisible();
});

test("a press that comes with the card does nothing", async ({ page, chat, cards }) => {
  // In the moment in which the card comes, however slow the machine is. The second press of a double click is meant
  // for something else.
  await page.evaluate(() => {
    const observer = new MutationObserver(() => {
      const approve = document.querySelector(".confirm--asks [aria-label^='Approve: ']");
      if (!approve) return;
      observer.disconnect();
      for (const detail of [0, 1, 2]) approve.dispatchEvent(new MouseEvent("click", { bubbles: true, detail }));
      document.body.dataset.pressed = "true";
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });
  const card = await cards.ask([START]);
  await expect(page.locator("body")).toHaveAttribute("data-pressed", "true");
  await card.read();
  await card.approve.evaluate((it) => {
    it.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 2 }));
  });
  // Focus by keyboard arms it again: also after a touch that began elsewhere, so that only its mouse events come here,
  // and after one that became no press. A key that is still down is no press either.
  for (const before of [[], ["mousedown"], ["pointerdown", "pointerup"]]) {
    await card.read();
    const bar = card.approve.evaluate(async (it, before) => {
      it.blur();
      for (const type of before) it.dispatchEvent(new PointerEvent(type, { bubbles: true, isPrimary: true }));
      it.focus();
      it.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
      await new Promise((done) => setTimeout(done));
      return it.getAttribute("aria-disabled");
    }, before);
    expect(await bar).toBe("true");
  }
  await card.approve.dispatchEvent("keydown", { key: "Enter", repeat: true });
  await card.read();
  expect((await journal(page)).filter(({ type }) => type === "confirmation_decided")).toHaveLength(0);
  await card.deny.click();
  await chat.answered();
});

test("a denial takes its comment to the model and stays a denial", async ({ page, chat, cards }) => {
  const card = await cards.ask([START]);
  await card.comment.fill("Not tonight. Ask again tomorrow.");
  await card.deny.click();
  await chat.answered();
  await cards.nothingToDecide();
  const told = cards.told("Denied by");
  await expect(told).toContainText("“Not tonight. Ask again tomorrow.”");
  await page.reload();
  await chat.alive();
  await cards.nothingToDecide();
  await expect(told).toContainText("“Not tonight. Ask again tomorrow.”");
  const events = await expectLawful(page);
  expect(events.filter(({ type }) => type === "tool_started")).toHaveLength(0);
});

test("a changed input is asked for anew, and what was shown last runs", async ({ page, chat, cards }) => {
  const card = await cards.ask([START_OTHER], "Start the container with the downloads.");
  const change = card.box.getByRole("button", { name: "Edit the input" });
  const vmid = card.box.getByRole("textbox", { name: "vmid" });
  const show = card.box.getByRole("button", { name: "Preview the result" });
  await card.more();
  await change.click();
  await expect(card.approve).toBeDisabled();
  await vmid.fill("232");
  await vmid.press("Escape");
  await expect(card.field("vmid")).toContainText("213");
  await expect(chat.stop).toBeVisible();

  // To a guest that does not exist: refused, and the card stays unchanged.
  await change.click();
  await vmid.fill("999");
  await show.click();
  await expect(page.getByText(/999/).first()).toBeVisible();
  await expect(card.field("vmid")).toContainText("213");

  await change.click();
  await card.box.getByRole("textbox", { name: "node" }).fill("agent");
  await vmid.fill("232");
  await show.click();
  await expect(card.box).toHaveAccessibleName(/232 \(old-wiki\) on node agent/);
  await expect(card.box).toContainText("The input was changed.");
  await expect(card.field("vmid")).toContainText("set by a person");
  await expect(card.box.getByRole("heading", { name: "Original values" })).toBeVisible();
  await expect(cards.open).toHaveCount(1);
  await approve(card);
  await chat.answered();
  await expect(cards.told("Start container")).toContainText("232");
  const events = await expectLawful(page);
  expect(events.filter(({ type }) => type === "confirmation_requested")).toHaveLength(2);
  expect(events.find(({ type }) => type === "tool_started")?.input).toEqual({ node: "agent", vmid: 232 });
});

test("what is graver is held, what is gravest is typed", async ({ page, chat, cards }) => {
  const card = await cards.ask([STOP], "Stop VM 112 on pve, please.");
  await expect(card.approve).toHaveAccessibleName(/^Hold to approve/);
  await card.read();
  // A short press has no effect, and the card says what does.
  await card.approve.click();
  await expect(card.box).toContainText("Hold the button for one second.");
  await expect(card.approve).toHaveAccessibleName(/^Hold to approve/);

  await card.more();

  await card.box.getByRole("checkbox", { name: /Force off/ }).click();
  await expect(card.box.getByRole("checkbox", { name: /Force off/ })).toBeChecked();
  await expect(card.box).toContainText("Can't be undone");
  const word = card.box.getByRole("textbox", { name: /^Type .+ to approve$/ });
  await expect(word).toBeVisible();
  await expect(card.approve).toBeDisabled();
  await word.fill("wrong");
  await word.press("Enter");
  await expect(card.approve).toBeDisabled();
  await card.more();
  await card.box.getByRole("checkbox", { name: /Force off/ }).click();
  await expect(word).toBeHidden();

  await card.read();
  await card.approve.hover();
  await page.mouse.down();
  await expect(card.approve).toHaveAccessibleName(/^Keep holding…/);
  await expect(cards.open).toHaveCount(0);
  await page.mouse.up();
  await chat.answered();
  await expect(cards.told("Stop vm")).toContainText("by holding");
  await expectLawful(page);
});

test("the word, typed, approves", async ({ page, chat, cards }) => {
  const card = await cards.ask([STOP], "Stop VM 112 on pve, please.");
  await card.more();
  await card.box.getByRole("checkbox", { name: /Force off/ }).click();
  const word = card.box.getByRole("textbox", { name: /^Type .+ to approve$/ });
  await word.fill((await card.box.locator(".confirm__word code").innerText()).trim());
  await approve(card);
  await chat.answered();
  await expect(cards.told("Stop vm")).toContainText("by typing the word");
  const events = await expectLawful(page);
  const input = events.find(({ type }) => type === "tool_started")?.input;
  expect(Object.values(input as object)).toContain(true);
});

test.describe("with little time", () => {
  test.use({ jarvisOptions: { env: { JARVIS_CONFIRMATION_SECONDS: "8" }, args: [] } });

  test("a question lapses and is never answerable again", async ({ page, chat, cards }) => {
    await cards.ask([START]);
    await chat.answered();
    await cards.nothingToDecide();
    await expect(cards.told("Expired without a decision")).toBeVisible();
    await page.reload();
    await chat.alive();
    await cards.nothingToDecide();
    const events = await expectLawful(page);
    expect(events.filter(({ type }) => type === "tool_started")).toHaveLength(0);
  });
});

test("of two tabs one decides, and the other is told who", async ({ page, chat, cards, context, rehearsal }) => {
  await cards.ask([START]);
  // Server messages to the second tab can be held back, so that it decides on what it still shows.
  const second = new Chat(await context.newPage());
  await second.page.addInitScript(() => {
    const Real = window.WebSocket;
    window.WebSocket = class extends Real {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(url, protocols);
        this.addEventListener("message", (event) => {
          if (!window.held || !event.isTrusted) return;
          event.stopImmediatePropagation();
          window.held.push(() => this.dispatchEvent(new MessageEvent("message", { data: event.data })));
        });
      }
    };
  });
  await second.page.goto(page.url());
  await second.alive();
  const others = new Cards(second, rehearsal);
  const other = others.card();
  await other.read();
  await second.page.evaluate(() => void (window.held = []));

  await page.bringToFront();
  await approve(cards.card());
  await cards.nothingToDecide();
  await second.page.bringToFront();
  await other.read();
  await other.deny.click();
  await expect(others.open).toHaveCount(1);
  await chat.answered();
  await second.page.evaluate(() => {
    const held = window.held;
    window.held = undefined;
    for (const say of held ?? []) say();
  });

  const toasts = second.page.getByRole("status").filter({ hasText: "This request was already approved by " });
  await expect(toasts).toBeVisible();
  for (const tab of [cards, others]) {
    await tab.nothingToDecide();
    await expect(tab.told(/Approved by /)).toBeVisible();
  }
  const events = await expectLawful(page);
  expect(events.filter(({ type }) => type === "confirmation_decided")).toHaveLength(1);
  await second.page.close();
});

test("a question survives a reload and the server", async ({ page, chat, cards, jarvis, consoleErrors }) => {
  consoleErrors.expect(AWAY);
  const card = await cards.ask([START]);
  const name = await card.box.getAttribute("aria-labelledby");
  for (const way of ["reload", "stop", "kill"] as const) {
    if (way === "reload") await page.reload();
    else {
      await jarvis[way]();
      await expect(card.approve).toBeDisabled();
      await expect(card.box).toContainText("No connection to the server");
      await jarvis.restart();
    }
    await chat.alive();
    await expect(cards.open).toHaveCount(1);
    expect(await card.box.getAttribute("aria-labelledby")).toBe(name);
  }
  await approve(card);
  // The model's script was lost with the server: its next answer is not scripted.
  await cards.nothingToDecide();
  await expect(cards.told("Start vm")).toContainText("Approved by");
  await expect(cards.told("Start vm")).toContainText("Done: ");
  const events = await expectLawful(page);
  expect(events.filter(({ type }) => type === "tool_started")).toHaveLength(1);
});

test("an outcome that nobody knows is looked at again and settled by a person", async ({
  page,
  chat,
  cards,
  jarvis,
  consoleErrors,
}) => {
  consoleErrors.expect(AWAY);
  await approve(await cards.ask([START]));
  const started = async () => (await journal(page)).filter(({ type }) => type === "tool_started").length;
  await expect.poll(started).toBe(1);
  await jarvis.kill();
  // When it is back, the cluster is unreachable.
  await jarvis.restart(OUT_OF_REACH);
  await chat.alive();
  const outcome = chat.transcript.getByRole("group", { name: "Outcome" });
  await expect(outcome).toBeVisible({ timeout: 60_000 });
  await chat.answered();
  await outcome.getByRole("button", { name: "Check again" }).click();
  await expect(outcome).toContainText("Still unknown", { timeout: 60_000 });
  await outcome.getByRole("button", { name: "Mark as not done" }).click();
  await expect(outcome).toContainText(/It did not take effect, reported by .+\./);
  await expect(outcome.getByRole("button")).toHaveCount(0);
  await expect(cards.told("Start vm").locator("summary")).toBeFocused();
  await page.reload();
  await chat.alive();
  await expect(outcome).toContainText("It did not take effect, reported by ");
  await expectLawful(page);
});

test("several calls of a step are decided one by one", async ({ page, chat, cards }) => {
  await cards.ask([START, START_OTHER], "Start 113 and 213, both on pve.");
  await expect(cards.card(0).box).toContainText("1 of 2");
  await expect(cards.card(1).box).toContainText("2 of 2");
  await expect(page.getByRole("button", { name: "2 requests waiting for you" })).toBeVisible();
  await cards.card(1).deny.click();
  await expect(cards.open).toHaveCount(1);
  await expect(cards.card(0).box).toHaveAccessibleName(/VM 113/);
  await cards.card(0).box.scrollIntoViewIfNeeded();
  await approve(cards.card(0));
  await chat.answered();
  await expectLawful(page);
});

test("what never runs is never asked for", async ({ chat, cards, rehearsal }) => {
  await rehearsal.script(
    { blocks: [{ type: "tool_use", name: "reboot_node", input: { node: "pve", action: "reboot" } }] },
    { blocks: [{ type: "text", text: "That is not mine to do." }] },
  );
  await chat.ask("Reboot pve.");
  await chat.answered();
  await cards.nothingToDecide();
  await expect(cards.told("Blocked: ")).toContainText("Black");
});

test("the kill switch stops what acts, in every tab", async ({ page, chat, cards, context, jarvis }) => {
  const card = await cards.ask([START]);
  const second = await context.newPage();
  await second.goto(jarvis.url);
  await new Chat(second).alive();
  await second.getByRole("button", { name: "Kill switch: off" }).click();
  await second.getByRole("button", { name: "Turn the kill switch on" }).click();
  await expect(second.getByText("The kill switch is on: actions are blocked.")).toBeVisible();
  await page.bringToFront();
  await expect(page.getByText("The kill switch is on: actions are blocked.")).toBeVisible();
  await expect(page.getByText(/Turned on by /)).toBeVisible();
  await expect(card.approve).toBeDisabled();
  await expect(card.box).toContainText("actions are blocked until it's lifted");

  await page.reload();
  await chat.alive();
  await page.getByRole("button", { name: "Lift…" }).click();
  await page.getByRole("button", { name: "Lift it" }).click();
  await expect(page.getByText("The kill switch is on: actions are blocked.")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Kill switch: off" })).toBeFocused();
  await approve(card);
  await chat.answered();
  await expectLawful(page);
});

test("a message while a call waits goes after the decision, or in its place", async ({
  page,
  chat,
  cards,
  rehearsal,
}) => {
  await cards.ask([START]);
  await chat.composer.fill("And then tell me the time.");
  await page.getByRole("button", { name: "After this turn", exact: true }).click();
  await expect(chat.queued("And then tell me the time.")).toBeVisible();
  await expect(cards.open).toHaveCount(1);
  await chat.queue.getByRole("button", { name: /Withdraw/ }).click();
  await expect(chat.queue).toBeHidden();

  await rehearsal.says("Very well, something else.");
  await chat.composer.fill("Never mind. Something else.");
  await page.getByRole("button", { name: "Withdraw and send now" }).click();
  await cards.nothingToDecide();
  await expect(cards.told(/Withdrawn/)).toBeVisible();
  await expect(chat.ended("Answered")).toBeVisible();
  const events = await expectLawful(page);
  expect(events.filter(({ type }) => type === "tool_started")).toHaveLength(0);
});

test("a decision by keyboard alone", async ({ page, chat, cards }) => {
  const card = await cards.ask([START]);
  await expect(chat.composer).toBeFocused();
  for (let presses = 0; presses < 30; presses++) {
    await page.keyboard.press("Shift+Tab");
    if (await card.approve.evaluate((it) => it === document.activeElement)) break;
  }
  await expect(card.approve).toBeFocused();
  await card.read();
  await page.keyboard.press("Enter");
  await chat.answered();
  await expect(cards.told("Start vm")).toContainText("Approved by");

  const stop = await cards.ask([STOP], "Stop VM 112 on pve.");
  await chat.composer.focus();
  for (let presses = 0; presses < 30; presses++) {
    await page.keyboard.press("Shift+Tab");
    if (await stop.approve.evaluate((it) => it === document.activeElement)) break;
  }
  await stop.read();
  await page.keyboard.down(" ");
  await expect(stop.approve).toHaveAccessibleName(/^Keep holding…/);
  await expect(cards.open).toHaveCount(0);
  await page.keyboard.up(" ");
  await chat.answered(2);
  await expectLawful(page);
});

test("the tray leads from any page to the call", async ({ page, chat, cards, jarvis }) => {
  await cards.ask([START]);
  await page.goto(jarvis.url);
  await chat.alive();
  await page.getByRole("button", { name: "1 request waiting for you" }).click();
  const line = page.getByRole("link", { name: /Start VM 113/ });
  await expect(line).toContainText(/\d:\d\d left/);
  await line.click();
  await expect(cards.card().box.getByRole("heading", { name: /Start VM 113/ })).toBeFocused();
  await approve(cards.card());
  await chat.answered();
  await expect(page.getByRole("button", { name: "No requests waiting for you" })).toBeVisible();
});

for (const theme of ["dark", "light"] as const) {
  test(`nothing on a card keeps people out (${theme})`, async ({ page, chat, cards, context, jarvis }) => {
    const look = theme === "dark" ? expectAccessible : expectReadable;
    await context.addCookies([{ name: "jarvis_theme", value: theme, url: jarvis.url }]);
    await page.reload();
    await chat.alive();
    const card = await cards.ask([STOP]);
    await card.more();
    await card.box.getByRole("checkbox", { name: /this again without asking/ }).check();
    await test.step("asks", () => look(page));
    await card.more();
    await card.box.getByRole("checkbox", { name: /Force off/ }).click();
    await expect(card.box).toContainText("Can't be undone");
    await card.box.getByRole("button", { name: "Edit the input" }).click();
    await page.getByRole("button", { name: "1 request waiting for you" }).click();
    await test.step("gravest, being changed, with the tray", () => look(page));
    await page.keyboard.press("Escape");
    await card.deny.click();
    await chat.answered();
    await cards.told("Denied by").locator("summary").click();
    await test.step("denied", () => look(page));
  });
}
