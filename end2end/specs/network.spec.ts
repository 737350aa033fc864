// A network that cuts, delays, loses and repeats: nothing is lost and nothing is duplicated.
import { Cards, expectLawful, kernelLog, RESTART_SERVICE, START } from "../support/cards.ts";
import { expectAsFresh, journalOf, said, test } from "../support/network.ts";
import { seeded, type Passing } from "../support/proxy.ts";
import { numbered } from "../support/rehearsal.ts";
import { expect } from "../support/test.ts";

const is = (type: string) => (frame: Passing) => frame.text.startsWith(`{"type":"${type}"`);
const isCommand = is("command");
const isAccepted = is("accepted");

/** A promise to wait for, and the function that resolves it. */
function gate(): { passed: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { passed, open };
}

test("a connection that breaks in the middle of a frame loses no word", async ({ chat, rehearsal, line, jarvis }) => {
  await rehearsal.says(numbered(900), 150);
  const deltas = new Map<number, number>();
  line.judge = (frame) => {
    if (!is("delta")(frame) || line.cuts === 3) return "pass";
    const count = (deltas.get(frame.socket) ?? 0) + 1;
    deltas.set(frame.socket, count);
    return count === 12 ? "tear" : "pass";
  };
  await chat.ask("Count, please.");
  await chat.answered();
  expect(line.cuts).toBe(3);
  expect((await chat.words()).join(" ")).toBe(numbered(900));
  await expect(chat.texts).toHaveCount(2);
  await expectAsFresh(chat, jarvis.url);
});

for (const after of ["a reconnect", "a reload"] as const) {
  test(`a message whose answer was lost is there once after ${after}`, async ({ page, chat, line, jarvis }) => {
    // The first begins a conversation, the second continues it.
    for (const [n, question] of ["Which VMs are stopped?", "How is the cluster doing?"].entries()) {
      const lost = line.sockets;
      const caughtUp = is("subscribed");
      let [commands, isCaughtUp] = [0, false];
      // No reply arrives, although the server has the message. Later the reply comes after the
      // journal, unless only the reply makes the page request the journal.
      line.judge = (frame) => {
        if (frame.socket <= lost) return frame.from === "server" ? "lose" : "pass";
        if (isCommand(frame)) commands++;
        isCaughtUp ||= caughtUp(frame);
        return n > 0 && isAccepted(frame) && !isCaughtUp ? { after: caughtUp } : "pass";
      };
      await chat.ask(question);
      await expect.poll(() => said(page, jarvis.url)).toHaveLength(n + 1);
      await expect(chat.transcript.getByText("Sending…")).toBeVisible();
      if (after === "a reload") await page.reload();
      else line.cut();
      await chat.answered(n + 1);
      // The page may show the answer before its new connection is ready.
      await expect.poll(() => commands).toBe(1);
      await expect(chat.transcript.getByText("Sending…")).toHaveCount(0);
      await expect(chat.transcript.getByText(question)).toHaveCount(1);
      line.calm();
    }
    expect(await said(page, jarvis.url)).toEqual(["Which VMs are stopped?", "How is the cluster doing?"]);
    expect(await page.evaluate(() => sessionStorage.getItem("jarvis.outbox"))).toBeNull();
    await expectAsFresh(chat, jarvis.url);
  });
}

test("whatever comes twice is one message and one decision", async ({ page, chat, rehearsal, line, jarvis }) => {
  line.judge = ({ from }) => (from === "page" ? "twice" : "pass");
  const cards = new Cards(chat, rehearsal);
  const card = await cards.ask([START]);
  await card.read();
  await card.approve.click();
  await chat.answered();
  await chat.ask("Which VMs are stopped?");
  await chat.answered(2);
  expect(await said(page, jarvis.url)).toEqual(["Start the windows VM, please.", "Which VMs are stopped?"]);
  const events = await expectLawful(page);
  for (const type of ["confirmation_requested", "confirmation_decided", "tool_started"]) {
    const of = events.filter((event) => event.type === type && event.call === events.find((it) => it.confirmation)?.call);
    expect(of, type).toHaveLength(1);
  }
  await expect(page.getByRole("status").filter({ hasText: "already" })).toHaveCount(0);
  await expectAsFresh(chat, jarvis.url);
});

test("a decision whose answer was lost is made once", async ({ page, chat, rehearsal, line, jarvis }) => {
  const cards = new Cards(chat, rehearsal);
  const card = await cards.ask([START]);
  await card.read();
  const before = line.sockets;
  line.judge = ({ from, socket }) => (from === "server" && socket === before ? "lose" : "pass");
  await card.approve.click();
  const decided = async () =>
    (await journalOf(page, jarvis.url)).filter(({ type }) => type === "confirmation_decided").length;
  await expect.poll(decided).toBe(1);
  // It cannot be pressed again meanwhile.
  await expect(card.approve).toBeDisabled();
  line.cut();
  await chat.answered();
  await cards.nothingToDecide();
  expect(await decided()).toBe(1);
  await expect(page.getByRole("status").filter({ hasText: "already" })).toHaveCount(0);
  await expectLawful(page);
  await expectAsFresh(chat, jarvis.url);
});

test("a slow network shows a message as being sent until it stands", async ({ page, chat, rehearsal, line, jarvis }) => {
  await rehearsal.says("All is well, sir.");
  await chat.ask("Good morning.");
  await chat.answered();
  const sending = chat.transcript.getByText("Sending…");
  const [there, back] = [gate(), gate()];
  line.judge = ({ from }) => ({ until: from === "page" ? there.passed : back.passed });
  await rehearsal.says("It is, sir.");
  await chat.ask("Is the weather good?");
  await expect(sending).toBeVisible();
  expect(await said(page, jarvis.url)).toHaveLength(1);
  there.open();
  await expect.poll(() => said(page, jarvis.url)).toHaveLength(2);
  await expect(sending).toBeVisible();
  // Written while no reply arrives: it is sent after the first.
  await rehearsal.says("Always, sir.");
  await chat.ask("And tomorrow?");
  await expect(sending).toHaveCount(2);
  back.open();
  await chat.answered(3);
  await expect(sending).toHaveCount(0);
  expect(await said(page, jarvis.url)).toEqual(["Good morning.", "Is the weather good?", "And tomorrow?"]);
  expect(line.sockets).toBe(1);
  await expectAsFresh(chat, jarvis.url);
});

test("a connection that only seems to live is given up", async ({ page, chat, rehearsal, line, jarvis }) => {
  await page.clock.install();
  await page.reload();
  await chat.alive();
  const silent = line.sockets;
  const end = gate();
  line.judge = ({ socket }) => (socket === silent ? { until: end.passed } : "pass");
  await rehearsal.says("Here, sir.");
  await chat.ask("Are you there?");
  await expect(chat.transcript.getByText("Sending…")).toBeVisible();
  // The server is pinged, and does not reply.
  await page.clock.fastForward(25_000);
  await page.clock.fastForward(15_000);
  await chat.answered();
  expect(line.sockets).toBe(silent + 1);
  end.open();
  expect(await said(page, jarvis.url)).toEqual(["Are you there?"]);
  await expectAsFresh(chat, jarvis.url);
});

test("what is written without a network waits, and goes out in its order", async ({
  page,
  chat,
  context,
  line,
  jarvis,
}) => {
  await chat.ask("Which VMs are stopped?");
  await chat.answered();
  await context.setOffline(true);
  line.leave();
  await expect(chat.connection).toHaveText("Offline");
  const questions = ["How is the cluster doing?", "Is any storage filling up?", "How is the cluster doing?"];
  for (const question of questions) await chat.ask(question);
  await expect(chat.transcript.getByText("Waiting for the connection")).toHaveCount(3);
  await expect(chat.transcript.locator(".row--pending")).toContainText(questions);
  await chat.composer.fill("Half a thought");
  line.back();
  await context.setOffline(false);
  await chat.answered(4);
  await expect(chat.transcript.locator(".row--pending")).toHaveCount(0);
  expect(await said(page, jarvis.url)).toEqual(["Which VMs are stopped?", ...questions]);
  await expect(chat.composer).toHaveValue("Half a thought");
  await expectAsFresh(chat, jarvis.url);
});

test.describe("with a worker", () => {
  test.use({ serviceWorkers: "allow" });

  for (const where of ["a conversation", "a new one"] as const) {
    test(`what waits in ${where} waits over a reload without a network too`, async ({
      page,
      chat,
      context,
      line,
      jarvis,
      consoleErrors,
    }) => {
      // The server does not know the page's new conversation yet.
      consoleErrors.expect(/status of 404/);
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      const earlier = where === "a conversation" ? ["Which VMs are stopped?"] : [];
      for (const question of earlier) {
        await chat.ask(question);
        await chat.answered();
      }
      await context.setOffline(true);
      line.leave();
      await expect(chat.connection).toHaveText("Offline");
      const questions = ["How is the cluster doing?", "Is any storage filling up?"];
      for (const question of questions) await chat.ask(question);
      await expect(chat.transcript.getByText("Waiting for the connection")).toHaveCount(2);
      await page.reload();
      await expect(page.getByRole("heading", { name: "Jarvis cannot be reached" })).toBeVisible();
      line.back();
      await context.setOffline(false);
      await chat.alive();
      await chat.answered(earlier.length + 2);
      expect(await said(page, jarvis.url)).toEqual([...earlier, ...questions]);
      await expect(chat.transcript.locator(".row--pending")).toHaveCount(0);
      await expectAsFresh(chat, jarvis.url);
    });
  }
});

for (const seed of [1, 2]) {
  test(`cuts at any frame change nothing in the end (${seed})`, async ({ page, chat, rehearsal, line, jarvis }) => {
    const log = (node: string) => ({ blocks: [{ type: "text" as const, text: numbered(120) }, kernelLog(node)] });
    const pace = { tokens_per_second: 150 };
    await rehearsal.script(
      { ...log("pve"), pace },
      { blocks: [{ type: "text", text: "So far, sir." }, RESTART_SERVICE], pace },
      { ...log("agent"), pace },
      { blocks: [{ type: "text", text: numbered(300) }], pace },
    );
    const chance = seeded(seed);
    line.judge = ({ number }) => {
      // A connection carries some frames before it breaks, and in the end the network is good.
      if (number < 3 || line.cuts >= 8 || chance() > 0.2) return "pass";
      return chance() < 0.5 ? "tear" : "cut";
    };
    const question = "Look at the logs of pve and agent, restart smbd on pve, and count.";
    await chat.ask(question);
    // Resent over and over while the network breaks.
    await chat.ask("Which VMs are stopped?");
    await expect(async () => {
      // Faster than the page's own backoff.
      await page.evaluate(() => window.dispatchEvent(new Event("online")));
      await expect(chat.ended("Answered")).toHaveCount(2, { timeout: 300 });
    }).toPass({ timeout: 45_000 });
    expect(line.cuts).toBeGreaterThan(3);
    expect(await said(page, jarvis.url)).toEqual([question, "Which VMs are stopped?"]);
    await expectLawful(page);
    await expectAsFresh(chat, jarvis.url);
  });
}
