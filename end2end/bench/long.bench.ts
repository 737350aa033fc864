// A conversation of 10,000 messages in the browser: opening it, scrolling back, asking in it.
import type { Page } from "@playwright/test";
import { signIn } from "../support/people.ts";
import { Chat, expect, test } from "../support/test.ts";
import { add, grown, Metrics } from "./figures.ts";
import { firstPaint, typeEarly } from "./moments.ts";
import { seen, watch } from "./watch.ts";

const GROUP = "10,000 messages";
/** Number of times it is opened. */
const OPENED = 5;
/** Pages of older turns that the reader loads. */
const BACK = 60;
/** Tokens of an answer; its cost is taken from the middle. */
const TOKENS = 700;
const RATE = 50;
/** Seconds of streaming before and during the measurement. */
const [BEGUN, MEASURED] = [2, 10];

test.use({
  jarvisOptions: { env: {}, args: [], data: process.env.JARVIS_LONG_DATA },
});

/** Runs in the page: records when the newest row is in the window and stays there. */
function atEnd(): void {
  const look = () => {
    const scroller = document.querySelector(".transcript");
    const last = [...document.querySelectorAll(".turn-end")].at(-1);
    if (scroller && last) {
      const [window_, row] = [scroller.getBoundingClientRect(), last.getBoundingClientRect()];
      if (row.bottom > window_.top && row.top < window_.bottom) {
        Object.assign(window, { atEnd: performance.now() });
        return;
      }
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

const moment = async (page: Page, name: "atEnd" | "usable"): Promise<number> => {
  const when = await page.waitForFunction((name) => Reflect.get(window, name), name, {
    timeout: 120_000,
  });
  return (await when.jsonValue()) as number;
};

async function weigh(metrics: Metrics, when: string): Promise<void> {
  await metrics.collect();
  const now = await metrics.now();
  const heap = (now.get("JSHeapUsedSize") ?? 0) / 1024 / 1024;
  await add(GROUP, `heap of scripts, ${when}`, { value: heap, unit: "MiB" });
  await add(GROUP, `DOM nodes, ${when}`, { value: now.get("Nodes") ?? 0, unit: "" });
}

/** Asks for an answer. Gives the main thread's time per token while it streams, and for all the rest of it, in ms. */
async function streamed(page: Page, chat: Chat, metrics: Metrics): Promise<{ each: number; rest: number }> {
  const asked = await metrics.now();
  await chat.ask(`[[tokens:${TOKENS}]] [[rate:${RATE}]] [[first:0]] One more, please.`);
  await expect(chat.transcript.getByText("One more, please.")).toBeVisible();
  await expect(chat.stop).toBeVisible();
  await page.waitForTimeout(BEGUN * 1000);
  const from = await metrics.now();
  await page.waitForTimeout(MEASURED * 1000);
  const to = await metrics.now();
  await expect(chat.stop).toBeHidden({ timeout: 600_000 });
  const told = await metrics.now();
  const each = (grown(from, to, "TaskDuration") * 1000) / (MEASURED * RATE);
  return { each, rest: grown(asked, told, "TaskDuration") * 1000 - each * TOKENS };
}

test("a conversation of 10,000 messages", async ({ browser, jarvis }) => {
  test.setTimeout(900_000);
  const address = `${jarvis.url}/chat/${process.env.JARVIS_LONG_CONVERSATION}`;
  const context = await browser.newContext();
  const page = await context.newPage();
  await signIn(page, jarvis.signInLink);
  await page.addInitScript(typeEarly);
  await page.addInitScript(atEnd);
  const metrics = await Metrics.of(page);
  const html = await (await page.request.get(address)).text();
  await add(GROUP, "its HTML", { value: html.length / 1024, unit: "KiB" });

  const [paints, ends, after, usable]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let run = 0; run < OPENED; run++) {
    await page.goto("about:blank");
    await page.goto(address, { waitUntil: "load" });
    const loaded = await page.evaluate(
      () => (performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming).loadEventEnd,
    );
    const [end, input] = [await moment(page, "atEnd"), await moment(page, "usable")];
    paints.push(await firstPaint(page));
    ends.push(end);
    // The end is in view and the page responds.
    after.push(Math.max(0, Math.max(end, input) - loaded));
    usable.push(input);
  }
  await add(GROUP, "first contentful paint", paints);
  await add(GROUP, "end in view", ends);
  await add(GROUP, "input usable", usable);
  await add(GROUP, "end in view and usable, after load", after);
  const chat = new Chat(page);
  await chat.alive();
  await weigh(metrics, "open");

  // From another page of the same tab.
  const clicks: number[] = [];
  for (let run = 0; run < OPENED; run++) {
    await page.goto(jarvis.url);
    await chat.alive();
    await page.evaluate((path) => {
      document.addEventListener("click", () => Object.assign(window, { clicked: performance.now() }), { capture: true, once: true });
      (document.querySelector(`a[href="${path}"]`) as HTMLElement).click();
    }, new URL(address).pathname);
    const end = await page.evaluate(atEnd).then(() => moment(page, "atEnd"));
    clicks.push(end - (await page.evaluate(() => Reflect.get(window, "clicked") as number)));
  }
  await add(GROUP, "from a press on its line to its end in view", clicks);

  // Back page by page.
  await watch(page);
  const before = await metrics.now();
  const times = await page.evaluate(async (back) => {
    const frame = () => new Promise(requestAnimationFrame);
    const scroller = document.querySelector(".transcript") as HTMLElement;
    const first = () => scroller.querySelector(".user-message")?.id;
    const times: number[] = [];
    for (let n = 0; n < back; n++) {
      const was = first();
      const began = performance.now();
      scroller.scrollTop = 600;
      while (first() === was) {
        await frame();
        if (performance.now() - began > 20_000) {
          const why = document.querySelector(".transcript__trouble")?.textContent;
          throw new Error(`page ${n} did not come: ${why ?? `at ${scroller.scrollTop} of ${scroller.scrollHeight}`}`);
        }
      }
      times.push(performance.now() - began);
      // Turns out of reach are removed afterwards; a reader takes longer than that to scroll on.
      for (let n = 0; n < 6; n++) await frame();
    }
    return times;
  }, BACK);
  await add(GROUP, "one page back, asked and shown", times);
  const done = await metrics.now();
  const spent = (grown(before, done, "TaskDuration") * 1000) / BACK;
  await add(GROUP, "  main thread for it", { value: spent, unit: "ms" });
  const back = await seen(page);
  await add(GROUP, "  tasks over 50 ms, of all", { value: back.longTasks.length, unit: "" });
  await add(GROUP, "  longest task", { value: Math.max(0, ...back.longTasks), unit: "ms" });
  await weigh(metrics, `after ${BACK} pages back`);

  // A new question in it.
  await seen(page);
  await chat.composer.fill("");
  const long = await streamed(page, chat, metrics);
  await add(GROUP, "main thread per token, 50/s", { value: long.each, unit: "ms" });
  await add(GROUP, "  for the question and the end", { value: long.rest, unit: "ms" });
  const { longTasks } = await seen(page);
  await add(GROUP, "  tasks over 50 ms", { value: longTasks.length, unit: "" });
  await weigh(metrics, "after the answer");

  // The same in an empty conversation, in the same run.
  await page.goto(jarvis.url);
  await chat.alive();
  await chat.ask("[[tokens:5]] [[first:0]] A short answer, please.");
  await chat.answered();
  const short = await streamed(page, chat, metrics);
  await add(GROUP, "main thread per token in an empty one", { value: short.each, unit: "ms" });
  await add(GROUP, "  for its question and end", { value: short.rest, unit: "ms" });
  await context.close();
});
