// Work of the page while an answer streams.
import type { Page } from "@playwright/test";
import { type Chat, expect, test } from "../support/test.ts";
import { add, grown, Metrics } from "./figures.ts";
import { tasks } from "./tasks.ts";
import { countFrames, seen, watch } from "./watch.ts";

const TOKENS = 1000;
/** Length of a long answer, in tokens. */
const LONG = 10_000;

test.use({ jarvisOptions: { env: { CLAUDE_MAX_TOKENS: "20000" }, args: [] } });

/** Asks the first question, which changes the page and is not part of the streaming. */
async function warm(page: Page, chat: Chat): Promise<void> {
  await watch(page);
  await chat.ask("[[tokens:5]] [[first:0]] A short answer, please.");
  await chat.answered();
  await seen(page);
}

for (const rate of [50, 500]) {
  test(`${TOKENS} tokens at ${rate} a second`, async ({ page, chat }) => {
    const group = `${TOKENS} Markdown tokens, ${rate}/s`;
    const metrics = await Metrics.of(page);
    await warm(page, chat);
    const before = await metrics.now();
    await chat.ask(`[[tokens:${TOKENS}]] [[rate:${rate}]] [[first:0]] An answer, please.`);
    await expect(chat.ended("Answered")).toHaveCount(2, { timeout: 120_000 });
    const after = await metrics.now();
    const { longTasks } = await seen(page);

    const each = (...names: string[]) => ({
      value: (grown(before, after, ...names) * 1000) / TOKENS,
      unit: "ms",
    });
    await add(group, "main thread per token", each("TaskDuration"));
    await add(group, "  of it script", each("ScriptDuration"));
    const layout = each("RecalcStyleDuration", "LayoutDuration");
    await add(group, "  of it style and layout", layout);
    await add(group, "tasks over 50 ms", { value: longTasks.length, unit: "" });

    // Once more, with frames asked for all the time.
    await countFrames(page);
    await chat.ask(`[[tokens:${TOKENS}]] [[rate:${rate}]] [[first:0]] An answer, please.`);
    await expect(chat.ended("Answered")).toHaveCount(3, { timeout: 120_000 });
    const { frames } = await seen(page);
    await add(group, "time between frames", frames);
    const late = frames.filter((time) => time > 33.4).length;
    await add(group, "frames over 33 ms", { value: late, unit: "" });
  });
}

// A trace costs time in the page, so tasks are counted apart from the cost per token.
test("tasks while 5,000 tokens stream", async ({ browser, page, chat }) => {
  const group = "5,000 tokens, 500/s, from the first question on";
  await browser.startTracing(page, { categories: ["toplevel", "__metadata"] });
  await chat.ask("[[tokens:5000]] [[rate:500]] [[first:0]] An answer, please.");
  await expect(chat.ended("Answered")).toHaveCount(1, { timeout: 120_000 });
  const { wall, processor } = tasks(await browser.stopTracing());
  await add(group, "tasks over 50 ms", { value: wall.filter((ms) => ms > 50).length, unit: "" });
  const busy = processor.filter((ms) => ms > 50).length;
  await add(group, "  with 50 ms on a processor", { value: busy, unit: "" });
  await add(group, "longest task", { value: Math.max(...wall), unit: "ms" });
  await add(group, "longest on a processor", { value: Math.max(...processor), unit: "ms" });
});

test("the end of a long answer beside its beginning", async ({ page, chat }) => {
  const group = `one answer of ${LONG} tokens, 500/s`;
  const rate = 500;
  const metrics = await Metrics.of(page);
  await warm(page, chat);
  const asked = Date.now();
  const marks: Map<string, number>[] = [];
  const at = async (tokens: number) => {
    await page.waitForTimeout(Math.max(0, asked + (tokens * 1000) / rate - Date.now()));
    marks.push(await metrics.now());
  };
  await chat.ask(`[[tokens:${LONG}]] [[rate:${rate}]] [[first:0]] A long answer, please.`);
  await at(0);
  await at(1_000);
  await at(9_000);
  await at(10_000);
  await expect(chat.ended("Answered")).toHaveCount(2, { timeout: 120_000 });
  const [zero, first, ninth, tenth] = marks as [
    Map<string, number>,
    Map<string, number>,
    Map<string, number>,
    Map<string, number>,
  ];
  const begin = grown(zero, first, "TaskDuration");
  const end = grown(ninth, tenth, "TaskDuration");
  await add(group, "main thread per token, first 1,000", { value: begin, unit: "ms" });
  await add(group, "main thread per token, last 1,000", { value: end, unit: "ms" });
  await add(group, "  relative", { value: end / begin, unit: "x" });
  const { longTasks } = await seen(page);
  await add(group, "tasks over 50 ms", { value: longTasks.length, unit: "" });
});
