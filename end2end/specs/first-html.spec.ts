// The server's HTML before any script runs.
import { Chat, expect, test } from "../support/test.ts";

test("the first HTML of a conversation holds its text", async ({ page, chat, rehearsal, context }) => {
  await rehearsal.says("All **four** nodes are up, sir.\n\n- Home\n- pve\n");
  await chat.ask("How is the <b>cluster</b>?");
  await chat.answered();
  const before = await chat.transcript.innerText();

  const answer = await context.request.get(page.url());
  expect(answer.status()).toBe(200);
  // Markers for hydration.
  const html = (await answer.text()).replaceAll(/<!--.*?-->|<!>/gs, "");
  expect(html).toContain("<strong>four</strong>");
  expect(html).toContain("How is the &lt;b&gt;cluster&lt;/b&gt;?");
  expect(html).not.toContain("<b>cluster</b>");
  // It may be preceded by a mark for unread messages.
  expect(html).toMatch(/<title>[^<]*How is the &lt;b(>|&gt;)cluster/);
  expect(answer.headers()["content-security-policy"]).toMatch(/script-src 'nonce-[^']+' /);
  expect(answer.headers()["cache-control"]).toMatch(/no-store|private/);

  // The hydrated page is the same as the one that was sent.
  await page.reload();
  await chat.alive();
  await expect.poll(() => chat.transcript.innerText()).toBe(before);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a conversation can be read", async ({ page, browser, context, jarvis, consoleErrors }) => {
    consoleErrors.expect(/preload/);
    // A hydrated page of the same person asks the question.
    const alive = await browser.newContext({
      javaScriptEnabled: true,
      storageState: await context.storageState(),
    });
    const chat = new Chat(await alive.newPage());
    await chat.page.goto(jarvis.url);
    await chat.alive();
    await chat.ask("How is the cluster doing?");
    await chat.answered();
    const address = chat.page.url();
    const answer = await chat.texts.last().innerText();
    await alive.close();

    const still = new Chat(page);
    await page.goto(address);
    await expect(still.texts.first()).toContainText("How is the cluster doing?");
    expect(await still.texts.last().innerText()).toBe(answer);
    // The browser itself opens the line of the reads.
    await still.unfold();
    await expect(still.tool("Cluster status")).toBeVisible();
    await expect(still.list.getByRole("link", { name: /How is the cluster/ })).toBeVisible();
    await expect(still.texts.last()).toBeInViewport();
  });
});
