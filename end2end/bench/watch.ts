// Observers in the page: tasks over 50 ms, and the time between frames.
import type { Page } from "@playwright/test";

interface Watch {
  longTasks: number[];
  frames: number[];
  /** The frame that is asked for, while they are counted. */
  next?: number;
}

/** Starts to observe tasks. It costs the page nothing while there are none. */
export async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const watch: Watch = { longTasks: [], frames: [] };
    Object.assign(window, { watch });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) watch.longTasks.push(duration);
    }).observe({ type: "longtask" });
  });
}

/**
 * Counts frames until {@link seen}. It makes the page draw 60 frames a second, also those in which
 * nothing has changed, so that nothing else is measured meanwhile.
 */
export async function countFrames(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { watch } = window as unknown as { watch: Watch };
    let last = performance.now();
    const frame = (now: number) => {
      watch.frames.push(now - last);
      last = now;
      watch.next = requestAnimationFrame(frame);
    };
    watch.next = requestAnimationFrame(frame);
  });
}

/** The observations since the last call, in milliseconds. */
export async function seen(page: Page): Promise<{ longTasks: number[]; frames: number[] }> {
  return page.evaluate(() => {
    const { watch } = window as unknown as { watch: Watch };
    if (watch.next !== undefined) cancelAnimationFrame(watch.next);
    watch.next = undefined;
    return { longTasks: watch.longTasks.splice(0), frames: watch.frames.splice(0) };
  });
}
