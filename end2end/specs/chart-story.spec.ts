// A plan from the first words to its result, on prices that a script tells.
import { ChartPage } from "../support/chart.ts";
import { PriceFile } from "../support/price-file.ts";
import { expect, test } from "../support/test.ts";

const prices = new PriceFile("prices");
const PIP = 0.0001;

// The script tells when the price changes; nothing here depends on its age.
test.use(prices.options(3_600, { JARVIS_NOTICES: "true", JARVIS_NOTICES_HOLD_SECONDS: "1" }));
test.slow();

let last = 0;

/** Tells a bid and an ask one pip above it. Each price is later than the one before. */
function tell(bid: number): string {
  last = Math.max(Math.floor(Date.now() / 1_000), last + 1);
  const [sold, bought] = [bid.toFixed(5), (bid + PIP).toFixed(5)];
  prices.tell(Number(sold), Number(bought), last);
  return sold;
}

test.beforeEach(() => {
  tell(1.201);
});

test.afterEach(() => {
  prices.remove();
});

test("the levels are marked, a long is proposed, followed to its target and told of", async ({ page, chat, jarvis }) => {
  const chart = new ChartPage(page, jarvis.url);
  await chart.open("/chart/EURUSD/H1");
  /** Tells a price, and waits until the page shows it. */
  const shows = async (bid: number) => {
    const text = tell(bid);
    await expect(page.locator(".desk__price")).toContainText(text);
  };

  await chat.ask("Mark the levels, propose a long, follow it until it is closed, tell me how it went.");
  await chat.answered();
  await expect(chat.texts.last()).toContainText("nothing is followed yet");
  const long = chart.entry("Long from");
  await expect(long).toHaveCount(1);
  await expect(chart.entry(/Support|Resistance/)).not.toHaveCount(0);
  const marks = long.locator(".drawing__marks");
  await expect(marks).toContainText("idea");
  const position = async () => (await chart.state())?.drawings.find(({ kind }) => kind === "position");
  await expect.poll(position).toBeDefined();
  const places = (await position())?.places ?? [];
  const price = (name: string) => {
    const place = places.find((place) => place.name === name);
    if (!place) throw new Error(`there is no ${name}`);
    return place.price;
  };
  const [entry, stop, target] = [price("entry"), price("stop"), price("target")];
  expect(stop).toBeLessThan(entry);
  expect(target).toBeGreaterThan(entry);

  // Nothing is followed before a person accepts it, and nothing filled above the entry.
  await shows(entry + 10 * PIP);
  await long.locator(".drawing__name").click();
  await long.getByRole("button", { name: "Accept" }).click();
  await expect(marks).toContainText("waiting");
  await shows(entry + 5 * PIP);
  await expect(marks).toContainText("waiting");

  // A long is bought at the ask and sold at the bid.
  await shows(entry - PIP);
  await expect(marks).toContainText("open");
  await shows((entry + target) / 2);
  await expect(marks).toContainText("open");
  await expect(marks).toContainText(/now 1\.\d{5}: \+\d+\.\d pips, \+\d\.\d\d R/);
  await shows(target);
  await expect(marks).toContainText("target");
  await expect(marks).toContainText("+2.00 R");
  // As a notice, announced on whatever page is open.
  const told = page.locator('[aria-live="polite"]').filter({ hasText: "EURUSD reached its target: closed at" });
  await expect(told.first()).toBeAttached();
  const changes = long.locator(".drawing__changes li");
  await expect(changes.filter({ hasText: "the price reached the entry" })).toHaveCount(1);
  await expect(changes.filter({ hasText: "the price reached the target" })).toHaveCount(1);

  await chat.ask("How did the long go?");
  await chat.answered(2);
  const pips = ((target - entry) / PIP).toFixed(1);
  await expect(chat.texts.last()).toContainText("The long position on EURUSD reached its target, sir");
  await expect(chat.texts.last()).toContainText(`it has made ${pips} pips, 2.00 R`);
});
