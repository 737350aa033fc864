// What a person chooses for a chart, kept by the server or by the device.
import { ChartPage, importCandles } from "../support/chart.ts";
import { expect, test } from "../support/test.ts";

test.use({ startPage: false, viewport: { width: 1440, height: 900 }, timezoneId: "UTC" });
test.slow();

test("indicators are chosen in a menu and kept for each symbol", async ({ page, jarvis }) => {
  const chart = new ChartPage(page, jarvis.url);
  await chart.open();
  const menu = page.getByRole("group", { name: "Indicators" });
  const names = async () => (await chart.state())?.indicators.map(({ name }) => name).sort();
  await page.getByRole("button", { name: "Indicators" }).click();
  await menu.getByLabel("Exponential average (20, 50)").check();
  await menu.getByLabel("RSI (14)").check();
  await expect.poll(names).toEqual(["EMA", "RSI"]);
  const kept = async () => {
    const answer = await page.context().request.get(`${jarvis.url}/api/v1/markets/indicators?symbol=EURUSD`);
    return ((await answer.json()) as { indicators: string[] | null }).indicators;
  };
  await expect.poll(kept).toEqual(["EMA", "RSI"]);
  await page.reload();
  await chart.shown();
  await expect.poll(names).toEqual(["EMA", "RSI"]);

  // On another timeframe too, but not for another symbol.
  await page.getByRole("link", { name: "D1" }).click();
  await expect.poll(async () => (await chart.state())?.timeframe).toBe("D1");
  await chart.shown();
  expect(await names()).toEqual(["EMA", "RSI"]);
  await page.getByRole("button", { name: "EUR/USD" }).click();
  await page.getByRole("link", { name: "USD/JPY" }).click();
  await expect.poll(async () => (await chart.state())?.symbol).toBe("USDJPY");
  await expect.poll(names).toEqual([]);
});

test("a chosen indicator goes to the model with its value", async ({ page, chat, rehearsal, jarvis }) => {
  const chart = new ChartPage(page, jarvis.url);
  await chart.open();
  await page.getByRole("button", { name: "Indicators" }).click();
  const menu = page.getByRole("group", { name: "Indicators" });
  await menu.getByLabel("Exponential average (20, 50)").check();
  await menu.getByLabel("RSI (14)").check();
  await page.keyboard.press("Escape");
  const average = async () =>
    (await chart.state())?.indicators.find(({ name }) => name === "EMA")?.last.ema1 ?? Number.NaN;
  await expect.poll(average).toBeGreaterThan(0);

  let turns = 0;
  let asked = "";
  // A part of the context that takes too long is left out, which a busy machine may do once.
  await expect(async () => {
    turns += 1;
    await rehearsal.says("Calm, sir.");
    await chat.ask("How strong is it?");
    await chat.answered(turns);
    asked = (await rehearsal.asked()).join("\n");
    expect(asked).toContain("RSI 14");
  }).toPass();
  const told = (name: string) => Number(new RegExp(`${name}\\W{1,8}([\\d.]+)`).exec(asked)?.[1]);
  // Of the newest closed candle: the chart's may be the one that forms.
  expect(Math.abs(told("EMA 20") - (await average()))).toBeLessThan(0.002);
  expect(told("RSI 14")).toBeGreaterThan(0);
  expect(told("RSI 14")).toBeLessThan(100);
  expect(asked).not.toContain("MA 200");
});

test("a choice of indicators follows its person, and an earlier one of the device is taken over", async ({
  page,
  jarvis,
}) => {
  const key = "jarvis.chart.indicators.EURUSD";
  await page.goto(jarvis.url);
  await page.evaluate((name) => localStorage.setItem(name, "RSI "), key);
  const chart = new ChartPage(page, jarvis.url);
  await chart.open();
  const names = async () => (await chart.state())?.indicators.map(({ name }) => name).sort();
  await expect.poll(names).toEqual(["RSI"]);
  await expect.poll(() => page.evaluate((name) => localStorage.getItem(name), key)).toBe("");

  // On a device that has kept nothing.
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await chart.shown();
  await expect.poll(names).toEqual(["RSI"]);
  await page.getByRole("button", { name: "Indicators" }).click();
  const saved = page.waitForResponse((answer) => answer.url().includes("/markets/indicators"));
  await page.getByRole("group", { name: "Indicators" }).getByLabel("RSI (14)").uncheck();
  expect((await saved).ok()).toBe(true);
  // None is a choice too.
  await page.evaluate((name) => localStorage.setItem(name, "RSI "), key);
  await page.reload();
  await chart.shown();
  await expect.poll(() => page.evaluate((name) => localStorage.getItem(name), key)).toBe("");
  expect(await names()).toEqual([]);
});

test("the scale is changed by a key or in the corner, and kept for each symbol", async ({ page, jarvis }) => {
  const chart = new ChartPage(page, jarvis.url);
  await chart.open();
  const scale = async () => (await chart.state())?.scale;
  const corner = page.getByRole("button", { name: "Axes" });
  expect(await scale()).toBe("linear");
  await page.keyboard.press("Shift+L");
  await expect.poll(scale).toBe("log");
  await expect(corner).toContainText("log");
  await page.reload();
  await chart.shown();
  await expect.poll(scale).toBe("log");

  await page.getByRole("button", { name: "EUR/USD" }).click();
  await page.getByRole("link", { name: "USD/JPY" }).click();
  await expect.poll(async () => (await chart.state())?.symbol).toBe("USDJPY");
  await expect.poll(scale).toBe("linear");
  // It has no candles, so there is nothing to choose an axis for.
  await expect(corner).toBeHidden();
  await page.getByRole("button", { name: "USD/JPY" }).click();
  await page.getByRole("link", { name: "EUR/USD" }).click();
  await chart.shown();
  await expect.poll(scale).toBe("log");
  await corner.click();
  await page.getByLabel("Logarithmic scale").uncheck();
  await expect.poll(scale).toBe("linear");
});

test("every time is in the chosen zone, which is named and kept", async ({ page, jarvis }) => {
  const chart = new ChartPage(page, jarvis.url);
  await chart.open();
  const corner = page.getByRole("button", { name: "Axes" });
  const newest = chart.candles.getByRole("rowheader").last();
  await expect(corner).toHaveText(/UTC$/);
  await expect(newest).toHaveText(/ UTC$/);
  await corner.click();
  await page.getByLabel("Sessions (New York)").check();
  for (let visit = 0; visit < 2; visit += 1) {
    await expect(corner).toHaveText(/UTC-[45]$/);
    await expect(newest).toHaveText(/ UTC-[45]$/);
    await expect.poll(async () => (await chart.state())?.timezone).toBe("America/New_York");
    if (visit === 0) await page.reload();
    await chart.shown();
  }
});

test("a second symbol is a line with its own percent, and kept for each symbol", async ({ page, jarvis }) => {
  await importCandles(jarvis, "GBPUSD");
  const chart = new ChartPage(page, jarvis.url);
  await chart.open();
  const compared = async () => (await chart.state())?.comparison?.label;
  const symbol = page.getByRole("button", { name: "EUR/USD" });
  const choices = page.getByRole("radiogroup", { name: "Compare with" });
  await symbol.click();
  await expect(choices.getByLabel("EUR/USD")).toBeHidden();
  await choices.getByLabel("GBP/USD").check();
  await expect.poll(compared).toBe("GBP/USD");
  await page.keyboard.press("Escape");
  await page.reload();
  await chart.shown();
  await expect.poll(compared).toBe("GBP/USD");
  await page.getByRole("link", { name: "H4" }).click();
  await expect.poll(async () => (await chart.state())?.timeframe).toBe("H4");
  await expect.poll(compared).toBe("GBP/USD");
  await symbol.click();
  await page.getByRole("link", { name: "USD/JPY" }).click();
  await expect.poll(async () => (await chart.state())?.symbol).toBe("USDJPY");
  expect(await compared()).toBeUndefined();
  await page.goBack();
  await expect.poll(compared).toBe("GBP/USD");
  await symbol.click();
  await choices.getByLabel("Nothing").check();
  await expect.poll(compared).toBeUndefined();
});

test("a second symbol that was refused does not come back", async ({ page, jarvis }) => {
  // Prices may have brought it a candle meanwhile.
  await page.route("**/api/page*", async (route) => {
    if (!route.request().postData()?.includes("GBPUSD")) return route.fallback();
    const answer = (await (await route.fetch()).json()) as { value: object };
    const value = { ...answer.value, candles: [], more: false };
    return route.fulfill({ json: { ...answer, value } });
  });
  const chart = new ChartPage(page, jarvis.url);
  await chart.open();
  const choices = page.getByRole("radiogroup", { name: "Compare with" });
  await page.getByRole("button", { name: "EUR/USD" }).click();
  await choices.getByLabel("GBP/USD").click();
  const refusal = page.getByText("There are no candles of GBP/USD to compare with.");
  await expect(refusal).toBeVisible();
  await expect(choices.getByLabel("Nothing")).toBeChecked();
  expect(await page.evaluate(() => localStorage.getItem("jarvis.chart.compared.EURUSD"))).toBe("");
  await page.reload();
  await chart.shown();
  await expect(refusal).toHaveCount(0);
  expect((await chart.state())?.comparison).toBeNull();
});
