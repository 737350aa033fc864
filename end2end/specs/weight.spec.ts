// What a browser with an empty cache loads for the page of a conversation.
import { Chat, expect, test } from "../support/test.ts";

const MOST_REQUESTS = 8;
const MOST_BYTES = 490 * 1024;

test("a chat page is a few small requests", async ({ browser, page, chat }) => {
  await chat.ask("[[tokens:200]] [[first:0]] An answer, please.");
  await chat.answered();
  const context = await browser.newContext({ storageState: await page.context().storageState() });
  const fresh = new Chat(await context.newPage());
  const devtools = await context.newCDPSession(fresh.page);
  await devtools.send("Network.enable");
  const asked = new Map<string, string>();
  const loaded: { path: string; bytes: number }[] = [];
  devtools.on("Network.requestWillBeSent", ({ requestId, request }) => {
    asked.set(requestId, new URL(request.url).pathname);
  });
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    loaded.push({ path: asked.get(requestId) ?? "?", bytes: encodedDataLength });
  });

  await fresh.page.goto(page.url());
  await fresh.alive();
  // The last thing that it loads: help with writing.
  await fresh.composer.focus();
  await expect.poll(() => loaded.some(({ path }) => path.includes("/split_chat."))).toBe(true);
  await fresh.page.waitForLoadState("networkidle");
  await context.close();

  const bytes = loaded.reduce((sum, file) => sum + file.bytes, 0);
  const list = loaded.map((file) => `${file.bytes} ${file.path}`).join("\n");
  console.log(`${loaded.length} requests, ${(bytes / 1024).toFixed(1)} KiB`);
  expect(loaded.length, list).toBeLessThanOrEqual(MOST_REQUESTS);
  expect(bytes, list).toBeLessThanOrEqual(MOST_BYTES);
});
