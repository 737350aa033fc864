// Collects measurements; `cargo xtask bench browser` makes a table of them.
import { appendFile } from "node:fs/promises";
import type { CDPSession, Page } from "@playwright/test";

/** Durations of many runs, in milliseconds, or one value. */
export type Measured = number[] | { value: number; unit: string };

/** Appends a line to the file that the caller named. */
export async function add(group: string, name: string, measured: Measured): Promise<void> {
  const file = process.env.JARVIS_FIGURES;
  if (!file) throw new Error("JARVIS_FIGURES is not set: run `cargo xtask bench browser`");
  const figure = Array.isArray(measured)
    ? {
        unit: "ms",
        value: percentile(measured, 0.5),
        p99: percentile(measured, 0.99),
        max: Math.max(...measured),
        samples: measured.length,
      }
    : measured;
  await appendFile(file, `${JSON.stringify({ group, name, ...figure })}\n`);
}

export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}

/**
 * The browser's counters for a page since it was opened. Times are CPU seconds of the main thread:
 * time spent waiting for a processor on a busy machine is not included.
 */
export class Metrics {
  private constructor(private readonly devtools: CDPSession) {}

  static async of(page: Page): Promise<Metrics> {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
    return new Metrics(devtools);
  }

  async now(): Promise<Map<string, number>> {
    const { metrics } = await this.devtools.send("Performance.getMetrics");
    return new Map(metrics.map(({ name, value }) => [name, value]));
  }

  /** Collects garbage. */
  async collect(): Promise<void> {
    await this.devtools.send("HeapProfiler.collectGarbage");
  }
}

/** The growth of some counters, summed up. */
export function grown(
  before: Map<string, number>,
  after: Map<string, number>,
  ...names: string[]
): number {
  return names.reduce((sum, name) => sum + (after.get(name) ?? 0) - (before.get(name) ?? 0), 0);
}
