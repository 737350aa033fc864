// The HUD of a large cluster: 4 nodes and 500 guests, all of which change every second.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test as base, expect } from "../support/test.ts";
import { add, grown, Metrics } from "./figures.ts";
import { countFrames, seen, watch } from "./watch.ts";

const SECONDS = 30;
/** Time to settle: the first board and its effects are not measured. */
const SETTLE_SECONDS = 10;
const GROUP = "HUD, 500 guests";

/** A server connected to the fake cluster of `jarvis-bench`. */
const test = base.extend({
  jarvisOptions: async ({}, use) => {
    const tool = process.env.JARVIS_BENCH_TOOL;
    if (!tool) throw new Error("JARVIS_BENCH_TOOL is not set: run `cargo xtask bench browser`");
    const folder = await mkdtemp(join(tmpdir(), "jarvis-bench-"));
    // It ends with its standard input, and so with this process.
    const cluster = spawn(tool, ["cluster"], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
    try {
      const [line] = (await once(createInterface(cluster.stdout), "line")) as [string];
      const env = {
        PROXMOX_URL: line.slice(line.indexOf("https://")),
        PROXMOX_TOKEN_ID: "jarvis@pve!console",
        PROXMOX_TOKEN_SECRET: "00000000-0000-4000-8000-000000000000",
        PROXMOX_CA_FILE: join(folder, "cluster.pem"),
      };
      await use({ env, args: [] });
    } finally {
      cluster.kill();
      await rm(folder, { recursive: true, force: true });
    }
  },
});

test("a board that changes every second", async ({ page, jarvis }) => {
  await page.goto(`${jarvis.url}/hud`);
  await expect(page.getByText("500 guests").first()).toBeVisible({ timeout: 30_000 });
  const metrics = await Metrics.of(page);
  await page.waitForTimeout(SETTLE_SECONDS * 1000);
  await watch(page);
  const before = await metrics.now();
  await page.waitForTimeout(SECONDS * 1000);
  const after = await metrics.now();
  const { longTasks } = await seen(page);
  const share = (...names: string[]) => ({
    value: (grown(before, after, ...names) * 100) / SECONDS,
    unit: "%",
  });
  await add(GROUP, "main thread of a core", share("TaskDuration"));
  await add(GROUP, "  of it script", share("ScriptDuration"));
  await add(GROUP, "  of it style and layout", share("RecalcStyleDuration", "LayoutDuration"));
  await add(GROUP, "tasks over 50 ms", { value: longTasks.length, unit: "" });
  await add(GROUP, "longest of them", { value: Math.max(0, ...longTasks), unit: "ms" });
  await countFrames(page);
  await page.waitForTimeout(SECONDS * 1000);
  await add(GROUP, "time between frames", (await seen(page)).frames);
  await metrics.collect();
  const held = await metrics.now();
  await add(GROUP, "heap of scripts", { value: (held.get("JSHeapUsedSize") ?? 0) / 1024 / 1024, unit: "MiB" });
  await add(GROUP, "DOM nodes", { value: held.get("Nodes") ?? 0, unit: "" });
});
