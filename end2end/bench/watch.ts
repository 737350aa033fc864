// Observers in the page: tasks over 50 ms, and the time between frames.
import type { Page } from "@playwright/test";

interface Watch {
  longTasks: number[];
  frames: number[];
}

/** Starts the observers. */
export async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const watch: Watch = { longTasks: [], frames: [] };
    Object.assign(window, { watch });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) watch.longTasks.push(duration);
    }).observe({ type: "longtask" });
    let last = performance.now();
    const frame = (now: number) => {
      watch.frames.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

/** The observations since the last call, in milliseconds. */
export async function seen(page: Page): Promise<Watch> {
  return page.evaluate(() => {
    const { watch } = window as unknown as { watch: Watch };
    return { longTasks: watch.longTasks.splice(0), frames: watch.frames.splice(0) };
  });
}
