// A conversation of 10,000 messages in the browser.
import { Chat, expect, test } from "../support/test.ts";
import { add, Metrics } from "./figures.ts";
import { firstPaint, typeEarly } from "./moments.ts";

test.use({
  jarvisOptions: { env: {}, args: [], data: process.env.JARVIS_LONG_DATA },
});

test("a conversation of 10,000 messages", async ({ browser, jarvis }) => {
  test.setTimeout(900_000);
  const conversation = process.env.JARVIS_LONG_CONVERSATION;
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(jarvis.signInLink);
  await page.addInitScript(typeEarly);
  const metrics = await Metrics.of(page);
  await page.goto(`${jarvis.url}/chat/${conversation}`, { waitUntil: "commit" });
  const when = await page.waitForFunction(() => (window as { usable?: number }).usable, null, {
    timeout: 120_000,
  });
  const usable = (await when.jsonValue()) as number;
  const group = "10,000 messages";
  await add(group, "first contentful paint", { value: await firstPaint(page), unit: "ms" });
  await add(group, "input usable", { value: usable, unit: "ms" });
  const chat = new Chat(page);
  await chat.alive();
  await metrics.collect();
  const open = await metrics.now();
  const heap = (open.get("JSHeapUsedSize") ?? 0) / 1024 / 1024;
  await add(group, "heap of scripts", { value: heap, unit: "MiB" });
  await add(group, "DOM nodes", { value: open.get("Nodes") ?? 0, unit: "" });
  await add(group, "main thread to open it", { value: (open.get("TaskDuration") ?? 0) * 1000, unit: "ms" });

  const answered = await chat.ended("Answered").count();
  const before = await metrics.now();
  await chat.composer.fill("");
  await chat.ask("[[tokens:200]] [[rate:50]] [[first:0]] One more, please.");
  await expect(chat.ended("Answered")).toHaveCount(answered + 1, { timeout: 600_000 });
  const after = await metrics.now();
  const spent = (after.get("TaskDuration") ?? 0) - (before.get("TaskDuration") ?? 0);
  await add(group, "main thread per token, 50/s", { value: (spent * 1000) / 200, unit: "ms" });
  await context.close();
});
