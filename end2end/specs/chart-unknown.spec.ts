// A price whose source dies, lies, goes back in time, jumps or falls silent, as the chart's page shows it.
import { ChartPage } from "../support/chart.ts";
import { PriceFile } from "../support/price-file.ts";
import { expect, expectAccessible, test } from "../support/test.ts";

const prices = new PriceFile("wrong-prices");

test.use(prices.options(10));
test.slow();

/** Seconds since 1970. */
const now = () => Math.floor(Date.now() / 1_000);

test.afterEach(() => {
  prices.remove();
});

test("an unknown price says why, and how old the last one is", async ({ page, jarvis }) => {
  prices.tell(1.2, 1.2001, now());
  const chart = new ChartPage(page, jarvis.url);
  await chart.open("/chart/EURUSD/H1");
  const price = page.locator(".desk__price");
  const last = page.locator(".desk__last");
  // Told again until it is shown, however long that takes: it is old after ten seconds.
  const look = async () => {
    const { isKnown = null, colours = [] } = (await chart.state())?.price ?? {};
    return { isKnown, colours: new Set(colours).size };
  };
  const known = async () => {
    await expect(async () => {
      prices.tell(1.2, 1.2001, now());
      await expect(price).toContainText("1.20000", { timeout: 2_000 });
    }).toPass();
    await expect(last).toHaveCount(0);
    // Green after a rise, red after a fall.
    await expect.poll(look).toEqual({ isKnown: true, colours: 2 });
  };
  const unknown = async (reason: string) => {
    await expect(price).toContainText("No known price: ");
    await expect(price).toContainText(reason);
    await expect(price).not.toContainText("1.20000");
    await expect(last).toHaveText(/^Last known: bid 1\.20000, ask 1\.20010 at .+, \d+ (s|min) ago\.$/);
    // Its tag and its line on the chart do not look live.
    await expect.poll(look).toEqual({ isKnown: false, colours: 1 });
  };
  await known();

  // It dies.
  prices.remove();
  await unknown("the file of prices");
  await expectAccessible(page);
  await known();
  // It lies.
  prices.tell(1.3, 1.2, now());
  await unknown("is not between");
  prices.write('{"EURUSD": {"bid": "<b>1</b>", "ask": 1, "at": "now"}}');
  await unknown("cannot be read");
  prices.tell(1.2, 1.2001, now() + 3_600);
  await unknown("in the future");
  // It goes back in time.
  prices.tell(1.2, 1.2001, now() - 3_600);
  await unknown("back in time");
  // It jumps, and what it says is shown nowhere as a price.
  await known();
  prices.tell(1.5, 1.5001, now());
  await unknown("jumped");
  await expect(page.locator(".desk__ask")).toHaveCount(0);

  // It is well again, nothing of that stays, and then it says nothing new.
  await known();
  await expect(price).toContainText("nothing new since", { timeout: 15_000 });
  await unknown("nothing new since");
});
