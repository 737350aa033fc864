// A price whose source dies, lies, goes back in time, jumps or falls silent, as the chart's page shows it.
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChartPage } from "../support/chart.ts";
import { expect, expectAccessible, test } from "../support/test.ts";

/** The file that the server follows. The server's folder is not known before its start. */
const FILE = join(tmpdir(), `jarvis-wrong-prices-${process.pid}.json`);

test.use({
  startPage: false,
  viewport: { width: 1440, height: 900 },
  timezoneId: "UTC",
  jarvisOptions: {
    env: {
      JARVIS_MARKETS_PRICE_FILE: FILE,
      JARVIS_MARKETS_SILENT_SECONDS: "10",
    },
    args: [],
  },
});
test.slow();

/** Seconds since 1970. */
const now = () => Math.floor(Date.now() / 1_000);

/** Replaces the file as a whole, as the documentation asks for. */
function write(text: string): void {
  writeFileSync(`${FILE}.new`, text);
  renameSync(`${FILE}.new`, FILE);
}

function tell(bid: number, ask: number, at: number): void {
  const time = new Date(at * 1_000).toISOString().replace(".000Z", "Z");
  write(JSON.stringify({ EURUSD: { bid, ask, at: time } }));
}

test.afterEach(() => {
  rmSync(FILE, { force: true });
});

test("an unknown price says why, and how old the last one is", async ({ page, jarvis }) => {
  tell(1.2, 1.2001, now());
  const chart = new ChartPage(page, jarvis.url);
  await chart.open("/chart/EURUSD/H1");
  const price = page.locator(".desk__price");
  const last = page.locator(".desk__last");
  // Told again until it is shown, however long that takes: it is old after ten seconds.
  const known = async () => {
    await expect(async () => {
      tell(1.2, 1.2001, now());
      await expect(price).toContainText("1.20000", { timeout: 2_000 });
    }).toPass();
    await expect(last).toHaveCount(0);
  };
  const unknown = async (reason: string) => {
    await expect(price).toContainText("No known price: ");
    await expect(price).toContainText(reason);
    await expect(price).not.toContainText("1.20000");
    await expect(last).toHaveText(/^Last known: bid 1\.20000, ask 1\.20010 at .+, \d+ (s|min) ago\.$/);
  };
  await known();

  // It dies.
  rmSync(FILE);
  await unknown("the file of prices");
  await expectAccessible(page);
  await known();
  // It lies.
  tell(1.3, 1.2, now());
  await unknown("is not between");
  write('{"EURUSD": {"bid": "<b>1</b>", "ask": 1, "at": "now"}}');
  await unknown("cannot be read");
  tell(1.2, 1.2001, now() + 3_600);
  await unknown("in the future");
  // It goes back in time.
  tell(1.2, 1.2001, now() - 3_600);
  await unknown("back in time");
  // It jumps, and what it says is shown nowhere as a price.
  await known();
  tell(1.5, 1.5001, now());
  await unknown("jumped");
  await expect(page.locator(".desk__ask")).toHaveCount(0);

  // It is well again, nothing of that stays, and then it says nothing new.
  await known();
  await expect(price).toContainText("nothing new since", { timeout: 15_000 });
  await unknown("nothing new since");
});
