// Levels that the assistant finds on the chart: real levels of the candles, painted in place.
import { ChartPage } from "../support/chart.ts";
import { coloured } from "../support/pixels.ts";
import { expect, test } from "../support/test.ts";

test.use({ viewport: { width: 1440, height: 900 }, timezoneId: "UTC" });
test.slow();

/** For tests that open another page first. */
const direct = test.extend<object>({ startPage: false });

/** Opening time in Unix seconds, open, high, low, close, volume. */
type Candle = [number, number, number, number, number, number];

direct("support, resistance and the last swing are those of the candles", async ({ page, chat, jarvis }) => {
  const chart = new ChartPage(page, jarvis.url);
  await chart.open();
  const answer = await page.context().request.post(`${jarvis.url}/api/page`, {
    data: { board: "markets", kind: "chart", name: "EURUSD/H1", part: "candles/500" },
    headers: { origin: jarvis.url },
  });
  const candles = ((await answer.json()) as { value: { candles: Candle[] } }).value.candles;
  expect(candles).toHaveLength(500);

  await chat.ask("Mark the main support and resistance and the last swing's fibonacci.");
  await chat.answered();
  await expect(chart.entries).toHaveCount(3);
  await expect
    .poll(async () => (await chart.state())?.drawings.filter(({ shown }) => shown).length)
    .toBe(3);
  const state = await chart.state();
  const prices = (kind: string) =>
    state?.drawings.filter((drawing) => drawing.kind === kind).map(({ places }) => places[0]?.price ?? 0) ?? [];
  const [support, resistance] = prices("horizontal_line").sort() as [number, number];
  // A level is where candles have turned, within three pips.
  const near = (of: 2 | 3, price: number) => candles.filter((candle) => Math.abs(candle[of] - price) < 0.0003);
  expect(near(3, support).length).toBeGreaterThan(0);
  expect(near(2, resistance).length).toBeGreaterThan(0);
  const fibonacci = state?.drawings.find(({ kind }) => kind === "fibonacci");
  const ends = fibonacci?.places.slice(0, 2) ?? [];
  expect(ends).toHaveLength(2);
  for (const { time, price } of ends) {
    const candle = candles.find(([opens]) => opens === Date.parse(time ?? "") / 1000);
    expect([candle?.[2], candle?.[3]]).toContain(price);
  }
  // The answer names the levels that it drew.
  for (const price of [support, resistance]) {
    await expect(chat.texts.last()).toContainText(price.toFixed(5));
    await expect(chart.table.getByRole("row", { name: new RegExp(price.toFixed(5)) })).not.toHaveCount(0);
  }

  // They are painted there until they are undone.
  const pane = state?.pane ?? { width: 0, height: 0 };
  const line = state?.drawings
    .filter(({ kind }) => kind === "horizontal_line")
    .map(({ places }) => places[0] ?? { price: 0, y: -1 })
    .find(({ y }) => y > 0 && y < pane.height);
  expect(line, "a level in view").toBeDefined();
  const y = line?.y ?? 0;
  const token = line?.price === support ? "--green" : "--red";
  const painted = async () => coloured(page, await chart.at(4, y), await chart.at(pane.width - 4, y), token);
  await expect.poll(painted).toBeGreaterThan(0.8);
  await page.getByRole("button", { name: "Undo the turn" }).click();
  await expect(chart.entries).toHaveCount(0);
  await expect.poll(painted).toBeLessThan(0.5);
});

test("a question in the chat about a chart goes along to it", async ({ page, chat }) => {
  const question = "mark the resistance levels";
  await chat.ask(question);
  await chat.answered();
  await chat.texts.last().getByRole("link", { name: "Chart" }).click();
  await expect(page).toHaveURL(/\/chart/);
  // It is a draft: the person sends it.
  await expect(chat.composer).toHaveValue(question);
  await expect(chat.composer).toBeFocused();
  await expect(chat.texts).toHaveCount(0);
  await page.keyboard.press("Enter");
  await chat.answered();
  const chart = new ChartPage(page);
  await chart.unfold();
  await expect(chart.entries).not.toHaveCount(0);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("a question that goes along is in the sheet over the chart", async ({ page, chat }) => {
    const question = "mark the resistance levels";
    await chat.ask(question);
    await chat.answered();
    await chat.texts.last().getByRole("link", { name: "Chart" }).tap();
    await expect(page).toHaveURL(/\/chart/);
    await expect(chat.composer).toHaveValue(question);
    await expect(chat.composer).toBeInViewport({ ratio: 1 });
  });
});
