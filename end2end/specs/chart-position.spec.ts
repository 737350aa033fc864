// What a person does with positions that the assistant proposed: reject, fill, move and close, at prices that
// a script tells.
import { ChartPage } from "../support/chart.ts";
import { PriceFile } from "../support/price-file.ts";
import { expect, test } from "../support/test.ts";

const prices = new PriceFile("position-prices");
const [BID, ASK] = [1.201, 1.2011];

// Nothing here depends on the age of a price.
test.use(prices.options(3_600));
test.slow();

test.beforeEach(() => {
  prices.tell(BID, ASK, Math.floor(Date.now() / 1_000));
});

test.afterEach(() => {
  prices.remove();
});

test("ideas are rejected, filled, moved and closed by hand, each step with who did it", async ({
  page,
  chat,
  rehearsal,
  jarvis,
}) => {
  const chart = new ChartPage(page, jarvis.url);
  await chart.open("/chart/EURUSD/H1");
  await expect(page.locator(".desk__price")).toContainText(BID.toFixed(5));
  const long = (label: string, start: string, [entry, stop, target]: [number, number, number]) => ({
    type: "tool_use" as const,
    name: "draw_long_position",
    input: { symbol: "EURUSD", start, entry, stop, target, label, reason: "A low of December; wrong below it." },
  });
  await rehearsal.script(
    {
      blocks: [
        long("Deep", "2017-12-26T12:00:00Z", [1.19, 1.185, 1.2]),
        long("Near", "2017-12-27T12:00:00Z", [1.198, 1.194, 1.208]),
      ],
    },
    { blocks: [{ type: "text", text: "Two longs, sir." }] },
  );
  await chat.ask("Propose two longs.");
  await chat.answered();
  const [deep, near] = [chart.entry("Deep"), chart.entry("Near")];
  const marks = near.locator(".drawing__marks");
  const changes = near.locator(".drawing__changes li");

  await deep.locator(".drawing__name").click();
  await deep.getByRole("button", { name: "Reject" }).click();
  await expect(deep.locator(".drawing__marks")).toContainText("rejected");
  await expect(deep.locator(".drawing__changes li")).toContainText("Operator: rejected by hand");
  // It is over: there is no further step.
  await expect(deep.getByRole("button", { name: /Accept|Fill now|Close now/ })).toHaveCount(0);

  await near.locator(".drawing__name").click();
  await near.getByRole("button", { name: "Accept" }).click();
  await expect(marks).toContainText("waiting");
  await near.getByRole("button", { name: "Fill now" }).click();
  await expect(marks).toContainText("open");
  // A long is bought at the ask.
  await expect(changes.first()).toContainText("filled by hand");
  await expect(changes.first()).toContainText(`opened: nothing → ${ASK.toFixed(5)}`);

  // The target is dragged by its line, which a position that is not closed has to the right of its start.
  const drawn = async () => (await chart.state())?.drawings.find(({ kind, shown, places }) => {
    return kind === "position" && shown && places.some(({ price }) => price === 1.198);
  });
  const target = async () => (await drawn())?.places.find(({ name }) => name === "target");
  await expect.poll(async () => (await target())?.price).toBe(1.208);
  const before = await target();
  const from = await chart.at((before?.x ?? 0) + 60, before?.y ?? 0);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y + 10, { steps: 4 });
  await page.mouse.move(from.x, from.y + 20, { steps: 4 });
  await page.mouse.up();
  await expect(changes.first()).toContainText("target: 1.208");
  await expect(changes.first()).toContainText("Operator: dragged");
  await expect.poll(async () => (await target())?.price).toBeLessThan(1.208);
  await expect(marks).toContainText("open");

  // The assistant moves the stop, and the change leads to its message.
  const id = (await drawn())?.id;
  const moved = { id, expected_version: 4, reason: "The low moved up.", changes: { shape: { stop: 1.195 } } };
  await rehearsal.script(
    { blocks: [{ type: "tool_use", name: "update_drawing", input: moved }] },
    { blocks: [{ type: "text", text: "The stop is higher, sir." }] },
  );
  await chat.ask("Move the stop up.");
  await chat.answered(2);
  await expect(changes.first()).toContainText("stop: 1.19400 → 1.19500");
  const leads = near.locator(".drawing__changes").getByRole("button", { name: "Show the message" });
  await expect(leads).toHaveCount(1);
  await page.getByRole("button", { name: "Close the chat" }).click();
  await expect(chart.dock).toHaveCount(0);
  await leads.click();
  await expect(chart.dock).toContainText("The stop is higher, sir.");

  await near.getByRole("button", { name: "Close now" }).click();
  await expect(marks).toContainText("closed");
  // And it is sold at the bid.
  await expect(changes.first()).toContainText("closed by hand");
  await expect(changes.first()).toContainText(BID.toFixed(5));
  await expect(near.getByRole("button", { name: "Close now" })).toHaveCount(0);
});
