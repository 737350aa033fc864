// Lighthouse on a simulated phone: the median of five runs of each page. No gate; it prints figures.
import { createServer } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "@playwright/test";
import { test } from "../support/test.ts";
import { add, percentile } from "./figures.ts";

const RUNS = 5;
const GROUP = "Lighthouse, simulated phone, of 100";
const CATEGORIES = ["performance", "accessibility", "best-practices"];

interface Result {
  lhr: { categories: Record<string, { score: number | null }> };
}
type Lighthouse = (url: string, flags: object) => Promise<Result | undefined>;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (!address || typeof address === "string") throw new Error("no free port");
  return address.port;
}

test("chat, HUD, feed and chart", async ({ page, chat, jarvis }) => {
  test.setTimeout(1_200_000);
  const folder = process.env.JARVIS_LIGHTHOUSE;
  if (!folder) throw new Error("JARVIS_LIGHTHOUSE is not set: run `cargo xtask bench browser`");
  const module = (await import(pathToFileURL(join(folder, "lighthouse/core/index.js")).href)) as { default: Lighthouse };
  await chat.ask("[[tokens:200]] [[first:0]] An answer, please.");
  await chat.answered();
  const pages = { chat: page.url(), HUD: `${jarvis.url}/hud`, feed: `${jarvis.url}/feed`, chart: `${jarvis.url}/chart` };
  const cookies = await page.context().cookies();
  const port = await freePort();
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ["--no-sandbox", `--remote-debugging-port=${port}`],
  });
  try {
    for (const [name, url] of Object.entries(pages)) {
      const scores = new Map<string, number[]>(CATEGORIES.map((category) => [category, []]));
      for (let run = 0; run < RUNS; run++) {
        const result = await module.default(url, {
          port,
          logLevel: "error",
          onlyCategories: CATEGORIES,
          extraHeaders: { Cookie: cookies.map((it) => `${it.name}=${it.value}`).join("; ") },
        });
        for (const category of CATEGORIES) {
          scores.get(category)?.push((result?.lhr.categories[category]?.score ?? 0) * 100);
        }
      }
      for (const [category, all] of scores) {
        await add(GROUP, `${name}: ${category}`, { value: percentile(all, 0.5), unit: "" });
      }
    }
  } finally {
    await browser.close();
  }
});
