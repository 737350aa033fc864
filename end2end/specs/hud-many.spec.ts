// The HUD of a large cluster: the document has the rows in sight, however many guests there are.
import type { Page } from "@playwright/test";
import { Chat, expect, test } from "../support/test.ts";

test.use({ startPage: false });

const GUESTS = 500;
/** Rows in sight, and some beyond each edge. */
const MOST_ROWS = 120;
/** With all rows it was more than 50,000. */
const MOST_ELEMENTS = 12_000;

interface Frame {
  type?: string;
  whole?: boolean;
  put?: { key: string; value: Record<string, unknown> }[];
}

/** Adds copies of a guest to the board until there are `GUESTS` more. Call it before the page is loaded. */
async function manyGuests(page: Page): Promise<void> {
  await page.routeWebSocket(/./, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      if (typeof message !== "string") return socket.send(message);
      const frame = JSON.parse(message) as Frame;
      const first = frame.put?.find(({ key }) => key === "guest/100");
      if (frame.type !== "board" || !frame.whole || !frame.put || !first) return socket.send(message);
      for (let n = 0; n < GUESTS; n++) {
        const vmid = 5_000 + n;
        frame.put.push({ key: `guest/${vmid}`, value: { ...first.value, vmid, name: `many-${n}` } });
      }
      socket.send(JSON.stringify(frame));
    });
  });
}

const rows = (page: Page) => page.locator("tbody.guests__body tr.guests__row");
const elements = (page: Page) => page.locator("*").count();

test("500 guests more: the document stays bounded, and each of them is reached", async ({ page, jarvis }) => {
  test.slow();
  await manyGuests(page);
  await page.goto(`${jarvis.url}/hud`);
  await new Chat(page).alive();
  const table = page.getByRole("table", { name: "Guests" });
  await expect(table).toHaveAttribute("aria-rowcount", /^5\d\d$/);
  const total = Number(await table.getAttribute("aria-rowcount"));
  await expect.poll(() => rows(page).count()).toBeLessThanOrEqual(MOST_ROWS);
  expect(await rows(page).count()).toBeGreaterThan(0);
  expect(await elements(page)).toBeLessThan(MOST_ELEMENTS);

  // To the end and back: other rows, no more of them.
  const scroller = page.locator(".hud[data-scroller]");
  const last = async () => Number(await rows(page).last().getAttribute("aria-rowindex"));
  await expect(async () => {
    await scroller.evaluate((it) => it.scrollTo(0, it.scrollHeight));
    expect(await last()).toBe(total);
  }).toPass();
  await expect.poll(() => rows(page).count()).toBeLessThanOrEqual(MOST_ROWS);
  expect(await elements(page)).toBeLessThan(MOST_ELEMENTS);
  await expect(async () => {
    await scroller.evaluate((it) => it.scrollTo(0, 0));
    expect(await rows(page).first().getAttribute("aria-rowindex")).toMatch(/^[23]$/);
  }).toPass();
  expect(await elements(page)).toBeLessThan(MOST_ELEMENTS);

  // What is out of sight is found.
  await page.getByRole("searchbox", { name: /Find guests/ }).fill("many-499");
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText("many-499");
});
