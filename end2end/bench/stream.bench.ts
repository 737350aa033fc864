// What the browser does while a long answer streams.
import { test, expect } from "../support/test.ts";

const TOKENS = 5000;

/** Filled in by the page: tasks over 50 ms, and the time between frames, in milliseconds. */
interface Watch {
  longTasks: { start: number; duration: number }[];
  frames: number[];
}

for (const rate of [50, 500]) {
  const tokens = Math.min(TOKENS, rate * 20);

  test(`${tokens} tokens at ${rate} a second`, async ({ page, chat }) => {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Performance.enable");
    await page.evaluate(() => {
      const watch: Watch = { longTasks: [], frames: [] };
      Object.assign(window, { watch });
      new PerformanceObserver((list) => {
        for (const { startTime, duration } of list.getEntries()) {
          watch.longTasks.push({ start: startTime, duration });
        }
      }).observe({ type: "longtask" });
      let last = performance.now();
      const frame = (now: number) => {
        watch.frames.push(now - last);
        last = now;
        requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    });
    // The first question changes the page and is counted apart from what streams.
    await chat.ask("[[tokens:5]] [[first:0]] A short answer, please.");
    await expect(chat.ended("Answered")).toHaveCount(1);
    const first = await page.evaluate(() => {
      const { watch } = window as unknown as { watch: Watch };
      watch.frames.length = 0;
      return watch.longTasks.splice(0);
    });
    const before = await metrics(devtools);
    const begun = Date.now();
    const start = await page.evaluate(() => performance.now());
    await chat.ask(`[[tokens:${tokens}]] [[rate:${rate}]] [[first:0]] A long answer, please.`);
    await expect(chat.ended("Answered")).toHaveCount(2, { timeout: 120_000 });
    const seconds = (Date.now() - begun) / 1000;
    const after = await metrics(devtools);
    const watch = await page.evaluate(() => (window as unknown as { watch: Watch }).watch);

    const spent = (name: string) => ((after.get(name) ?? 0) - (before.get(name) ?? 0)) * 1000;
    const rows: [string, string][] = [
      ["streamed for", `${seconds.toFixed(1)} s`],
      ["tasks over 50 ms", `${watch.longTasks.length}`],
      ...watch.longTasks.map((task): [string, string] => [
        "  a task of",
        `${ms(task.duration)}, ${((task.start - start) / 1000).toFixed(1)} s after the question`,
      ]),
      [
        "the first question's long tasks",
        first.map((task) => ms(task.duration)).join(", ") || "none",
      ],
      ["frames over 33 ms", `${watch.frames.filter((time) => time > 33.4).length} of ${watch.frames.length}`],
      ["time between frames, 99 %", ms(percentile(watch.frames, 0.99))],
      ["main thread a token", ms(spent("TaskDuration") / tokens)],
      ["of it script", ms(spent("ScriptDuration") / tokens)],
      ["of it style and layout", ms((spent("RecalcStyleDuration") + spent("LayoutDuration")) / tokens)],
      ["heap", `${((after.get("JSHeapUsedSize") ?? 0) / 1024 / 1024).toFixed(1)} MiB`],
      ["DOM nodes", `${after.get("Nodes") ?? 0}`],
    ];
    console.log(`\n${tokens} tokens at ${rate} a second`);
    for (const [name, value] of rows) console.log(`  ${name.padEnd(32)} ${value}`);
  });
}

async function metrics(devtools: {
  send(method: "Performance.getMetrics"): Promise<{ metrics: { name: string; value: number }[] }>;
}): Promise<Map<string, number>> {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return new Map(metrics.map(({ name, value }) => [name, value]));
}

function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}

function ms(value: number): string {
  return `${value.toFixed(2)} ms`;
}
