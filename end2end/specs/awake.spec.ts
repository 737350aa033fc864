// A tab that was frozen, and a tab whose server was upgraded meanwhile.
import type { CDPSession } from "@playwright/test";
import { ANOTHER, expectAsFresh, greets, journalOf, said, test } from "../support/network.ts";
import { numbered } from "../support/rehearsal.ts";
import { expect } from "../support/test.ts";

/** Freezes the tab, as the browser does with tabs in the background. */
const sleep = (cdp: CDPSession) => cdp.send("Page.setWebLifecycleState", { state: "frozen" });
const wake = (cdp: CDPSession) => cdp.send("Page.setWebLifecycleState", { state: "active" });

for (const network of ["stayed", "went"] as const) {
  test(`a tab that slept through a turn shows all of it (the connection ${network})`, async ({
    page,
    chat,
    rehearsal,
    line,
    context,
    jarvis,
  }) => {
    await rehearsal.says(numbered(400), 150);
    await chat.ask("Count, please.");
    await chat.streamed(20);
    const cdp = await context.newCDPSession(page);
    await sleep(cdp);
    if (network === "went") line.leave();
    const ended = async () => (await journalOf(page, jarvis.url)).filter(({ type }) => type === "turn_finished").length;
    await expect.poll(ended).toBe(1);
    line.back();
    await wake(cdp);
    await chat.answered();
    expect((await chat.words()).join(" ")).toBe(numbered(400));
    await expect(chat.texts).toHaveCount(2);
    await chat.alive();
    await chat.ask("Which VMs are stopped?");
    await chat.answered(2);
    expect(line.sockets).toBe(network === "went" ? 2 : 1);
    await expectAsFresh(chat, jarvis.url);
  });
}

test("a tab whose server speaks another protocol is loaded again, and nothing is lost", async ({
  page,
  chat,
  rehearsal,
  line,
  jarvis,
}) => {
  await rehearsal.says("Good morning, sir.");
  await chat.ask("Good morning.");
  await chat.answered();
  // The server stops as for a restart. Text written now is in the outbox and in the field.
  line.leave();
  await expect(chat.connection).toHaveText("Reconnecting");
  await chat.ask("Which VMs are stopped?");
  await expect(chat.transcript.getByText("Waiting for the connection")).toBeVisible();
  await chat.composer.fill("Half a thought");
  let loads = 0;
  page.on("load", () => loads++);
  // The first greeting of the new server is for a page of the old one.
  const old = line.sockets;
  let commands = 0;
  line.judge = (frame) => {
    if (frame.from === "page" && frame.text.startsWith('{"type":"command"')) commands++;
    return frame.socket === old + 1 ? greets(frame, ANOTHER) : "pass";
  };
  line.back();
  await chat.answered(2);
  expect(loads).toBe(1);
  expect(commands).toBe(1);
  await expect(chat.composer).toHaveValue("Half a thought");
  expect(await said(page, jarvis.url)).toEqual(["Good morning.", "Which VMs are stopped?"]);
  await expect(chat.transcript.locator(".row--pending")).toHaveCount(0);
  await expectAsFresh(chat, jarvis.url);
});

test("a tab that cannot be brought up to date says so and waits", async ({
  page,
  chat,
  line,
  jarvis,
  consoleErrors,
}) => {
  // The server does not know the page's new conversation yet.
  consoleErrors.expect(/status of 404/);
  await chat.composer.fill("Half a thought");
  let loads = 0;
  page.on("load", () => loads++);
  // As behind a cache with old pages: reloading does not help.
  line.judge = (frame) => greets(frame, ANOTHER);
  line.cut();
  await expect(chat.connection).toHaveText("Outdated page");
  await expect(page.getByText("This page and the server are different versions.")).toBeVisible();
  expect(loads).toBe(1);
  await expect(chat.composer).toHaveValue("Half a thought");
  await chat.ask("Half a thought, and its other half.");
  line.calm();
  await page.getByRole("button", { name: "Reload", exact: true }).click();
  await chat.answered();
  expect(await said(page, jarvis.url)).toEqual(["Half a thought, and its other half."]);
  expect(loads).toBe(2);
});
