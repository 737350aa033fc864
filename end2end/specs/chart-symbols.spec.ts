// Symbols that the configuration declares, on the chart.
import { ChartPage, importCandles } from "../support/chart.ts";
import { expect, test } from "../support/test.ts";

const COIN = `[[markets.symbols]]
name = "COINUSD"
label = "Coin/USD"
kind = "crypto"
digits = 5
pip = 0.0001
quote = "USD"
timeframes = ["M5", "H1", "D1"]
`;

test.use({
  startPage: false,
  viewport: { width: 1440, height: 900 },
  timezoneId: "UTC",
  jarvisOptions: { env: {}, args: [], config: COIN },
});
test.slow();

test("a declared symbol is offered in the timeframes that it has", async ({ page, jarvis }) => {
  await importCandles(jarvis, "COINUSD");
  const chart = new ChartPage(page, jarvis.url);
  await chart.open("/chart/EURUSD/H4");
  const timeframes = page.getByRole("navigation", { name: "Timeframe" }).getByRole("link");
  await expect(timeframes).toHaveText(["H1, 1 hour", "H4, 4 hours", "D1, 1 day"]);
  await page.getByRole("button", { name: "EUR/USD" }).click();
  await page.getByRole("link", { name: "Coin/USD" }).click();
  await expect(page).toHaveURL(/\/chart\/COINUSD\/H1$/);
  await expect(timeframes).toHaveText(["H1, 1 hour", "D1, 1 day"]);
  await expect.poll(async () => (await chart.state())?.symbol).toBe("COINUSD");
  await page.reload();
  await chart.shown();
  await expect(timeframes).toHaveCount(2);

  // The others are in a menu. One without candles says so.
  const more = page.getByRole("button", { name: "More timeframes" });
  await more.click();
  await expect(timeframes).toHaveText(["H1, 1 hour", "D1, 1 day", "M5, 5 minutes"]);
  await page.getByRole("link", { name: "M5" }).click();
  await expect(page).toHaveURL(/\/chart\/COINUSD\/M5$/);
  await expect(page.getByRole("heading", { name: "No M5 candles of Coin/USD" })).toBeVisible();
  await expect(page.getByText("import a file under Drawings")).toBeVisible();
  await expect(more).toHaveText(/^M5/);
  await expect(page.getByRole("link", { name: "M5" })).toHaveCount(0);
  for (const longer of ["H1", "D1", "D1"]) {
    await page.keyboard.press(".");
    await expect(page).toHaveURL(new RegExp(`/chart/COINUSD/${longer}$`));
  }
  await page.keyboard.press(",");
  await expect(page).toHaveURL(/\/chart\/COINUSD\/H1$/);
  await chart.shown();
});
