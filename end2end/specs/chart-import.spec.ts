// Files that a person brings in on the chart's page.
import { ChartPage } from "../support/chart.ts";
import { expect, expectAccessible, test } from "../support/test.ts";

test.use({ startPage: false, viewport: { width: 1440, height: 900 }, timezoneId: "UTC" });
test.slow();

const FEED = `<rss><channel><title>A Wire</title><item><title>Euro steady</title>
<pubDate>Mon, 11 Dec 2017 10:15:00 GMT</pubDate></item></channel></rss>`;

test("a file comes in by the page, and a wrong one says its line", async ({ page, jarvis, consoleErrors }) => {
  consoleErrors.expect(/status of 422/);
  const chart = new ChartPage(page, jarvis.url);
  await chart.open("/chart/EURUSD/H1");
  await page.getByText("Import a file", { exact: true }).click();
  const form = page.getByRole("form", { name: "Import a file" });
  const said = form.getByRole("status");
  await form.getByRole("button", { name: "Import" }).click();
  await expect(said).toHaveText("Choose a file first.");
  await expectAccessible(page);

  const file = async (name: string, text: string) => {
    await form.getByLabel("File", { exact: true }).setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
    await form.getByRole("button", { name: "Import" }).click();
  };
  await form.getByLabel("Kind of data").selectOption("headlines");
  await file("wire.rss", FEED);
  await expect(said).toHaveText("Imported 1 row; 0 unchanged.");
  await file("wire.rss", FEED);
  await expect(said).toHaveText("Imported 0 rows; 1 unchanged.");

  // Trades can be for their person alone; other data is everybody's.
  const mine = form.getByLabel("Only for me");
  await expect(mine).toBeHidden();
  await form.getByLabel("Kind of data").selectOption("trades");
  await mine.check();
  await expectAccessible(page);
  const sent = page.waitForRequest((request) => request.url().includes("/markets/imports"));
  await file("trades.csv", "id,symbol,side,lots,opened_at,entry\n1,EURUSD,long,1,2017-12-11T10:00:00Z,1.18\n");
  expect((await sent).url()).toContain("seen_by=me");
  await expect(said).toHaveText("Imported 1 row; 0 unchanged.");

  // Candles are of the chart on view, which is loaded again with them.
  await form.getByLabel("Kind of data").selectOption("candles");
  await file("wrong.csv", "2017-01-02T00:00:00Z,1.2,1.1,1.3,1.2\n");
  await expect(said).toContainText("line 1: ");
  // The line above the button names the columns, and so does a refusal.
  await expect(form).toContainText("header with time, open, high, low, close, volume");
  await file("wrong.csv", "Local time;Open;High;Low;Close\n");
  await expect(said).toContainText("columns time (or date and time), open");
  const hour = "<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>\n"
    + "2016.12.30\t12:00:00\t1.05\t1.06\t1.04\t1.05\t7\t0\t2\n";
  await file("older.csv", hour);
  await expect(said).toHaveText("Imported 1 row; 0 unchanged.");
  await chart.shown();
});
